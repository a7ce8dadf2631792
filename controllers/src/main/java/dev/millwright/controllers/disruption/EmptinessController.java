package dev.millwright.controllers.disruption;

import dev.millwright.controllers.log.LogLevel;
import dev.millwright.controllers.metrics.Families;
import dev.millwright.controllers.metrics.SnakeCase;
import dev.millwright.controllers.nodeclaim.ClaimChange;
import dev.millwright.controllers.nodeclaim.ClaimDeletion;
import dev.millwright.controllers.nodeclaim.NewClaims;
import dev.millwright.controllers.state.ClusterState;
import dev.millwright.controllers.state.Marks;
import dev.millwright.controllers.step.Controller;
import dev.millwright.controllers.step.Effect;
import dev.millwright.controllers.step.Pace;
import dev.millwright.controllers.step.Step;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.label.Taint;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.client.ApiWrite;
import dev.millwright.kube.client.ApiWrite.PatchKind;
import dev.millwright.kube.client.ApiWrite.Subresource;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;
import dev.millwright.kube.event.KubeEvent;
import dev.millwright.kube.object.ClaimObject;
import dev.millwright.kube.object.Condition;
import dev.millwright.kube.object.NodeObject;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Takes away nodes without pods: those that are empty now and still are fifteen seconds later,
/// within the budgets of their pools.
///
/// What it remembers between two steps is only which nodes it is waiting for; a restart waits anew.
public final class EmptinessController implements Controller {

    private static final Duration PERIOD = Duration.ofSeconds(10);
    private static final Duration UNSYNCED_RECHECK = Duration.ofSeconds(1);

    /// Between the choice and the deed: a pod that was bound just before shows by then.
    private static final Duration VALIDATION_WAIT = Duration.ofSeconds(15);

    private static final String REASON = "Empty";
    private static final int AT_ONCE_MAX = 20;

    /// Claims that were found empty, by name and uid, and when they are looked at again.
    private record Choice(Map<String, String> uids, Instant validAt) {}

    private final Marks marks;
    private @Nullable Choice choice;

    public EmptinessController(Marks marks) {
        this.marks = marks;
    }

    @Override
    public String name() {
        return "disruption";
    }

    @Override
    public List<Watch<?>> watches() {
        return List.of();
    }

    @Override
    public List<ObjectName> initialKeys() {
        return List.of(SINGLETON);
    }

    @Override
    public Pace pace() {
        return Pace.of(1);
    }

    @Override
    public Step step(View view, ObjectName key, Instant now) {
        if (!ClusterState.isSynced(view)) {
            return Step.again(UNSYNCED_RECHECK);
        }
        var leftovers = leftovers(view);
        if (!leftovers.isEmpty()) {
            return Step.of(new Effect.Together(leftovers, AT_ONCE_MAX)).thenAgain(PERIOD);
        }
        var empties = new EmptyNodes(view, marks, now);
        if (choice == null) {
            var chosen = empties.withinBudgets();
            if (chosen.isEmpty()) {
                return Step.again(PERIOD);
            }
            choice = new Choice(EmptyNodes.uids(chosen), now.plus(VALIDATION_WAIT));
            return Step.again(VALIDATION_WAIT);
        }
        if (now.isBefore(choice.validAt())) {
            return Step.again(Duration.between(now, choice.validAt()));
        }
        var valid = stillThere(choice, empties);
        choice = null;
        return valid.isEmpty()
                ? Step.again(PERIOD)
                : Step.of(
                                new Effect.Together(
                                        valid.stream()
                                                .map(each -> removal(view, each, now))
                                                .toList(),
                                        AT_ONCE_MAX))
                        .thenAgain(PERIOD);
    }

    private static List<EmptyNodes.Empty> stillThere(Choice choice, EmptyNodes empties) {
        return empties.withinBudgets().stream()
                .filter(
                        empty ->
                                empty.claim()
                                        .meta()
                                        .uid()
                                        .equals(choice.uids().get(empty.claim().name().name())))
                .toList();
    }

