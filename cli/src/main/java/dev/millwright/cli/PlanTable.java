package dev.millwright.cli;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.quantity.Resources;
import dev.millwright.core.scheduling.Plan;
import dev.millwright.core.scheduling.PlannedClaim;
import dev.millwright.kube.snapshot.SnapshotFile;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.function.ToDoubleFunction;

/// A plan as a person likes to look at it: what it comes to, what is bought, who still waits and
/// why.
final class PlanTable {

    private static final int PODS_SHOWN_MAX = 4;

    /// Nodes that are bought the same way, told apart by nothing a table shows.
    private record Purchase(
            String nodePool,
            String type,
            String zone,
            String capacityType,
            double pricePerHour,
            boolean isEstimated) {

        String perHour(int count) {
            return PriceWords.marked(isEstimated, Money.perHour(pricePerHour * count));
        }
    }

    private final Terminal terminal;
    private final PrintWriter out;
    private final SnapshotFile file;
    private final Planning.Measured measured;
    private final Plan plan;
    private final Fill fill;

    private final PriceWords prices;

    PlanTable(Terminal terminal, SnapshotFile file, Planning.Measured measured) {
        this.terminal = terminal;
        this.out = terminal.out();
        this.file = file;
        this.prices = new PriceWords(file.origins());
        this.measured = measured;
        this.plan = measured.plan();
        this.fill = new Fill(terminal.isUnicode(), terminal.isColoured());
    }

    void print(boolean isWide) {
        summary();
        if (!plan.claims().isEmpty()) {
            heading("New nodes");
            (isWide ? eachNode() : foldedNodes()).print(out);
        }
        if (!plan.existing().isEmpty()) {
            heading("Existing nodes that take pods");
            existing(isWide).print(out);
        }
        if (!plan.waiting().isEmpty()) {
            heading("Left waiting");
            new WaitingText(terminal, file).print(plan.waiting());
        }
    }

    private Purchase purchase(PlannedClaim claim) {
        var cheapest = claim.cheapest();
        return new Purchase(
                claim.nodePool(),
                cheapest.name(),
                cheapest.zone(),
                cheapest.capacityType(),
                cheapest.pricePerHour(),
                prices.isEstimated(cheapest));
    }

    private boolean isEstimated() {
        return plan.claims().stream().anyMatch(claim -> prices.isEstimated(claim.cheapest()));
    }

    private void heading(String text) {
        out.println();
        out.println(terminal.isColoured() ? "\u001b[1m%s\u001b[0m".formatted(text) : text);
    }

    private void summary() {
        var placed = plan.claims().stream().mapToInt(claim -> claim.pods().size()).sum();
        var kept = plan.existing().stream().mapToInt(node -> node.pods().size()).sum();
        var parts = new ArrayList<String>();
        parts.add(count(placed, "pod") + " on " + count(plan.claims().size(), "new node"));
        if (kept > 0) {
            parts.add(count(kept, "pod") + " on " + count(plan.existing().size(), "existing node"));
        }
        if (!plan.waiting().isEmpty()) {
            parts.add(count(plan.waiting().size(), "pod") + " left waiting");
        }
        out.println(file.name() + ": " + String.join(", ", parts));
        if (!plan.claims().isEmpty()) {
            out.println(
                    "cost: %s$%s an hour, %s$%s a month%s"
                            .formatted(
                                    PriceWords.marked(isEstimated(), ""),
                                    Money.perHour(plan.pricePerHour()),
                                    PriceWords.marked(isEstimated(), ""),
                                    Money.perMonth(plan.pricePerHour()),
                                    fees() + bound()));
        }
        out.println(
                "packing: %s, solved in %,.0f ms"
                        .formatted(plan.packing().text(), measured.wallMillis()));
    }

    private String fees() {
        return plan.nodeFeesPerHour() > 0
                ? " and fees of nodes $%s an hour".formatted(Money.perHour(plan.nodeFeesPerHour()))
                : "";
    }

    private String bound() {
        if (plan.lowerBoundPerHour() <= 0) {
            return "";
        }
        if (plan.isOptimal()) {
            return "; optimal: no fleet of these pools holds these pods for less";
        }
        return "; no fleet of these pools holds these pods for less than $%s an hour (gap %.1f%%)"
                .formatted(
                        Money.perHour(plan.lowerBoundPerHour()),
                        PlanResult.gapPercent(plan.spendPerHour(), plan.lowerBoundPerHour()));
    }

    private static String count(int number, String noun) {
        return "%,d %s%s".formatted(number, noun, number == 1 ? "" : "s");
    }

