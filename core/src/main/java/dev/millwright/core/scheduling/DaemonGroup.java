package dev.millwright.core.scheduling;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.cluster.HostPort;
import dev.millwright.core.cluster.Pod;
import dev.millwright.core.label.LabelVocabulary;
import dev.millwright.core.label.Requirements;
import dev.millwright.core.label.Taint;
import dev.millwright.core.label.Toleration;
import dev.millwright.core.policy.NodePool;
import dev.millwright.core.quantity.Resources;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Instance types of one pool that run the same daemons, and what these take of each node.
record DaemonGroup(List<InstanceType> types, Resources overhead, List<HostPort> hostPorts) {

    DaemonGroup {
        types = List.copyOf(types);
        hostPorts = List.copyOf(hostPorts);
    }

    /// Groups in the order of their first type.
    static List<DaemonGroup> of(
            NodePool pool,
            List<InstanceType> types,
            List<Pod> daemons,
            LabelVocabulary vocabulary) {
        var promises = pool.nodeRequirements(vocabulary);
        var reaching =
                daemons.stream()
                        .filter(daemon -> reaches(daemon, pool.template().taints()))
                        .toList();
        Map<List<Pod>, List<InstanceType>> byDaemons = new LinkedHashMap<>();
        for (var type : types) {
            var running =
                    reaching.stream()
                            .filter(daemon -> runsOn(daemon, promises, type, vocabulary))
                            .toList();
            byDaemons.computeIfAbsent(running, _ -> new ArrayList<>()).add(type);
        }
        var groups = new ArrayList<DaemonGroup>();
        byDaemons.forEach((running, group) -> groups.add(of(running, group)));
        return groups;
    }

    private static DaemonGroup of(List<Pod> daemons, List<InstanceType> types) {
        var overhead = Resources.NONE;
        var ports = new ArrayList<HostPort>();
        for (var daemon : daemons) {
            overhead = overhead.plus(daemon.requests());
            ports.addAll(daemon.hostPorts());
        }
        return new DaemonGroup(types, overhead, ports);
    }

    /// A daemon does not care for a taint that merely prefers to be left alone.
    private static boolean reaches(Pod daemon, List<Taint> taints) {
        var tolerations = new ArrayList<>(daemon.placement().tolerations());
        tolerations.add(Toleration.PREFER_NO_SCHEDULE);
        return Taint.firstUntolerated(taints, tolerations) == null;
    }

    /// Every alternative of the daemon's required node affinity is looked at for every type. Keys
    /// that only the daemon names are the pool's affair, not the type's.
    private static boolean runsOn(
            Pod daemon, Requirements promises, InstanceType type, LabelVocabulary vocabulary) {
        return PodRequirements.alternatives(daemon.placement(), vocabulary).stream()
                .anyMatch(
                        wanted ->
                                promises.isCompatible(wanted, vocabulary.wellKnown())
                                        && type.requirements().intersects(wanted));
    }

    /// What daemons will still take of a node that exists: those that tolerate its taints and fit
    /// its labels strictly.
    static Resources expectedOn(
            List<Pod> daemons,
            List<Taint> taints,
            Requirements labels,
            LabelVocabulary vocabulary) {
        var sum = Resources.NONE;
        for (var daemon : daemons) {
            var isFitting =
                    reaches(daemon, taints)
                            && PodRequirements.alternatives(daemon.placement(), vocabulary).stream()
                                    .anyMatch(
                                            wanted ->
                                                    labels.isCompatible(
                                                            wanted, java.util.Set.of()));
            if (isFitting) {
                sum = sum.plus(daemon.requests());
            }
        }
        return sum;
    }
}
