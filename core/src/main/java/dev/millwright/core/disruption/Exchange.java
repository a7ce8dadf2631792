package dev.millwright.core.disruption;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.disruption.Command.Replacement;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.policy.SchedulingPolicy.Packing;
import dev.millwright.core.scheduling.LaunchChoice;
import dev.millwright.core.scheduling.PlannedClaim;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.SequencedMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;

/// What comes of taking nodes away together: the parts of it that pay for themselves, and of the
/// other nodes why they had better stay.
///
/// Whatever the cloud gives for a new node, a part that was dealt costs less than before, by so
/// much that the move is earned within the horizon.
final class Exchange {

    /// The part of what many deletions save that chance may take back: moving a hundred nodes' pods
    /// need not fail for one of them.
    private static final double LOST_SHARE_MAX = 0.1;

    /// Steps for each instance type that a new node may be.
    private static final long TYPE_STEPS = 30;

    /// A part that pays. `savedPerHour` is what it saves at best; `cost` is of the move.
    record Deal(Balance.Verdict verdict, double savedPerHour, double cost, Duration horizon) {

        Command command() {
            return verdict.command();
        }

        /// What is left of the savings of one horizon.
        double net() {
            return savedPerHour * MoveCost.hours(horizon) - cost;
        }
    }

    /// `refused` has a reason for each node that is in no deal; `weighed` are moves that a pool of
    /// policy Balanced refused.
    record Result(
            List<Deal> deals,
            SequencedMap<String, KeepReason> refused,
            List<Balance.Verdict> weighed) {

        static final Result NONE = new Result(List.of(), new TreeMap<>(), List.of());

        double net() {
            return deals.stream().mapToDouble(Deal::net).sum();
        }

        List<Candidate> candidates() {
            return deals.stream().flatMap(deal -> deal.command().candidates().stream()).toList();
        }

        /// The same without parts that need new nodes.
        Result deletions() {
            return new Result(
                    deals.stream().filter(deal -> deal.command().replacements().isEmpty()).toList(),
                    refused,
                    weighed);
        }
    }

    private final DisruptionProblem problem;
    private final Consolidation consolidation;
    private final Balance balance;
    private final MoveCost moveCost;
    private @Nullable Set<ObjectName> waitingAnyway;

    Exchange(DisruptionProblem problem, Candidacy candidacy) {
        this.problem = problem;
        this.consolidation = new Consolidation(problem);
        this.balance = Balance.of(problem, candidacy.candidates());
        this.moveCost = MoveCost.of(candidacy.candidates());
    }

    /// Steps taken so far, in nodes and pods looked at.
    long effort() {
        return consolidation.effort();
    }

    /// By whichever packing saves more.
    Result best(List<Candidate> group) {
        var plain = of(group, Packing.FIRST_FIT);
        if (plain.refused().isEmpty() && plain.deletions().deals().size() == plain.deals().size()) {
            return plain;
        }
        var packed = of(group, Packing.CHEAPEST);
        return packed.net() > plain.net() ? packed : plain;
    }

    /// Of the nodes that need no new one.
    Result deletions(List<Candidate> group) {
        return of(
                consolidation.simulated(group, Packing.FIRST_FIT),
                group,
                part ->
                        part.claims().isEmpty()
                                ? bargain(part)
                                : new Bargain.Refused(
                                        new KeepReason.NeedsSeveralNodes(part.claims().size())));
    }

    Result of(List<Candidate> group, Packing packing) {
        return of(consolidation.simulated(group, packing), group, this::bargain);
    }

    private Result of(
            Simulation.Outcome outcome, List<Candidate> group, Function<Part, Bargain> bargaining) {
        var deals = new ArrayList<Deal>();
        var refused = new TreeMap<String, KeepReason>();
        var weighed = new ArrayList<Balance.Verdict>();
        for (var part :
                Part.of(group, outcome, consolidation.simulation(), waitingAnyway(outcome))) {
            switch (bargaining.apply(part)) {
                case Bargain.Refused(var reason) ->
                        part.candidates().forEach(each -> refused.put(each.name(), reason));
                case Bargain.Struck(var deal) -> {
                    if (deal.verdict().isApproved()) {
                        deals.add(deal);
                    } else {
                        weighed.add(deal.verdict());
                        part.candidates()
                                .forEach(
                                        each ->
                                                refused.put(
                                                        each.name(), new KeepReason.NotWorthIt()));
                    }
                }
            }
        }
        return new Result(deals, refused, weighed);
    }

