package dev.millwright.world;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.label.ControlKeys;
import dev.millwright.kube.client.ApiAnswer;
import dev.millwright.kube.client.ApiWrite;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.JsonReader;
import dev.millwright.kube.document.Value;
import dev.millwright.providers.sim.KwokNodeClass;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

/// What a user writes, as short as tests want it.
final class Manifests {

    private final World world;

    Manifests(World world) {
        this.world = world;
    }

    private static Value.Mapping json(String text) {
        try {
            return JsonReader.object(text.getBytes(StandardCharsets.UTF_8));
        } catch (IOException broken) {
            throw new IllegalArgumentException(text, broken);
        }
    }

    private void create(ResourceType type, String namespace, String text) {
        var answer = world.store().write("user", new ApiWrite.Create(type, namespace, json(text)));
        if (!(answer instanceof ApiAnswer.Done)) {
            throw new IllegalStateException(answer.explain());
        }
    }

    Manifests pool(String requirements) {
        create(
                KwokNodeClass.TYPE,
                "",
                """
                {"apiVersion":"karpenter.kwok.sh/v1alpha1","kind":"KWOKNodeClass","metadata":{"name":"default"}}
                """);
        world.store()
                .write(
                        "user",
                        new ApiWrite.Patch(
                                KwokNodeClass.TYPE,
                                new ObjectName("", "default"),
                                ApiWrite.PatchKind.MERGE,
                                ApiWrite.Subresource.STATUS,
                                json(
                                        """
                                        {"status":{"conditions":[{"type":"Ready","status":"True","reason":"Ready","message":"",
                                         "lastTransitionTime":"2026-01-05T06:00:00Z"}]}}
                                        """)));
        create(
                ResourceType.NODE_POOL,
                "",
                """
                {"apiVersion":"karpenter.sh/v1","kind":"NodePool","metadata":{"name":"default"},
                 "spec":{"disruption":{"consolidationPolicy":"WhenEmpty","consolidateAfter":"30s"},
                 "template":{"spec":{"expireAfter":"720h","requirements":[%s],
                 "nodeClassRef":{"group":"karpenter.kwok.sh","kind":"KWOKNodeClass","name":"default"}}}}}
                """
                        .formatted(requirements));
        return this;
    }

    Manifests deployment(String name, int replicas, String cpu, String memory) {
        create(
                ResourceType.DEPLOYMENT,
                "default",
                """
                {"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"%1$s","namespace":"default"},
                 "spec":{"replicas":%2$d,"selector":{"matchLabels":{"app":"%1$s"}},
                 "template":{"metadata":{"labels":{"app":"%1$s"}},"spec":{"containers":[{"name":"main","image":"main",
                 "resources":{"requests":{"cpu":"%3$s","memory":"%4$s"}}}]}}}}
                """
                        .formatted(name, replicas, cpu, memory));
        return this;
    }

    Manifests annotatePods(String deployment, String key, String value) {
        return patch(
                ResourceType.DEPLOYMENT,
                new ObjectName("default", deployment),
                "{\"spec\":{\"template\":{\"metadata\":{\"annotations\":{\"%s\":\"%s\"}}}}}"
                        .formatted(key, value));
    }

    /// All of the Deployment's pods must be there.
    Manifests budget(String deployment) {
        create(
                ResourceType.POD_DISRUPTION_BUDGET,
                "default",
                """
                {"apiVersion":"policy/v1","kind":"PodDisruptionBudget","metadata":{"name":"%1$s","namespace":"default"},
                 "spec":{"maxUnavailable":0,"selector":{"matchLabels":{"app":"%1$s"}}}}
                """
                        .formatted(deployment));
        return this;
    }

    Manifests scale(String name, int replicas) {
        world.store()
                .write(
                        "user",
                        new ApiWrite.Patch(
                                ResourceType.DEPLOYMENT,
                                new ObjectName("default", name),
                                ApiWrite.PatchKind.MERGE,
                                ApiWrite.Subresource.NONE,
                                json("{\"spec\":{\"replicas\":%d}}".formatted(replicas))));
        return this;
    }

    Manifests freeze(boolean wanted) {
        return patch(
                ResourceType.NAMESPACE,
                ControlKeys.FREEZE_NAMESPACE,
                "{\"metadata\":{\"annotations\":{\"%s\":%s}}}"
                        .formatted(ControlKeys.FREEZE, wanted ? "\"a test\"" : "null"));
    }

    /// Nodes that are there are no longer what the pool asks for.
    Manifests changeTemplate() {
        return patch(
                ResourceType.NODE_POOL,
                "default",
                "{\"spec\":{\"template\":{\"metadata\":{\"labels\":{\"version\":\"2\"}}}}}");
    }

    Manifests annotatePool(String key, String value) {
        return patch(
                ResourceType.NODE_POOL,
                "default",
                "{\"metadata\":{\"annotations\":{\"%s\":\"%s\"}}}".formatted(key, value));
    }

    private Manifests patch(ResourceType type, String name, String text) {
        return patch(type, new ObjectName("", name), text);
    }

    private Manifests patch(ResourceType type, ObjectName name, String text) {
        world.store()
                .write(
                        "user",
                        new ApiWrite.Patch(
                                type,
                                name,
                                ApiWrite.PatchKind.MERGE,
                                ApiWrite.Subresource.NONE,
                                json(text)));
        return this;
    }
}
