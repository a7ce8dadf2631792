package dev.millwright.testing.e2e.store;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.client.ApiAnswer;
import dev.millwright.kube.client.ApiWrite;
import dev.millwright.kube.client.ApiWrite.PatchKind;
import dev.millwright.kube.client.ApiWrite.Subresource;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;
import dev.millwright.kube.tree.Trees;
import dev.millwright.world.chance.Chance;

import java.util.List;
import java.util.Map;

/// Draws writes from a seed: to a few objects of a few kinds, so that they meet.
final class Deeds {

    /// One write, in words and in deed. It is done on each server, which have their own uids.
    record Deed(String words, ResourceType type, ObjectName name, Act act) {}

    @FunctionalInterface
    interface Act {
        ApiAnswer on(Server server);
    }

    private static final List<ResourceType> TYPES =
            List.of(
                    OnServer.CONFIG_MAP,
                    ResourceType.POD,
                    ResourceType.POD,
                    ResourceType.NODE,
                    ResourceType.NODE_POOL,
                    ResourceType.DEPLOYMENT,
                    ResourceType.POD_DISRUPTION_BUDGET,
                    ResourceType.LEASE);

    private static final List<String> NAMES = List.of("a", "b");

    private final Chance chance;
    private final OnServer bodies;

    Deeds(Chance chance, OnServer bodies) {
        this.chance = chance;
        this.bodies = bodies;
    }

    Deed next() {
        var type = chance.pick(TYPES);
        var name = bodies.nameOf(type, chance.pick(NAMES));
        return switch (chance.index(8)) {
            case 0, 1 -> create(type, name);
            case 2 -> merge(type, name);
            case 3 -> status(type, name);
            case 4 -> strategic(type, name);
            case 5 -> json(type, name);
            case 6 -> delete(type, name);
            default -> type.equals(ResourceType.POD) ? ofPod(name) : merge(type, name);
        };
    }

    private Deed written(String words, ResourceType type, ObjectName name, ApiWrite write) {
        return new Deed(
                "%s %s %s: %s".formatted(words, type, name, write),
                type,
                name,
                server -> server.api().write(write));
    }

    private Deed create(ResourceType type, ObjectName name) {
        var body =
                switch (type.kind()) {
                    case "Pod" ->
                            chance.happens(0.5)
                                    ? bodies.pod(name.name())
                                    : bodies.pod(name.name())
                                            .put(
                                                    "spec",
                                                    bodies.podSpec().put("nodeName", "nowhere"));
                    case "Deployment" -> bodies.deployment(name.name());
                    case "NodePool" -> bodies.nodePool("x");
                    case "PodDisruptionBudget" -> EvictionBehaviour.budget(name.name());
                    default -> Tree.of();
                };
        var metadata = Tree.of("name", name.name());
        if (type.equals(ResourceType.POD)) {
            metadata.putTexts("labels", Map.of("app", chance.pick(List.of("web", "other"))));
        }
        if (chance.happens(0.3)) {
            metadata.putTextList("finalizers", List.of("x/a"));
        }
        var whole =
                body.put("metadata", metadata)
                        .put("apiVersion", type.apiVersion())
                        .put("kind", type.kind())
                        .mapping();
        return written("create", type, name, new ApiWrite.Create(type, name.namespace(), whole));
    }

    private Tree change(ResourceType type) {
        return switch (chance.index(6)) {
            case 0 -> Tree.of("metadata", Tree.of("labels", Tree.of("x", drawn())));
            case 1 -> Tree.of("metadata", Tree.of().putNothing("finalizers"));
            case 2 ->
                    Tree.of(
                            "metadata",
                            Tree.of().putTextList("finalizers", List.of("x/" + drawn())));
            case 3 ->
                    Tree.of("metadata", Tree.of("annotations", Tree.of().putNothing("x/y")))
                            .put("status", Tree.of("phase", "Running"));
            case 4 -> Tree.of("metadata", Tree.of("annotations", Tree.of("x/y", drawn())));
            default -> spec(type);
        };
    }

    private String drawn() {
        return chance.pick(List.of("a", "b", "c"));
    }

