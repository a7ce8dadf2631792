package dev.millwright.controllers.state;

import dev.millwright.core.cluster.ObjectName;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/// When each waiting pod was first seen, first decided on and first given a place: what a person
/// asks who wonders why it took so long.
public final class PodTimes {

    /// Pods remembered at once; beyond that the ones seen first are forgotten first.
    private static final int PODS_MAX = 200_000;

    /// `claim` is where the pod is to run, by the name of a claim or node.
    public record Times(
            @Nullable Instant ackedAt,
            @Nullable Instant decidedAt,
            @Nullable Instant schedulableAt,
            @Nullable Instant schedulableOnHealthyPoolAt,
            @Nullable String claim) {

        private static final Times NONE = new Times(null, null, null, null, null);
    }

    private final Map<ObjectName, Times> byPod =
            Collections.synchronizedMap(
                    new LinkedHashMap<>() {
                        @Override
                        protected boolean removeEldestEntry(Map.Entry<ObjectName, Times> eldest) {
                            return size() > PODS_MAX;
                        }
                    });

    public @Nullable Times find(ObjectName pod) {
        return byPod.get(pod);
    }

    /// Only the first time counts.
    public void ack(ObjectName pod, Instant now) {
        byPod.compute(
                pod,
                (_, known) -> {
                    var before = known == null ? Times.NONE : known;
                    return before.ackedAt() != null
                            ? before
                            : new Times(
                                    now,
                                    before.decidedAt(),
                                    before.schedulableAt(),
                                    before.schedulableOnHealthyPoolAt(),
                                    before.claim());
                });
    }

    /// A place was found. In a pool that does not get nodes to register the pod will not start, so
    /// that an earlier place in a better one counts no more. Returns whether it is the first
    /// decision about the pod.
    public boolean placed(ObjectName pod, String claim, boolean isPoolHealthy, Instant now) {
        var before = byPod.getOrDefault(pod, Times.NONE);
        byPod.put(
                pod,
                new Times(
                        before.ackedAt(),
                        first(before.decidedAt(), now),
                        first(before.schedulableAt(), now),
                        isPoolHealthy ? first(before.schedulableOnHealthyPoolAt(), now) : null,
                        claim));
        return before.decidedAt() == null;
    }

    /// No place was found: what was said before no longer holds. Returns whether it is the first
    /// decision about the pod.
    public boolean refused(ObjectName pod, Instant now) {
        var before = byPod.getOrDefault(pod, Times.NONE);
        byPod.put(
                pod, new Times(before.ackedAt(), first(before.decidedAt(), now), null, null, null));
        return before.decidedAt() == null;
    }

    public void forget(ObjectName pod) {
        byPod.remove(pod);
    }

    private static Instant first(@Nullable Instant before, Instant now) {
        return before == null ? now : before;
    }
}
