package dev.millwright.core.explain;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.disruption.KeepReason;
import dev.millwright.core.label.Requirement;
import dev.millwright.core.policy.NodePoolBudgets.Reason;
import dev.millwright.core.quantity.Quantity;
import dev.millwright.core.quantity.Resources;
import dev.millwright.core.scheduling.WaitReason;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;

/// One thing that is so about a pool.
public sealed interface PoolFinding {

    /// Which question it answers.
    enum About {
        READY("Ready"),
        TYPES("Types"),
        LIMITS("Limits"),
        PODS("Pods"),
        DISRUPTION("Disruption"),
        NODES("Nodes");

        private final String text;

        About(String text) {
            this.text = text;
        }

        public String text() {
            return text;
        }
    }

    /// `words` are what its conditions say; empty when nobody knows them.
    record NotReady(String words) implements PoolFinding {}

    record Deleting() implements PoolFinding {}

    record StaticPool(long replicas) implements PoolFinding {}

    /// It requires what nobody may require. `meant` is a label that was perhaps meant.
    record Faulty(String problem, @Nullable String meant) implements PoolFinding {}

    /// A label of nobody's that looks like a well-known one.
    record PerhapsMeant(String key, String meant) implements PoolFinding {}

    /// Its provider has not said what it can buy.
    record WithoutCatalogue() implements PoolFinding {}

    /// A requirement that leaves no type. `alone` is how many types meet it when nothing else is
    /// required, `others` how many meet all the rest; `meant` is a value that was perhaps meant.
    record Excludes(
            List<Requirement> requirements,
            int alone,
            int others,
            int types,
            @Nullable String meant)
            implements PoolFinding {
        public Excludes {
            requirements = List.copyOf(requirements);
        }
    }

    /// No single requirement is to blame.
    record ExcludedTogether(int types) implements PoolFinding {}

    record TooFewValues(String key, int wanted, int found) implements PoolFinding {}

    /// A limit that leaves less than the smallest machine that would do needs.
    record LimitReached(String resource, Quantity limit, Quantity used, Quantity needed)
            implements PoolFinding {}

    /// Whatever else the planner says of it.
    record Unbuyable(WaitReason reason) implements PoolFinding {}

    /// Pods that wait and that it refuses for one reason.
    record Refuses(String reason, int pods, ObjectName example, String message)
            implements PoolFinding {}

    /// Pods that wait and that its taints keep off, as they are there to do.
    record KeepsOff(int pods, ObjectName example) implements PoolFinding {}

    /// No node goes for these reasons, whatever budgets say.
    record Closed(List<Reason> reasons, KeepReason why) implements PoolFinding {
        public Closed {
            reasons = List.copyOf(reasons);
        }
    }

    /// A budget, by its place in the list, that lets no further node go. No `until`: no end is in
    /// sight.
    record BudgetSpent(
            int index, int allowed, int disrupting, List<Reason> reasons, @Nullable Instant until)
            implements PoolFinding {
        public BudgetSpent {
            reasons = List.copyOf(reasons);
        }
    }

    /// Nodes that stay for one reason.
    record NodesKept(KeepReason reason, int nodes, String example) implements PoolFinding {}

    /// Nodes that go in the next pass.
    record NodesGo(int nodes, String example) implements PoolFinding {}

    default About about() {
        return switch (this) {
            case NotReady _, Deleting _, StaticPool _, Faulty _ -> About.READY;
            case PerhapsMeant _,
                    WithoutCatalogue _,
                    Excludes _,
                    ExcludedTogether _,
                    TooFewValues _,
                    Unbuyable _ ->
                    About.TYPES;
            case LimitReached _ -> About.LIMITS;
            case Refuses _, KeepsOff _ -> About.PODS;
            case Closed _, BudgetSpent _ -> About.DISRUPTION;
            case NodesKept _, NodesGo _ -> About.NODES;
        };
    }

    /// A short constant name for tables and JSON.
    default String label() {
        return switch (this) {
            case Refuses(var reason, _, _, _) -> reason;
            case Closed(_, var why) -> why.label();
            case NodesKept(var reason, _, _) -> reason.label();
            case Unbuyable(var reason) -> reason.label();
            case NotReady _,
                    Deleting _,
                    StaticPool _,
                    Faulty _,
                    PerhapsMeant _,
                    WithoutCatalogue _,
                    Excludes _,
                    ExcludedTogether _,
                    TooFewValues _,
                    LimitReached _,
                    BudgetSpent _,
                    KeepsOff _,
                    NodesGo _ ->
                    getClass().getSimpleName();
        };
    }

