package dev.millwright.controllers.node;

import dev.millwright.core.label.AnnotationKeys;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.object.ClaimObject;
import dev.millwright.kube.object.NodeObject;

import org.jspecify.annotations.Nullable;

/// Nodes whose pods may be made to leave.
public final class Condemned {

    /// The reason of a claim's condition while its node is emptied for a reboot.
    public static final String REBOOT_REQUESTED = "RebootRequested";

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

    /// Also before a reboot, until the cloud is asked for it: who is on the node then stays.
    public static boolean mayBeEmptied(View view, @Nullable NodeObject node) {
        return isCondemned(view, node) || isAwaitingReboot(view, node);
    }

    private static boolean isAwaitingReboot(View view, @Nullable NodeObject node) {
        var claim = node == null || !view.isManaged(node) ? null : view.claimOf(node);
        var rebooting = claim == null ? null : claim.conditions().find(ClaimObject.REBOOTING);
        return claim != null
                && rebooting != null
                && rebooting.isTrue()
                && rebooting.reason().equals(REBOOT_REQUESTED)
                && claim.meta().annotation(AnnotationKeys.REBOOT_PRE_BOOT_ID) == null;
    }
}
