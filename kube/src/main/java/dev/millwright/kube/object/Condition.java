package dev.millwright.kube.object;

import dev.millwright.kube.document.Field;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/// One condition of an object's status.
public record Condition(
        String type,
        Status status,
        String reason,
        String message,
        Instant changedAt,
        long observedGeneration) {

    public enum Status {
        TRUE("True"),
        FALSE("False"),
        UNKNOWN("Unknown");

        private final String text;

        Status(String text) {
            this.text = text;
        }

        public String text() {
            return text;
        }

        static Status of(String text) {
            return switch (text) {
                case "True" -> TRUE;
                case "False" -> FALSE;
                default -> UNKNOWN;
            };
        }
    }

    public Condition {
        // The API keeps whole seconds: a value that was written and read again is the same value.
        changedAt = changedAt.truncatedTo(ChronoUnit.SECONDS);
    }

    static Condition of(Field field) {
        var changedAt = field.at("lastTransitionTime").instant();
        var generation = field.at("observedGeneration").whole(0, Long.MAX_VALUE);
        return new Condition(
                field.at("type").text(""),
                Status.of(field.at("status").text("")),
                field.at("reason").text(""),
                field.at("message").text(""),
                changedAt == null ? Instant.EPOCH : changedAt,
                generation == null ? 0 : generation);
    }

    public boolean isTrue() {
        return status == Status.TRUE;
    }

    Condition observedAt(long generation) {
        return new Condition(type, status, reason, message, changedAt, generation);
    }

    public Value.Mapping value() {
        var tree =
                Tree.of("type", type)
                        .put("status", status.text())
                        .put("reason", reason)
                        .put("message", message)
                        .put("lastTransitionTime", changedAt.toString());
        if (observedGeneration != 0) {
            tree.put("observedGeneration", observedGeneration);
        }
        return tree.mapping();
    }
}
