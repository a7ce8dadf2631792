package dev.millwright.testing.bench.comparison;

import dev.millwright.testing.bench.problem.BenchProblem;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.SequencedMap;
import java.util.TreeMap;

/// How CPU time grows from one size of a problem to the next, as the power of the number of pods: 1
/// is twice the time for twice the pods, 2 is four times.
record Growth(String series, int fromPods, int toPods, double own, @Nullable Double peer) {

    static List<Growth> of(List<Row> rows) {
        var growths = new ArrayList<Growth>();
        series(rows)
                .forEach(
                        (name, bySize) -> {
                            var sizes = List.copyOf(bySize.sequencedValues());
                            for (var index = 1; index < sizes.size(); index++) {
                                growths.add(between(name, sizes.get(index - 1), sizes.get(index)));
                            }
                        });
        return List.copyOf(growths);
    }

    /// Rows that differ in size only, by kind and catalogue, smallest first.
    static SequencedMap<String, SequencedMap<Integer, Row>> series(List<Row> rows) {
        var series = new TreeMap<String, SequencedMap<Integer, Row>>();
        for (var row : rows) {
            var problem = row.isGiven() ? null : BenchProblem.parseOrNull(row.name());
            if (problem != null && problem.seed() == BenchProblem.SEED_DEFAULT) {
                series.computeIfAbsent(
                                "%s on %s"
                                        .formatted(
                                                problem.kind().text(), problem.catalogue().text()),
                                _ -> new TreeMap<>())
                        .put(problem.pods(), row);
            }
        }
        return series;
    }

    private static Growth between(String series, Row small, Row large) {
        var ratio = Math.log((double) large.pods() / small.pods());
        var smallPeer = small.finishedPeer();
        var largePeer = large.finishedPeer();
        return new Growth(
                series,
                small.pods(),
                large.pods(),
                Math.log(large.firstFit().cpuMillis() / small.firstFit().cpuMillis()) / ratio,
                smallPeer == null || largePeer == null
                        ? null
                        : Math.log(largePeer.cpuMillis() / smallPeer.cpuMillis()) / ratio);
    }
}