    /// Taint first, so that no pod comes any more; then say why; then delete.
    private Step removal(View view, EmptyNodes.Empty empty, Instant now) {
        var claim = empty.claim();
        var said =
                claim.conditions()
                        .with(
                                ClaimObject.DISRUPTION_REASON,
                                Condition.Status.TRUE,
                                REASON,
                                REASON,
                                now);
        var effects = new ArrayList<Effect>();
        effects.add(new Effect.Write(taints(empty.node(), tainted(empty.node()))));
        effects.addAll(ClaimChange.of(claim).conditions(said).writes(view));
        effects.add(ClaimDeletion.of(claim, counted(empty)));
        return Step.of(effects);
    }

    private static List<Effect> counted(EmptyNodes.Empty empty) {
        var claim = empty.claim();
        var policy = SnakeCase.of(empty.pool().disruption().policy().text());
        var message = "Disrupting Node: Empty";
        return List.of(
                new Effect.Count(
                        Families.NODECLAIMS_DISRUPTED,
                        1,
                        List.of(
                                SnakeCase.of(REASON),
                                claim.nodePool(),
                                claim.meta().label(LabelKeys.CAPACITY_TYPE),
                                policy,
                                ClaimDeletion.terminationMode(claim))),
                new Effect.Count(
                        Families.DISRUPTION_DECISIONS, "delete", SnakeCase.of(REASON), "empty"),
                new Effect.Count(
                        Families.DISRUPTION_DECISIONS_BY_NODEPOOL,
                        claim.nodePool(),
                        "delete",
                        SnakeCase.of(REASON),
                        "empty"),
                new Effect.Publish(
                        KubeEvent.normal(
                                KubeEvent.Subject.of(ResourceType.NODE, empty.node()),
                                "DisruptionTerminating",
                                message)),
                new Effect.Publish(
                        KubeEvent.normal(
                                KubeEvent.Subject.of(ResourceType.NODE_CLAIM, claim),
                                "DisruptionTerminating",
                                message)),
                new Effect.Say(
                        LogLevel.INFO,
                        "disrupting an empty node",
                        "Node",
                        empty.node().name().name(),
                        "NodeClaim",
                        claim.name().name(),
                        "NodePool",
                        claim.nodePool()));
    }

    /// Marks of a process that died between taint and deletion: the node is free again.
    private List<Step> leftovers(View view) {
        var steps = new ArrayList<Step>();
        for (var claim : view.claims()) {
            var nodes = view.nodesOf(claim.providerId());
            if (claim.isDeleting()
                    || claim.providerId().isEmpty()
                    || nodes.size() != 1
                    || nodes.getFirst().isDeleting()
                    || marks.isMarked(claim.providerId())
                    || !view.isManaged(claim.spec().nodeClassRef())) {
                continue;
            }
            var node = nodes.getFirst();
            var effects = new ArrayList<Effect>();
            if (node.node().taints().stream().anyMatch(Taint.DISRUPTED::matches)) {
                effects.add(new Effect.Write(taints(node, untainted(node))));
            }
            effects.addAll(
                    ClaimChange.of(claim)
                            .conditions(claim.conditions().without(ClaimObject.DISRUPTION_REASON))
                            .writes(view));
            if (!effects.isEmpty()) {
                steps.add(Step.of(effects));
            }
        }
        return steps;
    }

    private static ApiWrite.Patch taints(NodeObject node, List<Value.Mapping> taints) {
        return new ApiWrite.Patch(
                ResourceType.NODE,
                node.name(),
                PatchKind.MERGE,
                Subresource.NONE,
                Tree.of("metadata", node.meta().locked())
                        .put("spec", Tree.of().putList("taints", taints))
                        .mapping());
    }

    private static List<Value.Mapping> untainted(NodeObject node) {
        return node.taintValues().stream()
                .filter(taint -> !LabelKeys.DISRUPTED_TAINT.equals(taint.text("key")))
                .toList();
    }

    private static List<Value.Mapping> tainted(NodeObject node) {
        var taints = new ArrayList<>(untainted(node));
        taints.add(NewClaims.value(Taint.DISRUPTED));
        return taints;
    }
}
