package dev.millwright.core.scheduling;

import dev.millwright.core.scheduling.CheapestSearch.Solution;
import dev.millwright.core.scheduling.PatternSearch.Chosen;
import dev.millwright.core.scheduling.PatternSearch.Found;

import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Solves a small problem to the end and carries the fleet out by a pass, under all the rules.
final class ExactSearch {

    private final CompiledProblem problem;
    private final FleetModel model;
    private final List<Integer> pods = new ArrayList<>();
    private final List<Integer> kept;
    private final Solution settled;
    private final @Nullable Found found;

    /// @param settled what each pod wishes and which weight of pool it may have
    /// @param known a fleet that may be improved upon
    /// @param kept pods that stay where first fit places them; if there are any, the others take
    ///   new nodes
    /// @param patternsMax how large a model may be
    ExactSearch(
            CompiledProblem problem,
            Solution settled,
            Solution known,
            Set<Integer> kept,
            int patternsMax) {
        this.problem = problem;
        this.settled = settled;
        this.kept = kept.stream().sorted().toList();
        for (var pod = 0; pod < problem.podCount(); pod++) {
            if (settled.outcomes().outcome(pod) == FirstFit.Outcome.PLACED && !kept.contains(pod)) {
                pods.add(pod);
            }
        }
        var models = new FleetModels(problem);
        this.model = kept.isEmpty() ? models.ofGiven(pods, settled) : models.ofNew(pods, settled);
        this.found =
                PatternSearch.search(
                        model,
                        known.pricePerHour(),
                        known.pass().claims().size(),
                        patternsMax,
                        FleetChoice.HAIR);
    }

    FleetModel model() {
        return model;
    }

    /// Whether no fleet of the model is cheaper than the known one or the one that was found.
    boolean isComplete() {
        return found != null && found.isComplete();
    }

    /// Price of the fleet that was found, or the known one.
    double price() {
        return found == null ? Double.POSITIVE_INFINITY : found.price();
    }

    /// The fleets that were found, as far as a pass could place them: one that is cheaper than what
    /// was known, and one of fewer nodes that costs hardly more.
    List<Solution> carriedOut() {
        var carried = new ArrayList<Solution>();
        if (found != null && found.fleet() != null) {
            carried.add(carriedOut(found.fleet()));
        }
        if (found != null && found.fewer() != null) {
            carried.add(carriedOut(found.fewer()));
        }
        return carried;
    }

    private Solution carriedOut(List<Chosen> fleet) {
        var pass = new Pass(problem, new ClaimOrder.LeastRise(), 0);
        var carried = new Solution(pass, new FirstFit(pass));
        carried.outcomes().place(kept);
        var bins = bins(fleet);
        var isAny = true;
        while (isAny) {
            isAny = false;
            for (var pod : pods) {
                if (carried.outcomes().outcome(pod) != FirstFit.Outcome.PLACED) {
                    var bin = bins.get(pod);
                    isAny |= bin != null && place(pod, bin, carried);
                }
            }
        }
        var rest = new ArrayList<Integer>();
        for (var pod = 0; pod < problem.podCount(); pod++) {
            if (carried.outcomes().outcome(pod) != FirstFit.Outcome.PLACED) {
                rest.add(pod);
            }
        }
        carried.outcomes().place(rest);
        return carried;
    }

    /// A machine of the fleet; `claim` is the number of the claim that became of it.
    private static final class Bin {
        private final Chosen chosen;
        private final int pin;
        private int claim = -1;

        Bin(Chosen chosen, int pin) {
            this.chosen = chosen;
            this.pin = pin;
        }
    }

    private Map<Integer, Bin> bins(List<Chosen> fleet) {
        var left = new ArrayList<Deque<Integer>>();
        model.kinds().forEach(kind -> left.add(new ArrayDeque<>(kind.pods())));
        var bins = new HashMap<Integer, Bin>();
        for (var chosen : fleet) {
            var counts = chosen.counts();
            var isBound = false;
            for (var rule : model.zoneRules()) {
                for (var kind = 0; kind < counts.length; kind++) {
                    isBound |= counts[kind] > 0 && rule.members()[kind];
                }
            }
            var bin =
                    new Bin(
                            chosen,
                            isBound && chosen.node() < 0
                                    ? model.zones().get(chosen.zone())
                                    : RequirementSpace.none());
            for (var kind = 0; kind < counts.length; kind++) {
                for (var count = 0; count < counts[kind]; count++) {
                    bins.put(left.get(kind).removeFirst(), bin);
                }
            }
        }
        return bins;
    }

    private boolean place(int pod, Bin bin, Solution carried) {
        var pass = carried.pass();
        var podClass = pass.podClass(pod);
        var given = settled.outcomes().given(pod);
        var wish = pass.wish(podClass, given);
        if (wish == null) {
            return false;
        }
        var chosen = bin.chosen;
        var isPlaced = false;
        if (chosen.node() >= 0) {
            isPlaced =
                    pass.nodeFilling()
                            .placeOn(model.nodes().get(chosen.node()).place(), pod, podClass, wish);
        } else if (bin.claim < 0) {
            isPlaced =
                    pass.open(chosen.template(), pod, podClass, wish, bin.pin, chosen.capacity())
                            == Pass.Opening.OPENED;
            bin.claim = isPlaced ? pass.claims().size() - 1 : -1;
        } else {
            isPlaced = pass.placeOn(bin.claim, pod, podClass, wish, bin.pin);
        }
        if (isPlaced) {
            carried.outcomes().markPlaced(pod, given);
        }
        return isPlaced;
    }
}