    /// Without deletions that pay only if each pod goes to the place that it was given, which
    /// nobody sees to; their nodes are [KeepReason.TooTight]. A new node, which is empty, draws
    /// pods by itself.
    Result sturdy(Result result) {
        var going = result.deletions().candidates();
        if (going.isEmpty()) {
            return result;
        }
        var outcome = consolidation.scattered(going);
        var tight = new HashSet<String>();
        for (var part :
                Part.of(going, outcome, consolidation.simulation(), waitingAnyway(outcome))) {
            if (!isSturdy(part)) {
                part.candidates().forEach(each -> tight.add(each.name()));
            }
        }
        var refused = new TreeMap<>(result.refused());
        tight.forEach(name -> refused.put(name, new KeepReason.TooTight()));
        return new Result(
                result.deals().stream()
                        .filter(deal -> deal.command().nodes().stream().noneMatch(tight::contains))
                        .toList(),
                refused,
                result.weighed());
    }

    /// Whether little is lost when nodes must be bought again for pods that find no place.
    private static boolean isSturdy(Part part) {
        var again = part.claims().stream().mapToDouble(PlannedClaim::spendPerHour).sum();
        return part.homeless().isEmpty() && again <= LOST_SHARE_MAX * price(part);
    }

    /// Pods that would have no place on the nodes there are even if all of these stayed. Nobody
    /// needs to know when every pod has one.
    private Set<ObjectName> waitingAnyway(Simulation.Outcome outcome) {
        if (outcome.plan().claims().isEmpty() && outcome.isEveryoneHoused()) {
            return Set.of();
        }
        var known = waitingAnyway;
        if (known == null) {
            known = new HashSet<>();
            var nothingGone = consolidation.simulated(List.of(), Packing.FIRST_FIT);
            for (var claim : nothingGone.plan().claims()) {
                known.addAll(claim.pods());
            }
            for (var pod : nothingGone.homeless()) {
                known.add(pod.pod());
            }
            waitingAnyway = known;
        }
        return known;
    }

    private sealed interface Bargain {
        record Struck(Deal deal) implements Bargain {}

        record Refused(KeepReason reason) implements Bargain {}
    }

    private Bargain bargain(Part part) {
        if (!part.homeless().isEmpty()) {
            return new Bargain.Refused(new KeepReason.PodsUnmovable(part.homeless()));
        }
        var price = price(part);
        if (!part.claims().isEmpty()) {
            return replacement(part, price);
        }
        var cost = moveCost.ofPods(part.candidates());
        var horizon = horizon(part);
        // A node whose price nobody knows any more costs something all the same.
        return price > 0 && price * MoveCost.hours(horizon) <= cost
                ? new Bargain.Refused(new KeepReason.DoesNotPay(price, cost, horizon))
                : struck(part, List.of(), price, cost);
    }

    private Bargain replacement(Part part, double price) {
        if (part.candidates().stream().anyMatch(problem.past()::isSettled)) {
            return new Bargain.Refused(new KeepReason.MovedRecently());
        }
        var cheapest = part.claims().stream().mapToDouble(PlannedClaim::spendPerHour).sum();
        if (cheapest >= price) {
            return new Bargain.Refused(new KeepReason.NotCheaper(price));
        }
        var kinds = new ArrayList<Kind>();
        var least = 0.0;
        for (var claims : Kind.of(part.claims())) {
            // Most of what would fit costs more than all; nothing more need be known of it.
            var first = claims.getFirst();
            var affordable = price - cheapest + first.spendPerHour();
            var choice =
                    consolidation.choice(
                            LaunchChoice.cheaperThan(first, affordable), part.candidates());
            consolidation.spend(TYPE_STEPS * choice.types().size());
            if (isSpotToSpot(part, choice)) {
                if (!problem.isSpotToSpot()) {
                    return new Bargain.Refused(new KeepReason.SpotToSpotOff());
                }
                choice = choice.asSpot();
            }
            var open = withoutVain(choice);
            if (open.isEmpty() && !choice.isEmpty()) {
                return new Bargain.Refused(new KeepReason.TriedInVain());
            }
            var own = open.leastWorstSpend();
            kinds.add(new Kind(claims, open, own));
            least += own * claims.size();
        }
        var cost = moveCost.ofPods(part.candidates()) + MoveCost.ofLaunch(least);
        var horizon = horizon(part);
        var most = price - cost / MoveCost.hours(horizon);
        if (least >= price) {
            return new Bargain.Refused(new KeepReason.NotCheaper(price));
        }
        if (least >= most) {
            return new Bargain.Refused(new KeepReason.DoesNotPay(price - least, cost, horizon));
        }
        return narrowed(part, kinds, new Bounds(price, least, most, cost));
    }

    private LaunchChoice withoutVain(LaunchChoice choice) {
        var past = problem.past();
        return past.vain().isEmpty()
                ? choice
                : choice.kept(type -> !past.isVain(choice.claim().nodePool(), type.name()));
    }

