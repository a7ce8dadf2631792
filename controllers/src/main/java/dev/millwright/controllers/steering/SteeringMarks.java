package dev.millwright.controllers.steering;

import dev.millwright.controllers.node.NodeTaints;
import dev.millwright.core.disruption.DisruptionCost;
import dev.millwright.core.label.ControlKeys;
import dev.millwright.core.label.Taint;
import dev.millwright.kube.client.ApiWrite;
import dev.millwright.kube.client.ApiWrite.PatchKind;
import dev.millwright.kube.client.ApiWrite.Subresource;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.object.NodeObject;
import dev.millwright.kube.object.PodObject;

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
        return isAway
                ? NodeTaints.with(node, Taint.STEERED_AWAY)
                : NodeTaints.without(node, Taint.STEERED_AWAY);
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
