package dev.millwright.core.cluster;

import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.quantity.GoDuration;

import java.time.Duration;
import java.time.Instant;

/// What a pod's annotation `karpenter.sh/do-not-disrupt` means at a moment.
///
/// A duration runs from the pod's start; a pod that has not started is guarded whatever the
/// duration, because nobody can say yet when it ends.
public sealed interface DoNotDisrupt {

    record Absent() implements DoNotDisrupt {}

    record Forever() implements DoNotDisrupt {}

    record BeforeStart(Duration length) implements DoNotDisrupt {}

    record Until(Instant end) implements DoNotDisrupt {}

    record Elapsed(Instant end) implements DoNotDisrupt {}

    /// Neither `true` nor a duration above zero: it guards nothing.
    record Invalid(String text) implements DoNotDisrupt {}

    static DoNotDisrupt of(Pod pod, Instant now) {
        var text = pod.annotations().get(LabelKeys.DO_NOT_DISRUPT);
        if (text == null) {
            return new Absent();
        }
        if (text.equals("true")) {
            return new Forever();
        }
        var length = GoDuration.parse(text);
        if (length == null || length.compareTo(Duration.ZERO) <= 0) {
            return new Invalid(text);
        }
        var startedAt = pod.state().startedAt();
        if (startedAt == null) {
            return new BeforeStart(length);
        }
        var end = startedAt.plus(length);
        return end.isAfter(now) ? new Until(end) : new Elapsed(end);
    }

    default boolean isActive() {
        return switch (this) {
            case Forever(), BeforeStart(_), Until(_) -> true;
            case Absent(), Elapsed(_), Invalid(_) -> false;
        };
    }
}
