package dev.millwright.world.scheduler;

import dev.millwright.core.cluster.ObjectName;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/// Pods for which room is being made: nobody of less or equal importance may take it.
final class Nominations {

    private record Nomination(Candidate candidate, String node) {}

    private final TreeMap<ObjectName, Nomination> nominations = new TreeMap<>();

    void put(Candidate candidate, String node) {
        nominations.put(candidate.name(), new Nomination(candidate, node));
    }

    void remove(ObjectName pod) {
        nominations.remove(pod);
    }

    /// The node that a pod will have, or null.
    @Nullable String of(ObjectName pod) {
        var nomination = nominations.get(pod);
        return nomination == null ? null : nomination.node();
    }

    /// Places those that go before a pod of this priority as if they were there already. The caller
    /// lifts them again.
    List<PlacedPod> place(Board board, ObjectName pod, int priority) {
        if (nominations.isEmpty()) {
            return List.of();
        }
        var guests = new ArrayList<PlacedPod>();
        for (var nomination : nominations.values()) {
            var candidate = nomination.candidate();
            if (!candidate.name().equals(pod)
                    && candidate.priority() >= priority
                    && board.placed(candidate.name()) == null
                    && board.node(nomination.node()) != null) {
                guests.add(
                        board.place(
                                candidate.name(),
                                candidate.pod().uid(),
                                candidate.kind(),
                                nomination.node(),
                                false));
            }
        }
        return guests;
    }
}
