package dev.millwright.kube.crd;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.SequencedMap;
import java.util.TreeMap;

/// Definitions of custom resources as YAML, one document each, by name, e.g.
/// `nodepools.karpenter.sh`.
///
/// The files beside this class are the truth; what a provider adds to them is added to the text, so
/// that what is printed, installed and tested is the same.
public record CustomResources(SequencedMap<String, String> definitions) {

    public static final String NODE_POOLS = "nodepools.karpenter.sh";
    public static final String NODE_CLAIMS = "nodeclaims.karpenter.sh";
    public static final String NODE_OVERLAYS = "nodeoverlays.karpenter.sh";
    public static final String CAPACITY_BUFFERS = "capacitybuffers.autoscaling.x-k8s.io";
    public static final String KWOK_NODE_CLASSES = "kwoknodeclasses.karpenter.kwok.sh";

    /// Kwok's own domain, but for the labels its nodes have.
    private static final ReservedDomain KWOK =
            new ReservedDomain(
                    "karpenter.kwok.sh",
                    List.of(
                            "karpenter.kwok.sh/kwoknodeclass",
                            "karpenter.kwok.sh/instance-cpu",
                            "karpenter.kwok.sh/instance-memory",
                            "karpenter.kwok.sh/instance-family",
                            "karpenter.kwok.sh/instance-size"),
                    ReservedDomain.Reach.REQUIREMENTS);

    public CustomResources {
        definitions = Collections.unmodifiableSequencedMap(new TreeMap<>(definitions));
    }

    /// What every provider needs.
    public static CustomResources core() {
        var definitions = new TreeMap<String, String>();
        for (var name : List.of(NODE_POOLS, NODE_CLAIMS, NODE_OVERLAYS, CAPACITY_BUFFERS)) {
            definitions.put(name, resource(name));
        }
        return new CustomResources(definitions);
    }

    /// What a cluster with kwok's nodes needs.
    public static CustomResources kwok() {
        return core().with(KWOK_NODE_CLASSES, resource(KWOK_NODE_CLASSES)).reserving(KWOK);
    }

    public List<String> names() {
        return List.copyOf(definitions.sequencedKeySet());
    }

    /// @throws IllegalArgumentException when there is no definition of that name
    public String definition(String name) {
        var definition = definitions.get(name);
        if (definition == null) {
            throw new IllegalArgumentException(
                    "custom resource \"%s\" is unknown; wanted one of %s".formatted(name, names()));
        }
        return definition;
    }

    /// All definitions as one text of several documents, as `kubectl apply` takes it.
    public String text() {
        return String.join("---\n", definitions.sequencedValues());
    }

    /// These and one more, such as a provider's node class.
    public CustomResources with(String name, String definition) {
        var more = new TreeMap<>(definitions);
        more.put(name, definition);
        return new CustomResources(more);
    }

    /// These with a rule against a provider's own keys wherever the files leave room for one.
    public CustomResources reserving(ReservedDomain domain) {
        var ruled = new TreeMap<String, String>();
        definitions.forEach((name, definition) -> ruled.put(name, domain.addTo(definition)));
        return new CustomResources(ruled);
    }

    private static String resource(String name) {
        var file = name + ".yaml";
        try (var stream = CustomResources.class.getResourceAsStream(file)) {
            if (stream == null) {
                throw new IllegalStateException(
                        "%s is not beside the classes; build the module with its resources"
                                .formatted(file));
            }
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException failure) {
            throw new UncheckedIOException("%s could not be read".formatted(file), failure);
        }
    }
}
