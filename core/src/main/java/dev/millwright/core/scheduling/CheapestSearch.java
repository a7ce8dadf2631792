package dev.millwright.core.scheduling;

import dev.millwright.core.label.Requirement;
import dev.millwright.core.label.Requirements;
import dev.millwright.core.label.Taint;
import dev.millwright.core.scheduling.Fleet.Item;
import dev.millwright.core.scheduling.Fleet.Phase;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/// Looks for a cheaper fleet than first fit's that places the same pods under the same rules.
///
/// First fit is run once more with the pods that topology ties to a domain first, which settles
/// their domains. Then bins are filled greedily and improved step by step, and the best packing is
/// carried out by a fresh pass, pod by pod, under all the rules; whatever the pass refuses is
/// placed as first fit would. The cheapest plan wins, first fit's included.
final class CheapestSearch {

    /// Steps that are worth taking for each pod.
    private static final long STEPS_PER_POD = 2_000;

    /// Bins times host constraints beyond which the search would need too much memory.
    private static final long COUNTERS_MAX = 20_000_000;

    /// Where domains are equally good, a small problem is searched from many different choices of
    /// them.
    private static final int TURNS_SMALL = 16;

    private static final int PODS_SMALL = 64;
    private static final int TURNS_MEDIUM = 4;
    private static final int PODS_MEDIUM = 256;

    /// Times that each bin is taken apart together with others, and what that counts as.
    private static final int REPACKINGS_PER_BIN = 6;

    private static final long STEPS_PER_REPACKING = 3_000;

    /// Times that all bins are drained; a later round has seldom more to do.
    private static final int DRAINS_MAX = 4;

    private final CompiledProblem problem;
    private final Solution firstFit;
    private final int resources;
    private final Set<Integer> nodePods = new HashSet<>();
    private @Nullable ExactSearch exact;

    /// A pass that has placed its pods.
    record Solution(Pass pass, FirstFit outcomes) {

        double pricePerHour() {
            return pass.claims().stream().mapToDouble(OpenClaim::price).sum();
        }

        int waiting() {
            return outcomes.waiting();
        }

        boolean hasSamePodsOnNodes(Solution other) {
            for (var place = 0; place < pass.nodes().size(); place++) {
                if (!pass.nodes().get(place).pods().equals(other.pass.nodes().get(place).pods())) {
                    return false;
                }
            }
            return true;
        }

        /// Cheaper is: places all the pods the other places, and more of them or for less.
        boolean isCheaperThan(Solution other) {
            return placesAllOf(other)
                    && (waiting() < other.waiting() || saved(other) > FleetChoice.SAME_PRICE);
        }

        /// Better is cheaper, or the same price on fewer nodes.
        boolean isBetterThan(Solution other) {
            var isSmaller =
                    pass.claims().size() < other.pass.claims().size()
                            && saved(other) > -FleetChoice.SAME_PRICE
                            && placesAllOf(other);
            return isSmaller || isCheaperThan(other);
        }

        private double saved(Solution other) {
            return other.pricePerHour() - pricePerHour();
        }

        boolean placesAllOf(Solution other) {
            for (var pod = 0; pod < pass.problem().podCount(); pod++) {
                if (other.outcomes.outcome(pod) == FirstFit.Outcome.PLACED
                        && outcomes.outcome(pod) != FirstFit.Outcome.PLACED) {
                    return false;
                }
            }
            return true;
        }
    }

    CheapestSearch(CompiledProblem problem, Solution firstFit) {
        this.problem = problem;
        this.firstFit = firstFit;
        this.resources = problem.resources().size();
        firstFit.pass().nodes().forEach(node -> nodePods.addAll(node.pods()));
    }

    Solution search() {
        return search(turns(), Set.of(), PatternSearch.PATTERNS_MAX);
    }

    /// One look, for a simulation. Pods stay on the nodes where first fit places them: a tighter
    /// packing of nodes that are there would hold only if kube-scheduler chose the same places.
    Solution simulate() {
        return search(1, nodePods, PatternSearch.PATTERNS_SIMULATED_MAX);
    }

    /// What a small problem was solved by, or null.
    @Nullable ExactSearch exact() {
        return exact;
    }

    private Solution search(int turns, Set<Integer> kept, int patternsMax) {
        if (firstFit.pass().claims().isEmpty()) {
            return firstFit;
        }
        var choice = new FleetChoice(firstFit);
        var solved = new ExactSearch(problem, settleDomains(0), firstFit, kept, patternsMax);
        exact = solved;
        solved.carriedOut().forEach(choice::add);
        if (solved.isComplete()
                && choice.cheapest().pricePerHour() <= solved.price() + FleetChoice.SAME_PRICE) {
            return choice.chosen();
        }
        for (var turn = 0; turn < turns; turn++) {
            search(turn, problem.problem().policy().effort() / turns, choice);
        }
        repack(choice, turns);
        merge(choice);
        return choice.chosen();
    }

