package dev.millwright.testing.bench.comparison;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/// The report's figures as tables: one wide table for a terminal, narrow ones for the page.
final class ReportTables {

    private static final double NO_BOUND = 0;

    private final Report report;

    ReportTables(Report report) {
        this.report = report;
    }

    Grid whole() {
        var heads = new ArrayList<>(timeHeads());
        heads.addAll(priceHeads().subList(1, priceHeads().size()));
        var rows = new ArrayList<List<String>>();
        for (var row : report.rows()) {
            var cells = new ArrayList<>(timeCells(row));
            var price = priceCells(row);
            cells.addAll(price.subList(1, price.size()));
            rows.add(cells);
        }
        return new Grid(heads, rows);
    }

    Grid time() {
        return new Grid(timeHeads(), report.rows().stream().map(this::timeCells).toList());
    }

    Grid price() {
        return new Grid(priceHeads(), report.rows().stream().map(this::priceCells).toList());
    }

    private static List<String> timeHeads() {
        return List.of(
                "problem",
                "types",
                "first fit CPU ms",
                "cheapest CPU ms",
                "peer CPU ms",
                "its solve alone",
                "peer ÷ first fit",
                "first plan CPU ms",
                "first fit alloc. MB",
                "cheapest alloc. MB",
                "peer alloc. MB",
                "first fit heap MB",
                "cheapest heap MB",
                "peer heap MB");
    }

    private List<String> timeCells(Row row) {
        var peer = row.peer();
        var sign = peer != null && peer.isTimedOut() ? "> " : "";
        return List.of(
                row.label(),
                Rounded.count(row.firstFit().types()),
                Rounded.up(row.firstFit().cpuMillis(), 1),
                Rounded.up(row.cheapest().cpuMillis(), 0),
                peer(peer, PeerFigures::cpuMillis, 0, sign),
                peer(peer, PeerFigures::solveCpuMillis, 0, sign),
                peer(peer, figures -> figures.cpuMillis() / row.firstFit().cpuMillis(), 1, sign),
                Rounded.up(row.firstFit().coldCpuMillis(), 0),
                Rounded.megabytes(row.firstFit().allocatedBytes()),
                Rounded.megabytes(row.cheapest().allocatedBytes()),
                peer == null ? Rounded.NONE : Rounded.megabytes(peer.allocatedBytes()),
                Rounded.megabytes(row.firstFit().peakHeapBytes()),
                Rounded.megabytes(row.cheapest().peakHeapBytes()),
                peer == null ? Rounded.NONE : Rounded.megabytes(peer.peakHeapBytes()));
    }

    /// The peer's costs are rounded down.
    private static String peer(
            @Nullable PeerFigures peer,
            ToDoubleFunction<PeerFigures> figure,
            int digits,
            String sign) {
        return peer == null
                ? Rounded.NONE
                : sign + Rounded.down(figure.applyAsDouble(peer), digits);
    }

    private static List<String> priceHeads() {
        return List.of(
                "problem",
                "first fit $/h",
                "cheapest $/h",
                "peer $/h",
                "bound $/h",
                "first fit ÷ peer",
                "cheapest ÷ peer",
                "cheapest ÷ bound",
                "waiting",
                "peer waiting");
    }

    private List<String> priceCells(Row row) {
        var peer = row.finishedPeer();
        var bound = row.lowerBoundPerHour();
        var firstFit = row.firstFit().pricePerHour();
        var cheapest = row.cheapest().pricePerHour();
        return List.of(
                row.label(),
                Rounded.nearest(firstFit, 2),
                Rounded.nearest(cheapest, 2),
                peer == null ? Rounded.NONE : Rounded.nearest(peer.priceMin(), 2),
                bound == NO_BOUND ? Rounded.NONE : Rounded.nearest(bound, 2),
                peer == null ? Rounded.NONE : ratio(firstFit, peer.priceMin()),
                peer == null ? Rounded.NONE : ratio(cheapest, peer.priceMin()),
                bound == NO_BOUND ? Rounded.NONE : ratio(cheapest, bound),
                Integer.toString(Math.max(row.firstFit().waiting(), row.cheapest().waiting())),
                row.peer() == null ? Rounded.NONE : Integer.toString(row.peer().waiting()));
    }

    /// Equal sums in another order are equal: their quotient is one, not one and a hair.
    private static String ratio(double ours, double theirs) {
        var ratio = ours / theirs;
        return Rounded.up(Math.abs(ratio - 1) < 1e-9 ? 1 : ratio, 3);
    }

    Grid growth() {
        return new Grid(
                List.of("pods of each kind", "from", "to", "ours", "peer"),
                report.growth().stream()
                        .map(
                                growth -> {
                                    var peer = growth.peer();
                                    return List.of(
                                            growth.series(),
                                            Rounded.count(growth.fromPods()),
                                            Rounded.count(growth.toPods()),
                                            Rounded.up(growth.own(), 2),
                                            peer == null ? Rounded.NONE : Rounded.down(peer, 2));
                                })
                        .toList());
    }

    Grid limits() {
        return new Grid(
                List.of("promise", "at most", "found", "unit", "kept"),
                report.limits().stream()
                        .map(
                                limit ->
                                        List.of(
                                                limit.promise(),
                                                Rounded.nearest(limit.wantedMost(), 0),
                                                Rounded.up(limit.found(), 0),
                                                limit.unit(),
                                                limit.isMet() ? "yes" : "no"))
                        .toList());
    }
}