    /// How many pods or nodes it is about; 0 when it is about the pool itself.
    default int count() {
        return switch (this) {
            case Refuses(_, var pods, _, _) -> pods;
            case KeepsOff(var pods, _) -> pods;
            case NodesKept(_, var nodes, _) -> nodes;
            case NodesGo(var nodes, _) -> nodes;
            case NotReady _,
                    Deleting _,
                    StaticPool _,
                    Faulty _,
                    PerhapsMeant _,
                    WithoutCatalogue _,
                    Excludes _,
                    ExcludedTogether _,
                    TooFewValues _,
                    Unbuyable _,
                    LimitReached _,
                    Closed _,
                    BudgetSpent _ ->
                    0;
        };
    }

    default String explain() {
        return switch (this) {
            case NotReady(var words) ->
                    words.isEmpty()
                            ? "its condition Ready is not True"
                            : "it is not ready: " + words;
            case Deleting() -> "it is being deleted";
            case StaticPool(var replicas) ->
                    "it keeps %d nodes and buys none for pods".formatted(replicas);
            case Faulty(var problem, var meant) -> problem + maybe(meant);
            case PerhapsMeant(var key, var meant) ->
                    "label \"%s\" is known to nobody else; maybe \"%s\"?".formatted(key, meant);
            case WithoutCatalogue() ->
                    "its provider has not said what it can buy; see its node class";
            case Excludes(var requirements, var alone, var others, var types, var meant) ->
                    alone == 0
                            ? "no instance type of %d meets %s%s"
                                    .formatted(types, joined(requirements), maybe(meant))
                            : "%s excludes all %d instance types that the other requirements leave%s"
                                    .formatted(joined(requirements), others, maybe(meant));
            case ExcludedTogether(var types) ->
                    "its requirements together leave none of %d instance types, and no single one is to blame"
                            .formatted(types);
            case TooFewValues(var key, var wanted, var found) ->
                    "minValues of \"%s\" is %d, but the instance types left have only %d"
                            .formatted(key, wanted, found);
            case LimitReached(var resource, var limit, var used, var needed) ->
                    "limits.%s is %s and %s of it is used; one more node needs %s"
                            .formatted(
                                    resource,
                                    Resources.render(resource, limit),
                                    Resources.render(resource, used),
                                    Resources.render(resource, needed));
            case Unbuyable(var reason) -> reason.explain();
            case Refuses(_, var pods, var example, var message) ->
                    "refuses %s, such as %s: %s"
                            .formatted(counted(pods, "waiting pod"), example, message);
            case KeepsOff(var pods, var example) ->
                    "its taints keep %s off, such as %s, and should: they do not ask for it"
                            .formatted(counted(pods, "waiting pod"), example);
            case Closed(var reasons, var why) -> "%s: %s".formatted(texts(reasons), why.explain());
            case BudgetSpent(var index, var allowed, var disrupting, var reasons, var until) ->
                    "%s: disruption.budgets[%d] lets %s go%s%s"
                            .formatted(
                                    texts(reasons),
                                    index,
                                    allowed == 0
                                            ? "no node"
                                            : "at most " + counted(allowed, "node"),
                                    disrupting == 0
                                            ? ""
                                            : ", and %d %s going or not ready"
                                                    .formatted(
                                                            disrupting,
                                                            disrupting == 1 ? "is" : "are"),
                                    until == null ? "" : " until " + until);
            case NodesKept(var reason, var nodes, var example) ->
                    "%s, such as %s: %s".formatted(stay(nodes), example, reason.explain());
            case NodesGo(var nodes, var example) ->
                    "%s, such as %s"
                            .formatted(nodes == 1 ? "1 node goes" : nodes + " nodes go", example);
        };
    }

    private static String stay(int nodes) {
        return nodes == 1 ? "1 node stays" : nodes + " nodes stay";
    }

    private static String counted(int count, String what) {
        return count == 1 ? "1 " + what : "%d %ss".formatted(count, what);
    }

    private static String maybe(@Nullable String meant) {
        return meant == null ? "" : "; maybe \"%s\"?".formatted(meant);
    }

    private static String joined(List<Requirement> requirements) {
        return requirements.stream()
                .map(Requirement::toString)
                .collect(Collectors.joining(" and "));
    }

    private static String texts(List<Reason> reasons) {
        return reasons.stream().map(Reason::text).collect(Collectors.joining(", "));
    }
}
