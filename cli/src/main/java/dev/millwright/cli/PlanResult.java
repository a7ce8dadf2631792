package dev.millwright.cli;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.quantity.Resources;
import dev.millwright.core.scheduling.PlannedClaim;
import dev.millwright.kube.snapshot.SnapshotFile;

import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/// A plan under the JSON keys that scripts rely on. Keys may be added, never renamed.
final class PlanResult {

    private PlanResult() {}

    static SequencedMap<String, Object> of(SnapshotFile file, Planning.Measured measured) {
        var prices = new PriceWords(file.origins());
        var plan = measured.plan();
        var result = new LinkedHashMap<String, Object>();
        result.put("name", file.name());
        result.put("packing", plan.packing().text());
        result.put("pricePerHour", ResultText.number(plan.pricePerHour()));
        PriceWords.putEstimated(
                result,
                plan.claims().stream().anyMatch(claim -> prices.isEstimated(claim.cheapest())));
        var whole = prices.whole();
        if (whole != null) {
            result.put("prices", whole);
        }
        if (plan.nodeFeesPerHour() > 0) {
            result.put("nodeFeesPerHour", ResultText.number(plan.nodeFeesPerHour()));
            result.put("spendPerHour", ResultText.number(plan.spendPerHour()));
        }
        result.put("lowerBoundPerHour", ResultText.number(plan.lowerBoundPerHour()));
        result.put("gapPercent", gapPercent(plan.spendPerHour(), plan.lowerBoundPerHour()));
        result.put("optimal", plan.isOptimal());
        var solve = new LinkedHashMap<String, Object>();
        solve.put("wallMillis", ResultText.number(measured.wallMillis()));
        solve.put("cpuMillis", ResultText.number(measured.cpuMillis()));
        solve.put("allocatedBytes", measured.allocatedBytes());
        result.put("solve", solve);
        result.put("nodes", plan.claims().stream().map(each -> node(each, prices)).toList());
        result.put(
                "existing",
                plan.existing().stream()
                        .map(
                                placement -> {
                                    var node = new LinkedHashMap<String, Object>();
                                    node.put("node", placement.node());
                                    node.put("pods", names(placement.pods()));
                                    return node;
                                })
                        .toList());
        result.put(
                "waiting",
                plan.waiting().stream()
                        .map(
                                waiting -> {
                                    var pod = new LinkedHashMap<String, Object>();
                                    pod.put("pod", waiting.pod().toString());
                                    pod.put("reason", waiting.reason().label());
                                    pod.put("message", waiting.reason().explain());
                                    return pod;
                                })
                        .toList());
        return result;
    }

    private static SequencedMap<String, Object> node(PlannedClaim claim, PriceWords prices) {
        var node = new LinkedHashMap<String, Object>();
        var cheapest = claim.cheapest();
        node.put("nodePool", claim.nodePool());
        node.put("type", cheapest.name());
        node.put("zone", cheapest.zone());
        node.put("capacityType", cheapest.capacityType());
        node.put("pricePerHour", ResultText.number(cheapest.pricePerHour()));
        prices.put(node, cheapest);
        if (claim.nodeFeePerHour() > 0) {
            node.put("nodeFeePerHour", ResultText.number(claim.nodeFeePerHour()));
        }
        node.put("pods", names(claim.pods()));
        node.put("types", claim.types().stream().map(PlannedClaim.TypeOption::name).toList());
        node.put("requests", amounts(claim.requests()));
        node.put("allocatable", amounts(cheapest.allocatable()));
        return node;
    }

    private static SequencedMap<String, Object> amounts(Resources resources) {
        var amounts = new LinkedHashMap<String, Object>();
        resources
                .amounts()
                .forEach((name, amount) -> amounts.put(name, Resources.render(name, amount)));
        return amounts;
    }

    static List<String> names(List<ObjectName> pods) {
        return pods.stream().map(ObjectName::toString).toList();
    }

    /// How far price and fees are above the bound; 0 where no bound is known.
    static BigDecimal gapPercent(double spend, double lowerBound) {
        return ResultText.number(lowerBound <= 0 ? 0 : 100 * (spend - lowerBound) / lowerBound);
    }
}
