package dev.millwright.addons.graph;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.addons.graph.DependencyGraph.Verdict;
import dev.millwright.addons.graph.Gate.Release;

import org.junit.jupiter.api.Test;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import java.util.stream.IntStream;

final class DependencyGraphTest {

    private static final DependencyGraph KARPENTER =
            DependencyGraph.of(Map.of("karpenter", List.of(), "nodepool", List.of("karpenter")));

    @Test
    void aProxyComesAfterThoseItNames() {
        assertThat(KARPENTER.of("nodepool")).isEqualTo(new Verdict.After(List.of("karpenter")));
        assertThat(KARPENTER.of("karpenter")).isEqualTo(new Verdict.After(List.of()));
    }

    @Test
    void aProxyLeavesAfterThoseThatNameIt() {
        assertThat(KARPENTER.dependents("karpenter")).containsExactly("nodepool");
        assertThat(KARPENTER.dependents("nodepool")).isEmpty();
    }

    @Test
    void aNameThatNobodyBearsIsMissing() {
        var graph = DependencyGraph.of(Map.of("a", List.of("b", "c"), "b", List.of()));
        assertThat(graph.of("a")).isEqualTo(new Verdict.Missing(List.of("c")));
    }

    @Test
    void aCycleIsToldByItsPath() {
        var graph =
                DependencyGraph.of(Map.of("a", List.of("b"), "b", List.of("c"), "c", List.of("a")));
        assertThat(graph.of("b")).isEqualTo(new Verdict.Cycle(List.of("b", "c", "a", "b")));
    }

    @Test
    void aProxyThatNamesItselfIsACycle() {
        var graph = DependencyGraph.of(Map.of("a", List.of("a")));
        assertThat(graph.of("a")).isEqualTo(new Verdict.Cycle(List.of("a", "a")));
    }

    @Test
    void aProxyBehindACycleIsNotPartOfIt() {
        var graph =
                DependencyGraph.of(Map.of("a", List.of("b"), "b", List.of("b"), "c", List.of("a")));
        assertThat(graph.of("c")).isEqualTo(new Verdict.After(List.of("a")));
    }

    /// Every edge of a reported path is there, and without a report the proxies can be put in
    /// order.
    @Test
    void everyReportedPathExistsAndEveryCycleIsReported() {
        IntStream.range(0, 500).forEach(DependencyGraphTest::holdsFor);
    }

    private static void holdsFor(int seed) {
        var random = RandomGeneratorFactory.<RandomGenerator>of("L64X128MixRandom").create(seed);
        var names = IntStream.range(0, 8).mapToObj(each -> "p" + each).toList();
        var edges = new TreeMap<String, List<String>>();
        for (var name : names) {
            edges.put(name, names.stream().filter(_ -> random.nextInt(7) == 0).toList());
        }
        var graph = DependencyGraph.of(edges);
        for (var name : names) {
            var reachable = reachable(edges, name);
            switch (graph.of(name)) {
                case Verdict.After(_) ->
                        assertThat(reachable).as("seed %d, %s", seed, name).doesNotContain(name);
                case Verdict.Cycle(var path) -> {
                    assertThat(path.getFirst()).isEqualTo(name);
                    assertThat(path.getLast()).isEqualTo(name);
                    for (var at = 1; at < path.size(); at++) {
                        assertThat(edges.get(path.get(at - 1)))
                                .as("seed %d, path %s", seed, path)
                                .contains(path.get(at));
                    }
                }
                case Verdict.Missing(var missing) ->
                        throw new AssertionError("seed %d: %s".formatted(seed, missing));
            }
        }
    }

    private static List<String> reachable(Map<String, List<String>> edges, String from) {
        var seen = new TreeSet<String>();
        var open = new ArrayDeque<>(edges.get(from));
        while (!open.isEmpty()) {
            var name = open.pop();
            if (seen.add(name)) {
                open.addAll(edges.get(name));
            }
        }
        return List.copyOf(seen);
    }

    @Test
    void aReleaseWaitsUntilAllBeforeItAreReadyOnTheCluster() {
        var after = new Verdict.After(List.of("a", "b", "c"));
        assertThat(Gate.install("one", after, Map.of("a", Release.READY, "b", Release.NOT_READY)))
                .isEqualTo(new Gate.Waits(List.of("b", "c")));
        assertThat(
                        Gate.install(
                                "one",
                                after,
                                Map.of("a", Release.READY, "b", Release.READY, "c", Release.READY)))
                .isEqualTo(new Gate.Open());
    }

    @Test
    void aDependencyThatNeverComesToTheClusterIsToldAndNotWaitedFor() {
        var gate =
                Gate.install(
                        "one", new Verdict.After(List.of("a")), Map.of("a", Release.NOT_SELECTED));
        assertThat(gate)
                .isInstanceOfSatisfying(
                        Gate.Blocked.class,
                        blocked -> assertThat(blocked.message()).contains("\"a\"", "Cluster one"));
    }

    @Test
    void theMessageOfACycleHasItsPath() {
        var gate = Gate.install("one", new Verdict.Cycle(List.of("a", "b", "a")), Map.of());
        assertThat(gate)
                .isInstanceOfSatisfying(
                        Gate.Blocked.class,
                        blocked -> assertThat(blocked.message()).contains("a → b → a"));
    }

    @Test
    void aReleaseStaysUntilThoseThatDependOnItAreGone() {
        assertThat(
                        Gate.uninstall(
                                List.of("b", "c", "d"),
                                Map.of("b", Release.NOT_READY, "c", Release.READY)))
                .isEqualTo(new Gate.Waits(List.of("b", "c")));
        assertThat(Gate.uninstall(List.of("b"), Map.of("b", Release.ABSENT)))
                .isEqualTo(new Gate.Open());
    }
}
