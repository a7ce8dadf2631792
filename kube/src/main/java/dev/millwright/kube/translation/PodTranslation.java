package dev.millwright.kube.translation;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.cluster.Pod;
import dev.millwright.core.cluster.PodState;
import dev.millwright.core.cluster.PodState.Owner;
import dev.millwright.core.cluster.PodState.Phase;
import dev.millwright.core.cluster.PodVolume;
import dev.millwright.core.quantity.Quantity;
import dev.millwright.core.quantity.Resources;
import dev.millwright.kube.document.Field;
import dev.millwright.kube.document.Shortened;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.UUID;

/// Pods, written by a cluster, by hand, in a template, or in a problem file.
///
/// A live pod waits only once kube-scheduler has said so; of a file's pod that nobody has looked at
/// yet it is assumed.
public record PodTranslation(PlacementTranslation placements, boolean isLive) {

    public PodTranslation(PlacementTranslation placements) {
        this(placements, false);
    }

    public Pod pod(Field object, ObjectMeta meta) {
        var spec = object.at("spec");
        var status = object.at("status");
        var state = state(spec, status, meta);
        return pod(spec, meta, state, ContainerTranslation.requests(spec, status, state.isBound()));
    }

    /// The pod a template stands for, with its maker's name until it gets its own.
    public Pod template(Field template, ObjectMeta maker, Owner owner) {
        var spec = template.at("spec");
        var metadata = template.at("metadata");
        if (!spec.isPresent()) {
            spec.missing("the spec of a pod");
        }
        var meta =
                new ObjectMeta(
                        maker.name(),
                        maker.uid(),
                        maker.createdAt(),
                        ObjectMeta.labels(metadata),
                        ObjectMeta.annotations(metadata),
                        false,
                        List.of(owner));
        return pod(
                spec,
                meta,
                PodState.WAITING.withOwners(meta.owners()),
                ContainerTranslation.requests(spec, template.at("status"), false));
    }

    private Pod pod(Field spec, ObjectMeta meta, PodState state, Resources requests) {
        return new Pod(
                meta.name(),
                meta.uid(),
                meta.createdAt(),
                meta.labels(),
                meta.annotations(),
                requests,
                placements.placement(spec, meta.labels()),
                ContainerTranslation.hostPorts(spec),
                volumes(spec.at("volumes")),
                !spec.at("resourceClaims").elements().isEmpty(),
                state);
    }

    /// A pod of a problem file: its requests are numbers, and what Kubernetes keeps in `spec`
    /// stands at the top.
    public Pod problemPod(Field stated) {
        var name = stated.at("name").requiredText("the pod's name");
        var object = name.isEmpty() ? stated : stated.named("Pod " + Shortened.of(name));
        var labels = object.at("labels").texts(ObjectMeta.LABEL_LENGTH_MAX);
        var namespace = object.at("namespace").text(ObjectMeta.NAMESPACE_DEFAULT);
        return new Pod(
                new ObjectName(namespace, name),
                object.at("uid").text(scatteredUid(namespace, name)),
                ObjectMeta.CREATED_DEFAULT,
                labels,
                new TreeMap<>(),
                SizeTranslation.resources(object.at("requests")).with(Resources.PODS, Quantity.ONE),
                placements.placement(object, labels),
                List.of(),
                List.of(),
                false,
                PodState.WAITING);
    }

    /// Pods of a problem are of one age, so that the queue orders them by uid. In a cluster that is
    /// chance: uids in the order of the names would put all pods of one kind next to each other,
    /// which no cluster does.
    private static String scatteredUid(String namespace, String name) {
        var bytes = (namespace + "/" + name).getBytes(StandardCharsets.UTF_8);
        return UUID.nameUUIDFromBytes(bytes).toString();
    }

    private PodState state(Field spec, Field status, ObjectMeta meta) {
        var nodeName = emptyToNull(spec.at("nodeName").text());
        var conditions = status.at("conditions").elements();
        return new PodState(
                phase(status.at("phase"), nodeName != null),
                nodeName,
                emptyToNull(status.at("nominatedNodeName").text()),
                meta.isTerminating(),
                isMarkedUnschedulable(spec, nodeName, conditions),
                conditions.stream().anyMatch(each -> isOf(each, "Ready", "status", "False")),
                status.at("startTime").instant(),
                meta.owners(),
                spec.at("schedulingGates").elements().stream()
                        .map(gate -> gate.at("name").text(""))
                        .filter(gate -> !gate.isEmpty())
                        .toList());
    }

    /// A pod that no scheduler has looked at yet is one of a plain manifest: it waits, unless a
    /// gate holds it back.
    private boolean isMarkedUnschedulable(
            Field spec, @Nullable String nodeName, List<Field> conditions) {
        if (conditions.isEmpty() && !isLive) {
            return nodeName == null && spec.at("schedulingGates").elements().isEmpty();
        }
        return conditions.stream()
                .anyMatch(each -> isOf(each, "PodScheduled", "reason", "Unschedulable"));
    }

    private static boolean isOf(Field condition, String type, String field, String wanted) {
        return condition.at("type").text("").equals(type)
                && condition.at(field).text("").equals(wanted);
    }

    private static Phase phase(Field field, boolean isBound) {
        var text = field.text("");
        return switch (text) {
            case "" -> isBound ? Phase.RUNNING : Phase.PENDING;
            case "Pending" -> Phase.PENDING;
            case "Running" -> Phase.RUNNING;
            case "Succeeded" -> Phase.SUCCEEDED;
            case "Failed" -> Phase.FAILED;
            case "Unknown" -> Phase.UNKNOWN;
            default -> {
                field.fault(
                        "phase \"%s\" is unknown; wanted Pending, Running, Succeeded, Failed or Unknown"
                                .formatted(Shortened.of(text)));
                yield Phase.UNKNOWN;
            }
        };
    }

    private static List<PodVolume> volumes(Field field) {
        var volumes = new ArrayList<PodVolume>();
        for (var volume : field.elements()) {
            var claim = volume.at("persistentVolumeClaim");
            var ephemeral = volume.at("ephemeral");
            if (claim.isPresent()) {
                volumes.add(
                        new PodVolume.Claim(
                                claim.at("claimName").requiredText("a PersistentVolumeClaim")));
            } else if (ephemeral.isPresent()) {
                volumes.add(
                        new PodVolume.Ephemeral(
                                volume.at("name").requiredText("the volume's name"),
                                ephemeral
                                        .at("volumeClaimTemplate")
                                        .at("spec")
                                        .at("storageClassName")
                                        .text()));
            }
        }
        return volumes;
    }

    private static @Nullable String emptyToNull(@Nullable String text) {
        return text == null || text.isEmpty() ? null : text;
    }
}
