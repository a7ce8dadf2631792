package dev.millwright.core.explain;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.scheduling.WaitReason;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// What becomes of a pod, why, and the smallest change that would flip it.
public record PodExplanation(ObjectName pod, Verdict verdict, @Nullable Fix fix) {

    public sealed interface Verdict {

        /// It runs already, or has ended: nothing is to be decided.
        record Settled(String nodeName) implements Verdict {}

        /// A node that is there, or on its way, has room for it.
        record Fits(String node) implements Verdict {}

        /// A node will be launched for it.
        record GetsNode(String nodePool, String type, String zone, double pricePerHour)
                implements Verdict {}

        record Waits(WaitReason reason) implements Verdict {}

        /// Nobody need plan for it, e.g. it is bound by a DaemonSet or marked for another
        /// scheduler.
        record NotOurs(String why) implements Verdict {}
    }

    /// Changes that, made together, give the pod a place: planning with them was tried.
    public sealed interface Fix {

        record Found(List<Change> changes) implements Fix {
            public Found {
                changes = List.copyOf(changes);
            }
        }

        /// No change that we know of helps, alone or with others.
        record None(String why) implements Fix {}
    }
}
