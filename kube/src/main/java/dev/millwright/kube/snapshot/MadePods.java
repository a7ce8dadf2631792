package dev.millwright.kube.snapshot;

import dev.millwright.core.cluster.Pod;
import dev.millwright.kube.translation.PodMaker;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/// Tells which makers have pods in the files already, without comparing every maker with every pod.
final class MadePods {

    private final TreeSet<String> owners = new TreeSet<>();
    private final List<Pod> orphans = new ArrayList<>();

    MadePods(List<Pod> pods) {
        for (var pod : pods) {
            for (var owner : pod.state().owners()) {
                owners.add(key(pod.name().namespace(), owner.kind(), owner.name()));
            }
            if (pod.state().owners().isEmpty()) {
                orphans.add(pod);
            }
        }
    }

    private static String key(String namespace, String kind, String name) {
        return namespace + "/" + kind + "/" + name;
    }

    /// By owner; for a Deployment by the owner its ReplicaSet; and a pod without owner that is
    /// selected would be adopted.
    boolean has(PodMaker maker) {
        var namespace = maker.name().namespace();
        var name = maker.name().name();
        return owners.contains(key(namespace, maker.identity().kind(), name))
                || (maker.identity().kind().equals("Deployment") && hasReplicaSet(namespace, name))
                || orphans.stream()
                        .filter(pod -> pod.name().namespace().equals(namespace))
                        .anyMatch(maker::selects);
    }

    /// A Deployment's ReplicaSet bears its name, a dash and a hash without one.
    private boolean hasReplicaSet(String namespace, String name) {
        var prefix = key(namespace, "ReplicaSet", name) + "-";
        for (var owner : owners.tailSet(prefix)) {
            if (!owner.startsWith(prefix)) {
                return false;
            }
            if (owner.indexOf('-', prefix.length()) < 0) {
                return true;
            }
        }
        return false;
    }
}
