package dev.millwright.controllers.node;

import dev.millwright.kube.cache.View;
import dev.millwright.kube.object.NodeObject;

import org.jspecify.annotations.Nullable;

/// Nodes whose pods may be made to leave.
public final class Condemned {

    private Condemned() {}

    /// Only when the Node *and* its claim are being deleted: nothing takes a deletion back, so that
    /// no stale look at the cluster can cost a pod its place. A node without a claim of its own
    /// (none, or several that quarrel) has only its own word.
    public static boolean isCondemned(View view, @Nullable NodeObject node) {
        if (node == null || !node.isDeleting() || !view.isManaged(node)) {
            return false;
        }
        var claim = view.claimOf(node);
        return claim == null || claim.isDeleting();
    }
}
