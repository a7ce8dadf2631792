package dev.millwright.addons.object;

import dev.millwright.kube.object.Condition;
import dev.millwright.kube.object.Condition.Status;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Several conditions in one, as Cluster API sums them up: an issue outweighs what is unknown, and
/// that outweighs what is well.
public record Summary(Status status, String reason, String message) {

    /// Sources that are named before the rest is counted.
    private static final int SOURCES_SHOWN_MAX = 3;

    /// A condition and where it comes from; null when nobody has set it yet.
    public record Part(String source, @Nullable Condition condition) {}

    /// The conditions of one object, each told by its type.
    public static Summary ofTypes(List<Part> parts) {
        var status = joint(parts);
        var lines = new ArrayList<String>();
        for (var part : parts) {
            var message = message(part);
            if (status(part) == status && !(status == Status.TRUE && message.isEmpty())) {
                lines.add("* %s: %s".formatted(part.source(), message.isEmpty() ? "-" : message));
            }
        }
        return new Summary(status, reason(status), String.join("\n", lines));
    }

    /// The same condition of many objects: each message once, with the objects that have it.
    ///
    /// @param kind what the objects are called
    public static Summary ofObjects(String kind, List<Part> parts) {
        if (parts.isEmpty()) {
            return new Summary(Status.TRUE, AddonConditions.RELEASE_IS_READY, "");
        }
        var status = joint(parts);
        Map<String, List<String>> sources = new LinkedHashMap<>();
        for (var part : parts) {
            if (status(part) == status && !(status == Status.TRUE && message(part).isEmpty())) {
                sources.computeIfAbsent(message(part), _ -> new ArrayList<>()).add(part.source());
            }
        }
        var lines = new ArrayList<String>();
        sources.forEach(
                (message, from) ->
                        lines.add(
                                "%s from %s %s"
                                        .formatted(
                                                message.isEmpty() ? "no message" : message,
                                                kind,
                                                named(from))));
        return new Summary(status, reason(status), String.join("; ", lines));
    }

    private static String named(List<String> sources) {
        var shown = sources.subList(0, Math.min(SOURCES_SHOWN_MAX, sources.size()));
        var left = sources.size() - shown.size();
        return String.join(", ", shown) + (left == 0 ? "" : ", ... (%d more)".formatted(left));
    }

    private static Status joint(List<Part> parts) {
        var joint = Status.TRUE;
        for (var part : parts) {
            var status = status(part);
            if (status == Status.FALSE) {
                return Status.FALSE;
            }
            joint = status == Status.UNKNOWN ? Status.UNKNOWN : joint;
        }
        return joint;
    }

    private static Status status(Part part) {
        var condition = part.condition();
        return condition == null ? Status.UNKNOWN : condition.status();
    }

    private static String message(Part part) {
        var condition = part.condition();
        return condition == null ? "condition is not reported yet" : condition.message();
    }

    private static String reason(Status status) {
        return switch (status) {
            case TRUE -> AddonConditions.INFO;
            case FALSE -> AddonConditions.ISSUES;
            case UNKNOWN -> AddonConditions.UNKNOWN;
        };
    }
}
