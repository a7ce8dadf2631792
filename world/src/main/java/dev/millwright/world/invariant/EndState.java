package dev.millwright.world.invariant;

import dev.millwright.world.invariant.seen.SeenCluster;
import dev.millwright.world.invariant.seen.SeenPod;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/// How a world ended, as far as chance and faults must not matter: how many pods of each workload
/// run, which wait, and which machines nobody answers for.
public record EndState(
        SequencedMap<String, Integer> running,
        SequencedMap<String, Integer> waiting,
        List<String> unownedMachines) {

    public EndState {
        running = Collections.unmodifiableSequencedMap(new TreeMap<>(running));
        waiting = Collections.unmodifiableSequencedMap(new TreeMap<>(waiting));
        unownedMachines = List.copyOf(unownedMachines);
    }

    /// A pod that was made so lately is on its way: in one world of two a node may just go.
    private static final Duration ON_ITS_WAY = Duration.ofMinutes(10);

    public static EndState of(SeenCluster cluster, Instant now) {
        var running = new TreeMap<String, Integer>();
        var waiting = new TreeMap<String, Integer>();
        for (var pod : cluster.pods()) {
            var isRunning =
                    pod.phase() == SeenPod.Phase.RUNNING
                            || pod.createdAt().plus(ON_ITS_WAY).isAfter(now);
            if (pod.isActive() && !pod.isDaemon() && !(isRunning && isOfJob(pod))) {
                var counts = isRunning ? running : waiting;
                counts.merge(workload(cluster, pod), 1, Integer::sum);
            }
        }
        var unowned =
                cluster.machines().stream()
                        .filter(machine -> cluster.claimOf(machine.providerId()) == null)
                        .map(machine -> machine.providerId())
                        .toList();
        return new EndState(running, waiting, unowned);
    }

    /// How far a Job has come is a matter of time.
    private static boolean isOfJob(SeenPod pod) {
        return pod.owner().kind().equals("Job");
    }

    /// Pods of most workloads get new names whenever they are made again.
    private static String workload(SeenCluster cluster, SeenPod pod) {
        var owner = cluster.workloads().of(pod);
        var isNamed = owner.kind().isEmpty() || owner.kind().equals("StatefulSet");
        return isNamed ? "Pod " + pod.name() : owner.toString();
    }

    /// What is different in the other world, of the same seed and workload; empty when the outcome
    /// is the same.
    public List<String> differences(EndState other) {
        var differences = new ArrayList<String>();
        compare("run", running, other.running, differences);
        compare("wait", waiting, other.waiting, differences);
        if (!unownedMachines.isEmpty() || !other.unownedMachines.isEmpty()) {
            differences.add(
                    "machines without a claim: %s in one world, %s in the other; wanted none"
                            .formatted(unownedMachines, other.unownedMachines));
        }
        return differences;
    }

    private static void compare(
            String state,
            SequencedMap<String, Integer> one,
            SequencedMap<String, Integer> other,
            List<String> differences) {
        var names = new TreeSet<>(one.keySet());
        names.addAll(other.keySet());
        for (var name : names) {
            int inOne = one.getOrDefault(name, 0);
            int inOther = other.getOrDefault(name, 0);
            if (inOne != inOther) {
                differences.add(
                        "%s: %d pods %s in one world, %d in the other; wanted the same"
                                .formatted(name, inOne, state, inOther));
            }
        }
    }
}
