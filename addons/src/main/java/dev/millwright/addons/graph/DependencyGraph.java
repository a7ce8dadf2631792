package dev.millwright.addons.graph;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.SequencedSet;
import java.util.TreeMap;

/// The chart proxies of one namespace and what each of them depends on, by name.
public final class DependencyGraph {

    private final SequencedMap<String, List<String>> dependencies;
    private final SequencedMap<String, List<String>> dependents = new TreeMap<>();

    private DependencyGraph(SequencedMap<String, List<String>> dependencies) {
        this.dependencies = dependencies;
        dependencies.forEach(
                (name, before) -> {
                    for (var each : before) {
                        dependents.computeIfAbsent(each, _ -> new ArrayList<>()).add(name);
                    }
                });
    }

    /// @param dependsOn each proxy that is there, and the names it waits for
    public static DependencyGraph of(Map<String, List<String>> dependsOn) {
        var copy = new TreeMap<String, List<String>>();
        dependsOn.forEach(
                (name, before) -> copy.put(name, before.stream().distinct().sorted().toList()));
        return new DependencyGraph(Collections.unmodifiableSequencedMap(copy));
    }

    /// What may be said of one proxy's dependencies before any cluster is looked at.
    public sealed interface Verdict {

        /// Each of these must be ready on a cluster before the proxy's own release goes there.
        record After(List<String> names) implements Verdict {
            public After {
                names = List.copyOf(names);
            }
        }

        /// Nobody knows these proxies.
        record Missing(List<String> names) implements Verdict {
            public Missing {
                names = List.copyOf(names);
            }
        }

        /// The proxy waits for itself; the path begins and ends with the same name.
        record Cycle(List<String> path) implements Verdict {
            public Cycle {
                path = List.copyOf(path);
            }
        }
    }

    /// A proxy that depends on a cycle without being part of it waits for the cycle's members.
    public Verdict of(String proxy) {
        var before = dependencies.getOrDefault(proxy, List.of());
        var missing = before.stream().filter(name -> !dependencies.containsKey(name)).toList();
        if (!missing.isEmpty()) {
            return new Verdict.Missing(missing);
        }
        var path = cycleThrough(proxy);
        return path == null ? new Verdict.After(before) : new Verdict.Cycle(path);
    }

    /// Those whose releases must be gone from a cluster before this one's is uninstalled.
    public List<String> dependents(String proxy) {
        return List.copyOf(dependents.getOrDefault(proxy, List.of()));
    }

    /// The shortest way from the proxy back to itself, or null. Breadth first: each name is looked
    /// at once, so that a wide graph takes no longer than its edges.
    private @Nullable List<String> cycleThrough(String proxy) {
        var cameFrom = new TreeMap<String, String>();
        SequencedSet<String> open = new LinkedHashSet<>(List.of(proxy));
        while (!open.isEmpty()) {
            var name = open.removeFirst();
            for (var next : dependencies.getOrDefault(name, List.of())) {
                if (next.equals(proxy)) {
                    return path(proxy, name, cameFrom);
                }
                if (cameFrom.putIfAbsent(next, name) == null) {
                    open.add(next);
                }
            }
        }
        return null;
    }

    private static List<String> path(String proxy, String last, Map<String, String> cameFrom) {
        var path = new ArrayList<>(List.of(proxy));
        for (var name = last; name != null && !name.equals(proxy); name = cameFrom.get(name)) {
            path.add(name);
        }
        path.add(proxy);
        return path.reversed();
    }
}
