package dev.millwright.core.explain;

import dev.millwright.core.disruption.Candidacy;
import dev.millwright.core.disruption.Command;
import dev.millwright.core.disruption.Decision;
import dev.millwright.core.disruption.DisruptionMethod;
import dev.millwright.core.disruption.DisruptionOptions;
import dev.millwright.core.disruption.DisruptionProblem;
import dev.millwright.core.disruption.KeepReason;
import dev.millwright.core.disruption.Machine;
import dev.millwright.core.disruption.MethodCase;
import dev.millwright.core.explain.NodeExplanation.Fix;
import dev.millwright.core.explain.NodeExplanation.Said;
import dev.millwright.core.explain.NodeExplanation.Verdict;
import dev.millwright.core.explain.SmallestSet.Trial;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Says why a node is not taken away, and searches the smallest set of changes that lets it go.
///
/// The node is looked at by itself, by each method that its pool and its state leave open; whether
/// others would come first is not its fault. That it could go together with others is looked at
/// once. The search is that of [PodExplainer].
public final class NodeExplainer {

    /// Changes that a person may be asked to make together.
    static final int CHANGES_MAX = 4;

    /// Decisions that are made for one answer.
    static final int DECISIONS_MAX = 200;

    private final DisruptionProblem problem;

    public NodeExplainer(DisruptionProblem problem) {
        this.problem = problem;
    }

    /// @return null when the cluster has no such node
    public @Nullable NodeExplanation explain(String node) {
        for (var machine : problem.machines()) {
            if (machine.name().equals(node)) {
                return explain(machine);
            }
        }
        return null;
    }

    private NodeExplanation explain(Machine machine) {
        var node = machine.name();
        var verdict = verdict(problem, node);
        if (verdict instanceof Verdict.Kept) {
            var together = together(machine);
            verdict = together == null ? verdict : new Verdict.Goes(together);
        }
        return new NodeExplanation(
                node, verdict, verdict instanceof Verdict.Kept kept ? fix(node, kept) : null);
    }

    /// The command by which it goes beside others, or null.
    private @Nullable Command together(Machine machine) {
        for (var method : methods(problem, machine)) {
            var command =
                    method.takesSeveral()
                            ? taking(decide(problem, method, null), machine.name())
                            : null;
            if (command != null) {
                return command;
            }
        }
        return null;
    }

    private static Verdict verdict(DisruptionProblem with, String node) {
        var said = new ArrayList<Said>();
        for (var method : methodsForOne(with, node)) {
            var decision = decide(with, method, node);
            var command = taking(decision, node);
            if (command != null) {
                return new Verdict.Goes(command);
            }
            var reason = decision.kept().get(node);
            if (reason != null) {
                said.add(new Said(method, reason));
            }
        }
        return new Verdict.Kept(said);
    }

    private static @Nullable Command taking(Decision decision, String node) {
        for (var command : decision.commands()) {
            if (command.nodes().contains(node)) {
                return command;
            }
        }
        return null;
    }

    /// In the order in which they are tried. An empty node goes by emptiness or not at all.
    private static List<DisruptionMethod> methodsForOne(DisruptionProblem with, String node) {
        return with.machines().stream()
                .filter(machine -> machine.name().equals(node))
                .flatMap(machine -> methods(with, machine).stream())
                .filter(DisruptionMethod::takesOne)
                .toList();
    }

    private static List<DisruptionMethod> methods(DisruptionProblem with, Machine machine) {
        var rules = with.pools().get(machine.nodePool());
        return Arrays.stream(DisruptionMethod.values())
                .filter(method -> !method.isOff(DisruptionOptions.NONE))
                .filter(method -> method.isFor(machine, rules))
                .toList();
    }

    /// @param node the only one that is looked at; null for all
    private static Decision decide(
            DisruptionProblem with, DisruptionMethod method, @Nullable String node) {
        var candidacy = MethodCase.candidacy(with, method, DisruptionOptions.NONE);
        return new MethodCase(with, method, DisruptionOptions.NONE, MethodCase.Memory.NONE)
                .decide(node == null ? candidacy : only(candidacy, node));
    }

    private static Candidacy only(Candidacy candidacy, String node) {
        return new Candidacy(
                candidacy.candidates().stream().filter(each -> each.name().equals(node)).toList(),
                candidacy.kept());
    }

    private Fix fix(String node, Verdict.Kept first) {
        var last = new ArrayList<>(List.of(first));
        var found =
                new SmallestSet<NodeChange, Command>(NodeChange::effort, CHANGES_MAX, DECISIONS_MAX)
                        .search(remedies(node, first), changes -> trial(changes, node, last));
        return found == null
                ? new Fix.None(why(last.getLast()))
                : new Fix.Found(found.changes(), found.answer());
    }

