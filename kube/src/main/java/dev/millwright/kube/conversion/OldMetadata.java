package dev.millwright.kube.conversion;

import dev.millwright.kube.document.Field;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;

import java.util.Map;
import java.util.SequencedMap;
import java.util.TreeMap;

/// What of an object's metadata its successor keeps: name, labels, annotations and finalizers. The
/// rest is the API server's.
final class OldMetadata {

    private static final String LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";
    private static final int TEXT_LENGTH_MAX = 1 << 18;

    private OldMetadata() {}

    static Value.Mapping of(Field object, Notebook notes) {
        var metadata = object.at("metadata");
        var tree = Tree.of("name", metadata.at("name").requiredText("the object's name"));
        var labels = renamed(metadata.at("labels"), notes);
        if (!labels.isEmpty()) {
            tree.putTexts("labels", labels);
        }
        var annotations = renamed(metadata.at("annotations"), notes);
        annotations.remove(LAST_APPLIED);
        if (!annotations.isEmpty()) {
            tree.putTexts("annotations", annotations);
        }
        var finalizers = metadata.at("finalizers").textList();
        if (!finalizers.isEmpty()) {
            tree.putTextList("finalizers", finalizers);
        }
        return tree.mapping();
    }

    /// Labels or annotations under the names of now, with a note for each that had another.
    static SequencedMap<String, String> renamed(Field map, Notebook notes) {
        var texts = map.texts(TEXT_LENGTH_MAX);
        var entries = map.entries();
        texts.sequencedKeySet()
                .forEach(
                        key -> {
                            var entry = entries.get(key);
                            if (entry == null) {
                                return;
                            }
                            if (OldKeys.isRenamed(key)) {
                                notes.changed(entry, OldKeys.renamed(key), "");
                            } else if (key.equals(OldKeys.INSTANCE_PODS)) {
                                notes.dropped(entry, "nodes no longer have this label");
                            }
                        });
        return new TreeMap<>(OldKeys.renamed((Map<String, String>) texts));
    }

    /// An object that is v1 already, or that the API server gave out, as one writes it.
    static Value.Mapping cleaned(Value.Mapping object) {
        var cleaned = object;
        for (var field :
                new String[] {
                    "uid",
                    "resourceVersion",
                    "creationTimestamp",
                    "deletionTimestamp",
                    "deletionGracePeriodSeconds",
                    "generation",
                    "managedFields",
                    "selfLink",
                    "ownerReferences"
                }) {
            cleaned = Nested.without(cleaned, "metadata", field);
        }
        return Nested.withoutAnnotation(cleaned, LAST_APPLIED);
    }
}
