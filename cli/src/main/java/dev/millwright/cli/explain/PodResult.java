package dev.millwright.cli.explain;

import dev.millwright.core.cluster.Pod;
import dev.millwright.core.explain.PodExplanation;
import dev.millwright.core.explain.PodExplanation.Fix;
import dev.millwright.core.explain.PodExplanation.Verdict;
import dev.millwright.core.explain.PodExplanation.Way;
import dev.millwright.core.forecast.Forecast;
import dev.millwright.core.policy.NodePool;
import dev.millwright.core.scheduling.WaitReason;

import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/// A pod's explanation under the JSON keys that scripts rely on. Keys may be added, never renamed.
public final class PodResult {

    private PodResult() {}

    public static SequencedMap<String, @Nullable Object> of(
            PodExplanation explanation, Pod pod, List<NodePool> pools) {
        var result = new LinkedHashMap<String, @Nullable Object>();
        result.put("kind", "Pod");
        result.put("name", explanation.pod().toString());
        result.put("verdict", label(explanation.verdict()));
        result.put("message", sentence(explanation.verdict()));
        result.put("reasons", reasons(explanation.verdict()));
        result.put("fix", null);
        switch (explanation.fix()) {
            case null -> {}
            case Fix.None(var why) -> result.put("why", why);
            case Fix.Found found -> {
                result.put("fix", fix(found.first(), pod, pools));
                result.put(
                        "alternatives",
                        found.others().stream().map(way -> fix(way, pod, pools)).toList());
            }
        }
        return result;
    }

    /// `verified`: the plan was made again with all of it, and the pod had a place.
    private static Object fix(Way way, Pod pod, List<NodePool> pools) {
        var changes = way.changes();
        var patches = FixPatch.of(changes, pod, pools);
        var all = new ArrayList<LinkedHashMap<String, @Nullable Object>>();
        for (var at = 0; at < changes.size(); at++) {
            var one = new LinkedHashMap<String, @Nullable Object>();
            one.put("object", changes.get(at).object(pod));
            one.put("change", changes.get(at).describe());
            one.put("patch", patches.get(at));
            all.add(one);
        }
        var fix = all.getFirst();
        fix.put("verified", true);
        fix.put("costPerMonth", cents(way));
        if (all.size() > 1) {
            fix.put("and", all.subList(1, all.size()));
        }
        return fix;
    }

    private static BigDecimal cents(Way way) {
        return BigDecimal.valueOf(way.extraPerHour() * Forecast.HOURS_PER_MONTH)
                .setScale(2, RoundingMode.HALF_EVEN);
    }

    private static String label(Verdict verdict) {
        return switch (verdict) {
            case Verdict.Settled _ -> "Settled";
            case Verdict.Fits _ -> "Fits";
            case Verdict.GetsNode _ -> "GetsNode";
            case Verdict.Waits _ -> "Waits";
            case Verdict.NotOurs _ -> "NotOurs";
        };
    }

    public static String sentence(Verdict verdict) {
        return switch (verdict) {
            case Verdict.Settled(var node) -> "is on node " + node;
            case Verdict.Fits(var node) -> "fits node " + node;
            case Verdict.GetsNode(var pool, var type, var zone, _) ->
                    "gets a new node of NodePool %s: %s in %s".formatted(pool, type, zone);
            case Verdict.Waits _ -> "waits: no node has room for it and none can be launched";
            case Verdict.NotOurs(var why) -> "is not planned for: " + why;
        };
    }

    private static List<Object> reasons(Verdict verdict) {
        return switch (verdict) {
            case Verdict.Waits(var reason) -> reasons(reason);
            case Verdict.Settled _, Verdict.Fits _, Verdict.GetsNode _, Verdict.NotOurs _ ->
                    List.of();
        };
    }

    private static List<Object> reasons(WaitReason reason) {
        return switch (reason) {
            case WaitReason.Refused(var pools) ->
                    pools.stream()
                            .map(
                                    pool ->
                                            reason(
                                                    pool.refusal().getClass().getSimpleName(),
                                                    "NodePool " + pool.nodePool(),
                                                    pool.refusal().explain()))
                            .toList();
            case WaitReason.NoNodePools _,
                    WaitReason.NodePoolsWithoutTypes _,
                    WaitReason.ReservationPending _,
                    WaitReason.ResourceClaimsUnsupported _,
                    WaitReason.Invalid _,
                    WaitReason.OptedOut _,
                    WaitReason.MinValuesLost _ ->
                    List.of(reason(reason.label(), "", reason.explain()));
        };
    }

    private static Object reason(String label, String object, String message) {
        var reason = new LinkedHashMap<String, Object>();
        reason.put("reason", label);
        if (!object.isEmpty()) {
            reason.put("object", object);
        }
        reason.put("message", message);
        return reason;
    }
}
