package dev.millwright.addons.graph;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/// Whether a proxy's release may go to one cluster, or leave it.
public sealed interface Gate {

    record Open() implements Gate {}

    /// Something has to happen first, and nobody need do anything about it.
    record Waits(List<String> names) implements Gate {
        public Waits {
            names = List.copyOf(names);
        }

        public String explain() {
            return "waits for " + String.join(", ", names);
        }
    }

    /// It will not come about by waiting.
    record Blocked(String message) implements Gate {}

    /// A proxy's release on one cluster, as those see it that depend on it.
    enum Release {
        READY,
        NOT_READY,
        /// The proxy selects the cluster and has not come to it yet.
        ABSENT,
        /// The proxy does not select the cluster: its release never comes.
        NOT_SELECTED
    }

    /// @param releases each proxy's release on this cluster; one that is not named is absent
    static Gate install(
            String cluster, DependencyGraph.Verdict verdict, Map<String, Release> releases) {
        return switch (verdict) {
            case DependencyGraph.Verdict.After(var names) -> after(cluster, names, releases);
            case DependencyGraph.Verdict.Missing(var names) ->
                    new Blocked(
                            "dependsOn names %s, which is not in this namespace; create it or take it out"
                                    .formatted(quoted(names)));
            case DependencyGraph.Verdict.Cycle(var path) ->
                    new Blocked(
                            "dependsOn goes round in a circle: %s; take one of them out"
                                    .formatted(String.join(" → ", path)));
        };
    }

    private static Gate after(String cluster, List<String> names, Map<String, Release> releases) {
        var waiting = new ArrayList<String>();
        var never = new ArrayList<String>();
        for (var name : names) {
            switch (releases.getOrDefault(name, Release.ABSENT)) {
                case READY -> {}
                case NOT_READY, ABSENT -> waiting.add(name);
                case NOT_SELECTED -> never.add(name);
            }
        }
        if (!never.isEmpty()) {
            return new Blocked(
                    "dependsOn names %s, whose clusterSelector does not choose Cluster %s; label the Cluster or take it out"
                            .formatted(quoted(never), cluster));
        }
        return waiting.isEmpty() ? new Open() : new Waits(waiting);
    }

    /// Those that depend on the release leave before it.
    static Gate uninstall(List<String> dependents, Map<String, Release> releases) {
        var there =
                dependents.stream()
                        .filter(
                                name ->
                                        switch (releases.getOrDefault(name, Release.ABSENT)) {
                                            case READY, NOT_READY -> true;
                                            case ABSENT, NOT_SELECTED -> false;
                                        })
                        .toList();
        return there.isEmpty() ? new Open() : new Waits(there);
    }

    private static String quoted(List<String> names) {
        return names.stream().collect(Collectors.joining("\", \"", "\"", "\""));
    }
}
