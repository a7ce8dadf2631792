package dev.millwright.cli;

import dev.millwright.cli.plan.WhatIfs;
import dev.millwright.cli.plan.WhatIfs.Tried;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.disruption.KeepReason;
import dev.millwright.core.forecast.Action;
import dev.millwright.core.forecast.Forecast;
import dev.millwright.core.forecast.Forecast.Ending;
import dev.millwright.core.forecast.Forecast.Fleet;
import dev.millwright.core.forecast.Purchase;
import dev.millwright.core.policy.SchedulingPolicy.Packing;
import dev.millwright.kube.snapshot.SnapshotFile;

import org.jspecify.annotations.Nullable;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/// A forecast under the JSON keys that scripts rely on. Keys may be added, never renamed.
final class ForecastResult {

    private final PriceWords prices;

    private ForecastResult(PriceWords prices) {
        this.prices = prices;
    }

    static SequencedMap<String, @Nullable Object> of(
            String name, SnapshotFile file, WhatIfs.Answer answer, Packing packing) {
        var result = new LinkedHashMap<String, @Nullable Object>();
        result.put("name", name);
        result.put("packing", packing.text());
        result.putAll(
                new ForecastResult(new PriceWords(file.origins()))
                        .of(answer.forecast(), answer.tried()));
        return result;
    }

    private SequencedMap<String, @Nullable Object> of(Forecast forecast, List<Tried> tried) {
        var result = new LinkedHashMap<String, @Nullable Object>();
        var whole = prices.whole();
        if (whole != null) {
            result.put("prices", whole);
        }
        result.put("before", fleet(forecast.before()));
        result.put("after", fleet(forecast.after()));
        result.put(
                "savingPerMonth",
                prices.isAnyUnknown(forecast) ? null : ResultText.number(forecast.savedPerMonth()));
        result.put("evictions", forecast.evictions());
        result.put("ending", ending(forecast.ending()));
        result.put("actions", forecast.actions().stream().map(this::action).toList());
        result.put(
                "kept",
                forecast.kept().entrySet().stream()
                        .map(each -> kept(each.getKey(), each.getValue()))
                        .toList());
        result.put(
                "waiting",
                forecast.waiting().stream()
                        .map(
                                each -> {
                                    var pod = new LinkedHashMap<String, Object>();
                                    pod.put("pod", each.pod().toString());
                                    pod.put("reason", each.reason().getClass().getSimpleName());
                                    pod.put("message", each.reason().explain());
                                    return pod;
                                })
                        .toList());
        result.put("whatIf", tried.stream().map(this::tried).toList());
        return result;
    }

    private SequencedMap<String, Object> fleet(Fleet fleet) {
        var result = new LinkedHashMap<String, Object>();
        result.put("nodes", fleet.nodes().size());
        result.put("pods", fleet.pods());
        result.put("waiting", fleet.waiting());
        result.put("pricePerHour", ResultText.number(fleet.pricePerHour()));
        PriceWords.putEstimated(result, prices.isAnyEstimated(fleet.nodes()));
        prices.putUnknown(result, fleet.nodes());
        result.put("pricePerMonth", ResultText.number(fleet.pricePerMonth()));
        if (fleet.nodeFeesPerHour() > 0) {
            result.put("nodeFeesPerHour", ResultText.number(fleet.nodeFeesPerHour()));
        }
        result.put("lowerBoundPerHour", ResultText.number(fleet.lowerBoundPerHour()));
        return result;
    }

    private static SequencedMap<String, Object> ending(Ending ending) {
        var result = new LinkedHashMap<String, Object>();
        result.put("afterSeconds", ending.after().toSeconds());
        result.put("isQuiet", ending instanceof Ending.Quiet);
        if (ending instanceof Ending.Unfinished(_, var why)) {
            result.put("why", why);
        }
        return result;
    }

    private SequencedMap<String, Object> action(Action action) {
        var result = new LinkedHashMap<String, Object>();
        result.put("afterSeconds", action.after().toSeconds());
        switch (action) {
            case Action.Launch(_, var node, var pods, var method) -> {
                result.put("action", "launch");
                node(result, node);
                result.put("reason", method == null ? "waiting" : method.reason().text());
                result.put("pods", names(pods));
            }
            case Action.Remove(_, var node, var method, var evicted, var replacements) -> {
                result.put("action", "remove");
                node(result, node);
                result.put("reason", method == null ? "going" : method.reason().text());
                result.put("method", method == null ? "" : method.label());
                result.put("evicted", names(evicted));
                result.put("replacements", replacements);
            }
            case Action.Reboot(_, var node) -> {
                result.put("action", "reboot");
                node(result, node);
            }
        }
        return result;
    }

    private void node(SequencedMap<String, Object> result, Purchase node) {
        result.put("node", node.node());
        result.put("nodePool", node.nodePool());
        result.put("type", node.instanceType());
        result.put("zone", node.zone());
        result.put("capacityType", node.capacityType());
        result.put("pricePerHour", ResultText.number(node.pricePerHour()));
        prices.put(result, node);
    }

    private static List<String> names(List<ObjectName> pods) {
        return pods.stream().map(ObjectName::toString).toList();
    }

    private static SequencedMap<String, Object> kept(String node, KeepReason reason) {
        var result = new LinkedHashMap<String, Object>();
        result.put("node", node);
        result.put("reason", reason.getClass().getSimpleName());
        result.put("message", reason.explain());
        return result;
    }

    private SequencedMap<String, @Nullable Object> tried(Tried tried) {
        var result = new LinkedHashMap<String, @Nullable Object>();
        var saving = tried.savingPerMonth();
        result.put("change", tried.change().text());
        result.put("savingPerMonth", saving == null ? null : ResultText.number(saving));
        result.put("leftWaiting", tried.leftWaiting());
        result.put("after", fleet(tried.forecast().after()));
        result.put("evictions", tried.forecast().evictions());
        return result;
    }
}