    /// Claims that may become the same, with what each may be launched as and costs at the least.
    private record Kind(List<PlannedClaim> claims, LaunchChoice choice, double least) {

        static List<List<PlannedClaim>> of(List<PlannedClaim> claims) {
            var kinds = new ArrayList<List<PlannedClaim>>();
            for (var claim : claims) {
                var known =
                        kinds.stream()
                                .filter(each -> isSame(each.getFirst(), claim))
                                .findFirst()
                                .orElse(null);
                if (known == null) {
                    known = new ArrayList<>();
                    kinds.add(known);
                }
                known.add(claim);
            }
            return kinds;
        }

        /// A plan gives equal claims one list of types.
        @SuppressWarnings("ReferenceEquality")
        private static boolean isSame(PlannedClaim first, PlannedClaim claim) {
            return first.types() == claim.types()
                    && first.nodePool().equals(claim.nodePool())
                    && first.requirements().equals(claim.requirements())
                    && first.reservationIds().equals(claim.reservationIds())
                    && first.isMinValuesRelaxed() == claim.isMinValuesRelaxed();
        }
    }

    /// `least` is what all new nodes cost together at the least, `most` what they may.
    private record Bounds(double price, double least, double most, double cost) {

        /// Each new node's share of what all may cost: its own least, and as much more as it is of
        /// all.
        double share(double own, int count) {
            return least > 0 ? own * (most / least) : most / count;
        }
    }

    private Bargain narrowed(Part part, List<Kind> kinds, Bounds bounds) {
        var replacements = new ArrayList<Replacement>();
        var spent = 0.0;
        for (var kind : kinds) {
            var cheaper = kind.choice().below(bounds.share(kind.least(), part.claims().size()));
            var unmet = cheaper.unmetMinValues();
            if (unmet != null) {
                return new Bargain.Refused(new KeepReason.MinValuesBroken(unmet));
            }
            if (isSpotToSpot(part, kind.choice()) && part.candidates().size() == 1) {
                var types = cheaper.types().size();
                if (types < Consolidation.SPOT_TYPES_MIN) {
                    return new Bargain.Refused(new KeepReason.TooFewSpotTypes(types));
                }
                cheaper =
                        cheaper.limited(
                                Math.max(
                                        Consolidation.SPOT_TYPES_MIN, cheaper.typesForMinValues()));
            }
            if (part.candidates().size() > 1) {
                cheaper = Consolidation.withoutOwnTypes(cheaper, part.candidates());
            }
            if (cheaper.isEmpty() || cheaper.unmetMinValues() != null) {
                return new Bargain.Refused(new KeepReason.NotCheaper(bounds.price()));
            }
            var launched = launched(cheaper);
            for (var claim : kind.claims()) {
                spent += launched.claim().spendPerHour();
                replacements.add(new Replacement.Planned(launched.forPodsOf(claim).claim()));
            }
        }
        return struck(part, replacements, bounds.price() - spent, bounds.cost());
    }

    /// A spot launch that fails must not become a dearer node of another kind.
    private static LaunchChoice launched(LaunchChoice choice) {
        var isEither =
                choice.mayBe(LabelKeys.CAPACITY_TYPE_SPOT)
                        && choice.mayBe(LabelKeys.CAPACITY_TYPE_ON_DEMAND);
        return isEither ? Consolidation.spotOr(choice) : choice;
    }

    private static boolean isSpotToSpot(Part part, LaunchChoice choice) {
        return choice.mayBe(LabelKeys.CAPACITY_TYPE_SPOT)
                && part.candidates().stream()
                        .allMatch(
                                each ->
                                        each.machine()
                                                .capacityType()
                                                .equals(LabelKeys.CAPACITY_TYPE_SPOT));
    }

    private Bargain struck(
            Part part, List<Replacement> replacements, double savedPerHour, double cost) {
        var command =
                new Command(
                        DisruptionMethod.WHOLE_FLEET,
                        part.candidates(),
                        replacements,
                        part.nominated());
        return new Bargain.Struck(
                new Deal(balance.weigh(command), savedPerHour, cost, horizon(part)));
    }

    private static double price(Part part) {
        return part.candidates().stream().mapToDouble(Candidate::spendPerHour).sum();
    }

    /// The shortest of the pools'.
    private static Duration horizon(Part part) {
        var shortest = WholeFleet.HORIZON_DEFAULT;
        var isFirst = true;
        for (var candidate : part.candidates()) {
            var own = candidate.pool().horizon();
            if (own != null && (isFirst || own.compareTo(shortest) < 0)) {
                shortest = own;
                isFirst = false;
            }
        }
        return shortest;
    }
}
