package dev.millwright.core.cluster;

import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.TreeMap;

/// The cluster at the moment `takenAt`. `namespaces` maps each namespace to its labels.
public record Snapshot(
        List<StateNode> nodes,
        List<Pod> pods,
        List<DaemonSet> daemonSets,
        SequencedMap<String, Map<String, String>> namespaces,
        Storage storage,
        List<DisruptionBudget> disruptionBudgets,
        List<Workload> workloads,
        Instant takenAt) {

    public static final Snapshot EMPTY =
            new Snapshot(
                    List.of(),
                    List.of(),
                    List.of(),
                    new TreeMap<>(),
                    Storage.NONE,
                    List.of(),
                    List.of(),
                    Instant.EPOCH);

    public Snapshot {
        nodes = List.copyOf(nodes);
        pods = List.copyOf(pods);
        daemonSets = List.copyOf(daemonSets);
        namespaces = Collections.unmodifiableSequencedMap(new TreeMap<>(namespaces));
        disruptionBudgets = List.copyOf(disruptionBudgets);
        workloads = List.copyOf(workloads);
    }

    /// For callers to whom the moment does not matter.
    public Snapshot(
            List<StateNode> nodes,
            List<Pod> pods,
            List<DaemonSet> daemonSets,
            SequencedMap<String, Map<String, String>> namespaces,
            Storage storage,
            List<DisruptionBudget> disruptionBudgets,
            List<Workload> workloads) {
        this(
                nodes,
                pods,
                daemonSets,
                namespaces,
                storage,
                disruptionBudgets,
                workloads,
                Instant.EPOCH);
    }

    public Snapshot withPods(List<Pod> others) {
        return new Snapshot(
                nodes,
                others,
                daemonSets,
                namespaces,
                storage,
                disruptionBudgets,
                workloads,
                takenAt);
    }

    public Snapshot withDisruptionBudgets(List<DisruptionBudget> others) {
        return new Snapshot(
                nodes, pods, daemonSets, namespaces, storage, others, workloads, takenAt);
    }

    public Snapshot withNodes(List<StateNode> others) {
        return new Snapshot(
                others,
                pods,
                daemonSets,
                namespaces,
                storage,
                disruptionBudgets,
                workloads,
                takenAt);
    }
}
