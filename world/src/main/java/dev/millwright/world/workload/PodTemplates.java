package dev.millwright.world.workload;

import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.JsonWriter;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;
import dev.millwright.world.cluster.Reading;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Pods out of their owner's template.
final class PodTemplates {

    /// Letters of a hash: none that could spell a word.
    private static final String ALPHABET = "bcdfghjklmnpqrstvwxz2456789";

    private static final int HASH_LETTERS = 9;

    private PodTemplates() {}

    /// The reference by which the owner is a pod's controller.
    static Value owner(ResourceType type, Value.Mapping owner) {
        return Tree.of("apiVersion", type.apiVersion())
                .put("kind", type.kind())
                .put("name", Reading.text(owner, "metadata", "name"))
                .put("uid", Reading.text(owner, "metadata", "uid"))
                .put("controller", true)
                .put("blockOwnerDeletion", true)
                .mapping();
    }

    /// The metadata of a pod of this owner, without a name; `more` are labels besides the
    /// template's.
    static Tree metadata(
            ResourceType type,
            Value.Mapping owner,
            Value.Mapping template,
            Map<String, String> more) {
        var labels = new TreeMap<>(Reading.texts(template, "metadata", "labels"));
        labels.putAll(more);
        var metadata =
                Tree.of()
                        .putTexts("labels", labels)
                        .putList("ownerReferences", List.of(owner(type, owner)));
        var annotations = Reading.mapping(template, "metadata", "annotations");
        return annotations.fields().isEmpty() ? metadata : metadata.put("annotations", annotations);
    }

    static Tree pod(Tree metadata, Value.Mapping spec) {
        return Tree.of("apiVersion", "v1")
                .put("kind", "Pod")
                .put("metadata", metadata)
                .put("spec", spec);
    }

    /// Names the content of a template: equal templates have equal hashes.
    static String hash(Value template) {
        var text = JsonWriter.text(template);
        var hash = 0xcbf29ce484222325L;
        for (var i = 0; i < text.length(); i++) {
            hash = (hash ^ text.charAt(i)) * 0x100000001b3L;
        }
        var letters = new StringBuilder(HASH_LETTERS);
        for (var i = 0; i < HASH_LETTERS; i++) {
            letters.append(ALPHABET.charAt((int) Long.remainderUnsigned(hash, ALPHABET.length())));
            hash = Long.divideUnsigned(hash, ALPHABET.length());
        }
        return letters.toString();
    }
}
