package dev.millwright.controllers.node.hydration;

import dev.millwright.controllers.nodeclaim.ClassLabel;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.cache.Change;
import dev.millwright.kube.cache.Kind;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.object.ClaimObject;
import dev.millwright.kube.object.NodeObject;
import dev.millwright.runtime.step.Controller;
import dev.millwright.runtime.step.Effect;
import dev.millwright.runtime.step.Pace;
import dev.millwright.runtime.step.Step;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.List;

/// Looks at all nodes, since a node without the label is not known to be ours.
///
/// A node that is about to register gets the label with its claim's others; two writers would only
/// be in each other's way.
public final class NodeHydrationController implements Controller {

    private final Pace pace;

    public NodeHydrationController(double cores) {
        this.pace = ClassLabel.pace(cores);
    }

    @Override
    public String name() {
        return "node.hydration";
    }

    @Override
    public Pace pace() {
        return pace;
    }

    @Override
    public List<Watch<?>> watches() {
        return List.of(
                new Watch<>(Kind.NODE, NodeHydrationController::ofNode),
                new Watch<>(Kind.NODE_CLAIM, NodeHydrationController::ofClaim));
    }

    private static List<ObjectName> ofNode(View view, Change<NodeObject> change) {
        var node = change.after();
        return node != null && missing(view, node) != null ? List.of(change.name()) : List.of();
    }

    private static List<ObjectName> ofClaim(View view, Change<ClaimObject> change) {
        var claim = change.after();
        return claim == null
                ? List.of()
                : view.nodesOf(claim.providerId()).stream()
                        .filter(node -> missing(view, node) != null)
                        .map(NodeObject::name)
                        .toList();
    }

    private static @Nullable ClassLabel missing(View view, NodeObject node) {
        var claim = view.claimOf(node);
        if (claim == null
                || !view.isManaged(claim.spec().nodeClassRef())
                || claim.conditions().isUnknown(ClaimObject.REGISTERED)) {
            return null;
        }
        var label = ClassLabel.of(claim);
        return label.isOn(node.meta()) ? null : label;
    }

    @Override
    public Step step(View view, ObjectName key, Instant now) {
        var node = view.node(key.name());
        var label = node == null ? null : missing(view, node);
        return node == null || label == null
                ? Step.DONE
                : Step.of(new Effect.Write(label.patch(ResourceType.NODE, node.name())));
    }
}