    /// Packs bins of the cheapest fleet anew, a few at a time.
    private void repack(FleetChoice choice, int turns) {
        var best = choice.cheapest();
        var bins = best.pass().claims().size();
        if (bins < 2 || !isIndependentOfOrder(best)) {
            return;
        }
        var fleet = fleet(best);
        var tries =
                Math.min(
                        problem.problem().policy().effort() / STEPS_PER_REPACKING,
                        turns == 1 && problem.podCount() <= PODS_MEDIUM
                                ? bins
                                : (long) REPACKINGS_PER_BIN * bins);
        var repacking = new Repacking(fleet, problem.space(), resources);
        var isBetter = repacking.improve((int) tries);
        if (drain(repacking) || isBetter) {
            choice.add(carryOut(fleet, 0));
        }
    }

    private static boolean drain(Repacking repacking) {
        var isBetter = false;
        for (var round = 0; round < DRAINS_MAX && repacking.drain(); round++) {
            isBetter = true;
        }
        return isBetter;
    }

    /// Empties bins of the fleet that would be chosen into others for a hair of its price.
    private void merge(FleetChoice choice) {
        var best = choice.chosen();
        if (best.pass().claims().size() < 2 || !isIndependentOfOrder(best)) {
            return;
        }
        var fleet = fleet(best);
        if (new FewerBins(fleet).improve(choice.limit())) {
            drain(new Repacking(fleet, problem.space(), resources));
            choice.add(carryOut(fleet, 0));
        }
    }

    private int turns() {
        if (problem.podCount() <= PODS_SMALL) {
            return TURNS_SMALL;
        }
        return problem.podCount() <= PODS_MEDIUM ? TURNS_MEDIUM : 1;
    }

    private void search(int turn, long effort, FleetChoice choice) {
        var settled = settleDomains(turn);
        choice.add(settled);
        if (isIndependentOfOrder(settled)) {
            choice.add(carryOut(layout(settled, effort), turn));
        }
    }

    /// A pod that asks for a label which only another pod's exclusion made known to its claim
    /// depends on coming second. Such packings are left as they are.
    private boolean isIndependentOfOrder(Solution settled) {
        for (var claim : settled.pass().claims()) {
            for (var pod : claim.pods()) {
                var item = item(settled, claim, pod);
                if (item.sets()[problem.templates().indexOf(claim.template())]
                        == RequirementSpace.IMPOSSIBLE) {
                    return false;
                }
            }
        }
        return true;
    }

    private boolean isOnNode(int pod) {
        return nodePods.contains(pod);
    }

    private boolean isBoundByDomain(int pod) {
        var podClass = firstFit.pass().podClass(pod);
        return podClass.wishes().getFirst().hasSharedTopology()
                || podClass.labelClass().keptAwayBy().stream()
                        .anyMatch(group -> !group.isHostname());
    }

    private Solution settleDomains(int turn) {
        var pass = new Pass(problem, new ClaimOrder.LeastRise(), turn);
        var outcomes = new FirstFit(pass);
        var order = new ArrayList<Integer>();
        IntStream.range(0, problem.podCount()).filter(this::isOnNode).forEach(order::add);
        IntStream.range(0, problem.podCount())
                .filter(pod -> !isOnNode(pod) && isBoundByDomain(pod))
                .forEach(order::add);
        IntStream.range(0, problem.podCount())
                .filter(pod -> !isOnNode(pod) && !isBoundByDomain(pod))
                .forEach(order::add);
        outcomes.place(order);
        return new Solution(pass, outcomes);
    }

    /// The cheapest fleet that was found for the pods on new nodes.
    private Fleet layout(Solution settled, long effort) {
        var fleet = fleet(settled);
        improve(fleet, effort);
        return fleet;
    }

    /// The pods on new nodes as they are.
    private Fleet fleet(Solution settled) {
        var items = new ArrayList<Item>();
        var bins = new ArrayList<Integer>();
        for (var claim : settled.pass().claims()) {
            for (var pod : claim.pods()) {
                items.add(item(settled, claim, pod));
                bins.add(claim.number());
            }
        }
        var order = IntStream.range(0, items.size()).boxed().toArray(Integer[]::new);
        Arrays.sort(order, Comparator.comparingInt(index -> items.get(index).pod()));
        var fleet =
                new Fleet(
                        problem.templates(),
                        problem.space(),
                        Arrays.stream(order).map(items::get).toList(),
                        resources);
        fleet.restore(Arrays.stream(order).mapToInt(bins::get).toArray());
        return fleet;
    }

