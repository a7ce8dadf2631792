package dev.millwright.kube.translation;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.cluster.PodState.Owner;
import dev.millwright.kube.document.Field;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SequencedMap;

/// An object's metadata, with what the API server would have added to a hand-written one.
public record ObjectMeta(
        ObjectName name,
        String uid,
        Instant createdAt,
        SequencedMap<String, String> labels,
        SequencedMap<String, String> annotations,
        boolean isTerminating,
        List<Owner> owners) {

    public static final String NAMESPACE_DEFAULT = "default";

    /// The birthday of objects that state none. It is fixed, because age decides ties.
    public static final Instant CREATED_DEFAULT = Instant.parse("2026-01-01T00:00:00Z");

    public static final int LABEL_LENGTH_MAX = 63;

    /// The API server's bound on all annotations of an object together.
    private static final int ANNOTATION_LENGTH_MAX = 256 << 10;

    private static final int NAME_LENGTH_MAX = 253;

    /// A copy of the whole object that nothing decides on.
    private static final String LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

    public static ObjectMeta of(Field object, boolean isNamespaced) {
        var metadata = object.at("metadata");
        var name = name(metadata.at("name"));
        var namespace = isNamespaced ? namespace(metadata) : "";
        var createdAt = metadata.at("creationTimestamp").instant();
        return new ObjectMeta(
                new ObjectName(namespace, name),
                metadata.at("uid").text(derivedUid(namespace, name)),
                createdAt == null ? CREATED_DEFAULT : createdAt,
                labels(metadata),
                annotations(metadata),
                metadata.at("deletionTimestamp").isPresent(),
                owners(metadata.at("ownerReferences"), namespace));
    }

    private static String name(Field field) {
        var name = field.requiredText("the object's name");
        if (name.length() > NAME_LENGTH_MAX) {
            field.fault(
                    "has %d characters; wanted at most %d"
                            .formatted(name.length(), NAME_LENGTH_MAX));
            return "";
        }
        return name;
    }

    private static String namespace(Field metadata) {
        var namespace = metadata.at("namespace").text(NAMESPACE_DEFAULT);
        return namespace.isEmpty() ? NAMESPACE_DEFAULT : namespace;
    }

    public static SequencedMap<String, String> labels(Field metadata) {
        return metadata.at("labels").texts(LABEL_LENGTH_MAX);
    }

    public static SequencedMap<String, String> annotations(Field metadata) {
        var annotations = metadata.at("annotations").texts(ANNOTATION_LENGTH_MAX);
        annotations.remove(LAST_APPLIED);
        return annotations;
    }

    private static List<Owner> owners(Field references, String namespace) {
        var owners = new ArrayList<Owner>();
        for (var reference : references.elements()) {
            var name = reference.at("name").text("");
            owners.add(
                    new Owner(
                            reference.at("apiVersion").text(""),
                            reference.at("kind").text(""),
                            name,
                            reference.at("uid").text(derivedUid(namespace, name)),
                            reference.at("controller").isTrue()));
        }
        return owners;
    }

    public static String derivedUid(String namespace, String name) {
        return "uid-" + namespace + "-" + name;
    }
}
