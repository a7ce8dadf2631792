package dev.millwright.controllers.node;

import dev.millwright.controllers.nodeclaim.NewClaims;
import dev.millwright.core.label.Taint;
import dev.millwright.kube.client.ApiWrite;
import dev.millwright.kube.client.ApiWrite.PatchKind;
import dev.millwright.kube.client.ApiWrite.Subresource;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;
import dev.millwright.kube.object.NodeObject;

import java.util.ArrayList;
import java.util.List;

/// Puts a taint on a node and takes it off. Locked: a list that is written replaces what others put
/// into it meanwhile.
public final class NodeTaints {

    private NodeTaints() {}

    public static ApiWrite.Patch with(NodeObject node, Taint taint) {
        var taints = others(node, taint);
        taints.add(NewClaims.value(taint));
        return patch(node, taints);
    }

    public static ApiWrite.Patch without(NodeObject node, Taint taint) {
        return patch(node, others(node, taint));
    }

    private static List<Value.Mapping> others(NodeObject node, Taint taint) {
        var others = new ArrayList<Value.Mapping>(node.taintValues());
        others.removeIf(each -> taint.key().equals(each.text("key")));
        return others;
    }

    private static ApiWrite.Patch patch(NodeObject node, List<Value.Mapping> taints) {
        return new ApiWrite.Patch(
                ResourceType.NODE,
                node.name(),
                PatchKind.MERGE,
                Subresource.NONE,
                Tree.of("metadata", node.meta().locked())
                        .put("spec", Tree.of().putList("taints", taints))
                        .mapping());
    }
}
