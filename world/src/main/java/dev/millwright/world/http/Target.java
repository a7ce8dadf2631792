package dev.millwright.world.http;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.world.kind.Kind;
import dev.millwright.world.kind.Kinds;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// What a path names: objects of a kind, one of them, or a part of one. Name and part are empty
/// where the path names none.
record Target(Kind kind, String namespace, String name, String part) {

    ResourceType type() {
        return kind.type();
    }

    ObjectName objectName() {
        return new ObjectName(type().isNamespaced() ? namespace : "", name);
    }

    /// Null where nothing is served at the path.
    static @Nullable Target of(Kinds kinds, String path) {
        var steps = new ArrayList<>(Arrays.asList(path.split("/", -1)));
        steps.removeIf(String::isEmpty);
        var isCore = !steps.isEmpty() && steps.getFirst().equals("api");
        var head = isCore ? 2 : 3;
        if (steps.size() <= head || (!isCore && !steps.getFirst().equals("apis"))) {
            return null;
        }
        var group = isCore ? "" : steps.get(1);
        var version = steps.get(head - 1);
        return resolved(kinds, group, version, steps.subList(head, steps.size()));
    }

    private static @Nullable Target resolved(
            Kinds kinds, String group, String version, List<String> rest) {
        var namespace = "";
        var steps = rest;
        // A namespace is an object too: with its name, or a part of it, the path ends there.
        if (steps.getFirst().equals("namespaces")
                && steps.size() > 2
                && !isPart(kinds, group, version, steps.get(2))) {
            namespace = steps.get(1);
            steps = steps.subList(2, steps.size());
        }
        var kind = find(kinds, group, version, steps.getFirst());
        if (kind == null || steps.size() > 3) {
            return null;
        }
        return new Target(
                kind,
                namespace,
                steps.size() > 1 ? steps.get(1) : "",
                steps.size() > 2 ? steps.get(2) : "");
    }

    private static boolean isPart(Kinds kinds, String group, String version, String step) {
        return find(kinds, group, version, step) == null;
    }

    private static @Nullable Kind find(Kinds kinds, String group, String version, String plural) {
        for (var kind : kinds.all()) {
            var type = kind.type();
            if (type.plural().equals(plural)
                    && type.group().equals(group)
                    && type.version().equals(version)) {
                return kind;
            }
        }
        return null;
    }
}
