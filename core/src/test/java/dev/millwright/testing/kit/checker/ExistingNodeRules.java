package dev.millwright.testing.kit.checker;

import dev.millwright.core.cluster.Pod;
import dev.millwright.core.cluster.StateNode;
import dev.millwright.core.quantity.Resources;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Pods on nodes that are there: taints, labels, room, ports and volumes.
///
/// All of these only get tighter while pods are added, so that what held for the last pod holds for
/// all of them together.
final class ExistingNodeRules {

    private final Facts facts;
    private final List<Violation> violations = new ArrayList<>();

    ExistingNodeRules(Facts facts) {
        this.facts = facts;
    }

    List<Violation> check() {
        for (var existing : facts.plan().existing()) {
            var node = facts.node(existing.node());
            if (node == null || node.isMarkedForDeletion()) {
                report(
                        Violation.Rule.DESTINATION,
                        existing.node(),
                        node == null ? "is no node of the cluster" : "is being deleted");
                continue;
            }
            if (existing.pods().isEmpty()) {
                report(Violation.Rule.DESTINATION, existing.node(), "is listed without pods");
            }
            check(node, facts.knownPods(existing.pods()));
        }
        return violations;
    }

    private void check(StateNode node, List<Pod> pods) {
        pods.forEach(pod -> checkPod(node, pod));
        checkResources(node, pods);
        checkHostPorts(node, pods);
        checkVolumeLimits(node, pods);
    }

    private void checkPod(StateNode node, Pod pod) {
        var taint = Demands.untolerated(pod, node.taints(), facts.isPreferNoScheduleGivenUp());
        if (taint != null) {
            report(
                    Violation.Rule.TAINTS,
                    node.name(),
                    "%s does not tolerate %s".formatted(pod, taint));
        }
        var labels = facts.placeOf(node).labels();
        if (Demands.alternatives(pod, facts.vocabulary()).stream()
                .noneMatch(wanted -> Demands.areMet(labels, wanted))) {
            report(
                    Violation.Rule.REQUIREMENTS,
                    node.name(),
                    "%s wants %s, found %s"
                            .formatted(pod, Demands.alternatives(pod, facts.vocabulary()), labels));
        }
        if (!Demands.volumesAreMet(facts, pod, labels)) {
            report(
                    Violation.Rule.VOLUME_ZONES,
                    node.name(),
                    "volumes of %s cannot be reached".formatted(pod));
        }
    }

    /// What is left of the node before the plan, with room kept for daemons that are still to come.
    static Resources available(Facts facts, StateNode node) {
        var bound = facts.boundTo(node);
        var expected = Daemons.requests(Daemons.of(facts, node));
        var present =
                Daemons.requests(
                        bound.stream().filter(pod -> pod.state().isOwnedByDaemonSet()).toList());
        var missing = expected.minus(present).flooredAtZero();
        return node.allocatable().minus(Daemons.requests(bound)).minus(missing);
    }

    private void checkResources(StateNode node, List<Pod> pods) {
        var available = available(facts, node);
        var wanted = Daemons.requests(pods);
        if (!pods.isEmpty() && !wanted.fitsIn(available)) {
            report(
                    Violation.Rule.RESOURCES,
                    node.name(),
                    "%s want %s, found %s".formatted(pods, wanted, available));
        }
    }

    private void checkHostPorts(StateNode node, List<Pod> pods) {
        var together = new ArrayList<>(facts.boundTo(node));
        together.addAll(pods);
        for (var pod : pods) {
            for (var other : together) {
                if (!other.name().equals(pod.name()) && clash(pod, other)) {
                    report(
                            Violation.Rule.HOST_PORTS,
                            node.name(),
                            "%s and %s want the same port".formatted(pod, other));
                }
            }
        }
    }

    static boolean clash(Pod one, Pod other) {
        return one.hostPorts().stream()
                .anyMatch(port -> other.hostPorts().stream().anyMatch(port::clashesWith));
    }

    private void checkVolumeLimits(StateNode node, List<Pod> pods) {
        var together = new ArrayList<>(facts.boundTo(node));
        together.addAll(pods);
        var distinct = new LinkedHashSet<Demands.Attachment>();
        together.forEach(pod -> distinct.addAll(Demands.attachments(facts, pod)));
        Map<String, Integer> byDriver = new TreeMap<>();
        distinct.forEach(attachment -> byDriver.merge(attachment.driver(), 1, Integer::sum));
        byDriver.forEach(
                (driver, count) -> {
                    var limit = node.volumeLimits().get(driver);
                    if (!pods.isEmpty() && limit != null && count > limit) {
                        report(
                                Violation.Rule.VOLUME_LIMITS,
                                node.name(),
                                "driver %s attaches %d, limit %d".formatted(driver, count, limit));
                    }
                });
    }

    private void report(Violation.Rule rule, String node, String problem) {
        violations.add(new Violation(rule, "node " + node, problem));
    }
}
