package dev.millwright.core.disruption;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.policy.Freeze;
import dev.millwright.core.policy.NodePoolBudgets.Reason;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/// Why a node is kept: one case for each cause, so that nobody has to guess.
public sealed interface KeepReason {

    /// Most pods that a message lists.
    int PODS_SHOWN_MAX = 5;

    /// Whom it is told. `BLOCKED` and `UNCONSOLIDATABLE` are events; `QUIET` is what a node is
    /// expected to be.
    enum Tone {
        BLOCKED,
        UNCONSOLIDATABLE,
        QUIET
    }

    /// A command about the node is under way.
    record Queued() implements KeepReason {}

    record NotManaged() implements KeepReason {}

    record WithoutNode() implements KeepReason {}

    record NotInitialized() implements KeepReason {}

    /// It goes already.
    record Going() implements KeepReason {}

    record Nominated() implements KeepReason {}

    record Rebooting() implements KeepReason {}

    record NotSick() implements KeepReason {}

    /// Its owner asked not to repair the node.
    record RepairForbidden() implements KeepReason {}

    /// Pods that must not be disturbed are on it, and nothing says how long they may stay.
    record DrainUnbounded() implements KeepReason {}

    /// So many nodes of the pool are sick that none is repaired.
    record PoolUnwell(String nodePool, int sick, int nodes, int sickMax) implements KeepReason {}

    /// Its owner asked to leave the node alone.
    record NodeGuarded() implements KeepReason {}

    record WithoutPoolLabel() implements KeepReason {}

    record PoolUnknown(String nodePool) implements KeepReason {}

    record PoolWithoutTypes(String nodePool) implements KeepReason {}

    record PodGuarded(ObjectName pod) implements KeepReason {
        @Override
        public String cause() {
            return "pods have an active karpenter.sh/do-not-disrupt annotation";
        }
    }

    record PodBudgetSpent(ObjectName pod, ObjectName budget) implements KeepReason {
        @Override
        public String cause() {
            return "PodDisruptionBudgets let pods not be evicted now";
        }
    }

    record PodBudgetsContested(ObjectName pod, List<ObjectName> budgets) implements KeepReason {
        public PodBudgetsContested {
            budgets = List.copyOf(budgets);
        }

        @Override
        public String cause() {
            return "pods are selected by several PodDisruptionBudgets, which evictions refuse";
        }
    }

    /// Pods that run would find no place.
    record PodsHomeless(List<Homeless> pods) implements KeepReason {
        public PodsHomeless {
            pods = List.copyOf(pods);
        }

        @Override
        public String cause() {
            return "pods would not schedule";
        }
    }

    record Homeless(ObjectName pod, String why) {}

    record StaticPool() implements KeepReason {}

    record DynamicPool() implements KeepReason {}

    record NotDrifted() implements KeepReason {}

    record ConsolidationOff(String nodePool) implements KeepReason {}

    record HeldForBuffer(int virtualPods) implements KeepReason {
        @Override
        public String cause() {
            return "pods of capacity buffers count on its room";
        }
    }

    record NotEmpty() implements KeepReason {}

    record Empty() implements KeepReason {}

    record NotConsolidatable() implements KeepReason {}

    /// The pool does not know the node's instance type any more, so that its price is not known.
    record TypeUnknown(String instanceType) implements KeepReason {}

    record LabelMissing(String key) implements KeepReason {}

    /// The pool lets only empty nodes be consolidated.
    record OnlyWhenEmpty(String nodePool) implements KeepReason {}

    /// Pods that run would find no place if the node were consolidated.
    record PodsUnmovable(List<Homeless> pods) implements KeepReason {
        public PodsUnmovable {
            pods = List.copyOf(pods);
        }

        @Override
        public String cause() {
            return "pods would not schedule if the node were consolidated";
        }
    }

    record NeedsSeveralNodes(int nodes) implements KeepReason {
        @Override
        public String cause() {
            return "its pods would need several new nodes";
        }
    }

    /// The types that are cheaper are too few for minValues.
    record MinValuesBroken(String problem) implements KeepReason {
        @Override
        public String cause() {
            return "too few cheaper instance types for minValues";
        }
    }

