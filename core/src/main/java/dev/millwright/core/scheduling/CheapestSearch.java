package dev.millwright.core.scheduling;

import dev.millwright.core.label.Requirement;
import dev.millwright.core.label.Requirements;
import dev.millwright.core.scheduling.Fleet.Item;
import dev.millwright.core.scheduling.Fleet.Phase;

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

    private final CompiledProblem problem;
    private final Solution firstFit;
    private final int resources;
    private final Set<Integer> nodePods = new HashSet<>();

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

        /// Better is: places all the pods the other places, and more of them or for less.
        boolean isBetterThan(Solution other) {
            for (var pod = 0; pod < pass.problem().podCount(); pod++) {
                if (other.outcomes.outcome(pod) == FirstFit.Outcome.PLACED
                        && outcomes.outcome(pod) != FirstFit.Outcome.PLACED) {
                    return false;
                }
            }
            return waiting() < other.waiting() || pricePerHour() < other.pricePerHour() - 1e-9;
        }
    }

    CheapestSearch(CompiledProblem problem, Solution firstFit) {
        this.problem = problem;
        this.firstFit = firstFit;
        this.resources = problem.resources().size();
        firstFit.pass().nodes().forEach(node -> nodePods.addAll(node.pods()));
    }

    Solution search() {
        return search(turns());
    }

    /// From so many choices of domains.
    Solution search(int turns) {
        if (firstFit.pass().claims().isEmpty()) {
            return firstFit;
        }
        var best = firstFit;
        for (var turn = 0; turn < turns; turn++) {
            best = search(turn, problem.problem().policy().effort() / turns, best);
        }
        return best;
    }

    private int turns() {
        if (problem.podCount() <= PODS_SMALL) {
            return TURNS_SMALL;
        }
        return problem.podCount() <= PODS_MEDIUM ? TURNS_MEDIUM : 1;
    }

    private Solution search(int turn, long effort, Solution best) {
        var settled = settleDomains(turn);
        var better = settled.isBetterThan(best) ? settled : best;
        if (!isIndependentOfOrder(settled)) {
            return better;
        }
        var found = carryOut(layouts(settled, effort), turn);
        return found.isBetterThan(better) ? found : better;
    }

    /// A pod that asks for a label which only another pod's exclusion made known to its claim
    /// depends on coming second. Such packings are left as they are.
    private boolean isIndependentOfOrder(Solution settled) {
        for (var claim : settled.pass().claims()) {
            for (var pod : claim.pods()) {
                var item = item(settled, claim, pod);
                if (problem.space().narrow(claim.template().requirements(), item.set())
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

    /// For each template the fleet that was found, or null where its claims stay as they are.
    private Fleet[] layouts(Solution settled, long effort) {
        var fleets = new Fleet[problem.templates().size()];
        var items = settled.pass().claims().stream().mapToInt(OpenClaim::podCount).sum();
        for (var index = 0; index < fleets.length; index++) {
            fleets[index] = fleet(settled, problem.templates().get(index));
            if (!problem.templates().get(index).hasReservations()) {
                var share = effort * fleets[index].items().size() / Math.max(1, items);
                improve(fleets[index], share);
            }
        }
        return fleets;
    }

    private Fleet fleet(Solution settled, PoolTemplate template) {
        var items = new ArrayList<Item>();
        var bins = new ArrayList<Integer>();
        var number = 0;
        for (var claim : settled.pass().claims()) {
            if (claim.template() == template) {
                for (var pod : claim.pods()) {
                    items.add(item(settled, claim, pod));
                    bins.add(number);
                }
                number++;
            }
        }
        var order = IntStream.range(0, items.size()).boxed().toArray(Integer[]::new);
        Arrays.sort(order, Comparator.comparingInt(index -> items.get(index).pod()));
        var fleet =
                new Fleet(
                        template.pricing(),
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
                        || !podClass.volumes().isEmpty()
                        || !podClass.hostPorts().isEmpty();
        var pin = pin(claim, podClass, wish);
        var isByHost =
                wish.owned().stream().anyMatch(TopologyGroup::isHostname)
                        || podClass.inverseOwned().stream().anyMatch(TopologyGroup::isHostname);
        var phase = isBoundByDomain(pod) ? Phase.BY_DOMAIN : isByHost ? Phase.BY_HOST : Phase.FREE;
        var set = isTied ? claim.set() : problem.space().and(wish.claimSet(), pin);
        return new Item(pod, podClass, wish, set, pin, phase, isTied);
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
    private Solution carryOut(Fleet[] fleets, int turn) {
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
                    place(pod, phase, fleets, carried, claimOf);
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
            int pod,
            Phase phase,
            Fleet[] fleets,
            Solution carried,
            Map<Fleet.Bin, Integer> claimOf) {
        for (var template = 0; template < fleets.length; template++) {
            var item = fleets[template].itemOf(pod);
            if (item >= 0 && fleets[template].items().get(item).phase() == phase) {
                place(
                        fleets[template].items().get(item),
                        fleets[template].bin(item),
                        template,
                        carried,
                        claimOf);
                return;
            }
        }
    }

    private static void place(
            Item item,
            Fleet.Bin bin,
            int template,
            Solution carried,
            Map<Fleet.Bin, Integer> claimOf) {
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
                        ? pass.open(template, item.pod(), podClass, wish, item.pin())
                                == Pass.Opening.OPENED
                        : pass.placeOn(claim, item.pod(), podClass, wish, item.pin());
        if (isPlaced) {
            carried.outcomes().markPlaced(item.pod(), given);
            claimOf.putIfAbsent(bin, pass.claims().size() - 1);
        }
    }
}
