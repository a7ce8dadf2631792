package dev.millwright.controllers.node.termination;

import dev.millwright.controllers.pod.PodRules;
import dev.millwright.kube.cache.Kind;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.object.AttachmentObject;
import dev.millwright.kube.object.NodeObject;

import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Volumes that must be detached before the machine may go, so that their pods can start elsewhere.
final class Attachments {

    private Attachments() {}

    /// In the order of their names. Volumes of pods that no drain makes leave stay attached to the
    /// end and are not waited for.
    static List<AttachmentObject> holding(View view, NodeObject node, Instant now) {
        var attached =
                view.attachmentsOf(node.name().name()).stream()
                        .filter(attachment -> attachment.persistentVolume() != null)
                        .toList();
        if (attached.isEmpty()) {
            return attached;
        }
        var staying = volumesOfStayingPods(view, node, now);
        return attached.stream()
                .filter(attachment -> !staying.contains(attachment.persistentVolume()))
                .toList();
    }

    private static Set<String> volumesOfStayingPods(View view, NodeObject node, Instant now) {
        var names = new HashSet<String>();
        if (!view.keeps(Kind.PERSISTENT_VOLUME_CLAIM)) {
            return names;
        }
        var claims = view.cache(Kind.PERSISTENT_VOLUME_CLAIM);
        for (var pod : view.podsOn(node.name().name())) {
            if (PodRules.isDrainable(pod, now)) {
                continue;
            }
            for (var volume : pod.pod().volumes()) {
                var claim = claims.find(volume.claim(pod.name()));
                var volumeName = claim == null ? null : claim.value().volumeName();
                if (volumeName != null) {
                    names.add(volumeName);
                }
            }
        }
        return names;
    }
}
