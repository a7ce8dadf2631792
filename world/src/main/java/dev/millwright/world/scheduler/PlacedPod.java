package dev.millwright.world.scheduler;

import dev.millwright.core.cluster.ObjectName;

/// A pod on a node, bound or about to be. One that is leaving takes its room until it is gone.
record PlacedPod(ObjectName name, String uid, PodClass kind, NodeSlot slot, boolean isLeaving) {

    PlacedPod leaving() {
        return new PlacedPod(name, uid, kind, slot, true);
    }
}
