package dev.millwright.core.disruption;

import dev.millwright.core.disruption.Exchange.Deal;
import dev.millwright.core.disruption.Exchange.Result;
import dev.millwright.core.policy.SchedulingPolicy.Packing;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/// Looks at a whole fleet for what pays most: first for nodes whose pods fit on those that stay,
/// then for groups of nodes that a cheaper lot can stand in for.
///
/// It ends after about so many steps, counted in nodes and pods looked at.
final class FleetSearch {

    /// Nodes that are deleted at once at most.
    private static final int DELETED_MAX = 100;

    /// Nodes that are tried one by one when no more of them can be deleted together.
    private static final int REFILLS_MAX = 16;

    /// A smaller gain is rounding.
    private static final double GAIN_MIN = 1e-9;

    private final DisruptionProblem problem;
    private final Candidacy candidacy;
    private final Allowances allowances;
    private final Set<String> unseenBefore;
    private final long effortMax;
    private final Exchange exchange;
    private final List<Candidate> open;
    private final Picking picking;
    private final Map<String, KeepReason> refused = new HashMap<>();
    private final Set<String> unseen = new HashSet<>();
    private final List<Balance.Verdict> rejected = new ArrayList<>();
    private Result best = Result.NONE;
    private boolean isOutOfEffort;

    FleetSearch(
            DisruptionProblem problem,
            Candidacy candidacy,
            Allowances allowances,
            Set<String> unseenBefore,
            long effortMax) {
        this.problem = problem;
        this.candidacy = candidacy;
        this.allowances = allowances;
        this.unseenBefore = unseenBefore;
        this.effortMax = effortMax;
        this.exchange = new Exchange(problem, candidacy);
        this.open =
                candidacy.candidates().stream()
                        .filter(each -> allowances.left(each.nodePool()) > 0)
                        .toList();
        this.picking = new Picking(problem, open, allowances);
    }

    void run() {
        delete();
        if (best.deals().isEmpty()) {
            replace();
        } else {
            replaceFew();
        }
        settle();
    }

    /// Nodes that are in no deal compete for places, too. What is left must hold without them, as
    /// it will when it is looked at again.
    private void settle() {
        while (!best.deals().isEmpty()) {
            var again = exchange.best(best.candidates());
            var isWhole = again.candidates().size() == best.candidates().size();
            best = again;
            if (isWhole) {
                return;
            }
        }
    }

    private boolean hasEffort() {
        isOutOfEffort |= exchange.effort() >= effortMax;
        return !isOutOfEffort;
    }

    /// Takes as many as may go, and gives half of those up that do not fit until the rest does;
    /// then tries to take some more one by one.
    private void delete() {
        var order = open.stream().sorted(Candidate.MOST_SAVED_FIRST).toList();
        var tried = picking.first(order, DELETED_MAX);
        while (!tried.isEmpty() && hasEffort()) {
            var fitting = exchange.deletions(tried);
            var result = fitting.deals().isEmpty() ? fitting : exchange.sturdy(fitting);
            take(result);
            var gone = names(result.candidates());
            var failing = tried.stream().filter(each -> !gone.contains(each.name())).toList();
            if (failing.isEmpty()) {
                break;
            }
            tried = new ArrayList<>(result.candidates());
            tried.addAll(failing.subList(0, failing.size() / 2));
        }
        if (!best.deals().isEmpty()) {
            refill(order);
        }
    }

    private void refill(List<Candidate> order) {
        var left = REFILLS_MAX;
        for (var candidate : order) {
            if (left == 0 || best.candidates().size() >= DELETED_MAX || !hasEffort()) {
                return;
            }
            if (names(best.candidates()).contains(candidate.name())) {
                continue;
            }
            var wanted = new ArrayList<>(best.candidates());
            wanted.add(candidate);
            if (picking.first(wanted, wanted.size()).size() == wanted.size()) {
                left--;
                takeIfSturdy(exchange.deletions(wanted));
            }
        }
    }