    record NotCheaper(double pricePerHour) implements KeepReason {
        @Override
        public String cause() {
            return "no replacement costs less";
        }
    }

    record SpotToSpotOff() implements KeepReason {}

    record TooFewSpotTypes(int types) implements KeepReason {
        @Override
        public String cause() {
            return "too few cheaper spot types remain";
        }
    }

    /// A pool of policy Balanced finds that the move disturbs more than it saves.
    record NotWorthIt() implements KeepReason {}

    /// Its pool is consolidated in another way: as a whole fleet, or node by node.
    record ConsolidatedOtherwise(String nodePool) implements KeepReason {}

    /// What moving costs is not earned within the horizon.
    record DoesNotPay(double savedPerHour, double cost, Duration horizon) implements KeepReason {
        @Override
        public String cause() {
            return "moving its pods costs more than it saves";
        }
    }

    /// A consolidation bought it, and nothing outside has changed since.
    record MovedRecently() implements KeepReason {}

    /// Taking such a node from such a fleet led back to the same fleet.
    record LeadsBack(Instant triedAt) implements KeepReason {
        @Override
        public String cause() {
            return "it was tried, and pods then needed the node again";
        }
    }

    /// A process that only watches has decided to take it, and nobody did.
    record DecidedAlready(Instant decidedAt) implements KeepReason {
        @Override
        public String cause() {
            return "its removal was decided, and whoever acts here has left it alone since";
        }
    }

    /// It is on-demand for want of spot, and no spot node that costs less takes its pods.
    record NoCheaperSpot(double pricePerHour) implements KeepReason {
        @Override
        public String cause() {
            return "it would return to spot, but no spot node for its pods costs less";
        }
    }

    /// Its pods fit elsewhere only if each goes to its place, which nobody sees to.
    record TooTight() implements KeepReason {}

    /// Every cheaper type was tried a while ago and could not be had.
    record TriedInVain() implements KeepReason {}

    /// The search gave up before it came to the node.
    record NotReached() implements KeepReason {}

    /// Somebody wants no node of the pool, or of the cluster, to go by choice.
    record Frozen(String where, String why) implements KeepReason {
        Frozen(Freeze freeze) {
            this(freeze.where(), freeze.why());
        }
    }

    /// What the pool says about taking nodes away cannot be understood.
    record PoolUnreadable(String nodePool, String problem) implements KeepReason {}

    /// It is outside the pool's maintenance windows. No `opensAt` means that none comes.
    record OutsideWindows(String nodePool, Reason reason, @Nullable Instant opensAt)
            implements KeepReason {}

    /// The pool's budget for the reason is used up.
    record PoolBudgetSpent(String nodePool, Reason reason) implements KeepReason {}

    /// A static pool has more nodes than it should; it shrinks first.
    record PoolOverscaled(String nodePool, long nodes, long replicas) implements KeepReason {}

    /// A static pool may have no further node, not even for a while.
    record PoolAtNodeLimit(String nodePool, long nodesMax) implements KeepReason {}

    /// Another node comes first.
    record NotItsTurn() implements KeepReason {}

