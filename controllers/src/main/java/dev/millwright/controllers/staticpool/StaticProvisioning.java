package dev.millwright.controllers.staticpool;

import dev.millwright.controllers.metrics.Families;
import dev.millwright.controllers.nodeclaim.NewClaims;
import dev.millwright.controllers.nodepool.PoolUsage;
import dev.millwright.controllers.state.Marks;
import dev.millwright.controllers.state.NodeReservations;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.quantity.Resources;
import dev.millwright.core.scheduling.NodeClaimDraft;
import dev.millwright.core.scheduling.StaticCapacity;
import dev.millwright.core.scheduling.StaticCapacity.Counts;
import dev.millwright.core.scheduling.StaticCapacity.Growth;
import dev.millwright.kube.cache.Kind;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.client.ApiAnswer;
import dev.millwright.kube.object.PoolObject;
import dev.millwright.runtime.log.LogLevel;
import dev.millwright.runtime.step.Answers;
import dev.millwright.runtime.step.Controller;
import dev.millwright.runtime.step.Effect;
import dev.millwright.runtime.step.Pace;
import dev.millwright.runtime.step.Step;
import dev.millwright.spi.CloudTraits;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;

/// Makes the claims a static pool is short of.
public final class StaticProvisioning implements Controller {

    private static final int AT_ONCE = 10;
    private static final int CREATED_AT_ONCE_MAX = 100;

    /// Claims of one step; a pool that is short of more comes again at once.
    private static final int CREATED_MAX = 1_000;

    private static final Duration RECHECK_SOON = Duration.ofSeconds(1);

    private final CloudTraits traits;
    private final Marks marks;
    private final NodeReservations reservations;

    public StaticProvisioning(CloudTraits traits, Marks marks, NodeReservations reservations) {
        this.traits = traits;
        this.marks = marks;
        this.reservations = reservations;
    }

    @Override
    public String name() {
        return "static.provisioning";
    }

    @Override
    public List<Watch<?>> watches() {
        return List.of(
                new Watch<>(
                        Kind.NODE_POOL,
                        (_, change) ->
                                StaticWatches.isResizedOrReady(change)
                                        ? List.of(change.name())
                                        : List.of()),
                new Watch<>(
                        Kind.NODE_CLAIM,
                        (view, change) ->
                                change.isRemoval()
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
        if (pool == null || !view.isManaged(pool.pool().template().nodeClassRef())) {
            return Step.DONE;
        }
        var claims = PoolUsage.claims(view, marks, key.name());
        var counts =
                new Counts(
                        claims.active(),
                        claims.pendingDisruption(),
                        claims.deleting(),
                        reservations.reserved(key.name()));
        var growth = StaticCapacity.growth(pool.pool(), counts);
        return switch (growth) {
            case Growth.Create(var missing) -> grow(pool, growth, counts, missing);
            case Growth.AtLimit atLimit ->
                    Step.of(
                                    new Effect.Say(
                                            LogLevel.INFO,
                                            "static nodepool is at its limit",
                                            "NodePool",
                                            key.name(),
                                            "reason",
                                            atLimit.explain()))
                            .thenAgain(atLimit.recheckAfter());
            case Growth.Enough(_, _), Growth.NotReady(), Growth.Deleting(), Growth.NotStatic() ->
                    Step.DONE.thenAgain(growth.recheckAfter());
        };
    }

    private Step grow(PoolObject pool, Growth growth, Counts counts, long missing) {
        var name = pool.pool().name();
        var limits = pool.pool().limits();
        var nodesMax =
                limits.has(Resources.NODES)
                        ? limits.amount(Resources.NODES).units()
                        : Long.MAX_VALUE;
        var nodes = counts.active() + counts.pendingDisruption() + counts.deleting();
        var granted = reservations.reserve(name, nodesMax, nodes, Math.min(missing, CREATED_MAX));
        if (granted == 0) {
            return Step.again(RECHECK_SOON);
        }
        var draft = NodeClaimDraft.ofTemplate(pool.pool(), pool.hash(), traits.vocabulary());
        var write = NewClaims.of(draft, pool, traits.terminationGracePeriodDefault());
        var creation = Step.of(new Effect.Write(write, answer -> made(name, answer)));
        return Step.of(
                        new Effect.Say(
                                LogLevel.INFO,
                                "provisioning static nodepool",
                                "NodePool",
                                name,
                                "nodeclaims",
                                granted),
                        new Effect.Together(
                                Collections.nCopies(Math.toIntExact(granted), creation),
                                CREATED_AT_ONCE_MAX))
                .thenAgain(missing > CREATED_MAX ? RECHECK_SOON : growth.recheckAfter());
    }

    /// Made or refused, the place is free again: a claim that was made counts by itself.
    private Step made(String pool, ApiAnswer answer) {
        var released =
                Step.of(
                        new Effect.Remember(
                                "release a node of NodePool " + pool,
                                () -> reservations.release(pool, 1)));
        return answer.isDone()
                ? released.followedBy(
                        Step.of(
                                new Effect.Count(
                                        Families.NODECLAIMS_CREATED, "provisioned", pool, "false")))
                : released.followedBy(Answers.usual(answer));
    }
}