    /// @param last hears what was said when the node was still kept
    private Trial<NodeChange, Command> trial(
            List<NodeChange> changes, String node, List<Verdict.Kept> last) {
        return switch (verdict(applied(changes), node)) {
            case Verdict.Goes(var command) -> new Trial.Enough<>(command);
            case Verdict.Kept kept -> {
                last.set(0, kept);
                yield new Trial.More<>(remedies(node, kept));
            }
        };
    }

    private DisruptionProblem applied(List<NodeChange> changes) {
        var changed = problem;
        for (var change : changes) {
            changed = change.applied(changed);
        }
        return changed;
    }

    /// The last word is that of the way that would have taken the node.
    private static String why(Verdict.Kept kept) {
        return kept.said().isEmpty()
                ? "nothing more is known"
                : kept.said().getLast().reason().explain();
    }

    private List<NodeChange> remedies(String node, Verdict.Kept kept) {
        return kept.said().stream()
                .flatMap(said -> remedies(node, said.reason()).stream())
                .toList();
    }

    List<NodeChange> remedies(String node, KeepReason reason) {
        return switch (reason) {
            case KeepReason.PodGuarded(var pod) -> List.of(new NodeChange.UnguardPod(pod));
            case KeepReason.NodeGuarded() -> List.of(new NodeChange.UnguardNode(node));
            case KeepReason.PodBudgetSpent(_, var budget) ->
                    List.of(new NodeChange.LoosenBudget(budget));
            case KeepReason.PodBudgetsContested(_, var budgets) ->
                    budgets.stream().<NodeChange>map(NodeChange.RemoveBudget::new).toList();
            case KeepReason.ConsolidationOff(var pool) ->
                    List.of(new NodeChange.ConsolidateSoon(pool));
            case KeepReason.NotConsolidatable() ->
                    List.of(new NodeChange.ConsolidateSoon(pool(node)));
            case KeepReason.OnlyWhenEmpty(var pool) ->
                    List.of(new NodeChange.ConsolidateUnderutilized(pool));
            case KeepReason.NotWorthIt() ->
                    List.of(new NodeChange.ConsolidateUnderutilized(pool(node)));
            case KeepReason.PoolBudgetSpent(var pool, _) ->
                    List.of(new NodeChange.OpenBudgets(pool));
            case KeepReason.Frozen(var where, _) ->
                    List.of(new NodeChange.Unfreeze(pool(node), where));
            case KeepReason.SpotToSpotOff() -> List.of(new NodeChange.AllowSpotToSpot());
            case KeepReason.Queued(),
                    KeepReason.NotManaged(),
                    KeepReason.WithoutNode(),
                    KeepReason.NotInitialized(),
                    KeepReason.Going(),
                    KeepReason.Nominated(),
                    KeepReason.Rebooting(),
                    KeepReason.NotSick(),
                    KeepReason.RepairForbidden(),
                    KeepReason.DrainUnbounded(),
                    KeepReason.PoolUnwell(_, _, _, _),
                    KeepReason.WithoutPoolLabel(),
                    KeepReason.PoolUnknown(_),
                    KeepReason.PoolWithoutTypes(_),
                    KeepReason.PodsHomeless(_),
                    KeepReason.StaticPool(),
                    KeepReason.DynamicPool(),
                    KeepReason.NotDrifted(),
                    KeepReason.HeldForBuffer(_),
                    KeepReason.NotEmpty(),
                    KeepReason.Empty(),
                    KeepReason.TypeUnknown(_),
                    KeepReason.LabelMissing(_),
                    KeepReason.PodsUnmovable(_),
                    KeepReason.NeedsSeveralNodes(_),
                    KeepReason.MinValuesBroken(_),
                    KeepReason.NotCheaper(_),
                    KeepReason.TooFewSpotTypes(_),
                    KeepReason.ConsolidatedOtherwise(_),
                    KeepReason.DoesNotPay(_, _, _),
                    KeepReason.MovedRecently(),
                    KeepReason.LeadsBack(_),
                    KeepReason.DecidedAlready(_),
                    KeepReason.NoCheaperSpot(_),
                    KeepReason.TooTight(),
                    KeepReason.TriedInVain(),
                    KeepReason.NotReached(),
                    KeepReason.PoolUnreadable(_, _),
                    KeepReason.OutsideWindows(_, _, _),
                    KeepReason.PoolOverscaled(_, _, _),
                    KeepReason.PoolAtNodeLimit(_, _),
                    KeepReason.NotItsTurn() ->
                    List.of();
        };
    }

    private String pool(String node) {
        return problem.machines().stream()
                .filter(machine -> machine.name().equals(node))
                .map(machine -> machine.nodePool())
                .findFirst()
                .orElse("");
    }
}