    private TextTable foldedNodes() {
        var groups = new LinkedHashMap<Purchase, List<PlannedClaim>>();
        for (var claim : plan.claims()) {
            groups.computeIfAbsent(purchase(claim), key -> new ArrayList<>()).add(claim);
        }
        var table =
                new TextTable(
                        List.of(
                                TextTable.right("COUNT"),
                                TextTable.left("NODEPOOL"),
                                TextTable.left("TYPE"),
                                TextTable.left("ZONE"),
                                TextTable.left("CAPACITY"),
                                TextTable.right("$/HOUR"),
                                TextTable.right("TOGETHER"),
                                TextTable.left("CPU"),
                                TextTable.left("MEMORY"),
                                TextTable.right("PODS")));
        dearestFirst(groups)
                .forEach(
                        (purchase, claims) ->
                                table.row(
                                        "%,d".formatted(claims.size()),
                                        purchase.nodePool(),
                                        purchase.type(),
                                        purchase.zone(),
                                        purchase.capacityType(),
                                        purchase.perHour(1),
                                        purchase.perHour(claims.size()),
                                        fill.bar(
                                                mean(claims, claim -> share(claim, Resources.CPU))),
                                        fill.bar(
                                                mean(
                                                        claims,
                                                        claim -> share(claim, Resources.MEMORY))),
                                        "%,d".formatted(pods(claims))));
        return table;
    }

    private static SequencedMap<Purchase, List<PlannedClaim>> dearestFirst(
            SequencedMap<Purchase, List<PlannedClaim>> groups) {
        var ordered = new LinkedHashMap<Purchase, List<PlannedClaim>>();
        groups.keySet().stream()
                .sorted(
                        Comparator.comparingDouble(
                                        (Purchase purchase) ->
                                                -purchase.pricePerHour()
                                                        * groups.getOrDefault(purchase, List.of())
                                                                .size())
                                .thenComparing(Purchase::nodePool)
                                .thenComparing(Purchase::type)
                                .thenComparing(Purchase::zone)
                                .thenComparing(Purchase::capacityType))
                .forEach(
                        purchase ->
                                ordered.put(purchase, groups.getOrDefault(purchase, List.of())));
        return ordered;
    }

    private static double mean(List<PlannedClaim> claims, ToDoubleFunction<PlannedClaim> figure) {
        return claims.stream().mapToDouble(figure).average().orElse(0);
    }

    private static int pods(List<PlannedClaim> claims) {
        return claims.stream().mapToInt(claim -> claim.pods().size()).sum();
    }

    private static double share(PlannedClaim claim, String resource) {
        return Fill.share(
                claim.requests().amount(resource), claim.cheapest().allocatable().amount(resource));
    }

    private TextTable eachNode() {
        var table =
                new TextTable(
                        List.of(
                                TextTable.left("NODEPOOL"),
                                TextTable.left("TYPE"),
                                TextTable.left("ZONE"),
                                TextTable.left("CAPACITY"),
                                TextTable.right("$/HOUR"),
                                TextTable.right("TYPES"),
                                TextTable.left("CPU"),
                                TextTable.left("MEMORY"),
                                TextTable.left("REQUESTS"),
                                TextTable.left("PODS")));
        for (var claim : plan.claims()) {
            var purchase = purchase(claim);
            table.row(
                    purchase.nodePool(),
                    purchase.type(),
                    purchase.zone(),
                    purchase.capacityType(),
                    purchase.perHour(1),
                    "%,d".formatted(claim.types().size()),
                    fill.bar(share(claim, Resources.CPU)),
                    fill.bar(share(claim, Resources.MEMORY)),
                    claim.requests().toString(),
                    podNames(claim.pods()));
        }
        return table;
    }

    private TextTable existing(boolean isWide) {
        var table =
                new TextTable(
                        List.of(
                                TextTable.left("NODE"),
                                TextTable.right("PODS"),
                                TextTable.left("NAMES")));
        for (var placement : plan.existing()) {
            table.row(
                    placement.node(),
                    "%,d".formatted(placement.pods().size()),
                    isWide
                            ? String.join(" ", PlanResult.names(placement.pods()))
                            : podNames(placement.pods()));
        }
        return table;
    }

    private static String podNames(List<ObjectName> pods) {
        var shown =
                String.join(" ", PlanResult.names(pods.stream().limit(PODS_SHOWN_MAX).toList()));
        return pods.size() <= PODS_SHOWN_MAX
                ? shown
                : "%s and %,d more".formatted(shown, pods.size() - PODS_SHOWN_MAX);
    }
}
