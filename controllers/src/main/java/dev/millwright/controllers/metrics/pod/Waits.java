package dev.millwright.controllers.metrics.pod;

import dev.millwright.core.cluster.ObjectName;

import org.jspecify.annotations.Nullable;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/// Pods that were seen waiting. Only of those the end of the wait is measured: of a pod that ran
/// before this process began, nobody here knows.
final class Waits {

    /// Pods remembered at once; beyond that the ones seen first are forgotten first.
    private static final int PODS_MAX = 200_000;

    /// What is still to be measured of the pod with this uid. `wasUnbound` says that it was seen
    /// without a node.
    record Wait(String uid, boolean isForStart, boolean isForNode, boolean wasUnbound) {

        boolean isOver() {
            return !isForStart && !isForNode;
        }
    }

    private final Map<ObjectName, Wait> byPod =
            Collections.synchronizedMap(
                    new LinkedHashMap<>() {
                        @Override
                        protected boolean removeEldestEntry(Map.Entry<ObjectName, Wait> eldest) {
                            return size() > PODS_MAX;
                        }
                    });

    /// Null when no pod of this name waits; one of another uid is another pod.
    @Nullable Wait find(ObjectName pod, String uid) {
        var found = byPod.get(pod);
        return found != null && found.uid().equals(uid) ? found : null;
    }

    void put(ObjectName pod, Wait wait) {
        if (wait.isOver()) {
            byPod.remove(pod);
        } else {
            byPod.put(pod, wait);
        }
    }

    void forget(ObjectName pod) {
        byPod.remove(pod);
    }
}
