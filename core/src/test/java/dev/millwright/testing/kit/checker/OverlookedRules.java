package dev.millwright.testing.kit.checker;

import dev.millwright.core.cluster.Pod;
import dev.millwright.core.cluster.StateNode;
import dev.millwright.core.label.Operator;
import dev.millwright.core.policy.NodePool;
import dev.millwright.core.quantity.Resources;
import dev.millwright.core.scheduling.WaitReason;

import java.util.ArrayList;
import java.util.List;

/// No pod waits although it plainly fits.
///
/// Only pods that nothing but taints, labels and room can keep away are judged: no volumes, ports
/// or relations to other pods in either direction. For them a node that has room at the end had
/// room all along, unless it attaches too many volumes, and a pool without limits can always open
/// another node.
final class OverlookedRules {

    private final Facts facts;
    private final List<Violation> violations = new ArrayList<>();

    OverlookedRules(Facts facts) {
        this.facts = facts;
    }

    List<Violation> check() {
        for (var waiting : facts.plan().waiting()) {
            if (waiting.reason() instanceof WaitReason.Refused) {
                var pod = facts.pod(waiting.pod());
                if (isPlain(pod)) {
                    check(pod);
                }
            }
        }
        return violations;
    }

    private boolean isPlain(Pod pod) {
        var placement = pod.placement();
        return pod.volumes().isEmpty()
                && pod.hostPorts().isEmpty()
                && placement.spread().isEmpty()
                && placement.podAffinity().isEmpty()
                && placement.podAntiAffinity().isEmpty()
                && placement.nodeAffinity().required().size() <= 1
                && !isContradicting(pod)
                && facts.problem().policy().defaultSpread().isEmpty()
                && facts.problem().snapshot().pods().stream()
                        .noneMatch(other -> repels(other, pod));
    }

    /// A pod that leaves itself no value of a key can be placed nowhere, even where the key is
    /// absent.
    private boolean isContradicting(Pod pod) {
        return Demands.first(pod, facts.vocabulary()).all().stream()
                .anyMatch(wanted -> wanted.operator() == Operator.DOES_NOT_EXIST);
    }

    private boolean repels(Pod owner, Pod pod) {
        return owner.placement().podAntiAffinity().required().stream()
                .anyMatch(term -> AffinityRules.selects(facts, owner, term, pod));
    }

    private void check(Pod pod) {
        for (var node : facts.nodes().values()) {
            if (!node.isMarkedForDeletion() && fits(pod, node)) {
                report(pod, "waits although node %s has room".formatted(node.name()));
            }
        }
        for (var pool : facts.pools().values()) {
            if (pool.limits().isEmpty() && fits(pod, pool)) {
                report(pod, "waits although pool %s has a type for it".formatted(pool.name()));
            }
        }
    }

    private boolean fits(Pod pod, StateNode node) {
        var labels = facts.placeOf(node).labels();
        return Demands.untolerated(pod, node.taints(), false) == null
                && node.volumeLimits().isEmpty()
                && labels.isCompatible(
                        Demands.first(pod, facts.vocabulary()), Demands.NOTHING_UNDEFINED)
                && pod.requests().fitsIn(left(node));
    }

    private Resources left(StateNode node) {
        var left = ExistingNodeRules.available(facts, node);
        for (var existing : facts.plan().existing()) {
            if (existing.node().equals(node.name())) {
                left = left.minus(Daemons.requests(facts.knownPods(existing.pods())));
            }
        }
        return left;
    }

    private boolean fits(Pod pod, NodePool pool) {
        var wellKnown = facts.vocabulary().wellKnown();
        var promised = pool.nodeRequirements(facts.vocabulary());
        var wanted = Demands.first(pod, facts.vocabulary());
        if (Demands.untolerated(pod, pool.template().taints(), false) != null
                || wanted.has(dev.millwright.core.label.LabelKeys.HOSTNAME)
                || promised.hasMinValues()
                || !promised.isCompatible(wanted, wellKnown)) {
            return false;
        }
        var both = promised.and(wanted);
        return facts.typesOf(pool).stream()
                .filter(type -> type.requirements().intersects(both))
                .anyMatch(
                        type -> {
                            var daemons = Daemons.requests(Daemons.of(facts, pool, type));
                            return type.allocatableGroups().stream()
                                    .filter(
                                            group ->
                                                    pod.requests()
                                                            .plus(daemons)
                                                            .fitsIn(group.allocatable()))
                                    .flatMap(group -> group.offerings().stream())
                                    .anyMatch(
                                            offering ->
                                                    !offering.isReserved()
                                                            && both.isCompatible(
                                                                    offering.requirements(),
                                                                    wellKnown));
                        });
    }

    private void report(Pod pod, String problem) {
        violations.add(new Violation(Violation.Rule.OVERLOOKED, pod.toString(), problem));
    }
}
