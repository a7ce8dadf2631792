package dev.millwright.core.explain;

import dev.millwright.core.explain.PoolExplanation.Fix;
import dev.millwright.core.explain.SmallestSet.Trial;
import dev.millwright.core.policy.NodePool;
import dev.millwright.core.quantity.Resources;
import dev.millwright.core.scheduling.PoolTypes;
import dev.millwright.core.scheduling.Refusal;
import dev.millwright.core.scheduling.SchedulingProblem;
import dev.millwright.core.scheduling.WaitReason;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;

/// Whether a pool has anything to buy, why not, and what would give it something.
final class PoolPurchase {

    /// Changes that a person may be asked to make together.
    static final int CHANGES_MAX = 3;

    /// Plans that are made for one answer; each is for a single pod.
    static final int PLANS_MAX = 200;

    private final SchedulingProblem problem;
    private final NodePool pool;
    private final PoolProbe probe;
    private final @Nullable WaitReason refusal;

    PoolPurchase(SchedulingProblem problem, NodePool pool) {
        this.problem = problem;
        this.pool = pool;
        this.probe = new PoolProbe(problem, pool.name());
        this.refusal = hasCatalogue() ? probe.refusal(pool) : new WaitReason.NoNodePools();
    }

    private boolean hasCatalogue() {
        return problem.catalogs().containsKey(pool.name());
    }

    boolean isFaulty() {
        return !vocabulary(pool).faults().isEmpty();
    }

    boolean buys() {
        return refusal == null;
    }

    private PoolVocabulary vocabulary(NodePool of) {
        return new PoolVocabulary(problem, of);
    }

    List<PoolFinding> findings() {
        var findings = new ArrayList<>(vocabulary(pool).findings());
        switch (refusal) {
            case null -> {}
            case WaitReason.NoNodePools() -> findings.add(new PoolFinding.WithoutCatalogue());
            case WaitReason.NodePoolsWithoutTypes(_) -> findings.addAll(withoutTypes());
            case WaitReason.Refused(var pools) ->
                    findings.addAll(refused(pools.getFirst().refusal()));
            case WaitReason.ReservationPending(_),
                    WaitReason.ResourceClaimsUnsupported(),
                    WaitReason.Invalid(_),
                    WaitReason.OptedOut(),
                    WaitReason.MinValuesLost(_, _) ->
                    findings.add(new PoolFinding.Unbuyable(refusal));
        }
        return findings;
    }

    private List<PoolFinding> withoutTypes() {
        var types = new PoolRequirements(problem, pool);
        var left = types.left();
        if (left.isEmpty()) {
            return types.findings();
        }
        var wanted = pool.nodeRequirements(problem.policy().vocabulary());
        var unmet = PoolTypes.unmetMinValues(left, wanted);
        return unmet == null
                ? List.of()
                : List.of(new PoolFinding.TooFewValues(unmet.key(), unmet.wanted(), unmet.found()));
    }

    private List<PoolFinding> refused(Refusal why) {
        var reason = new WaitReason.Refused(List.of(new WaitReason.PoolRefusal(pool.name(), why)));
        var remaining =
                switch (why) {
                    case Refusal.Limit(var left) -> left;
                    case Refusal.NodeLimit() -> Resources.NONE;
                    case Refusal.Untolerated _,
                            Refusal.Requirement _,
                            Refusal.Volume _,
                            Refusal.Topology _,
                            Refusal.NoInstanceType _,
                            Refusal.HostPorts _,
                            Refusal.VolumeLimit _,
                            Refusal.MinValues _,
                            Refusal.NoTypesLeft _ ->
                            null;
                };
        if (remaining == null) {
            return List.of(new PoolFinding.Unbuyable(reason));
        }
        for (var remedy : remedies(pool, reason)) {
            if (remedy instanceof PoolChange.RaiseLimits(_, var limits)) {
                return reached(limits, remaining);
            }
        }
        return List.of(new PoolFinding.Unbuyable(reason));
    }

    private List<PoolFinding> reached(Resources needed, Resources remaining) {
        var findings = new ArrayList<PoolFinding>();
        needed.amounts()
                .forEach(
                        (resource, amount) -> {
                            var limit = pool.limits().amount(resource);
                            findings.add(
                                    new PoolFinding.LimitReached(
                                            resource,
                                            limit,
                                            limit.minus(remaining.amount(resource)),
                                            amount));
                        });
        return findings;
    }

    /// The smallest set of changes with which a node is planned.
    Fix fix() {
        if (!hasCatalogue()) {
            return new Fix.None("nothing is known of what it could buy; mend its node class first");
        }
        var search =
                new SmallestSet<PoolChange, Boolean>(PoolChange::effort, CHANGES_MAX, PLANS_MAX);
        var found = search.search(next(pool), this::trial);
        return found == null
                ? new Fix.None(
                        "no set of up to %d changes that we know of helps".formatted(CHANGES_MAX))
                : new Fix.Buying(needed(found.changes()));
    }

    private Trial<PoolChange, Boolean> trial(List<PoolChange> changes) {
        var changed = changed(changes);
        return isBuying(changed) ? new Trial.Enough<>(true) : new Trial.More<>(next(changed));
    }

    private NodePool changed(List<PoolChange> changes) {
        var changed = pool;
        for (var change : changes) {
            changed = change.on(changed);
        }
        return changed;
    }

    private boolean isBuying(NodePool changed) {
        return vocabulary(changed).faults().isEmpty() && probe.refusal(changed) == null;
    }

    /// What might be missing: first what nobody may ask for, then what the planner says.
    private List<PoolChange> next(NodePool changed) {
        var mends = vocabulary(changed).mends();
        if (!mends.isEmpty()) {
            return mends;
        }
        var reason = probe.refusal(changed);
        return reason == null ? List.of() : remedies(changed, reason);
    }

    private List<PoolChange> remedies(NodePool changed, WaitReason reason) {
        var found = new LinkedHashSet<PoolChange>();
        for (var change : Remedies.of(probe.problem(changed), PoolProbe.pod(), reason)) {
            if (change instanceof PoolChange ofPool) {
                found.add(ofPool);
            }
        }
        return List.copyOf(found);
    }

    /// Without those that turn out to change nothing.
    private List<PoolChange> needed(List<PoolChange> changes) {
        for (var change : changes) {
            var fewer = changes.stream().filter(each -> !each.equals(change)).toList();
            if (!fewer.isEmpty() && isBuying(changed(fewer))) {
                return needed(fewer);
            }
        }
        return changes;
    }
}
