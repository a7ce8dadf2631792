package dev.millwright.testing.bench.comparison;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/// All that one run of the comparison found.
record Report(
        Circumstances circumstances, List<Row> rows, List<Growth> growth, List<Limit> limits) {

    /// Growth above which we no longer speak of time in proportion to the pods.
    private static final double GROWTH_LINEAR_MAX = 1.25;

    Report {
        rows = List.copyOf(rows);
        growth = List.copyOf(growth);
        limits = List.copyOf(limits);
    }

    /// Where we are not better than the peer, dearer than we would like or past a promise, in
    /// sentences.
    List<String> shortfalls() {
        var found = new ArrayList<String>();
        add(
                found,
                "First fit is dearer than the cheapest pass of the peer",
                Report::isFirstFitDearer);
        add(
                found,
                "Cheapest is dearer than the cheapest pass of the peer",
                Report::isCheapestDearer);
        add(found, "Cheapest takes more CPU time than the peer", Report::isCheapestSlower);
        add(found, "First fit takes more CPU time than the peer", Report::isFirstFitSlower);
        add(
                found,
                "The very first plan of a JVM takes more CPU time than the peer",
                Report::isColdSlower);
        add(found, "First fit's peak heap is above the peer's", Report::isHeapLarger);
        add(found, "Cheapest's peak heap is above the peer's", Report::isCheapestHeapLarger);
        add(found, "More pods wait than with the peer", Report::isMoreWaiting);
        for (var each : growth) {
            if (each.own() > GROWTH_LINEAR_MAX) {
                found.add(
                        "%s grows faster than its pods from %s to %s pods: to the power of %s."
                                .formatted(
                                        each.series(),
                                        Rounded.count(each.fromPods()),
                                        Rounded.count(each.toPods()),
                                        Rounded.up(each.own(), 2)));
            }
        }
        for (var limit : limits) {
            if (!limit.isMet()) {
                found.add(
                        "%s: found %s %s, promised %s."
                                .formatted(
                                        limit.promise(),
                                        Rounded.up(limit.found(), 0),
                                        limit.unit(),
                                        Rounded.nearest(limit.wantedMost(), 0)));
            }
        }
        return List.copyOf(found);
    }

    private void add(List<String> found, String sentence, Predicate<Row> isShort) {
        var names = rows.stream().filter(isShort).map(Row::label).toList();
        if (!names.isEmpty()) {
            found.add("%s on %s.".formatted(sentence, String.join(", ", names)));
        }
    }

    private static boolean isFirstFitDearer(Row row) {
        var peer = row.finishedPeer();
        return peer != null && isAbove(row.firstFit().pricePerHour(), peer.priceMin());
    }

    private static boolean isCheapestDearer(Row row) {
        var peer = row.finishedPeer();
        return peer != null && isAbove(row.cheapest().pricePerHour(), peer.priceMin());
    }

    /// Sums of the same prices in another order differ in the last digits.
    private static boolean isAbove(double ours, double theirs) {
        return ours > theirs * (1 + 1e-9);
    }

    private static boolean isCheapestSlower(Row row) {
        var peer = row.peer();
        return peer != null && row.cheapest().cpuMillis() > peer.cpuMillis();
    }

    private static boolean isFirstFitSlower(Row row) {
        var peer = row.peer();
        return peer != null && row.firstFit().cpuMillis() > peer.cpuMillis();
    }

    private static boolean isColdSlower(Row row) {
        var peer = row.peer();
        return peer != null && row.firstFit().coldCpuMillis() > peer.cpuMillis();
    }

    private static boolean isHeapLarger(Row row) {
        var peer = row.peer();
        return peer != null && row.firstFit().peakHeapBytes() > peer.peakHeapBytes();
    }

    private static boolean isCheapestHeapLarger(Row row) {
        var peer = row.peer();
        return peer != null && row.cheapest().peakHeapBytes() > peer.peakHeapBytes();
    }

    private static boolean isMoreWaiting(Row row) {
        var peer = row.peer();
        return peer != null
                && (row.firstFit().waiting() > peer.waiting()
                        || row.cheapest().waiting() > peer.waiting());
    }
}
