package dev.millwright.controllers.node.termination;

import dev.millwright.controllers.node.eviction.ForcedDeletion;
import dev.millwright.controllers.pod.PodRules;
import dev.millwright.kube.object.PodObject;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// Which pods of a node are still waited for, and whose turn it is to go.
///
/// `due` pods have no time left and go at once. Of the others one tier goes after another, so that
/// what pods rely on, their daemons and the critical ones, outlives them. Who is on its way out
/// already keeps its tier waiting but need not be asked again.
public record Drain(List<PodObject> waiting, List<PodObject> due, List<PodObject> turn) {

    public Drain {
        waiting = List.copyOf(waiting);
        due = List.copyOf(due);
        turn = List.copyOf(turn);
    }

    /// In the order of leaving.
    private enum Tier {
        PLAIN,
        DAEMON,
        CRITICAL,
        CRITICAL_DAEMON;

        static Tier of(PodObject pod) {
            var isDaemon = pod.pod().state().isOwnedByDaemonSet();
            if (pod.isCritical()) {
                return isDaemon ? CRITICAL_DAEMON : CRITICAL;
            }
            return isDaemon ? DAEMON : PLAIN;
        }
    }

    public static Drain of(List<PodObject> pods, @Nullable Instant deadline, Instant now) {
        var waiting = pods.stream().filter(pod -> PodRules.isWaitingEviction(pod, now)).toList();
        var due = new ArrayList<PodObject>();
        var others = new ArrayList<PodObject>();
        for (var pod : waiting) {
            (ForcedDeletion.isDue(pod, deadline, now) ? due : others).add(pod);
        }
        var tier = others.stream().map(Tier::of).min(Tier::compareTo);
        var turn =
                others.stream()
                        .filter(pod -> tier.isPresent() && Tier.of(pod) == tier.get())
                        .filter(PodObject::isActive)
                        .toList();
        return new Drain(waiting, due, turn);
    }

    public boolean isDone() {
        return waiting.isEmpty();
    }
}
