package dev.millwright.testing.kit.checker;

import dev.millwright.core.cluster.NodeAffinity;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.cluster.Pod;
import dev.millwright.core.cluster.PodVolume;
import dev.millwright.core.cluster.Storage;
import dev.millwright.core.label.Effect;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.label.LabelVocabulary;
import dev.millwright.core.label.Requirement;
import dev.millwright.core.label.Requirements;
import dev.millwright.core.label.Taint;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// What a pod cannot do without, whichever wishes were given up.
final class Demands {

    private Demands() {}

    /// The node selector with each of the required terms in turn: the plan may have settled on any
    /// of them.
    static List<Requirements> alternatives(Pod pod, LabelVocabulary vocabulary) {
        var selector = vocabulary.labels(pod.placement().nodeSelector());
        var terms = pod.placement().nodeAffinity().required();
        return terms.isEmpty()
                ? List.of(selector)
                : terms.stream().map(NodeAffinity.Term::expressions).map(selector::and).toList();
    }

    /// The node selector with the first required term alone.
    static Requirements first(Pod pod, LabelVocabulary vocabulary) {
        return alternatives(pod, vocabulary).getFirst();
    }

    /// The first taint that the pod does not tolerate; one that merely prefers counts only while
    /// that wish is kept.
    static @Nullable Taint untolerated(Pod pod, List<Taint> taints, boolean isPreferenceGivenUp) {
        var binding =
                taints.stream()
                        .filter(
                                taint ->
                                        !isPreferenceGivenUp
                                                || taint.effect() != Effect.PREFER_NO_SCHEDULE)
                        .toList();
        return Taint.firstUntolerated(binding, pod.placement().tolerations());
    }

    /// Whether every node the labels allow meets what is wanted.
    ///
    /// A key the labels leave open is met only by an operator that is content with absence: whoever
    /// accepted the pod must have narrowed the labels to its demand.
    static boolean areMet(Requirements labels, Requirements wanted) {
        return wanted.all().stream().allMatch(requirement -> isMet(labels, requirement));
    }

    private static boolean isMet(Requirements labels, Requirement wanted) {
        var found = labels.orNull(wanted.key());
        if (found == null) {
            return wanted.operator().allowsAbsence();
        }
        if (found.operator().allowsAbsence() && wanted.operator().allowsAbsence()) {
            return true;
        }
        var kept = found.intersection(wanted).withMinValues(null);
        return kept.equals(found.withMinValues(null)) && kept.size() > 0;
    }

    /// Whether the labels meet one required term, and for each volume one of its alternatives.
    static boolean areMetWithVolumes(Facts facts, Pod pod, Requirements labels) {
        return alternatives(pod, facts.vocabulary()).stream()
                        .anyMatch(wanted -> areMet(labels, wanted))
                && volumesAreMet(facts, pod, labels);
    }

    /// Each volume is met by itself: labels that meet one alternative of each meet the combination
    /// of these.
    static boolean volumesAreMet(Facts facts, Pod pod, Requirements labels) {
        return pod.volumes().stream()
                .map(volume -> volumeAlternatives(facts, pod, volume))
                .allMatch(
                        alternatives ->
                                alternatives.stream().anyMatch(wanted -> areMet(labels, wanted)));
    }

    private static List<Requirements> volumeAlternatives(Facts facts, Pod pod, PodVolume volume) {
        var storage = facts.problem().snapshot().storage();
        var claim = storage.claims().get(volume.claim(pod.name()));
        var persistent = persistentVolume(storage, claim);
        if (persistent != null) {
            return orUnconstrained(
                    persistent.nodeAffinity().stream()
                            .map(term -> withoutLocalHost(persistent, term))
                            .toList());
        }
        var storageClass = storageClass(storage, claim, volume);
        return storageClass == null
                ? List.of(Requirements.NONE)
                : orUnconstrained(
                        storageClass.allowedTopologies().stream().map(Requirements::of).toList());
    }

    private static Requirements withoutLocalHost(Storage.Volume volume, List<Requirement> term) {
        var requirements = Requirements.of(term);
        return volume.isLocal() ? requirements.without(LabelKeys.HOSTNAME) : requirements;
    }

    private static List<Requirements> orUnconstrained(List<Requirements> alternatives) {
        return alternatives.isEmpty() ? List.of(Requirements.NONE) : alternatives;
    }

    private static Storage.@Nullable Volume persistentVolume(
            Storage storage, Storage.@Nullable VolumeClaim claim) {
        var name = claim == null ? null : claim.volumeName();
        return name == null || name.isEmpty() ? null : storage.volumes().get(name);
    }

    private static Storage.@Nullable StorageClass storageClass(
            Storage storage, Storage.@Nullable VolumeClaim claim, PodVolume volume) {
        var name = claim != null ? claim.storageClassName() : classOfTemplate(volume);
        return name == null ? storage.defaultClass() : storage.classes().get(name);
    }

    private static @Nullable String classOfTemplate(PodVolume volume) {
        return switch (volume) {
            case PodVolume.Claim(_) -> "";
            case PodVolume.Ephemeral(_, var storageClassName) -> storageClassName;
        };
    }

    /// A volume that counts against a driver's attachment limit.
    record Attachment(String driver, ObjectName claim) {}

    static List<Attachment> attachments(Facts facts, Pod pod) {
        var attachments = new ArrayList<Attachment>();
        for (var volume : pod.volumes()) {
            var driver = driver(facts.problem().snapshot().storage(), pod, volume);
            if (driver != null) {
                attachments.add(new Attachment(driver, volume.claim(pod.name())));
            }
        }
        return attachments;
    }

    private static @Nullable String driver(Storage storage, Pod pod, PodVolume volume) {
        var claim = storage.claims().get(volume.claim(pod.name()));
        if (claim == null) {
            return null;
        }
        if (claim.volumeName() != null && !claim.volumeName().isEmpty()) {
            var persistent = storage.volumes().get(claim.volumeName());
            return persistent == null ? null : persistent.driver();
        }
        var storageClass = storageClass(storage, claim, volume);
        return storageClass == null ? null : storageClass.driver();
    }

    /// Keys that a pod bounds to listed values in every one of its alternatives.
    static boolean bounds(Pod pod, String key, LabelVocabulary vocabulary) {
        return alternatives(pod, vocabulary).stream()
                .map(wanted -> wanted.orNull(key))
                .allMatch(wanted -> wanted != null && !wanted.isComplement());
    }

    static final Set<String> NOTHING_UNDEFINED = Set.of();
}
