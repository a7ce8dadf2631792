package dev.millwright.core.scheduling;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.cluster.Pod;
import dev.millwright.core.cluster.Storage;
import dev.millwright.core.cluster.Storage.StorageClass;
import dev.millwright.core.cluster.Storage.VolumeClaim;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.label.Operator;
import dev.millwright.core.label.Requirement;
import dev.millwright.core.label.Requirements;
import dev.millwright.core.policy.SchedulingPolicy;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.SequencedMap;
import java.util.SequencedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/// Reads what a pod's volumes ask of its node.
record VolumeReader(Storage storage, SchedulingPolicy policy) {

    /// How many combinations of volume zones are looked at. Beyond it a pod would have dozens of
    /// multi-zone volumes.
    private static final int ALTERNATIVES_MAX = 1_024;

    /// Why the pod cannot be planned for because of its volumes, or null.
    @Nullable String problem(Pod pod) {
        for (var volume : pod.volumes()) {
            var name = volume.claim(pod.name());
            var claim = storage.claims().get(name);
            var problem = claim == null ? "does not exist" : problem(claim);
            if (problem != null) {
                return "PersistentVolumeClaim %s %s".formatted(name, problem);
            }
        }
        return null;
    }

    private @Nullable String problem(VolumeClaim claim) {
        if (claim.isTerminating()) {
            return "is being deleted";
        }
        if (claim.isLost()) {
            return "is Lost: its PersistentVolume is gone";
        }
        var problem = claim.volumeName() == null ? unboundProblem(claim) : boundProblem(claim);
        if (problem != null) {
            return problem;
        }
        var driver = driver(claim);
        return driver != null && policy.unsupportedStorage().drivers().contains(driver)
                ? "uses provisioner %s, which is not supported".formatted(driver)
                : null;
    }

    private @Nullable String boundProblem(VolumeClaim claim) {
        var volume = storage.volumes().get(claim.volumeName());
        if (volume == null) {
            return "names PersistentVolume %s, which does not exist".formatted(claim.volumeName());
        }
        if (volume.isTerminating()) {
            return "names PersistentVolume %s, which is being deleted".formatted(volume.name());
        }
        return claim.isBindCompleted()
                ? null
                : "names a volume but is not bound: annotation pv.kubernetes.io/bind-completed is missing";
    }

    private @Nullable String unboundProblem(VolumeClaim claim) {
        if ("".equals(claim.storageClassName())) {
            return "is unbound and names no storage class";
        }
        var storageClass = storageClass(claim);
        if (storageClass == null) {
            return claim.storageClassName() == null
                    ? "is unbound and names no storage class"
                    : "names storage class %s, which does not exist"
                            .formatted(claim.storageClassName());
        }
        if (storageClass.isImmediate()) {
            return "is unbound although storage class %s binds immediately"
                    .formatted(storageClass.name());
        }
        return storageClass.allowedTopologies().stream()
                .flatMap(List::stream)
                .map(Requirement::key)
                .filter(policy.unsupportedStorage().topologyKeys()::contains)
                .findFirst()
                .map(
                        key ->
                                "has storage class %s with topology key %s, which is not supported"
                                        .formatted(storageClass.name(), key))
                .orElse(null);
    }

    private @Nullable StorageClass storageClass(VolumeClaim claim) {
        var name = claim.storageClassName();
        return name == null ? storage.defaultClass() : storage.classes().get(name);
    }

    /// The driver that attaches the claim's volume, or null when nothing is attached or it cannot
    /// be told.
    private @Nullable String driver(VolumeClaim claim) {
        if (claim.volumeName() != null) {
            var volume = storage.volumes().get(claim.volumeName());
            return volume == null ? null : volume.driver();
        }
        var storageClass = storageClass(claim);
        return storageClass == null ? null : Storage.csiDriver(storageClass.driver());
    }

    /// Volumes to attach, by driver. A claim that does not exist is not counted.
    SequencedMap<String, SequencedSet<ObjectName>> attachments(Pod pod) {
        var attachments = new TreeMap<String, SequencedSet<ObjectName>>();
        for (var volume : pod.volumes()) {
            var claim = storage.claims().get(volume.claim(pod.name()));
            var driver = claim == null ? null : driver(claim);
            if (claim != null && driver != null) {
                attachments.computeIfAbsent(driver, _ -> new TreeSet<>()).add(claim.name());
            }
        }
        return attachments;
    }

    PodVolumes read(Pod pod, RequirementSpace space) {
        if (pod.volumes().isEmpty()) {
            return PodVolumes.NONE;
        }
        var alternatives = alternatives(pod);
        var isContradictory =
                !alternatives.isEmpty() && alternatives.stream().allMatch(VolumeReader::isEmptied);
        var sets = alternatives.stream().mapToInt(space::number).toArray();
        return new PodVolumes(sets, isContradictory, attachments(pod));
    }

    private static boolean isEmptied(Requirements requirements) {
        return requirements.all().stream()
                .anyMatch(requirement -> requirement.operator() == Operator.DOES_NOT_EXIST);
    }

    /// Requirement sets of which one must hold; empty when the volumes do not care.
    private List<Requirements> alternatives(Pod pod) {
        List<Requirements> combined = List.of();
        for (var volume : pod.volumes()) {
            var claim = storage.claims().get(volume.claim(pod.name()));
            var own = claim == null ? List.<Requirements>of() : alternatives(claim);
            if (!own.isEmpty()) {
                combined = combined.isEmpty() ? own : product(combined, own);
            }
        }
        return combined;
    }

    /// Every pair that can hold together; when none can, all of them, so that the pod fails later
    /// with a reason.
    private static List<Requirements> product(List<Requirements> left, List<Requirements> right) {
        var compatible = new ArrayList<Requirements>();
        var all = new ArrayList<Requirements>();
        for (var one : left) {
            for (var other : right) {
                if (all.size() == ALTERNATIVES_MAX) {
                    break;
                }
                all.add(one.and(other));
                if (one.intersects(other)) {
                    compatible.add(all.getLast());
                }
            }
        }
        return compatible.isEmpty() ? all : compatible;
    }

    private List<Requirements> alternatives(VolumeClaim claim) {
        if (claim.volumeName() != null) {
            var volume = storage.volumes().get(claim.volumeName());
            return volume == null ? List.of() : alternatives(volume);
        }
        var storageClass = storageClass(claim);
        return storageClass == null
                ? List.of()
                : storageClass.allowedTopologies().stream()
                        .filter(term -> !term.isEmpty())
                        .map(Requirements::of)
                        .toList();
    }

    /// A local volume's host name says where its data was, not where a new node may be.
    private static List<Requirements> alternatives(Storage.Volume volume) {
        var alternatives = new ArrayList<Requirements>();
        for (var term : volume.nodeAffinity()) {
            var kept =
                    term.stream()
                            .filter(
                                    requirement ->
                                            !volume.isLocal()
                                                    || !requirement
                                                            .key()
                                                            .equals(LabelKeys.HOSTNAME))
                            .toList();
            if (!term.isEmpty()) {
                alternatives.add(Requirements.of(kept));
            }
        }
        return alternatives;
    }
}
