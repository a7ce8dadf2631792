package dev.millwright.controllers.staticpool;

import dev.millwright.controllers.nodepool.PoolUsage;
import dev.millwright.controllers.nodepool.PoolUsage.Standing;
import dev.millwright.controllers.state.Marks;
import dev.millwright.core.cluster.DoNotDisrupt;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.disruption.DisruptionCost;
import dev.millwright.core.scheduling.StaticCapacity;
import dev.millwright.core.scheduling.StaticCapacity.Candidate;
import dev.millwright.kube.cache.Kind;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.client.ApiWrite;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.object.ClaimObject;
import dev.millwright.kube.object.PodObject;
import dev.millwright.runtime.log.LogLevel;
import dev.millwright.runtime.step.Answers;
import dev.millwright.runtime.step.Controller;
import dev.millwright.runtime.step.Effect;
import dev.millwright.runtime.step.Pace;
import dev.millwright.runtime.step.Step;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// Deletes the claims a static pool has too many of, the least useful first.
///
/// It asks no budget: the operator has set the number. Draining still does.
public final class StaticDeprovisioning implements Controller {

    private static final int AT_ONCE = 10;
    private static final int DELETED_AT_ONCE_MAX = 100;
    private static final Duration RECHECK = Duration.ofMinutes(1);

    private final Marks marks;

    public StaticDeprovisioning(Marks marks) {
        this.marks = marks;
    }

    @Override
    public String name() {
        return "static.deprovisioning";
    }

    @Override
    public List<Watch<?>> watches() {
        return List.of(
                new Watch<>(
                        Kind.NODE_POOL,
                        (_, change) ->
                                StaticWatches.isResized(change)
                                        ? List.of(change.name())
                                        : List.of()),
                new Watch<>(
                        Kind.NODE_CLAIM,
                        (view, change) ->
                                change.isCreation()
                                        ? StaticWatches.staticPool(view, change.latest())
                                        : List.of()));
    }

    @Override
    public Pace pace() {
        return Pace.of(AT_ONCE);
    }

    @Override
    public Step step(View view, ObjectName key, Instant now) {
        var pool = view.pool(key.name());
        if (pool == null
                || !pool.pool().isStatic()
                || pool.isDeleting()
                || !view.isManaged(pool.pool().template().nodeClassRef())) {
            return Step.DONE;
        }
        var active =
                view.claims().stream()
                        .filter(claim -> claim.nodePool().equals(key.name()))
                        .filter(claim -> PoolUsage.standing(claim, marks) == Standing.ACTIVE)
                        .map(claim -> candidate(view, claim, now))
                        .toList();
        var surplus = StaticCapacity.surplus(pool.pool(), active);
        if (surplus.isEmpty()) {
            return Step.again(RECHECK);
        }
        return Step.of(
                        new Effect.Say(
                                LogLevel.INFO,
                                "deprovisioning static nodepool",
                                "NodePool",
                                key.name(),
                                "nodeclaims",
                                surplus.size(),
                                "active",
                                active.size()),
                        new Effect.Together(deletions(view, surplus), DELETED_AT_ONCE_MAX))
                .thenAgain(RECHECK);
    }

    private static List<Step> deletions(View view, List<String> names) {
        var steps = new ArrayList<Step>();
        for (var name : names) {
            var claim = view.claim(name);
            if (claim != null) {
                steps.add(
                        Step.of(
                                new Effect.Write(
                                        new ApiWrite.Delete(
                                                ResourceType.NODE_CLAIM,
                                                claim.name(),
                                                claim.meta().uid(),
                                                null),
                                        Answers::deleted)));
            }
        }
        return steps;
    }

    private static Candidate candidate(View view, ClaimObject claim, Instant now) {
        var pods =
                view.nodesOf(claim.providerId()).stream()
                        .flatMap(node -> view.podsOn(node.name().name()).stream())
                        .filter(pod -> !pod.isTerminal())
                        .toList();
        var isGuarded = pods.stream().anyMatch(pod -> DoNotDisrupt.of(pod.pod(), now).isActive());
        var isIdle = pods.stream().allMatch(pod -> pod.pod().state().isOwnedByDaemonSet());
        var life =
                DisruptionCost.lifetimeRemaining(
                        claim.spec().expireAfter(), claim.meta().createdAt(), now);
        return new Candidate(
                claim.name().name(),
                !claim.providerId().isEmpty(),
                isIdle && !isGuarded,
                isGuarded,
                pods.stream().mapToDouble(StaticDeprovisioning::cost).sum() * life);
    }

    private static double cost(PodObject pod) {
        return DisruptionCost.ofPod(
                pod.meta().annotation(DisruptionCost.DELETION_COST), pod.priority());
    }
}
