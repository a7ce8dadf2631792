package dev.millwright.world.invariant.seen;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.label.Effect;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.quantity.GoDuration;
import dev.millwright.kube.document.Value;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.SequencedMap;

/// A pod, as far as a judge looks at it.
///
/// @param nodeName where it is bound; empty while it waits
/// @param deletedAt the end of its grace, once it is being deleted
/// @param graceSeconds what it is given to end by itself
public record SeenPod(
        ObjectName name,
        String uid,
        Instant createdAt,
        SequencedMap<String, String> labels,
        SequencedMap<String, String> annotations,
        String nodeName,
        Phase phase,
        boolean isReady,
        @Nullable Instant deletedAt,
        @Nullable Instant startedAt,
        long graceSeconds,
        Owner owner,
        boolean toleratesDisruption) {

    /// A pod is given half a minute where nobody says otherwise, as the API server writes it.
    private static final long GRACE_SECONDS_DEFAULT = 30;

    /// A pod so long past its grace is one that its kubelet fails to stop; no drain waits for it.
    private static final Duration STUCK_AFTER = Duration.ofMinutes(1);

    public enum Phase {
        PENDING,
        RUNNING,
        SUCCEEDED,
        FAILED;

        private static Phase of(String text) {
            return switch (text) {
                case "Running" -> RUNNING;
                case "Succeeded" -> SUCCEEDED;
                case "Failed" -> FAILED;
                default -> PENDING;
            };
        }
    }

    static SeenPod of(Value.Mapping object) {
        var metadata = Paths.at(object, "metadata");
        var spec = Paths.at(object, "spec");
        var status = Paths.at(object, "status");
        var namespace = Paths.text(metadata, "namespace");
        var createdAt = Paths.instant(metadata, "creationTimestamp");
        var grace = Paths.number(spec, "terminationGracePeriodSeconds");
        return new SeenPod(
                new ObjectName(namespace, Paths.text(metadata, "name")),
                Paths.text(metadata, "uid"),
                createdAt == null ? Instant.EPOCH : createdAt,
                Paths.texts(Paths.at(metadata, "labels")),
                Paths.texts(Paths.at(metadata, "annotations")),
                Paths.text(spec, "nodeName"),
                Phase.of(Paths.text(status, "phase")),
                isTrue(Paths.list(status, "conditions"), "Ready"),
                Paths.instant(metadata, "deletionTimestamp"),
                Paths.instant(status, "startTime"),
                grace == null ? GRACE_SECONDS_DEFAULT : grace,
                Owner.of(namespace, object),
                tolerates(Paths.list(spec, "tolerations")));
    }

    private static boolean isTrue(List<Value> conditions, String type) {
        for (var condition : conditions) {
            if (Paths.text(condition, "type").equals(type)) {
                return Paths.text(condition, "status").equals("True");
            }
        }
        return false;
    }

    /// Whether it asks to go down with its node, which a drain then does not wait for.
    private static boolean tolerates(List<Value> tolerations) {
        for (var toleration : tolerations) {
            var key = Paths.text(toleration, "key");
            var effect = Paths.text(toleration, "effect");
            var isAnyValue =
                    Paths.text(toleration, "operator").equals("Exists")
                            || (!key.isEmpty() && Paths.text(toleration, "value").isEmpty());
            if ((key.isEmpty() || key.equals(LabelKeys.DISRUPTED_TAINT))
                    && (effect.isEmpty() || effect.equals(Effect.NO_SCHEDULE.text()))
                    && isAnyValue) {
                return true;
            }
        }
        return false;
    }

    public boolean isBound() {
        return !nodeName.isEmpty();
    }

    public boolean isTerminal() {
        return phase == Phase.SUCCEEDED || phase == Phase.FAILED;
    }

    public boolean isDeleting() {
        return deletedAt != null;
    }

    /// Still running or about to: neither ended nor on its way out.
    public boolean isActive() {
        return !isTerminal() && !isDeleting();
    }

    /// What a budget counts on.
    public boolean isHealthy() {
        return isReady && isActive();
    }

    public boolean isDaemon() {
        return owner.kind().equals("DaemonSet");
    }

    /// The text of its annotation against disruption; empty without one.
    public String guard() {
        return annotations.getOrDefault(LabelKeys.DO_NOT_DISRUPT, "");
    }

    /// Whether its annotation forbids to disrupt it now. A duration runs from its start.
    public boolean isGuarded(Instant now) {
        var guard = guard();
        if (guard.isEmpty() || !isActive()) {
            return false;
        }
        if (guard.equals("true")) {
            return true;
        }
        var length = GoDuration.parse(guard);
        return length != null
                && length.isPositive()
                && (startedAt == null || startedAt.plus(length).isAfter(now));
    }

    /// Whether a drain must wait for it.
    public boolean holdsDrain(Instant now) {
        var isStuck = deletedAt != null && now.isAfter(deletedAt.plus(STUCK_AFTER));
        return !isTerminal() && !isStuck && !toleratesDisruption && !owner.kind().equals("Node");
    }
}
