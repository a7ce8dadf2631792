package dev.millwright.testing.bench.comparison;

import dev.millwright.testing.kit.generator.PlainJson;

import org.jspecify.annotations.Nullable;

import java.util.Map;

/// The report for programs, with every digit.
final class ReportJson {

    private ReportJson() {}

    static String text(Report report) {
        var circumstances = report.circumstances();
        return PlainJson.text(
                Fields.of(
                        "date",
                        circumstances.date(),
                        "java",
                        circumstances.java(),
                        "jvmOptions",
                        OwnProgram.JVM_OPTIONS,
                        "processor",
                        circumstances.processor(),
                        "cores",
                        circumstances.cores(),
                        "load",
                        circumstances.load(),
                        "peerVersion",
                        circumstances.peerVersion(),
                        "problems",
                        report.rows().stream().map(ReportJson::row).toList(),
                        "growth",
                        report.growth().stream().map(ReportJson::growth).toList(),
                        "limits",
                        report.limits().stream().map(ReportJson::limit).toList(),
                        "shortfalls",
                        report.shortfalls()),
                true);
    }

    private static Map<String, Object> row(Row row) {
        return Fields.of(
                "name",
                row.name(),
                "given",
                row.isGiven(),
                "pods",
                row.pods(),
                "types",
                row.firstFit().types(),
                "lowerBoundPerHour",
                row.lowerBoundPerHour(),
                "firstFit",
                own(row.firstFit()),
                "cheapest",
                own(row.cheapest()),
                "peer",
                peer(row.peer()));
    }

    private static Map<String, Object> own(OwnFigures figures) {
        return Fields.of(
                "runs",
                figures.runs(),
                "coldWallMillis",
                figures.coldWallMillis(),
                "coldCpuMillis",
                figures.coldCpuMillis(),
                "wallMillis",
                figures.wallMillis(),
                "cpuMillis",
                figures.cpuMillis(),
                "allocatedBytes",
                figures.allocatedBytes(),
                "peakHeapBytes",
                figures.peakHeapBytes(),
                "heapBytes",
                figures.heapBytes(),
                "pricePerHour",
                figures.pricePerHour(),
                "nodes",
                figures.nodes(),
                "waiting",
                figures.waiting());
    }

    private static @Nullable Map<String, Object> peer(@Nullable PeerFigures figures) {
        return figures == null
                ? null
                : Fields.of(
                        "passes",
                        figures.passes(),
                        "wallMillis",
                        figures.wallMillis(),
                        "cpuMillis",
                        figures.cpuMillis(),
                        "solveCpuMillis",
                        figures.solveCpuMillis(),
                        "allocatedBytes",
                        figures.allocatedBytes(),
                        "peakHeapBytes",
                        figures.peakHeapBytes(),
                        "heapBytes",
                        figures.heapBytes(),
                        "priceMin",
                        figures.priceMin(),
                        "priceMax",
                        figures.priceMax(),
                        "nodes",
                        figures.nodes(),
                        "waiting",
                        figures.waiting(),
                        "timedOut",
                        figures.isTimedOut());
    }

    private static Map<String, Object> growth(Growth growth) {
        return Fields.of(
                "series",
                growth.series(),
                "fromPods",
                growth.fromPods(),
                "toPods",
                growth.toPods(),
                "own",
                growth.own(),
                "peer",
                growth.peer());
    }

    private static Map<String, Object> limit(Limit limit) {
        return Fields.of(
                "promise",
                limit.promise(),
                "unit",
                limit.unit(),
                "wantedMost",
                limit.wantedMost(),
                "found",
                limit.found(),
                "met",
                limit.isMet());
    }
}
