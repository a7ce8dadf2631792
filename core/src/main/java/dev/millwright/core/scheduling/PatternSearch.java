package dev.millwright.core.scheduling;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Looks for the cheapest fleet of a small model, to the end where it can: branch and bound over
/// patterns. By [PatternDuals] every pattern costs at least its worth, so that a fleet costs the
/// bound and what its patterns cost above their worth. Patterns that alone cost more above it than
/// the gap to a known fleet are left out, and few remain.
final class PatternSearch {

    /// Patterns of models that are looked at; more would take too much memory.
    static final int PATTERNS_MAX = 1 << 16;

    /// The same in a simulation, of which there are many.
    static final int PATTERNS_SIMULATED_MAX = 1 << 10;

    static final int NODES_MAX = 12;

    /// Machines of fleets with fewer machines that are looked for; more would take too much memory.
    private static final int MACHINES_MAX = 32;

    private static final long STEPS_MAX = 4_000_000;

    /// The same for fewer machines, which is only a preference.
    private static final long STEPS_FEWER_MAX = 400_000;

    /// Bits for the pods of one rule in one zone.
    private static final int COUNT_BITS = 5;

    private static final double EPSILON = 1e-9;

    /// A machine or node of the fleet that was found. `node` is -1 for one to be bought.
    ///
    /// @param counts how many pods of each kind are on it
    /// @param capacity the most it may take of its pool's limits, or null without limits
    record Chosen(int[] counts, int zone, int node, int template, long @Nullable [] capacity) {}

    /// What came of it: the best fleet if one is cheaper than what was known, and a price that no
    /// fleet beats.
    ///
    /// @param fewer a fleet within the hair of that price that has fewer machines than the cheapest
    record Found(
            @Nullable List<Chosen> fleet,
            @Nullable List<Chosen> fewer,
            double price,
            double perHour,
            boolean isComplete) {}

    /// What is looked for: cheaper fleets of any number of machines, or those of the fewest
    /// machines that cost no more than `limit`.
    private record Goal(double limit, int machinesMax, long stepsMax) {
        static final int ANY = Integer.MAX_VALUE;

        boolean isFewest() {
            return machinesMax != ANY;
        }
    }

    /// What is left to do; `counts` are the pods of each rule in each zone, a few bits for each.
    private record Left(int stage, int covered, long counts) {}

    private record Choice(
            int pattern, int zone, int template, double over, long @Nullable [] capacity) {}

    private final FleetModel model;
    private final PatternTable table;
    private final PatternDuals duals;
    private final Goal goal;
    private final List<List<Choice>> machines = new ArrayList<>();
    private final List<List<Choice>> onNode = new ArrayList<>();
    private final int[][] inZone;
    private final int[] left;
    private final long[] @Nullable [] limits;
    private final double[][] seen;
    private final Map<Left, Double> seenInZones = new HashMap<>();
    private final boolean isRemembering;
    private final List<Chosen> stack = new ArrayList<>();
    private @Nullable List<Chosen> best;
    private double gap;
    private double bestOver = Double.POSITIVE_INFINITY;
    private int machinesMax;
    private long steps;

    private PatternSearch(FleetModel model, PatternTable table, PatternDuals duals, Goal goal) {
        this.model = model;
        this.table = table;
        this.duals = duals;
        this.goal = goal;
        this.machinesMax = goal.machinesMax();
        this.gap = goal.limit() - duals.perHour();
        this.inZone = new int[model.zoneRules().size()][model.zones().size()];
        this.left = new int[inZone.length];
        for (var rule = 0; rule < left.length; rule++) {
            left[rule] = members(rule, table.size() - 1);
        }
        this.limits = new long[model.templates().size()][];
        for (var template = 0; template < limits.length; template++) {
            var some = model.limits()[template];
            limits[template] = some == null ? null : some.clone();
        }
        var isPlain = inZone.length == 0 && !model.hasLimits();
        this.isRemembering =
                isPlain
                        || (!model.hasLimits()
                                && inZone.length * model.zones().size() * COUNT_BITS < Long.SIZE);
        var stages = model.nodes().size() + (goal.isFewest() ? goal.machinesMax() + 1 : 1);
        this.seen = new double[isPlain ? stages : 0][table.size()];
        for (var row : seen) {
            Arrays.fill(row, Double.POSITIVE_INFINITY);
        }
    }

    /// The answer for a model that is small enough, else null.
    ///
    /// @param known what a known fleet costs
    /// @param machines how many machines it has
    /// @param hair how much dearer a fleet of fewer machines may be, as a part of the price
    static @Nullable Found search(
            FleetModel model, double known, int machines, int patternsMax, double hair) {
        var patterns = model.patterns(patternsMax);
        if (patterns > patternsMax
                || model.nodes().size() > NODES_MAX
                || !PatternTable.isPackable(model)) {
            return null;
        }
        var table = new PatternTable(model, (int) patterns);
        var duals = new PatternDuals(model, table, known + 1);
        var cheaper = new Goal(known * (1 - EPSILON), Goal.ANY, STEPS_MAX);
        var cheapest = new PatternSearch(model, table, duals, cheaper).search(known);
        return cheapest.isComplete()
                ? withFewerMachines(model, table, duals, cheapest, machines, hair)
                : cheapest;
    }

