package dev.millwright.testing.bench.comparison;

/// What our planner took for one problem and what it answered; medians over the runs.
///
/// `cold` is the very first plan of a JVM; `peakHeapBytes` holds garbage too, `heapBytes` is what
/// lives afterwards, the problem included.
record OwnFigures(
        int pods,
        int types,
        int runs,
        double coldWallMillis,
        double coldCpuMillis,
        double wallMillis,
        double cpuMillis,
        double allocatedBytes,
        double peakHeapBytes,
        double heapBytes,
        double pricePerHour,
        double lowerBoundPerHour,
        int nodes,
        int waiting) {

    static OwnFigures read(JsonLine line) {
        return new OwnFigures(
                (int) line.number("pods"),
                (int) line.number("types"),
                (int) line.number("runs"),
                line.number("coldWallMillis"),
                line.number("coldCpuMillis"),
                line.number("wallMillis"),
                line.number("cpuMillis"),
                line.number("allocatedBytes"),
                line.number("peakHeapBytes"),
                line.number("heapBytes"),
                line.number("pricePerHour"),
                line.number("lowerBoundPerHour"),
                (int) line.number("nodes"),
                (int) line.number("waiting"));
    }
}