    default Tone tone() {
        return switch (this) {
            case WithoutNode(),
                    NotInitialized(),
                    Going(),
                    Nominated(),
                    Rebooting(),
                    RepairForbidden(),
                    DrainUnbounded(),
                    PoolAtNodeLimit(_, _),
                    NodeGuarded(),
                    WithoutPoolLabel(),
                    PoolUnknown(_),
                    PoolWithoutTypes(_),
                    PodGuarded(_),
                    PodBudgetSpent(_, _),
                    PodBudgetsContested(_, _),
                    PodsHomeless(_) ->
                    Tone.BLOCKED;
            case ConsolidationOff(_),
                    HeldForBuffer(_),
                    TypeUnknown(_),
                    LabelMissing(_),
                    OnlyWhenEmpty(_),
                    PodsUnmovable(_),
                    NeedsSeveralNodes(_),
                    MinValuesBroken(_),
                    NotCheaper(_),
                    LeadsBack(_),
                    NoCheaperSpot(_),
                    SpotToSpotOff(),
                    TooFewSpotTypes(_) ->
                    Tone.UNCONSOLIDATABLE;
            case Queued(),
                    NotManaged(),
                    NotSick(),
                    PoolUnwell(_, _, _, _),
                    StaticPool(),
                    DynamicPool(),
                    NotDrifted(),
                    NotEmpty(),
                    Empty(),
                    NotConsolidatable(),
                    NotWorthIt(),
                    ConsolidatedOtherwise(_),
                    DoesNotPay(_, _, _),
                    MovedRecently(),
                    DecidedAlready(_),
                    TooTight(),
                    TriedInVain(),
                    NotReached(),
                    Frozen(_, _),
                    PoolUnreadable(_, _),
                    OutsideWindows(_, _, _),
                    PoolBudgetSpent(_, _),
                    PoolOverscaled(_, _, _),
                    NotItsTurn() ->
                    Tone.QUIET;
        };
    }

    /// A short constant name for tables and JSON.
    default String label() {
        return getClass().getSimpleName();
    }

    /// Why, without what differs from node to node: nodes that stay for one cause are told
    /// together.
    default String cause() {
        return explain();
    }