    private Tree spec(ResourceType type) {
        return switch (type.kind()) {
            case "ConfigMap" -> Tree.of("data", Tree.of(drawn(), drawn()));
            case "Node" ->
                    Tree.of(
                            "spec",
                            chance.happens(0.5)
                                    ? Tree.of().put("unschedulable", chance.happens(0.5))
                                    : Tree.of("providerID", "x://" + drawn()));
            case "NodePool" -> Tree.of("spec", Tree.of().put("weight", chance.between(1, 3)));
            case "Deployment" -> Tree.of("spec", Tree.of().put("replicas", chance.between(0, 3)));
            case "PodDisruptionBudget" ->
                    Tree.of("spec", Tree.of("maxUnavailable", chance.between(1, 3) + "0%"));
            case "Lease" -> Tree.of("spec", Tree.of("holderIdentity", drawn()));
            default -> Tree.of("spec", Tree.of("nodeName", drawn()));
        };
    }

    private Deed patched(
            ResourceType type, ObjectName name, PatchKind kind, Subresource part, Value body) {
        return written("patch", type, name, new ApiWrite.Patch(type, name, kind, part, body));
    }

    private Deed merge(ResourceType type, ObjectName name) {
        return patched(type, name, PatchKind.MERGE, Subresource.NONE, change(type).mapping());
    }

    private Deed strategic(ResourceType type, ObjectName name) {
        return patched(type, name, PatchKind.STRATEGIC, Subresource.NONE, change(type).mapping());
    }

    private Deed status(ResourceType type, ObjectName name) {
        var ready =
                Tree.of("type", "Ready")
                        .put("status", chance.pick(List.of("True", "False")))
                        .mapping();
        var status =
                switch (type.kind()) {
                    case "Pod" ->
                            Tree.of(
                                            "phase",
                                            chance.pick(
                                                    List.of(
                                                            "Running", "Running", "Failed",
                                                            "Pending")))
                                    .putList("conditions", List.of(ready));
                    case "PodDisruptionBudget" ->
                            Tree.of()
                                    .put("disruptionsAllowed", chance.between(0, 2))
                                    .put("currentHealthy", chance.between(0, 2))
                                    .put("desiredHealthy", chance.between(0, 2))
                                    .put("expectedPods", 2)
                                    .put("observedGeneration", chance.between(1, 3));
                    case "NodePool" -> Tree.of("resources", Tree.of("cpu", "1"));
                    case "Node" -> Tree.of("phase", "Running");
                    case "Deployment" -> Tree.of().put("replicas", chance.between(1, 3));
                    default -> Tree.of("x", drawn());
                };
        var body = Tree.of("status", status);
        if (chance.happens(0.3)) {
            body.put("metadata", Tree.of("labels", Tree.of("told", drawn())));
        }
        return patched(type, name, PatchKind.MERGE, Subresource.STATUS, body.mapping());
    }

    private Deed json(ResourceType type, ObjectName name) {
        var path = chance.pick(List.of("/metadata/labels", "/metadata/labels/x", "/metadata/none"));
        var value = path.endsWith("labels") ? Tree.of("x", drawn()).mapping() : Tree.text(drawn());
        var operation =
                Tree.of("op", chance.pick(List.of("add", "replace", "remove", "test")))
                        .put("path", path)
                        .put("value", value);
        return patched(
                type,
                name,
                PatchKind.JSON,
                Subresource.NONE,
                Tree.list(List.of(operation.mapping())));
    }

    private Deed delete(ResourceType type, ObjectName name) {
        var grace = chance.pick(List.of(-1L, 0L, 600L, 300L));
        var isOther = chance.happens(0.2);
        var uid = isOther ? "9b1c1c1e-0000-4000-8000-000000000000" : null;
        return written(
                "delete",
                type,
                name,
                new ApiWrite.Delete(type, name, uid, grace < 0 ? null : grace));
    }

    private Deed ofPod(ObjectName name) {
        return chance.happens(0.6)
                ? new Deed(
                        "evict " + name,
                        ResourceType.POD,
                        name,
                        server -> server.api().write(new ApiWrite.Evict(name, "")))
                : new Deed(
                        "bind " + name,
                        ResourceType.POD,
                        name,
                        server -> server.bind(name, uid(server, name), "somewhere"));
    }

    private static String uid(Server server, ObjectName pod) {
        return server.api().read(ResourceType.POD, pod) instanceof ApiAnswer.Done(var object)
                ? Trees.meta(object, "uid")
                : "";
    }
}
