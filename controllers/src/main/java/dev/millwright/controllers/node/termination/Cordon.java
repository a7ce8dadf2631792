package dev.millwright.controllers.node.termination;

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

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;

/// Keeps pods and load balancers away from a node that goes.
final class Cordon {

    private static final String EXCLUDED_BY = "karpenter";

    private Cordon() {}

    /// The patch that is missing, or null when the node has taint and label. It fails when somebody
    /// else wrote meanwhile: a list of taints must not overwrite theirs.
    static ApiWrite.@Nullable Patch of(NodeObject node) {
        var marks =
                node.node().taints().stream()
                        .filter(taint -> taint.key().equals(LabelKeys.DISRUPTED_TAINT))
                        .toList();
        var isTainted = marks.size() == 1 && marks.getFirst().equals(Taint.DISRUPTED);
        var isExcluded =
                EXCLUDED_BY.equals(node.meta().label(LabelKeys.EXCLUDE_FROM_LOAD_BALANCERS));
        if (isTainted && isExcluded) {
            return null;
        }
        var metadata = node.meta().locked();
        if (!isExcluded) {
            metadata.put("labels", Tree.of(LabelKeys.EXCLUDE_FROM_LOAD_BALANCERS, EXCLUDED_BY));
        }
        var body = Tree.of("metadata", metadata);
        if (!isTainted) {
            body.put("spec", Tree.of().put("taints", taints(node)));
        }
        return new ApiWrite.Patch(
                ResourceType.NODE, node.name(), PatchKind.MERGE, Subresource.NONE, body.mapping());
    }

    private static Value taints(NodeObject node) {
        var taints = new ArrayList<Value>();
        for (var taint : node.taintValues()) {
            if (!LabelKeys.DISRUPTED_TAINT.equals(taint.text("key"))) {
                taints.add(taint);
            }
        }
        taints.add(NewClaims.value(Taint.DISRUPTED));
        return Tree.list(taints);
    }
}
