package dev.millwright.cli.explain;

import dev.millwright.core.disruption.Command;
import dev.millwright.core.explain.NodeChange;
import dev.millwright.core.explain.NodeExplanation;
import dev.millwright.core.explain.NodeExplanation.Fix;
import dev.millwright.core.explain.NodeExplanation.Said;
import dev.millwright.core.explain.NodeExplanation.Verdict;
import dev.millwright.core.label.ControlKeys;
import dev.millwright.core.label.LabelKeys;

import org.jspecify.annotations.Nullable;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Objects;
import java.util.SequencedMap;

/// A node's explanation under the JSON keys that scripts rely on. Keys may be added, never renamed.
public final class NodeResult {

    private NodeResult() {}

    public static SequencedMap<String, @Nullable Object> of(
            String kind, String name, NodeExplanation explanation) {
        var result = new LinkedHashMap<String, @Nullable Object>();
        result.put("kind", kind);
        result.put("name", name);
        result.put("verdict", explanation.verdict() instanceof Verdict.Goes ? "Goes" : "Kept");
        result.put("message", sentence(explanation.verdict()));
        result.put("reasons", reasons(explanation.verdict()));
        result.put("fix", null);
        switch (explanation.fix()) {
            case null -> {}
            case Fix.None(var why) -> result.put("why", why);
            case Fix.Found(var changes, var command) -> result.put("fix", fix(changes, command));
        }
        return result;
    }

    public static String sentence(Verdict verdict) {
        return switch (verdict) {
            case Verdict.Goes(var command) -> "may go now: " + sentence(command);
            case Verdict.Kept _ -> "stays";
        };
    }

    public static String sentence(Command command) {
        return command.replacements().isEmpty()
                ? "its pods fit elsewhere, and nothing is bought for them"
                : "it is replaced by %d cheaper node%s"
                        .formatted(
                                command.replacements().size(),
                                command.replacements().size() == 1 ? "" : "s");
    }

    private static List<Object> reasons(Verdict verdict) {
        return switch (verdict) {
            case Verdict.Goes _ -> List.of();
            case Verdict.Kept(var said) -> said.stream().map(NodeResult::reason).toList();
        };
    }

    private static Object reason(Said said) {
        var reason = new LinkedHashMap<String, Object>();
        reason.put("method", said.method().reason().text());
        reason.put("reason", said.reason().label());
        reason.put("message", said.reason().explain());
        return reason;
    }

    /// `verified`: it was decided again with all of it, and the node went.
    private static Object fix(List<NodeChange> changes, Command command) {
        var fix = new LinkedHashMap<>(change(changes.getFirst()));
        fix.put("verified", true);
        fix.put("then", sentence(command));
        if (changes.size() > 1) {
            fix.put("and", changes.stream().skip(1).map(NodeResult::change).toList());
        }
        return fix;
    }

    private static SequencedMap<String, @Nullable Object> change(NodeChange change) {
        var one = new LinkedHashMap<String, @Nullable Object>();
        one.put("object", change.object());
        one.put("change", change.describe());
        one.put("patch", patch(change));
        return one;
    }

    /// Null where the change is no patch: a budget's amount is for its owner to say.
    static @Nullable Object patch(NodeChange change) {
        return switch (change) {
            case NodeChange.UnguardPod _, NodeChange.UnguardNode _ ->
                    nested(null, "metadata", "annotations", LabelKeys.DO_NOT_DISRUPT);
            case NodeChange.Unfreeze _ ->
                    nested(null, "metadata", "annotations", ControlKeys.FREEZE);
            case NodeChange.ConsolidateSoon _ ->
                    nested("0s", "spec", "disruption", "consolidateAfter");
            case NodeChange.ConsolidateUnderutilized _ ->
                    nested("WhenEmptyOrUnderutilized", "spec", "disruption", "consolidationPolicy");
            case NodeChange.LoosenBudget _,
                    NodeChange.RemoveBudget _,
                    NodeChange.OpenBudgets _,
                    NodeChange.RaiseBudget _,
                    NodeChange.DropBudget _,
                    NodeChange.AllowSpotToSpot _ ->
                    null;
        };
    }

    private static Object nested(@Nullable Object value, String... path) {
        var inner = value;
        for (var at = path.length - 1; at >= 0; at--) {
            var map = new LinkedHashMap<String, @Nullable Object>();
            map.put(path[at], inner);
            inner = map;
        }
        return Objects.requireNonNull(inner);
    }
}