    private Item item(Solution settled, OpenClaim claim, int pod) {
        var podClass = settled.pass().podClass(pod);
        var wish = podClass.wishes().get(settled.outcomes().given(pod));
        var isTied =
                wish.owned().stream()
                                .anyMatch(
                                        group ->
                                                group.isHostname()
                                                        && group.kind()
                                                                == TopologyGroup.Kind.AFFINITY)
                        || claim.template().hasReservations()
                        || podClass.volumes().alternatives().length > 1
                        || !podClass.hostPorts().isEmpty();
        var pin = pin(claim, podClass, wish);
        var isByHost =
                wish.owned().stream().anyMatch(TopologyGroup::isHostname)
                        || podClass.inverseOwned().stream().anyMatch(TopologyGroup::isHostname);
        var phase = isBoundByDomain(pod) ? Phase.BY_DOMAIN : isByHost ? Phase.BY_HOST : Phase.FREE;
        return new Item(
                pod, podClass, wish, sets(claim, podClass, wish, pin, isTied), pin, phase, isTied);
    }

    /// What a machine of each pool must be for the pod: of the pool it got, and of the others that
    /// are no lighter. A pool with limits is left to the pods that got it, one with reservations to
    /// first fit: which claim holds which reservation depends on the order.
    private int[] sets(
            OpenClaim claim, PodClass podClass, PodClass.Wish wish, int pin, boolean isTied) {
        var sets = new int[problem.templates().size()];
        Arrays.fill(sets, RequirementSpace.IMPOSSIBLE);
        if (isTied) {
            sets[problem.templates().indexOf(claim.template())] = claim.set();
            return sets;
        }
        var asked = problem.space().and(wish.claimSet(), pin);
        for (var alternative : podClass.volumes().alternatives()) {
            asked = problem.space().and(asked, alternative);
        }
        for (var template = 0; template < sets.length; template++) {
            var other = problem.templates().get(template);
            var isOwn = other == claim.template();
            var isOpen =
                    other.pool().weight() >= claim.template().pool().weight()
                            && other.pool().limits().isEmpty()
                            && !other.hasReservations()
                            && Taint.firstUntolerated(
                                            other.pool().template().taints(),
                                            wish.placement().tolerations())
                                    == null;
            if (isOwn || isOpen) {
                sets[template] = problem.space().narrow(other.requirements(), asked);
            }
        }
        return sets;
    }

    /// The domains that topology gave the pod, as requirements.
    private int pin(OpenClaim claim, PodClass podClass, PodClass.Wish wish) {
        var decided = problem.space().at(claim.set());
        var domains = new ArrayList<Requirement>();
        for (var groups : List.of(wish.owned(), podClass.labelClass().keptAwayBy())) {
            for (var group : groups) {
                var requirement = group.isHostname() ? null : decided.orNull(group.key().name());
                if (requirement != null) {
                    domains.add(requirement.withMinValues(null));
                }
            }
        }
        return problem.space().number(Requirements.of(domains));
    }

    private void improve(Fleet fleet, long effort) {
        var items = fleet.items().size();
        if (items == 0 || (long) fleet.hostGroupCount() * items > COUNTERS_MAX) {
            return;
        }
        var spent = new FleetFill(fleet, resources).fill(effort / 2);
        new Annealing(fleet)
                .improve(
                        Math.min(effort - spent, STEPS_PER_POD * items / Math.max(1, turns() / 4)));
    }

    /// Places every pod where the packing has it, under all the rules, and the rest as first fit
    /// would.
    private Solution carryOut(Fleet fleet, int turn) {
        var pass = new Pass(problem, new ClaimOrder.LeastRise(), turn);
        var outcomes = new FirstFit(pass);
        var onNodes =
                IntStream.range(0, problem.podCount()).filter(this::isOnNode).boxed().toList();
        outcomes.place(onNodes);
        var carried = new Solution(pass, outcomes);
        var claimOf = new HashMap<Fleet.Bin, Integer>();
        for (var phase : Phase.values()) {
            for (var pod = 0; pod < problem.podCount(); pod++) {
                if (outcomes.outcome(pod) != FirstFit.Outcome.PLACED) {
                    place(pod, phase, fleet, carried, claimOf);
                }
            }
        }
        var rest =
                IntStream.range(0, problem.podCount())
                        .filter(pod -> outcomes.outcome(pod) != FirstFit.Outcome.PLACED)
                        .boxed()
                        .toList();
        outcomes.place(rest);
        return carried;
    }

    private static void place(
            int pod, Phase phase, Fleet fleet, Solution carried, Map<Fleet.Bin, Integer> claimOf) {
        var number = fleet.itemOf(pod);
        if (number < 0 || fleet.items().get(number).phase() != phase) {
            return;
        }
        var item = fleet.items().get(number);
        var bin = fleet.bin(number);
        var pass = carried.pass();
        var podClass = pass.podClass(item.pod());
        var given = item.podClass().wishes().indexOf(item.wish());
        var wish = pass.wish(podClass, given);
        if (wish == null) {
            return;
        }
        var claim = claimOf.get(bin);
        var isPlaced =
                claim == null
                        ? pass.open(bin.template(), item.pod(), podClass, wish, item.pin())
                                == Pass.Opening.OPENED
                        : pass.placeOn(claim, item.pod(), podClass, wish, item.pin());
        if (isPlaced) {
            carried.outcomes().markPlaced(item.pod(), given);
            claimOf.putIfAbsent(bin, pass.claims().size() - 1);
        }
    }
}
