package dev.millwright.controllers.node.health;

import dev.millwright.controllers.metrics.Families;
import dev.millwright.controllers.metrics.SnakeCase;
import dev.millwright.controllers.node.Deadline;
import dev.millwright.controllers.nodeclaim.ClaimChange;
import dev.millwright.controllers.nodeclaim.ClaimDeletion;
import dev.millwright.controllers.settings.Concurrency;
import dev.millwright.controllers.settings.FeatureGates;
import dev.millwright.controllers.settings.Settings;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.label.AnnotationKeys;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.policy.RepairPolicy;
import dev.millwright.kube.cache.Change;
import dev.millwright.kube.cache.Kind;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.event.KubeEvent;
import dev.millwright.kube.event.KubeEvent.Subject;
import dev.millwright.kube.object.ClaimObject;
import dev.millwright.kube.object.Condition;
import dev.millwright.kube.object.NodeObject;
import dev.millwright.runtime.log.LogLevel;
import dev.millwright.runtime.step.Controller;
import dev.millwright.runtime.step.Effect;
import dev.millwright.runtime.step.Pace;
import dev.millwright.runtime.step.Step;
import dev.millwright.spi.CloudTraits;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/// Repair as it was up to Karpenter 1.14, for those who still want it: deletes the claim of a node
/// that has been broken for too long. Nobody is asked: its pods are of no use where they are.
public final class HealthController implements Controller {

    public static final String NAME = "node.health";

    private static final Duration BLOCKED_POLL = Duration.ofMinutes(5);
    private static final Duration BLOCKED_DEDUPE = Duration.ofMinutes(15);
    private static final int AT_ONCE_MIN = 10;
    private static final int AT_ONCE_MAX = 1_000;

    private final List<RepairPolicy> policies;
    private final Pace pace;

    public HealthController(List<RepairPolicy> policies, double cores) {
        this.policies = List.copyOf(policies);
        this.pace = Pace.of(Concurrency.scale(AT_ONCE_MIN, AT_ONCE_MAX, cores));
    }

    /// Whether there is anything to do for it at all. Nodes are repaired by the disruption pass
    /// unless somebody asks for the old way.
    public static boolean isWanted(Settings settings, CloudTraits traits) {
        var gates = settings.gates();
        return settings.isLegacyRepair()
                && gates.isOn(FeatureGates.Gate.NODE_REPAIR)
                && !traits.repairPolicies().isEmpty();
    }

    @Override
    public String name() {
        return NAME;
    }

    /// Heartbeats change a node every few seconds; only its conditions matter here.
    @Override
    public List<Watch<?>> watches() {
        return List.of(new Watch<>(Kind.NODE, (_, change) -> turned(change)));
    }

    private static List<ObjectName> turned(Change<NodeObject> change) {
        var before = change.before();
        var after = change.after();
        return after == null || (before != null && signs(before).equals(signs(after)))
                ? List.of()
                : List.of(change.name());
    }

    private record Sign(String type, Condition.Status status, Instant changedAt) {}

    private static List<Sign> signs(NodeObject node) {
        return node.conditions().stream()
                .map(each -> new Sign(each.type(), each.status(), each.changedAt()))
                .toList();
    }

    @Override
    public Pace pace() {
        return pace;
    }

    @Override
    public Step step(View view, ObjectName key, Instant now) {
        var node = view.node(key.name());
        var claim = node == null ? null : view.claimOf(node);
        if (node == null || claim == null || !view.isManaged(node)) {
            return Step.DONE;
        }
        var ailment = Ailment.of(node, policies);
        if (ailment == null) {
            return Step.DONE;
        }
        if (now.isBefore(ailment.dueAt())) {
            return Step.again(Duration.between(now, ailment.dueAt()));
        }
        var breaker = Breaker.of(view, claim, policies);
        return breaker.isOpen()
                ? blocked(node, breaker)
                : Step.of(repair(view, node, claim, ailment, now));
    }

    private static Step blocked(NodeObject node, Breaker breaker) {
        var event =
                KubeEvent.warning(
                                Subject.of(ResourceType.NODE, node),
                                "NodeRepairBlocked",
                                "Node %s: not replaced, because %d of %d nodes of %s are unhealthy and at most %d may be"
                                        .formatted(
                                                node.name().name(),
                                                breaker.unhealthy(),
                                                breaker.nodes(),
                                                breaker.scope(),
                                                breaker.unhealthyMax()))
                        .dedupedBy(List.of(node.meta().uid()), BLOCKED_DEDUPE);
        return Step.of(new Effect.Publish(event)).thenAgain(BLOCKED_POLL);
    }

    /// The deadline comes first: a claim that is deleted without it would be drained politely. A
    /// deadline that is over already stays as it is.
    private static List<Effect> repair(
            View view, NodeObject node, ClaimObject claim, Ailment ailment, Instant now) {
        var effects = new ArrayList<Effect>();
        var deadline = Deadline.of(claim);
        if (deadline == null || deadline.isAfter(now)) {
            var annotations = new TreeMap<>(claim.meta().annotations());
            annotations.put(
                    AnnotationKeys.TERMINATION_TIMESTAMP,
                    now.truncatedTo(ChronoUnit.SECONDS).toString());
            effects.addAll(ClaimChange.of(claim).annotations(annotations).writes(view));
        }
        if (!claim.isDeleting()) {
            effects.add(ClaimDeletion.withPods("unhealthy", claim, view));
            effects.add(
                    new Effect.Count(
                            Families.NODECLAIMS_UNHEALTHY_DISRUPTED,
                            SnakeCase.of(ailment.condition().type()),
                            claim.nodePool(),
                            claim.meta().label(LabelKeys.CAPACITY_TYPE),
                            claim.status().imageId(),
                            "forceful"));
            effects.add(
                    new Effect.Say(
                            LogLevel.INFO,
                            "deleted claim of unhealthy node",
                            "Node",
                            node.name().name(),
                            "NodeClaim",
                            claim.name().name(),
                            "condition",
                            ailment.condition().type(),
                            "status",
                            ailment.condition().status().text(),
                            "since",
                            ailment.condition().changedAt().toString()));
        }
        return effects;
    }
}