    default String explain() {
        return switch (this) {
            case Queued() -> "a disruption of it is under way";
            case NotManaged() -> "it is not a node of any pool";
            case WithoutNode() -> "its claim has no node yet";
            case NotInitialized() -> "it is not initialised yet; see its claim's Initialized";
            case Going() -> "it is being deleted or marked for deletion";
            case Nominated() -> "a pod that waits is about to be bound to it";
            case Rebooting() -> "it is being rebooted";
            case NotSick() -> "none of its conditions calls for repair";
            case RepairForbidden() ->
                    "its annotation karpenter.sh/do-not-repair is \"true\"; remove it to have the node repaired";
            case DrainUnbounded() ->
                    "it is sick, but pods on it must not be evicted; set terminationGracePeriod on its pool to bound how long they may stay";
            case PoolUnwell(var pool, var sick, var nodes, var most) ->
                    "%d of %d nodes of NodePool %s are unhealthy and at most %d may be for any to be repaired"
                            .formatted(sick, nodes, pool, most);
            case NodeGuarded() ->
                    "its annotation karpenter.sh/do-not-disrupt is \"true\"; remove it to let the node go";
            case WithoutPoolLabel() -> "it lacks the label karpenter.sh/nodepool";
            case PoolUnknown(var pool) -> "there is no NodePool \"%s\" to ask".formatted(pool);
            case PoolWithoutTypes(var pool) ->
                    "the instance types of NodePool %s cannot be told".formatted(pool);
            case PodGuarded(var pod) ->
                    "pod %s has an active karpenter.sh/do-not-disrupt annotation".formatted(pod);
            case PodBudgetSpent(var pod, var budget) ->
                    "PodDisruptionBudget %s lets pod %s not be evicted now".formatted(budget, pod);
            case PodBudgetsContested(var pod, var budgets) ->
                    "pod %s is selected by %d PodDisruptionBudgets (%s), which evictions refuse; leave it one"
                            .formatted(pod, budgets.size(), joined(budgets));
            case PodsHomeless(var pods) -> "pods would not schedule: " + joinedHomeless(pods);
            case StaticPool() -> "its pool has a fixed number of nodes";
            case DynamicPool() -> "its pool's size follows its pods";
            case NotDrifted() -> "it has not drifted";
            case ConsolidationOff(var pool) ->
                    "NodePool %s has consolidateAfter Never".formatted(pool);
            case HeldForBuffer(var pods) ->
                    "%d pods of capacity buffers count on its room".formatted(pods);
            case NotEmpty() -> "pods on it would have to move";
            case Empty() -> "it holds no pod that would have to move";
            case NotConsolidatable() ->
                    "its claim is not Consolidatable: pods came or went inside consolidateAfter";
            case Frozen(var where, var why) -> new Freeze(where, why).explain();
            case PoolUnreadable(var pool, var problem) ->
                    "NodePool %s lets no node go until it is mended: %s".formatted(pool, problem);
            case OutsideWindows(var pool, var reason, var opensAt) ->
                    "NodePool %s is outside its maintenance windows for reason %s; %s"
                            .formatted(
                                    pool,
                                    reason.text(),
                                    opensAt == null
                                            ? "none opens in the next two weeks"
                                            : "the next opens at " + opensAt);
            case PoolBudgetSpent(var pool, var reason) ->
                    "NodePool %s allows no further disruption for reason %s"
                            .formatted(pool, reason.text());
            case PoolOverscaled(var pool, var nodes, var replicas) ->
                    "NodePool %s has %d nodes of %d; it shrinks first"
                            .formatted(pool, nodes, replicas);
            case PoolAtNodeLimit(var pool, var nodesMax) ->
                    "limits.nodes %d of NodePool %s leaves no room for a replacement; raise it"
                            .formatted(nodesMax, pool);
            case NotItsTurn() -> "another node comes first";
            case TypeUnknown(var type) ->
                    "its instance type \"%s\" is unknown to its pool".formatted(type);
            case LabelMissing(var key) -> "it lacks the label " + key;
            case OnlyWhenEmpty(var pool) ->
                    "NodePool %s has consolidationPolicy WhenEmpty and the node is not empty"
                            .formatted(pool);
            case PodsUnmovable(var pods) -> "pods would not schedule: " + joinedHomeless(pods);
            case NeedsSeveralNodes(var nodes) ->
                    "its pods would need %d new nodes".formatted(nodes);
            case MinValuesBroken(var problem) ->
                    "too few cheaper instance types for minValues: " + problem;
            case NotCheaper(var price) ->
                    "no replacement costs less than %s an hour".formatted(price);
            case SpotToSpotOff() ->
                    "a spot node is replaced by a spot node only with the feature gate SpotToSpotConsolidation";
            case TooFewSpotTypes(var types) ->
                    "%d cheaper spot types remain; a spot node is replaced when there are %d"
                            .formatted(types, Consolidation.SPOT_TYPES_MIN);
            case NotWorthIt() ->
                    "the move would disturb more than %d times the share of the pool that it saves"
                            .formatted(Balance.DISTURBANCE_MAX);
            case ConsolidatedOtherwise(var pool) ->
                    "NodePool %s is consolidated in another way".formatted(pool);
            case DoesNotPay(var saved, var cost, var horizon) ->
                    String.format(
                            Locale.ROOT,
                            "moving its pods costs $%.4f, and saves $%.4f an hour for %s",
                            cost,
                            saved,
                            horizon);
            case MovedRecently() -> "a consolidation bought it, and nothing else has changed since";
            case DecidedAlready(var decidedAt) ->
                    "its removal was decided at %s, and whoever acts here has left it alone since"
                            .formatted(decidedAt);
            case NoCheaperSpot(var price) ->
                    "it would return to spot, but no spot node for its pods costs less than %s an hour"
                            .formatted(price);
            case LeadsBack(var triedAt) ->
                    "it was tried at %s, and pods then needed the node again; it is tried once more when workloads or NodePools change"
                            .formatted(triedAt);
            case TooTight() ->
                    "its pods would fit elsewhere only if each went to just the right place";
            case TriedInVain() ->
                    "the cheaper instance types could not be had a while ago; they are tried again later";
            case NotReached() -> "the search ended before it; it goes on in the next pass";
        };
    }

    private static String joined(List<ObjectName> names) {
        return names.stream().map(ObjectName::toString).collect(Collectors.joining(", "));
    }

    private static String joinedHomeless(List<Homeless> pods) {
        var shown =
                pods.stream()
                        .limit(PODS_SHOWN_MAX)
                        .map(each -> "%s (%s)".formatted(each.pod(), each.why()))
                        .collect(Collectors.joining("; "));
        var left = pods.size() - PODS_SHOWN_MAX;
        return left > 0 ? "%s; and %d more".formatted(shown, left) : shown;
    }
}
