package dev.millwright.kube.object;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.cluster.PodState.Owner;
import dev.millwright.kube.document.Field;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.translation.ObjectMeta;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.SequencedMap;
import java.util.TreeMap;

/// An object's metadata.
public record Meta(
        ObjectName name,
        String uid,
        String resourceVersion,
        long generation,
        Instant createdAt,
        @Nullable Instant deletedAt,
        SequencedMap<String, String> labels,
        SequencedMap<String, String> annotations,
        List<String> finalizers,
        List<OwnerReference> owners) {

    public Meta {
        labels = Collections.unmodifiableSequencedMap(labels);
        annotations = Collections.unmodifiableSequencedMap(annotations);
        finalizers = List.copyOf(finalizers);
        owners = List.copyOf(owners);
    }

    /// Of an object as the API server holds it.
    public static Meta of(Field object) {
        var metadata = object.at("metadata");
        var createdAt = metadata.at("creationTimestamp").instant();
        var generation = metadata.at("generation").whole(0, Long.MAX_VALUE);
        return new Meta(
                new ObjectName(metadata.at("namespace").text(""), metadata.at("name").text("")),
                metadata.at("uid").text(""),
                metadata.at("resourceVersion").text(""),
                generation == null ? 0 : generation,
                createdAt == null ? Instant.EPOCH : createdAt,
                metadata.at("deletionTimestamp").instant(),
                new TreeMap<>(ObjectMeta.labels(metadata)),
                new TreeMap<>(ObjectMeta.annotations(metadata)),
                metadata.at("finalizers").textList(),
                metadata.at("ownerReferences").elements().stream()
                        .map(OwnerReference::of)
                        .toList());
    }

    public boolean isDeleting() {
        return deletedAt != null;
    }

    public boolean hasFinalizer(String finalizer) {
        return finalizers.contains(finalizer);
    }

    public String label(String key) {
        return labels.getOrDefault(key, "");
    }

    public @Nullable String annotation(String key) {
        return annotations.get(key);
    }

    /// What the translation to core wants to know.
    ObjectMeta translated() {
        return new ObjectMeta(
                name,
                uid,
                createdAt,
                labels,
                annotations,
                isDeleting(),
                owners.stream()
                        .map(
                                owner ->
                                        new Owner(
                                                owner.apiVersion(),
                                                owner.kind(),
                                                owner.name(),
                                                owner.uid(),
                                                owner.isController()))
                        .toList());
    }

    /// The beginning of a merge patch's metadata that fails when somebody else wrote meanwhile.
    public Tree locked() {
        return Tree.of("resourceVersion", resourceVersion);
    }
}
