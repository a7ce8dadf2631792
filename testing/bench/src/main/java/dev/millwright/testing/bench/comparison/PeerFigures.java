package dev.millwright.testing.bench.comparison;

/// What the peer took for one problem and what it answered; medians over the passes. A pass is more
/// than its solve alone: before it stands the reading of cluster state, after it the sorting of
/// types.
///
/// Its answer depends on ties that it breaks by chance, so that the passes differ in price: we are
/// compared with the cheapest of them.
record PeerFigures(
        int passes,
        double wallMillis,
        double cpuMillis,
        double solveCpuMillis,
        double allocatedBytes,
        double peakHeapBytes,
        double heapBytes,
        double priceMin,
        double priceMax,
        int nodes,
        int waiting,
        boolean isTimedOut) {

    static PeerFigures read(JsonLine line) {
        if (line.has("error")) {
            throw new IllegalStateException("the peer failed: " + line.text("error"));
        }
        var solve = line.at("solve");
        var hasPrices = line.has("priceMin");
        return new PeerFigures(
                (int) line.number("runs"),
                solve.number("wallMillis"),
                solve.number("cpuMillis"),
                solve.number("solveCpuMillis"),
                solve.number("allocatedBytes"),
                solve.number("peakHeapBytes"),
                solve.number("heapBytes"),
                line.number(hasPrices ? "priceMin" : "pricePerHour"),
                line.number(hasPrices ? "priceMax" : "pricePerHour"),
                line.count("nodes"),
                line.count("waiting"),
                line.isTrue("timedOut"));
    }
}
