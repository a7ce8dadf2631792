package dev.millwright.controllers.nodeclaim.reboot;

import dev.millwright.core.label.AnnotationKeys;
import dev.millwright.core.quantity.GoDuration;
import dev.millwright.kube.object.ClaimObject;

import java.time.Duration;

/// How long pods may take to leave a node that is to be rebooted.
sealed interface RebootGrace {

    /// As long as they need.
    record Unbounded() implements RebootGrace {}

    /// Zero waits for nobody.
    record Bounded(Duration most) implements RebootGrace {}

    record Unreadable(String text) implements RebootGrace {}

    static RebootGrace of(ClaimObject claim) {
        var text = claim.meta().annotation(AnnotationKeys.REBOOT_GRACE_PERIOD);
        if (text == null) {
            return new Unbounded();
        }
        var duration = GoDuration.parse(text);
        return duration == null || duration.isNegative()
                ? new Unreadable(text)
                : new Bounded(duration);
    }
}
