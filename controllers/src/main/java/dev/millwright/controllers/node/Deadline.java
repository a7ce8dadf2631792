package dev.millwright.controllers.node;

import dev.millwright.controllers.nodeclaim.ClaimChange;
import dev.millwright.core.label.AnnotationKeys;
import dev.millwright.kube.object.ClaimObject;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.TreeMap;

/// By when a node must be empty, as its claim says.
public final class Deadline {

    private Deadline() {}

    /// Whether there is something that was meant as a deadline and cannot be read.
    public static boolean isUnreadable(@Nullable ClaimObject claim) {
        return claim != null
                && claim.meta().annotation(AnnotationKeys.TERMINATION_TIMESTAMP) != null
                && of(claim) == null;
    }

    /// The claim with this deadline, unless it has an earlier one.
    public static ClaimChange tightened(ClaimObject claim, Instant deadline) {
        var known = of(claim);
        if (known != null && !known.isAfter(deadline)) {
            return ClaimChange.of(claim);
        }
        var annotations = new TreeMap<>(claim.meta().annotations());
        annotations.put(
                AnnotationKeys.TERMINATION_TIMESTAMP,
                deadline.truncatedTo(ChronoUnit.SECONDS).toString());
        return ClaimChange.of(claim).annotations(annotations);
    }

    /// Null without the annotation, and where it is no time: then nobody is hurried.
    public static @Nullable Instant of(@Nullable ClaimObject claim) {
        var text =
                claim == null
                        ? null
                        : claim.meta().annotation(AnnotationKeys.TERMINATION_TIMESTAMP);
        if (text == null) {
            return null;
        }
        try {
            return OffsetDateTime.parse(text).toInstant();
        } catch (DateTimeParseException notATime) {
            return null;
        }
    }
}
