package dev.millwright.core.scheduling;

import dev.millwright.core.policy.NodePool;
import dev.millwright.core.quantity.Resources;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;

/// Keeps a static pool at its number of nodes: how many claims to make, or which to delete.
public final class StaticCapacity {

    private static final Duration RECHECK = Duration.ofMinutes(1);
    private static final Duration RECHECK_AT_LIMIT = Duration.ofSeconds(30);

    private StaticCapacity() {}

    /// The pool's claims. Those pending disruption and those being deleted are not active;
    /// `reserved` are promised to calls under way.
    public record Counts(long active, long pendingDisruption, long deleting, long reserved) {
        public Counts {
            if (active < 0 || pendingDisruption < 0 || deleting < 0 || reserved < 0) {
                throw new IllegalArgumentException(
                        "counts %d, %d, %d, %d must not be negative"
                                .formatted(active, pendingDisruption, deleting, reserved));
            }
        }
    }

    /// How many claims to make, or why none.
    public sealed interface Growth {

        record Create(long claims) implements Growth {}

        record Enough(long nodes, long replicas) implements Growth {}

        /// The limit is taken up by nodes there are, those that go included.
        record AtLimit(long nodesMax, long nodes, long reserved) implements Growth {}

        record NotReady() implements Growth {}

        record Deleting() implements Growth {}

        record NotStatic() implements Growth {}

        /// When to look again without being called, or null when only a change of the pool matters.
        default @Nullable Duration recheckAfter() {
            return switch (this) {
                case Create(_), Enough(_, _) -> RECHECK;
                case AtLimit(_, _, _) -> RECHECK_AT_LIMIT;
                case NotReady(), Deleting(), NotStatic() -> null;
            };
        }

        default String explain() {
            return switch (this) {
                case Create(var claims) -> "makes %d claims".formatted(claims);
                case Enough(var nodes, var replicas) ->
                        "has %d nodes of %d".formatted(nodes, replicas);
                case AtLimit(var nodesMax, var nodes, var reserved) ->
                        "limits.nodes %d leaves no room beside %d nodes and %d about to be made; raise it"
                                .formatted(nodesMax, nodes, reserved);
                case NotReady() -> "is not ready; see its conditions";
                case Deleting() -> "is being deleted";
                case NotStatic() -> "has no replicas: pods decide its size";
            };
        }
    }

    /// A claim that may have to go.
    ///
    /// `isEmpty`: no pods, or only daemons of which none says do-not-disrupt. `disruptionCost`: the
    /// cost of moving its pods times the share of its life that remains.
    public record Candidate(
            String claim,
            boolean hasProviderId,
            boolean isEmpty,
            boolean hasDoNotDisruptPods,
            double disruptionCost) {}

    /// First what is not launched yet, then what nobody uses, then what costs least to move; pods
    /// that must not be disturbed come last.
    private static final Comparator<Candidate> CHEAPEST_LOSS_FIRST =
            Comparator.comparingInt(StaticCapacity::rank)
                    .thenComparingDouble(
                            candidate -> rank(candidate) < 2 ? 0 : candidate.disruptionCost())
                    .thenComparing(Candidate::claim);

    private static int rank(Candidate candidate) {
        if (!candidate.hasProviderId()) {
            return 0;
        }
        if (candidate.isEmpty()) {
            return 1;
        }
        return candidate.hasDoNotDisruptPods() ? 3 : 2;
    }

    /// Counts what is short against active claims alone, as Karpenter does: a claim pending
    /// disruption keeps the pool from growing only while the two together are enough.
    public static Growth growth(NodePool nodePool, Counts counts) {
        var replicas = nodePool.replicas();
        if (replicas == null) {
            return new Growth.NotStatic();
        }
        if (nodePool.isDeleting()) {
            return new Growth.Deleting();
        }
        if (!nodePool.isReady()) {
            return new Growth.NotReady();
        }
        var staying = counts.active() + counts.pendingDisruption();
        if (staying >= replicas) {
            return new Growth.Enough(staying, replicas);
        }
        var missing = replicas - counts.active();
        if (!nodePool.limits().has(Resources.NODES)) {
            return new Growth.Create(missing);
        }
        var nodesMax = nodePool.limits().amount(Resources.NODES).units();
        var nodes = staying + counts.deleting();
        var room = nodesMax - nodes - counts.reserved();
        return room <= 0
                ? new Growth.AtLimit(nodesMax, nodes, counts.reserved())
                : new Growth.Create(Math.min(missing, room));
    }

    /// The names of the claims to delete, the first to go first. The candidates are all the pool's
    /// active claims. Neither budgets nor readiness are asked: the operator has set the number.
    public static List<String> surplus(NodePool nodePool, List<Candidate> active) {
        var replicas = nodePool.replicas();
        if (replicas == null || nodePool.isDeleting()) {
            return List.of();
        }
        return active.stream()
                .sorted(CHEAPEST_LOSS_FIRST)
                .limit(Math.max(0, active.size() - replicas))
                .map(Candidate::claim)
                .toList();
    }
}
