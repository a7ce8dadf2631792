package dev.millwright.core.disruption;

import dev.millwright.core.disruption.Exchange.Deal;
import dev.millwright.core.disruption.Exchange.Result;
import dev.millwright.core.disruption.Validation.Cause;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// Consolidates the fleet as a whole: looks at all candidates at once, and replaces some by fewer
/// or by more when that is cheaper and the move pays for itself.
///
/// A decision's commands do not depend on each other, and each pass decides on what those before it
/// have begun; so whatever the point at which it stops, every pod has a place.
public final class WholeFleet {

    /// Within which a move pays for itself unless somebody says otherwise: long enough for a saving
    /// of a few percent, and short enough for a load that changes with the hours.
    public static final Duration HORIZON_DEFAULT = Duration.ofHours(2);

    /// Steps of one search, in nodes and pods looked at; see [MultiNode#EFFORT_MAX]. What it does
    /// not come to goes first in the next.
    static final long EFFORT_MAX = 6_000_000L;

    /// Steps for each node that may go: a small fleet is not turned over for as long as a large
    /// one.
    private static final long EFFORT_PER_NODE = 2_500;

    /// Even for a handful of nodes.
    private static final long EFFORT_MIN = 250_000;

    private WholeFleet() {}

    /// Of pools with a horizon.
    public static Candidacy candidacy(DisruptionProblem problem) {
        return Candidacy.of(problem, DisruptionMethod.WHOLE_FLEET.manner(), WholeFleet::unwanted);
    }

    private static @Nullable KeepReason unwanted(Candidate candidate) {
        return candidate.pool().horizon() == null
                ? new KeepReason.ConsolidatedOtherwise(candidate.nodePool())
                : Consolidation.unwanted(candidate);
    }

    /// `unseen` are nodes that the last search did not come to; they go first.
    public static Decision decide(
            DisruptionProblem problem,
            Candidacy candidacy,
            Allowances allowances,
            Set<String> unseen) {
        return decide(
                problem, candidacy, allowances, unseen, effort(candidacy.candidates().size()));
    }

    static long effort(int nodes) {
        return Math.clamp(EFFORT_PER_NODE * nodes, EFFORT_MIN, EFFORT_MAX);
    }

    /// Ends after about so many steps.
    public static Decision decide(
            DisruptionProblem problem,
            Candidacy candidacy,
            Allowances allowances,
            Set<String> unseen,
            long effortMax) {
        var search = new FleetSearch(problem, candidacy, allowances, unseen, effortMax);
        search.run();
        return search.decision();
    }

    /// One for all nodes that go for nothing, and one for each lot that waits for new nodes.
    static List<Command> commands(Result result) {
        var deletions = new ArrayList<Command>();
        var commands = new ArrayList<Command>();
        for (var deal : result.deals()) {
            (deal.command().replacements().isEmpty() ? deletions : commands).add(deal.command());
        }
        if (!deletions.isEmpty()) {
            commands.addFirst(merged(deletions));
        }
        return commands;
    }

    private static Command merged(List<Command> commands) {
        var nominated = new TreeSet<String>();
        commands.forEach(each -> nominated.addAll(each.nominated()));
        return new Command(
                DisruptionMethod.WHOLE_FLEET,
                commands.stream().flatMap(each -> each.candidates().stream()).toList(),
                commands.stream().flatMap(each -> each.replacements().stream()).toList(),
                List.copyOf(nominated));
    }

    /// Looks at the commands of one decision again after a while, together: each holds when its
    /// nodes are still free to go and what comes of taking them away still pays.
    public static List<Validation> validate(DisruptionProblem problem, List<Command> commands) {
        var candidacy = candidacy(problem);
        var left = Allowances.of(problem, DisruptionMethod.WHOLE_FLEET.reason());
        var broken = new TreeMap<Integer, Cause>();
        var whole = new ArrayList<Candidate>();
        for (var index = 0; index < commands.size(); index++) {
            var command = commands.get(index);
            var still = Validation.stillThere(command, candidacy);
            if (still.size() < command.candidates().size()) {
                broken.put(index, Cause.CHURN);
                continue;
            }
            for (var candidate : still) {
                if (!left.isLeft(candidate.nodePool())) {
                    broken.put(index, Cause.BUDGET);
                    break;
                }
                left = left.less(candidate.nodePool());
            }
            if (!broken.containsKey(index)) {
                whole.addAll(still);
            }
        }
        var deals =
                whole.isEmpty()
                        ? List.<Deal>of()
                        : new Exchange(problem, candidacy).best(whole).deals();
        var validations = new ArrayList<Validation>();
        for (var index = 0; index < commands.size(); index++) {
            var command = commands.get(index);
            var cause = broken.get(index);
            var dropped = command.candidates().size();
            var same = cause == null ? inside(command, deals) : null;
            validations.add(
                    same != null
                            ? new Validation.Holds(same, 0)
                            : cause != null
                                    ? new Validation.Broken(cause, dropped)
                                    : new Validation.Broken(Cause.SCHEDULING, 0));
        }
        return validations;
    }

    /// The command as the deals have it now, or null when they do not take just its nodes.
    private static @Nullable Command inside(Command command, List<Deal> deals) {
        var names = new HashSet<>(command.nodes());
        var own =
                deals.stream()
                        .map(Deal::command)
                        .filter(each -> names.containsAll(each.nodes()))
                        .toList();
        var count = own.stream().mapToInt(each -> each.candidates().size()).sum();
        return count == names.size() ? merged(own) : null;
    }
}
