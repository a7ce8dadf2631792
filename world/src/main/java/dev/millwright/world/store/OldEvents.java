package dev.millwright.world.store;

import dev.millwright.core.cluster.ObjectName;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.BiConsumer;

/// Events are forgotten an hour after they were last written.
final class OldEvents {

    private static final Duration AGE_MAX = Duration.ofHours(1);

    private record Written(ObjectName name, String version, Instant at) {}

    private final Deque<Written> written = new ArrayDeque<>();

    void note(ObjectName name, long version, Instant at) {
        written.addLast(new Written(name, Long.toString(version), at));
    }

    /// Names those that are due, and the version each was due for.
    void expire(Instant now, BiConsumer<ObjectName, String> drop) {
        while (!written.isEmpty() && written.getFirst().at().plus(AGE_MAX).isBefore(now)) {
            var oldest = written.removeFirst();
            drop.accept(oldest.name(), oldest.version());
        }
    }
}
