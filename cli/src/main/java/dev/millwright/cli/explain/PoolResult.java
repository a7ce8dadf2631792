package dev.millwright.cli.explain;

import dev.millwright.core.explain.NodeChange;
import dev.millwright.core.explain.PoolChange;
import dev.millwright.core.explain.PoolExplanation;
import dev.millwright.core.explain.PoolExplanation.Fix;
import dev.millwright.core.explain.PoolExplanation.Verdict;
import dev.millwright.core.explain.PoolFinding;
import dev.millwright.core.policy.NodePool;
import dev.millwright.kube.object.PoolObject;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/// A pool's explanation under the JSON keys that scripts rely on. Keys may be added, never renamed.
public final class PoolResult {

    private PoolResult() {}

    /// @param object the pool as it was written, for the lists that a patch repeats
    public static SequencedMap<String, @Nullable Object> of(
            PoolExplanation explanation, NodePool pool, @Nullable PoolObject object) {
        var result = new LinkedHashMap<String, @Nullable Object>();
        result.put("kind", "NodePool");
        result.put("name", explanation.nodePool());
        result.put("verdict", explanation.verdict().text());
        result.put("message", sentence(explanation.verdict()));
        result.put("reasons", explanation.findings().stream().map(PoolResult::reason).toList());
        result.put("fix", null);
        switch (explanation.fix()) {
            case null -> {}
            case Fix.None(var why) -> result.put("why", why);
            case Fix.Buying(var changes) -> result.put("fix", fix(buying(changes, pool)));
            case Fix.Leaving(var changes) -> result.put("fix", fix(leaving(changes, object)));
        }
        return result;
    }

    public static String sentence(Verdict verdict) {
        return switch (verdict) {
            case NOT_READY -> "is not ready: nobody buys from it";
            case BUYS_NOTHING -> "buys nothing: it has no node for any pod";
            case REFUSES_PODS -> "buys nodes, but refuses pods that wait";
            case KEEPS_NODES -> "buys nodes, but none of them may go by choice now";
            case WORKS -> "works: it buys nodes, refuses no pod that waits, and lets nodes go";
        };
    }

    private static Object reason(PoolFinding finding) {
        var reason = new LinkedHashMap<String, Object>();
        reason.put("about", finding.about().text());
        reason.put("reason", finding.label());
        if (finding.count() > 0) {
            reason.put("count", finding.count());
        }
        reason.put("message", finding.explain());
        return reason;
    }

    /// `verified`: it was planned or decided again with all of it.
    private static Object fix(List<SequencedMap<String, @Nullable Object>> changes) {
        var fix = new LinkedHashMap<>(changes.getFirst());
        fix.put("verified", true);
        if (changes.size() > 1) {
            fix.put("and", changes.subList(1, changes.size()));
        }
        return fix;
    }

    private static SequencedMap<String, @Nullable Object> change(
            String object, String change, @Nullable Object patch) {
        var one = new LinkedHashMap<String, @Nullable Object>();
        one.put("object", object);
        one.put("change", change);
        one.put("patch", patch);
        return one;
    }

    /// Each patch has the changes before it too: they share lists, which a merge patch replaces.
    private static List<SequencedMap<String, @Nullable Object>> buying(
            List<PoolChange> changes, NodePool pool) {
        var all = new ArrayList<SequencedMap<String, @Nullable Object>>();
        var changed = pool;
        for (var change : changes) {
            changed = change.on(changed);
            all.add(
                    change(
                            "NodePool " + change.nodePool(),
                            change.describe(),
                            FixPatch.pool(change, changed)));
        }
        return all;
    }

    private static List<SequencedMap<String, @Nullable Object>> leaving(
            List<NodeChange> changes, @Nullable PoolObject object) {
        var all = new ArrayList<SequencedMap<String, @Nullable Object>>();
        var budgets = object == null ? null : budgets(object);
        for (var change : changes) {
            var patch = NodeResult.patch(change);
            if (budgets != null && change instanceof NodeChange.RaiseBudget(_, var at, var nodes)) {
                budgets.get(at).put("nodes", Integer.toString(nodes));
                patch = spec(budgets);
            }
            all.add(change(change.object(), change.describe(), patch));
        }
        return all;
    }

    private static Object spec(List<SequencedMap<String, @Nullable Object>> budgets) {
        var copy = budgets.stream().map(LinkedHashMap::new).toList();
        return FixPatch.map("spec", FixPatch.map("disruption", FixPatch.map("budgets", copy)));
    }

    private static List<SequencedMap<String, @Nullable Object>> budgets(PoolObject object) {
        var all = new ArrayList<SequencedMap<String, @Nullable Object>>();
        for (var budget : object.disruption().budgets()) {
            var one = new LinkedHashMap<String, @Nullable Object>();
            one.put("nodes", budget.nodes());
            if (budget.reasons() != null) {
                one.put("reasons", budget.reasons());
            }
            if (budget.schedule() != null) {
                one.put("schedule", budget.schedule());
            }
            if (budget.duration() != null) {
                one.put("duration", budget.duration());
            }
            all.add(one);
        }
        return all;
    }
}
