package dev.millwright.testing.kit.generator;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.cluster.Snapshot;
import dev.millwright.core.scheduling.SchedulingProblem;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;

/// The same problem told in another order.
public final class Shuffled {

    private Shuffled() {}

    public static SchedulingProblem of(SchedulingProblem problem, long seed) {
        var random = new Random(seed);
        var snapshot = problem.snapshot();
        var told =
                new Snapshot(
                        shuffled(snapshot.nodes(), random),
                        shuffled(snapshot.pods(), random),
                        shuffled(snapshot.daemonSets(), random),
                        snapshot.namespaces(),
                        snapshot.storage(),
                        shuffled(snapshot.disruptionBudgets(), random),
                        shuffled(snapshot.workloads(), random));
        var catalogs = new TreeMap<String, List<InstanceType>>();
        problem.catalogs()
                .forEach(
                        (pool, types) ->
                                catalogs.put(
                                        pool,
                                        shuffled(types, random).stream()
                                                .map(
                                                        type ->
                                                                type.withOfferings(
                                                                        shuffled(
                                                                                type.offerings(),
                                                                                random)))
                                                .toList()));
        return new SchedulingProblem(
                told, shuffled(problem.nodePools(), random), catalogs, problem.policy());
    }

    private static <T> List<T> shuffled(List<T> elements, Random random) {
        var copy = new ArrayList<>(elements);
        Collections.shuffle(copy, random);
        return copy;
    }
}
