package dev.millwright.controllers.steering;

import dev.millwright.controllers.nodeclaim.NewClaims;
import dev.millwright.core.disruption.DisruptionCost;
import dev.millwright.core.label.ControlKeys;
import dev.millwright.core.label.Taint;
import dev.millwright.kube.client.ApiWrite;
import dev.millwright.kube.client.ApiWrite.PatchKind;
import dev.millwright.kube.client.ApiWrite.Subresource;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;
import dev.millwright.kube.object.NodeObject;
import dev.millwright.kube.object.PodObject;

import java.util.ArrayList;

/// What steering leaves on objects: on a node a taint that the scheduler would rather avoid, on its
/// pods a cost by which a ReplicaSet that shrinks lets them go first.
final class SteeringMarks {

    /// Below the cost of a pod that says nothing.
    private static final String CHEAPER = "-1";

    private SteeringMarks() {}

    static boolean isOn(NodeObject node) {
        return node.node().taints().stream().anyMatch(Taint.STEERED_AWAY::matches);
    }

    static boolean isOn(PodObject pod) {
        return pod.meta().annotation(ControlKeys.STEERED) != null;
    }

    /// Whether somebody asks for the pod's cost, and nobody but us has said it.
    static boolean heedsCost(PodObject pod) {
        return pod.isActive()
                && pod.pod().state().isOwnedBy("apps/v1", "ReplicaSet")
                && (isOn(pod) || pod.meta().annotation(DisruptionCost.DELETION_COST) == null);
    }

    static ApiWrite.Patch onNode(NodeObject node, boolean isAway) {
        var taints = new ArrayList<Value.Mapping>(node.taintValues());
        taints.removeIf(taint -> Taint.STEERED_AWAY.key().equals(taint.text("key")));
        if (isAway) {
            taints.add(NewClaims.value(Taint.STEERED_AWAY));
        }
        return new ApiWrite.Patch(
                ResourceType.NODE,
                node.name(),
                PatchKind.MERGE,
                Subresource.NONE,
                Tree.of("metadata", node.meta().locked())
                        .put("spec", Tree.of().putList("taints", taints))
                        .mapping());
    }

    static ApiWrite.Patch onPod(PodObject pod, boolean isAway) {
        var annotations =
                isAway
                        ? Tree.of(DisruptionCost.DELETION_COST, CHEAPER)
                                .put(ControlKeys.STEERED, "true")
                        : Tree.of()
                                .putNothing(DisruptionCost.DELETION_COST)
                                .putNothing(ControlKeys.STEERED);
        return new ApiWrite.Patch(
                ResourceType.POD,
                pod.name(),
                PatchKind.MERGE,
                Subresource.NONE,
                Tree.of("metadata", Tree.of().put("annotations", annotations)).mapping());
    }
}
