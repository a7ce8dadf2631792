package dev.millwright.world.cluster;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.client.Metadata;
import dev.millwright.kube.document.Value;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.Map;

/// What controllers and kubelets look at in a pod. `deletedAt` is the moment its grace ends,
/// `readySince` is null while it is not ready.
public record PodFacts(
        ObjectName name,
        String uid,
        Instant createdAt,
        @Nullable Instant deletedAt,
        Map<String, String> labels,
        @Nullable Controller controller,
        String nodeName,
        String phase,
        @Nullable Instant readySince,
        Value.Mapping object) {

    /// The owner that made the pod and minds it.
    public record Controller(String kind, String name, String uid) {}

    public static PodFacts of(Value.Mapping object, @Nullable PodFacts before) {
        var metadata = Reading.mapping(object, "metadata");
        var createdAt = Reading.instant(metadata, "creationTimestamp");
        var ready = Reading.condition(object, "Ready");
        return new PodFacts(
                Metadata.of(object).name(),
                Reading.text(metadata, "uid"),
                createdAt == null ? Instant.EPOCH : createdAt,
                Reading.instant(metadata, "deletionTimestamp"),
                labels(object, before),
                controller(metadata),
                Reading.text(object, "spec", "nodeName"),
                Reading.text(object, "status", "phase"),
                ready != null && "True".equals(ready.text("status"))
                        ? Reading.instant(ready, "lastTransitionTime")
                        : null,
                object);
    }

    private static Map<String, String> labels(Value.Mapping object, @Nullable PodFacts before) {
        return before != null && Reading.isUntouched(before.object, object, "metadata", "labels")
                ? before.labels
                : Reading.texts(object, "metadata", "labels");
    }

    /// The owner reference that is marked as the controller's, of any object.
    public static @Nullable Controller controller(Value.Mapping metadata) {
        for (var owner : Reading.list(metadata, "ownerReferences")) {
            if (Reading.isTrue(owner, "controller")) {
                return new Controller(
                        Reading.text(owner, "kind"),
                        Reading.text(owner, "name"),
                        Reading.text(owner, "uid"));
            }
        }
        return null;
    }

    public boolean isBound() {
        return !nodeName.isEmpty();
    }

    public boolean isDeleting() {
        return deletedAt != null;
    }

    public boolean isTerminal() {
        return phase.equals("Succeeded") || phase.equals("Failed");
    }

    /// Neither ended nor on its way out.
    public boolean isActive() {
        return !isTerminal() && !isDeleting();
    }

    public boolean isReady() {
        return readySince != null;
    }

    public boolean isControlledBy(String ownerUid) {
        return controller != null && controller.uid().equals(ownerUid);
    }

    public Value.Mapping spec() {
        return Reading.mapping(object, "spec");
    }

    public @Nullable String annotation(String key) {
        return Reading.at(object, "metadata", "annotations", key) instanceof Value.Text(_, var text)
                ? text
                : null;
    }
}
