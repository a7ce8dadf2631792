package dev.millwright.testing.e2e.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.client.ApiAnswer;
import dev.millwright.kube.client.ApiWrite;
import dev.millwright.kube.client.ApiWrite.PatchKind;
import dev.millwright.kube.client.ApiWrite.Subresource;
import dev.millwright.kube.client.KubeApi;
import dev.millwright.kube.client.Metadata;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;
import dev.millwright.kube.tree.Trees;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Map;

/// What every behaviour is written with.
interface OnServer {

    ResourceType CONFIG_MAP = new ResourceType("", "v1", "configmaps", "ConfigMap", true);
    ResourceType NODE_CLASS =
            new ResourceType(
                    "karpenter.kwok.sh", "v1alpha1", "kwoknodeclasses", "KWOKNodeClass", false);

    Server server();

    /// The namespace of this test.
    String namespace();

    default KubeApi api() {
        return server().api();
    }

    default ObjectName in(String name) {
        return new ObjectName(namespace(), name);
    }

    /// A name for an object without a namespace that no other test has.
    default ObjectName own(String name) {
        return new ObjectName("", namespace() + "-" + name);
    }

    default ObjectName nameOf(ResourceType type, String name) {
        return type.isNamespaced() ? in(name) : own(name);
    }

    static Value.Mapping done(ApiAnswer answer) {
        assertThat(answer).as(answer.explain()).isInstanceOf(ApiAnswer.Done.class);
        return ((ApiAnswer.Done) answer).object();
    }

    static void refused(ApiAnswer answer, int code, String reason) {
        assertThat(answer).as(answer.explain()).isInstanceOf(ApiAnswer.Refused.class);
        var refused = (ApiAnswer.Refused) answer;
        assertThat(refused.code() + " " + refused.reason())
                .as(answer.explain())
                .isEqualTo(code + " " + reason);
    }

    default ApiAnswer tryCreate(ResourceType type, Tree body) {
        return tryCreateAsIs(
                type, body.put("apiVersion", type.apiVersion()).put("kind", type.kind()));
    }

    default ApiAnswer tryCreateAsIs(ResourceType type, Tree body) {
        return api().write(
                        new ApiWrite.Create(
                                type, type.isNamespaced() ? namespace() : "", body.mapping()));
    }

    default Value.Mapping create(ResourceType type, Tree body) {
        return done(tryCreate(type, body));
    }

    default Value.Mapping read(ResourceType type, String name) {
        return done(api().read(type, nameOf(type, name)));
    }

    default ApiAnswer patch(
            ResourceType type, String name, PatchKind kind, Subresource part, Value body) {
        return api().write(new ApiWrite.Patch(type, nameOf(type, name), kind, part, body));
    }

    default ApiAnswer merge(ResourceType type, String name, Tree body) {
        return patch(type, name, PatchKind.MERGE, Subresource.NONE, body.mapping());
    }

    default ApiAnswer mergeStatus(ResourceType type, String name, Tree body) {
        return patch(type, name, PatchKind.MERGE, Subresource.STATUS, body.mapping());
    }

    default ApiAnswer strategic(ResourceType type, String name, Tree body) {
        return patch(type, name, PatchKind.STRATEGIC, Subresource.NONE, body.mapping());
    }

    default ApiAnswer json(ResourceType type, String name, Tree... operations) {
        var list = Tree.list(List.of(operations).stream().map(Tree::mapping).toList());
        return patch(type, name, PatchKind.JSON, Subresource.NONE, list);
    }

    default ApiAnswer delete(
            ResourceType type, String name, @Nullable String uid, @Nullable Long grace) {
        return api().write(new ApiWrite.Delete(type, nameOf(type, name), uid, grace));
    }

    default ApiAnswer delete(ResourceType type, String name) {
        return delete(type, name, null, null);
    }

    default void assertGone(ResourceType type, String name) {
        assertThat(api().read(type, nameOf(type, name)).isNotFound()).isTrue();
    }

    static Tree labelled(String name, Map<String, String> labels) {
        return Tree.of("metadata", Tree.of("name", name).putTexts("labels", labels));
    }

    default Tree configMap(String name) {
        return Tree.of("metadata", Tree.of("name", name)).put("data", Tree.of("a", "1"));
    }

    default Tree podSpec() {
        var container = Tree.of("name", "c").put("image", "example.test/image:1");
        return Tree.of().putList("containers", List.of(container.mapping()));
    }

    default Tree pod(String name) {
        return labelled(name, Map.of("app", "web")).put("spec", podSpec());
    }

    /// A pod on a node that does not exist: no controller here minds.
    default Value.Mapping boundPod(String name) {
        return create(
                ResourceType.POD, pod(name).put("spec", podSpec().put("nodeName", "nowhere")));
    }

    default Value.Mapping runningPod(String name, boolean isReady) {
        boundPod(name);
        return done(mergeStatus(ResourceType.POD, name, running(isReady)));
    }

    static Tree running(boolean isReady) {
        var ready = Tree.of("type", "Ready").put("status", isReady ? "True" : "False").mapping();
        return Tree.of("status", Tree.of("phase", "Running").putList("conditions", List.of(ready)));
    }

    default Tree node(String name) {
        return Tree.of("metadata", Tree.of("name", own(name).name()));
    }

    default Tree deployment(String name) {
        var labels = Tree.of("app", name);
        var template = Tree.of("metadata", Tree.of("labels", labels)).put("spec", podSpec());
        return Tree.of("metadata", Tree.of("name", name).put("labels", Tree.of("app", name)))
                .put(
                        "spec",
                        Tree.of("selector", Tree.of("matchLabels", labels))
                                .put("template", template));
    }

    default Tree nodePool(String name) {
        var reference =
                Tree.of("group", NODE_CLASS.group())
                        .put("kind", NODE_CLASS.kind())
                        .put("name", "default");
        var requirement =
                Tree.of("key", "kubernetes.io/os")
                        .put("operator", "In")
                        .putTextList("values", List.of("linux"))
                        .mapping();
        var spec = Tree.of("nodeClassRef", reference).putList("requirements", List.of(requirement));
        return Tree.of("metadata", Tree.of("name", own(name).name()))
                .put("spec", Tree.of("template", Tree.of("spec", spec)));
    }

    default Tree finalized(Tree body, String... finalizers) {
        var whole = body.mapping();
        var metadata = Tree.of();
        Trees.mapping(whole, "metadata").fields().forEach(metadata::put);
        return body.put("metadata", metadata.putTextList("finalizers", List.of(finalizers)));
    }

    static Tree meta(Tree metadata) {
        return Tree.of("metadata", metadata);
    }

    static long version(Value.Mapping object) {
        return Long.parseLong(Metadata.of(object).resourceVersion());
    }

    static String uid(Value.Mapping object) {
        return Metadata.of(object).uid();
    }

    static @Nullable Long generation(Value.Mapping object) {
        return Trees.number(object, "metadata", "generation");
    }

    /// The element of a list that has this field.
    static Value.@Nullable Mapping element(List<Value> list, String field, String value) {
        for (var each : list) {
            if (each instanceof Value.Mapping mapping && value.equals(mapping.text(field))) {
                return mapping;
            }
        }
        return null;
    }
}
