package dev.millwright.world.store;

import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Value;
import dev.millwright.kube.tree.Trees;

import org.jspecify.annotations.Nullable;

import java.time.Instant;

/// What becomes of an object that somebody wants to be gone. It changes nothing itself.
final class Deletion {

    static final String TIME = "deletionTimestamp";
    static final String GRACE = "deletionGracePeriodSeconds";

    sealed interface Outcome {
        /// It is on its way already, and no sooner than before.
        record Pending() implements Outcome {}

        /// It stays a while: for its finalizers, or until a kubelet has stopped it.
        record Marked(Value.Mapping after) implements Outcome {}

        /// It goes. A pod is marked first, so that who watches sees why.
        record Gone(Value.@Nullable Mapping marked) implements Outcome {}
    }

    private Deletion() {}

    static Outcome of(ResourceType type, Value.Mapping before, @Nullable Long grace, Instant now) {
        return type.equals(ResourceType.POD) ? pod(before, grace, now) : plain(before, now);
    }

    static boolean hasFinalizers(Value.Mapping object) {
        return !Trees.list(object, "metadata", "finalizers").isEmpty();
    }

    private static Outcome plain(Value.Mapping before, Instant now) {
        if (!hasFinalizers(before)) {
            return new Outcome.Gone(null);
        }
        return Trees.meta(before, TIME).isEmpty()
                ? new Outcome.Marked(first(before, now, 0))
                : new Outcome.Pending();
    }

    private static Outcome pod(Value.Mapping before, @Nullable Long asked, Instant now) {
        var grace = asked != null && asked < 0 ? Long.valueOf(1) : asked;
        if (Trees.meta(before, TIME).isEmpty()) {
            var period = period(before, grace);
            return marked(first(before, now, period), period);
        }
        var known = Trees.number(before, "metadata", GRACE);
        var old = known == null ? 0 : known;
        if (old == 0) {
            return hasFinalizers(before) ? new Outcome.Pending() : new Outcome.Gone(null);
        }
        if (grace == null || grace >= old) {
            return new Outcome.Pending();
        }
        var end = Instant.parse(Trees.meta(before, TIME)).minusSeconds(old).plusSeconds(grace);
        // What is over cannot be ended in the past; who asked for grace still leaves a moment.
        var isOver = end.isBefore(now);
        var period = isOver && grace != 0 ? 1 : grace;
        return marked(at(before, isOver ? now : end, period), period);
    }

    private static Outcome marked(Value.Mapping after, long period) {
        return period == 0 && !hasFinalizers(after)
                ? new Outcome.Gone(after)
                : new Outcome.Marked(after);
    }

    /// Who was never placed, or has ended, has nothing to wait for.
    private static long period(Value.Mapping pod, @Nullable Long grace) {
        var phase = Trees.text(pod, "status", "phase");
        if (Trees.text(pod, "spec", "nodeName").isEmpty()
                || phase.equals("Failed")
                || phase.equals("Succeeded")) {
            return 0;
        }
        var stated = Trees.number(pod, "spec", "terminationGracePeriodSeconds");
        var period = grace != null ? grace : stated == null ? 0 : stated;
        return period < 0 ? 1 : period;
    }

    private static Value.Mapping first(Value.Mapping object, Instant now, long period) {
        return Update.nextGeneration(at(object, now.plusSeconds(period), period));
    }

    private static Value.Mapping at(Value.Mapping object, Instant end, long period) {
        return Trees.withMeta(
                object,
                meta -> {
                    meta.put(TIME, Trees.text(end.toString()));
                    meta.put(GRACE, Trees.number(period));
                });
    }
}
