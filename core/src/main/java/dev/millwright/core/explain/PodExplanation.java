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
    ///
    /// @param extraPerHour what new nodes then cost more than they would without the changes; less
    ///   than nothing where they cost less
    public record Way(List<Change> changes, double extraPerHour) {
        public Way {
            changes = List.copyOf(changes);
        }
    }

    public sealed interface Fix {

        /// Ways to give the pod a place, of which one is enough; what a person would do first comes
        /// first.
        record Found(List<Way> ways) implements Fix {
            public Found {
                ways = List.copyOf(ways);
                if (ways.isEmpty()) {
                    throw new IllegalArgumentException("a fix that was found has a way");
                }
            }

            public Way first() {
                return ways.getFirst();
            }

            public List<Way> others() {
                return ways.subList(1, ways.size());
            }
        }

        /// No change that we know of helps, alone or with others.
        record None(String why) implements Fix {}
    }
}