    private static Found withFewerMachines(
            FleetModel model,
            PatternTable table,
            PatternDuals duals,
            Found cheapest,
            int machinesKnown,
            double hair) {
        var fleet = cheapest.fleet();
        var machines = fleet == null ? machinesKnown : bought(fleet);
        if (machines <= 1) {
            return cheapest;
        }
        var limit = cheapest.price() * (1 + Math.max(hair, EPSILON));
        var goal = new Goal(limit, Math.min(machines, MACHINES_MAX) - 1, STEPS_FEWER_MAX);
        var fewer = new PatternSearch(model, table, duals, goal).fewest();
        return new Found(fleet, fewer, cheapest.price(), cheapest.perHour(), true);
    }

    private static int bought(List<Chosen> fleet) {
        return (int) fleet.stream().filter(chosen -> chosen.node() < 0).count();
    }

    private Found search(double known) {
        var least = duals.perHour();
        if (gap <= 0) {
            return new Found(null, null, known, Math.min(known, least), true);
        }
        collect();
        branchNodes(0, 0, 0);
        var isComplete = steps <= goal.stepsMax();
        var price = best == null ? known : Math.min(known, least + bestOver);
        return new Found(best, null, price, isComplete ? price : least, isComplete);
    }

    private @Nullable List<Chosen> fewest() {
        collect();
        branchNodes(0, 0, 0);
        return best;
    }

    private void collect() {
        for (var kind = 0; kind < model.kinds().size(); kind++) {
            machines.add(new ArrayList<>());
        }
        for (var pattern = 1; pattern < table.size(); pattern++) {
            for (var zone = 0; zone < model.zones().size(); zone++) {
                if (over(table.price(pattern, zone), pattern) <= gap) {
                    addMachines(pattern, zone);
                }
            }
        }
        var byPrice = Comparator.comparingDouble(Choice::over);
        machines.forEach(choices -> choices.sort(byPrice));
        for (var node = 0; node < model.nodes().size(); node++) {
            var choices = new ArrayList<Choice>();
            for (var pattern = 0; pattern < table.size(); pattern++) {
                var over = duals.nodeWorth(node) - duals.worth(pattern);
                if (duals.isHeld(node, pattern) && over <= gap) {
                    choices.add(
                            new Choice(pattern, model.nodes().get(node).zone(), -1, over, null));
                }
            }
            choices.sort(byPrice);
            onNode.add(choices);
        }
    }

    /// Where pools have limits a dearer machine may be the better choice if it takes less of them.
    private void addMachines(int pattern, int zone) {
        var cheapest = -1;
        var price = Double.POSITIVE_INFINITY;
        for (var template = 0; template < limits.length; template++) {
            var set = table.setOf(pattern, template, zone);
            if (set == RequirementSpace.IMPOSSIBLE) {
                continue;
            }
            if (limits[template] != null) {
                addLimited(pattern, zone, template, set);
            } else {
                var own =
                        model.templates().get(template).pricing().price(set, table.loadOf(pattern));
                if (own < price) {
                    price = own;
                    cheapest = template;
                }
            }
        }
        if (over(price, pattern) <= gap) {
            add(new Choice(pattern, zone, cheapest, over(price, pattern), null));
        }
    }

    /// What a machine costs above the worth of the pattern.
    private double over(double price, int pattern) {
        return price - duals.worth(pattern);
    }

    private void add(Choice choice) {
        machines.get(table.lowestKind(choice.pattern())).add(choice);
    }

    private void addLimited(int pattern, int zone, int template, int set) {
        var pool = model.templates().get(template);
        var prices = pool.prices(set);
        var load = table.loadOf(pattern);
        var fitting = new ArrayList<Integer>();
        var meeting = pool.meeting(set);
        for (var shape = Bits.next(meeting, 0); shape >= 0; shape = Bits.next(meeting, shape + 1)) {
            if (over(prices[shape], pattern) <= gap && isRoomy(pool, shape, load)) {
                fitting.add(shape);
            }
        }
        fitting.sort(
                Comparator.comparingDouble((Integer shape) -> prices[shape])
                        .thenComparing(shape -> shape));
        var kept = new ArrayList<long[]>();
        for (var shape : fitting) {
            var capacity = pool.capacity(shape);
            if (kept.stream().noneMatch(other -> isWithin(other, capacity))) {
                kept.add(capacity);
                add(new Choice(pattern, zone, template, over(prices[shape], pattern), capacity));
            }
        }
    }

