package dev.millwright.testing.bench.differential;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.scheduling.Plan;
import dev.millwright.core.scheduling.PlannedClaim;
import dev.millwright.core.scheduling.WaitReason;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Our plan in the peer's terms.
record OurAnswer(
        Plan plan,
        List<String> waiting,
        Map<String, List<String>> existing,
        List<PlannedNode> nodes) {

    static OurAnswer of(Plan plan) {
        var existing = new TreeMap<String, List<String>>();
        plan.existing().forEach(place -> existing.put(place.node(), names(place.pods())));
        return new OurAnswer(
                plan,
                plan.waiting().stream().map(waiting -> waiting.pod().toString()).sorted().toList(),
                existing,
                plan.claims().stream()
                        .map(
                                claim ->
                                        new PlannedNode(
                                                claim.nodePool(),
                                                names(claim.pods()),
                                                claim.types().stream()
                                                        .map(PlannedClaim.TypeOption::name)
                                                        .sorted()
                                                        .toList()))
                        .sorted()
                        .toList());
    }

    /// Pods that the next pass tries again.
    List<String> deferred() {
        return plan.waiting().stream()
                .filter(waiting -> waiting.reason() instanceof WaitReason.ReservationPending)
                .map(waiting -> waiting.pod().toString())
                .toList();
    }

    private static List<String> names(List<ObjectName> pods) {
        return pods.stream().map(ObjectName::toString).sorted().toList();
    }

    /// The plan for people who look at a disagreement.
    Map<String, Object> toTree() {
        var tree = new LinkedHashMap<String, Object>();
        tree.put("packing", plan.packing().name());
        tree.put("pricePerHour", plan.pricePerHour());
        tree.put("lowerBoundPerHour", plan.lowerBoundPerHour());
        var claims = new ArrayList<Object>();
        for (var claim : plan.claims()) {
            var each = new LinkedHashMap<String, Object>();
            each.put("nodePool", claim.nodePool());
            each.put("types", claim.types().stream().map(PlannedClaim.TypeOption::name).toList());
            each.put("pricePerHour", claim.pricePerHour());
            each.put("pods", names(claim.pods()));
            each.put("requirements", claim.requirements().toString());
            claims.add(each);
        }
        tree.put("nodes", claims);
        tree.put("existing", existing);
        var reasons = new LinkedHashMap<String, Object>();
        plan.waiting()
                .forEach(
                        waiting ->
                                reasons.put(waiting.pod().toString(), waiting.reason().explain()));
        tree.put("waiting", reasons);
        return tree;
    }
}
