package dev.millwright.kube.event;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.object.KubeObject;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;

/// An event about an object. Within `dedupe` it is told once for each combination of reason and
/// `dedupeValues`; a rate, where there is one, bounds all events of the reason together.
public record KubeEvent(
        Type type,
        String reason,
        Subject subject,
        String message,
        List<String> dedupeValues,
        Duration dedupe,
        @Nullable Rate rate) {

    public static final Duration DEDUPE_DEFAULT = Duration.ofMinutes(2);

    public enum Type {
        NORMAL("Normal"),
        WARNING("Warning");

        private final String text;

        Type(String text) {
            this.text = text;
        }

        public String text() {
            return text;
        }
    }

    /// What the event is about.
    public record Subject(String apiVersion, String kind, ObjectName name, String uid) {

        public static Subject of(ResourceType type, KubeObject object) {
            return new Subject(type.apiVersion(), type.kind(), object.name(), object.meta().uid());
        }
    }

    public record Rate(double perSecond, int burst) {}

    public KubeEvent {
        dedupeValues = List.copyOf(dedupeValues);
    }

    public static KubeEvent normal(Subject subject, String reason, String message) {
        return of(Type.NORMAL, subject, reason, message);
    }

    public static KubeEvent warning(Subject subject, String reason, String message) {
        return of(Type.WARNING, subject, reason, message);
    }

    private static KubeEvent of(Type type, Subject subject, String reason, String message) {
        return new KubeEvent(
                type, reason, subject, message, List.of(subject.uid()), DEDUPE_DEFAULT, null);
    }

    public KubeEvent dedupedBy(List<String> values, Duration window) {
        return new KubeEvent(type, reason, subject, message, values, window, rate);
    }

    public KubeEvent limitedTo(Rate limit) {
        return new KubeEvent(type, reason, subject, message, dedupeValues, dedupe, limit);
    }
}
