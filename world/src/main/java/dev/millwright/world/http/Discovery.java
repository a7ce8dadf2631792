package dev.millwright.world.http;

import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;
import dev.millwright.world.kind.Kind;
import dev.millwright.world.kind.Kinds;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/// What a client asks first: which groups, versions and resources there are.
final class Discovery {

    private static final List<String> VERBS =
            List.of("create", "delete", "get", "list", "patch", "update", "watch");

    private static final Set<String> SCALED =
            Set.of("Deployment", "ReplicaSet", "StatefulSet", "ReplicationController");

    private final Kinds kinds;

    Discovery(Kinds kinds) {
        this.kinds = kinds;
    }

    static boolean isScaled(Kind kind) {
        return SCALED.contains(kind.type().kind());
    }

    /// Null where the path is none of discovery's.
    Value.@Nullable Mapping at(String path) {
        return switch (path) {
            case "/version" ->
                    Tree.of("major", "1")
                            .put("minor", "35")
                            .put("gitVersion", "v1.35.0-millwright-world")
                            .put("platform", "java")
                            .mapping();
            case "/api" ->
                    Tree.of("kind", "APIVersions").putTextList("versions", List.of("v1")).mapping();
            case "/apis" ->
                    Tree.of("kind", "APIGroupList")
                            .put("apiVersion", "v1")
                            .putList("groups", groups())
                            .mapping();
            default -> path.startsWith("/api") ? resources(path) : null;
        };
    }

    private List<Value> groups() {
        var versions = new LinkedHashMap<String, String>();
        for (var kind : kinds.all()) {
            if (!kind.type().group().isEmpty()) {
                versions.putIfAbsent(kind.type().group(), kind.type().version());
            }
        }
        var groups = new ArrayList<Value>();
        versions.forEach(
                (group, version) -> {
                    var served =
                            Tree.of("groupVersion", group + "/" + version)
                                    .put("version", version)
                                    .mapping();
                    groups.add(
                            Tree.of("name", group)
                                    .putList("versions", List.of(served))
                                    .put("preferredVersion", served)
                                    .mapping());
                });
        return groups;
    }

    private Value.@Nullable Mapping resources(String path) {
        var wanted = path.startsWith("/apis/") ? path.substring(6) : path.substring(5);
        var resources = new ArrayList<Value>();
        for (var kind : kinds.all()) {
            if (kind.type().apiVersion().equals(wanted)
                    && path.startsWith("/apis/") != kind.type().group().isEmpty()) {
                add(resources, kind);
            }
        }
        return resources.isEmpty()
                ? null
                : Tree.of("kind", "APIResourceList")
                        .put("apiVersion", "v1")
                        .put("groupVersion", wanted)
                        .putList("resources", resources)
                        .mapping();
    }

    private static void add(List<Value> resources, Kind kind) {
        var type = kind.type();
        resources.add(
                resource(type, type.plural(), type.kind())
                        .put("singularName", type.kind().toLowerCase(Locale.ROOT))
                        .putTextList("verbs", VERBS)
                        .putTextList("shortNames", kind.shortNames())
                        .mapping());
        if (kind.hasStatus()) {
            resources.add(part(type, "status", type.kind(), List.of("get", "patch", "update")));
        }
        if (isScaled(kind)) {
            resources.add(
                    foreign(
                            type,
                            "scale",
                            "autoscaling",
                            "Scale",
                            List.of("get", "patch", "update")));
        }
        if (type.equals(ResourceType.POD)) {
            resources.add(foreign(type, "eviction", "policy", "Eviction", List.of("create")));
            resources.add(part(type, "binding", "Binding", List.of("create")));
        }
    }

    private static Tree resource(ResourceType type, String name, String kind) {
        return Tree.of("name", name)
                .put("singularName", "")
                .put("namespaced", type.isNamespaced())
                .put("kind", kind);
    }

    private static Value part(ResourceType type, String part, String kind, List<String> verbs) {
        return resource(type, type.plural() + "/" + part, kind)
                .putTextList("verbs", verbs)
                .mapping();
    }

    /// A part whose body is of another group.
    private static Value foreign(
            ResourceType type, String part, String group, String kind, List<String> verbs) {
        return resource(type, type.plural() + "/" + part, kind)
                .put("group", group)
                .put("version", "v1")
                .putTextList("verbs", verbs)
                .mapping();
    }
}
