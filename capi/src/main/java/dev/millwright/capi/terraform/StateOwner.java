package dev.millwright.capi.terraform;

import dev.millwright.capi.workspace.RunOrder;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.object.Meta;

import org.jspecify.annotations.Nullable;

/// Whose a state is, as its Secret tells it. Who runs Terraform on a state may destroy all that is
/// in it, so that nobody else's is ever read or written.
///
/// @param uid of the Workspace
/// @param name which Workspace that is, and for which namespace it is run. A Workspace that is made
///   again, by `clusterctl move` or from a copy, has another uid and the same name
/// @param isNamespaced whether two Workspaces may have one name
record StateOwner(String uid, String name, String namespace, boolean isNamespaced) {

    private static final String UID = "millwright.dev/owner-uid";
    private static final String NAME = "millwright.dev/owner";

    static StateOwner of(RunOrder.Target target) {
        var own = target.origin().namespace();
        return new StateOwner(
                target.uid(),
                "%s %s/%s".formatted(target.controller(), own, target.key().name()),
                own,
                !target.key().namespace().isEmpty());
    }

    Tree annotations() {
        return Tree.of(UID, uid).put(NAME, name);
    }

    /// Why the Secret of this place is not ours; null when it is.
    @Nullable String refusal(StatePlace place, Meta secret) {
        var heldBy = secret.annotation(NAME);
        if (uid.equals(secret.annotation(UID)) || name.equals(heldBy)) {
            return null;
        }
        if (heldBy != null) {
            return "state %s belongs to %s and this is %s; take another name for the workspace or another secret_suffix"
                    .formatted(place.secret(), heldBy, name);
        }
        if (!place.isNamedBy(secret)) {
            return "state %s is that of workspace %s with suffix %s, not of %s with %s; take another name"
                    .formatted(
                            place.secret(),
                            secret.label(StatePlace.WORKSPACE_LABEL),
                            secret.label(StatePlace.SUFFIX_LABEL),
                            place.workspace(),
                            place.suffix());
        }
        // Names of Workspaces without a namespace are unique, those of others are not.
        return !isNamespaced || place.namespace().equals(namespace)
                ? null
                : "state %s does not tell whose it is; annotate it with %s: %s if it is this one's"
                        .formatted(place.secret(), NAME, name);
    }

    /// Whether somebody has said whose the state is.
    static boolean isNamed(Meta secret) {
        return secret.annotation(NAME) != null;
    }
}
