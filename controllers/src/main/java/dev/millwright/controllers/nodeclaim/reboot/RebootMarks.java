package dev.millwright.controllers.nodeclaim.reboot;

import dev.millwright.controllers.nodeclaim.NewClaims;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.label.Taint;
import dev.millwright.kube.client.ApiWrite;
import dev.millwright.kube.client.ApiWrite.PatchKind;
import dev.millwright.kube.client.ApiWrite.Subresource;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;
import dev.millwright.kube.object.NodeObject;
import dev.millwright.runtime.step.Answers;
import dev.millwright.runtime.step.Effect;
import dev.millwright.runtime.step.Step;

import java.util.ArrayList;
import java.util.List;

/// What a reboot does to the Node object: a taint that keeps pods off until it has booted, and the
/// label that says it has come up, which is no longer true.
final class RebootMarks {

    private RebootMarks() {}

    static Step fenced(NodeObject node) {
        if (isFenced(node)) {
            return Step.DONE;
        }
        var taints = new ArrayList<>(node.taintValues());
        taints.add(NewClaims.value(Taint.REBOOTING));
        return written(node, taints);
    }

    static Step unfenced(NodeObject node) {
        return isFenced(node)
                ? written(
                        node,
                        node.taintValues().stream()
                                .filter(
                                        taint ->
                                                !LabelKeys.REBOOTING_TAINT.equals(
                                                        taint.text("key")))
                                .toList())
                : Step.DONE;
    }

    static Step uninitialized(NodeObject node) {
        if (!node.isInitialized()) {
            return Step.DONE;
        }
        return Step.of(
                new Effect.Write(
                        patch(
                                node,
                                Tree.of(
                                        "metadata",
                                        Tree.of(
                                                "labels",
                                                Tree.of().putNothing(LabelKeys.INITIALIZED)))),
                        Answers::deleted));
    }

    private static boolean isFenced(NodeObject node) {
        return node.node().taints().stream().anyMatch(Taint.REBOOTING::matches);
    }

    /// Locked: a list that is written replaces what others put into it meanwhile.
    private static Step written(NodeObject node, List<Value.Mapping> taints) {
        return Step.of(
                new Effect.Write(
                        patch(
                                node,
                                Tree.of("metadata", node.meta().locked())
                                        .put("spec", Tree.of().putList("taints", taints))),
                        Answers::deleted));
    }

    private static ApiWrite patch(NodeObject node, Tree body) {
        return new ApiWrite.Patch(
                ResourceType.NODE, node.name(), PatchKind.MERGE, Subresource.NONE, body.mapping());
    }
}