    private static boolean isRoomy(PoolTemplate pool, int shape, long[] load) {
        for (var resource = 0; resource < load.length; resource++) {
            if (load[resource] > pool.room(shape, resource)) {
                return false;
            }
        }
        return true;
    }

    private static boolean isWithin(long[] amounts, long[] others) {
        for (var resource = 0; resource < amounts.length; resource++) {
            if (amounts[resource] > others[resource]) {
                return false;
            }
        }
        return true;
    }

    private void branchNodes(int node, int covered, double over) {
        if (node == model.nodes().size()) {
            branchMachines(covered, over, 0);
            return;
        }
        if (isSeen(node, covered, over)) {
            return;
        }
        for (var choice : onNode.get(node)) {
            if (over + choice.over() > gap || steps > goal.stepsMax()) {
                return;
            }
            steps++;
            if (!table.isDisjoint(covered, choice.pattern())) {
                continue;
            }
            if (enter(choice)) {
                stack.add(new Chosen(counts(choice), choice.zone(), node, -1, null));
                branchNodes(node + 1, covered + choice.pattern(), over + choice.over());
                stack.removeLast();
            }
            leave(choice);
        }
    }

    private void branchMachines(int covered, double over, int bought) {
        if (covered == table.size() - 1) {
            keep(over, bought);
            return;
        }
        if (bought >= machinesMax
                || isSeen(model.nodes().size() + (goal.isFewest() ? bought : 0), covered, over)) {
            return;
        }
        for (var choice : machines.get(table.firstLeft(covered))) {
            if (over + choice.over() > gap || steps > goal.stepsMax()) {
                return;
            }
            steps++;
            if (!table.isDisjoint(covered, choice.pattern())) {
                continue;
            }
            if (enter(choice)) {
                stack.add(
                        new Chosen(
                                counts(choice),
                                choice.zone(),
                                -1,
                                choice.template(),
                                choice.capacity()));
                branchMachines(covered + choice.pattern(), over + choice.over(), bought + 1);
                stack.removeLast();
            }
            leave(choice);
        }
    }

    /// Of fleets with the fewest machines the cheapest is kept, otherwise the cheapest of all.
    private void keep(double over, int bought) {
        if (goal.isFewest() ? bought < machinesMax || over < bestOver : over < gap) {
            bestOver = over;
            best = List.copyOf(stack);
            if (goal.isFewest()) {
                machinesMax = bought;
            } else {
                gap = over - EPSILON * goal.limit();
            }
        }
    }

    private int[] counts(Choice choice) {
        var counts = new int[model.kinds().size()];
        table.counts(choice.pattern(), counts);
        return counts;
    }

    /// Counts the pattern; tells whether the rules and limits can still be met.
    private boolean enter(Choice choice) {
        var isMet = true;
        for (var rule = 0; rule < inZone.length; rule++) {
            var members = members(rule, choice.pattern());
            left[rule] -= members;
            if (choice.zone() >= 0) {
                inZone[rule][choice.zone()] += members;
            }
            isMet &= model.zoneRules().get(rule).canBeMet(inZone[rule], left[rule]);
        }
        return charge(choice, -1) && isMet;
    }

    private void leave(Choice choice) {
        for (var rule = 0; rule < inZone.length; rule++) {
            var members = members(rule, choice.pattern());
            left[rule] += members;
            if (choice.zone() >= 0) {
                inZone[rule][choice.zone()] -= members;
            }
        }
        charge(choice, 1);
    }

    private boolean charge(Choice choice, int sign) {
        var capacity = choice.capacity();
        if (capacity == null) {
            return true;
        }
        var isWithin = true;
        var limit = limits[choice.template()];
        for (var resource = 0; limit != null && resource < limit.length; resource++) {
            if (limit[resource] != Long.MAX_VALUE) {
                limit[resource] += sign * capacity[resource];
                isWithin &= limit[resource] >= 0;
            }
        }
        return isWithin;
    }

    private int members(int rule, int pattern) {
        var members = 0;
        for (var rest = pattern; rest > 0; rest = table.before(rest)) {
            members += model.zoneRules().get(rule).members()[table.lastKind(rest)] ? 1 : 0;
        }
        return members;
    }

    /// Whether the same pods were left before, with the same in each zone, for no more.
    private boolean isSeen(int stage, int covered, double over) {
        if (!isRemembering) {
            return false;
        }
        if (seen.length > 0) {
            if (seen[stage][covered] <= over) {
                return true;
            }
            seen[stage][covered] = over;
            return false;
        }
        var counts = 0L;
        for (var rule : inZone) {
            for (var count : rule) {
                counts = counts << COUNT_BITS | count;
            }
        }
        var key = new Left(stage, covered, counts);
        var before = seenInZones.get(key);
        if (before != null && before <= over) {
            return true;
        }
        seenInZones.put(key, over);
        return false;
    }
}
