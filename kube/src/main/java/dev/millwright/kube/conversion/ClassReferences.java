package dev.millwright.kube.conversion;

import dev.millwright.kube.document.JsonWriter;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;

import org.jspecify.annotations.Nullable;

/// References to node classes: by `apiVersion` in v1beta1, by `group` in v1, with an annotation
/// that keeps the first while the second is stored.
final class ClassReferences {

    private static final String KIND_DEFAULT = "EC2NodeClass";

    private ClassReferences() {}

    static Value.Mapping toCurrent(Value.Mapping reference) {
        var version = orEmpty(reference.text("apiVersion"));
        var slash = version.indexOf('/');
        var group = slash < 0 ? version : version.substring(0, slash);
        var kind = orEmpty(reference.text("kind"));
        return Tree.of("group", group.isEmpty() ? OldKeys.AWS_GROUP : group)
                .put("kind", kind.isEmpty() ? KIND_DEFAULT : kind)
                .put("name", orEmpty(reference.text("name")))
                .mapping();
    }

    static Value.Mapping stored(Value.Mapping object, Value.Mapping reference) {
        var kept = Tree.of();
        kept.putUnlessEmpty("kind", reference.text("kind"));
        kept.put("name", orEmpty(reference.text("name")));
        kept.putUnlessEmpty("apiVersion", reference.text("apiVersion"));
        return Nested.withAnnotation(
                object, OldKeys.CLASS_REFERENCE, JsonWriter.text(kept.mapping()));
    }

    /// The annotation's, as long as it speaks of the same class: somebody may have written another
    /// one to v1 since.
    static Value.Mapping toBeta(Value.Mapping reference, @Nullable String annotation) {
        var kept = Kubelets.json(annotation);
        if (kept != null
                && orEmpty(kept.text("name")).equals(reference.text("name"))
                && toCurrent(kept).equals(plain(reference))) {
            return kept;
        }
        return Tree.of("kind", orEmpty(reference.text("kind")))
                .put("name", orEmpty(reference.text("name")))
                .mapping();
    }

    /// With the members in one order and no positions, so that equal ones are equal.
    private static Value.Mapping plain(Value.Mapping reference) {
        return Tree.of("group", orEmpty(reference.text("group")))
                .put("kind", orEmpty(reference.text("kind")))
                .put("name", orEmpty(reference.text("name")))
                .mapping();
    }

    static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }
}