    private List<Candidate> movable() {
        return open.stream().filter(each -> !problem.past().isSettled(each)).toList();
    }

    /// Something is found already; what would be worth more than that is a large group.
    private void replaceFew() {
        var waste = new Waste(problem, movable());
        for (var group : Groups.few(movable(), picking, waste)) {
            if (!hasEffort()) {
                return;
            }
            look(group, Packing.FIRST_FIT);
        }
    }

    private void replace() {
        var movable = movable();
        open.stream()
                .filter(problem.past()::isSettled)
                .forEach(each -> refused.put(each.name(), new KeepReason.MovedRecently()));
        var waste = new Waste(problem, movable);
        var groups = Groups.of(movable, picking, waste, unseenBefore);
        movable.forEach(each -> unseen.add(each.name()));
        if (unseen.stream().anyMatch(unseenBefore::contains)) {
            unseen.retainAll(unseenBefore);
        }
        for (var group : groups) {
            if (!hasEffort()) {
                return;
            }
            look(group, Packing.FIRST_FIT);
        }
        for (var group : groups) {
            if (hasEffort() && waste.perHour(group) > 0) {
                look(group, Packing.CHEAPEST);
            }
        }
        thinOut(waste);
    }

    private void look(List<Candidate> group, Packing packing) {
        var result = exchange.of(group, packing);
        if (group.size() == 1) {
            unseen.remove(group.getFirst().name());
            result.refused().forEach(refused::putIfAbsent);
        }
        rejected.addAll(result.weighed());
        takeIfSturdy(result);
    }

    /// Leaves nodes out again that add nothing.
    private void thinOut(Waste waste) {
        for (var candidate :
                best.candidates().stream().sorted(waste.mostFirst().reversed()).toList()) {
            if (best.candidates().size() == 1 || !hasEffort()) {
                return;
            }
            var fewer =
                    best.candidates().stream()
                            .filter(each -> !each.name().equals(candidate.name()))
                            .toList();
            takeIfSturdy(exchange.best(fewer));
        }
    }

    private void takeIfSturdy(Result result) {
        if (isBetter(result)) {
            var sturdy = exchange.sturdy(result);
            sturdy.refused().forEach(refused::putIfAbsent);
            take(sturdy);
        }
    }

    private boolean isBetter(Result result) {
        return !result.deals().isEmpty()
                && (best.deals().isEmpty() || result.net() > best.net() + GAIN_MIN);
    }

    private void take(Result result) {
        if (isBetter(result)) {
            best = result;
        }
    }

    private static Set<String> names(List<Candidate> candidates) {
        var names = new HashSet<String>();
        candidates.forEach(each -> names.add(each.name()));
        return names;
    }

    Decision decision() {
        var kept = new TreeMap<>(candidacy.kept());
        var going = names(best.candidates());
        for (var candidate : candidacy.candidates()) {
            if (!going.contains(candidate.name())) {
                kept.put(candidate.name(), reason(candidate));
            }
        }
        var weighed =
                best.deals().isEmpty()
                        ? rejected.stream().skip(Math.max(0, rejected.size() - 1)).toList()
                        : best.deals().stream().map(Deal::verdict).toList();
        var isCut = isOutOfEffort && !unseen.isEmpty();
        var isWithheld = open.size() < candidacy.candidates().size() || isCut;
        return new Decision(
                        DisruptionMethod.WHOLE_FLEET,
                        WholeFleet.commands(best),
                        kept,
                        candidacy.candidates().size(),
                        allowances,
                        isWithheld)
                .weighed(weighed)
                .timedOut(isCut, isCut ? unseen.stream().sorted().toList() : List.of());
    }

    private KeepReason reason(Candidate candidate) {
        if (allowances.left(candidate.nodePool()) <= 0) {
            return allowances.spent(candidate.nodePool());
        }
        var known = refused.get(candidate.name());
        if (known != null) {
            return known;
        }
        return best.deals().isEmpty() ? new KeepReason.NotReached() : new KeepReason.NotItsTurn();
    }
}
