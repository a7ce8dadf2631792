package dev.millwright.cli.migrate.plan;

import dev.millwright.cli.migrate.LiveObjects;
import dev.millwright.cli.migrate.Trees;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Value;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/// What a cluster holds, as far as a plan depends on it; from the cluster itself or from what
/// kubectl printed.
public record ClusterFacts(List<Value.Mapping> objects) {

    private static final List<ResourceType> TYPES =
            List.of(
                    ResourceType.DEPLOYMENT,
                    ResourceType.NODE,
                    ResourceType.POD,
                    ResourceType.NODE_POOL,
                    ResourceType.NODE_CLAIM,
                    cluster(
                            "apiextensions.k8s.io",
                            "v1",
                            "customresourcedefinitions",
                            "CustomResourceDefinition"),
                    cluster(
                            "admissionregistration.k8s.io",
                            "v1",
                            "validatingwebhookconfigurations",
                            "ValidatingWebhookConfiguration"),
                    cluster(
                            "admissionregistration.k8s.io",
                            "v1",
                            "mutatingwebhookconfigurations",
                            "MutatingWebhookConfiguration"),
                    cluster("karpenter.sh", "v1alpha5", "provisioners", "Provisioner"));

    public ClusterFacts {
        objects = List.copyOf(objects);
    }

    private static ResourceType cluster(String group, String version, String plural, String kind) {
        return new ResourceType(group, version, plural, kind, false);
    }

    /// @throws IOException when the cluster says no
    public static ClusterFacts of(LiveObjects live) throws IOException {
        var objects = new ArrayList<Value.Mapping>();
        for (var type : TYPES) {
            objects.addAll(live.list(type));
        }
        return new ClusterFacts(objects);
    }

    /// Of documents, lists among them.
    public static ClusterFacts of(List<Value> documents) {
        return new ClusterFacts(documents.stream().flatMap(ClusterFacts::flat).toList());
    }

    private static Stream<Value.Mapping> flat(Value document) {
        return switch (document) {
            case Value.Mapping object
                    when Trees.find(object, "items") instanceof Value.Sequence(_, var items) ->
                    items.stream().flatMap(ClusterFacts::flat);
            case Value.Mapping object -> Stream.of(object);
            case Value.Sequence(_, var elements) -> elements.stream().flatMap(ClusterFacts::flat);
            case Value.Text _, Value.Numeral _, Value.Flag _, Value.Nothing _ -> Stream.empty();
        };
    }

    Stream<Value.Mapping> ofKind(String kind) {
        return objects.stream().filter(object -> kind.equals(object.text("kind")));
    }

    /// The first Deployment with a container whose image holds one of these words.
    Value.@Nullable Mapping deployment(String... images) {
        return ofKind("Deployment")
                .filter(each -> Stream.of(images).anyMatch(image(each)::contains))
                .findFirst()
                .orElse(null);
    }

    /// The images of its containers, one after another.
    static String image(Value.Mapping deployment) {
        var images = new TreeSet<String>();
        for (var container : containers(deployment)) {
            images.add(Trees.text(container, "image"));
        }
        return String.join(" ", images);
    }

    /// Command and arguments of all containers.
    static List<String> arguments(Value.Mapping deployment) {
        var words = new ArrayList<String>();
        for (var container : containers(deployment)) {
            for (var list : List.of("command", "args")) {
                for (var word : Trees.list(container, list)) {
                    if (word instanceof Value.Text(_, var text)) {
                        words.add(text);
                    }
                }
            }
        }
        return words;
    }

    private static List<Value.Mapping> containers(Value.Mapping deployment) {
        var containers = new ArrayList<Value.Mapping>();
        for (var each : Trees.list(deployment, "spec", "template", "spec", "containers")) {
            if (each instanceof Value.Mapping container) {
                containers.add(container);
            }
        }
        return containers;
    }

    /// Versions in which objects of a definition are stored; none when it is not there.
    Set<String> storedVersions(String definition) {
        var versions = new TreeSet<String>();
        ofKind("CustomResourceDefinition")
                .filter(each -> Trees.name(each).equals(definition))
                .forEach(
                        each -> {
                            for (var version : Trees.list(each, "status", "storedVersions")) {
                                if (version instanceof Value.Text(_, var text)) {
                                    versions.add(text);
                                }
                            }
                        });
        return versions;
    }

    /// Nodes with this label.
    List<Value.Mapping> nodes(String label) {
        return ofKind("Node")
                .filter(node -> !Trees.text(node, "metadata", "labels", label).isEmpty())
                .toList();
    }

    static String namespace(Value.@Nullable Mapping object, String fallback) {
        var namespace = object == null ? "" : Trees.text(object, "metadata", "namespace");
        return namespace.isEmpty() ? fallback : namespace;
    }
}
