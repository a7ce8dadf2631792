package dev.millwright.capi.object;

import dev.millwright.kube.grant.ReferencePolicy.From;
import dev.millwright.kube.object.RawObject;

/// For whom Terraform is run. A Workspace without a namespace belongs to the namespace of the apply
/// that made it; one that nobody's apply made was written by an administrator.
public final class WorkspaceOrigin {

    /// On a Workspace: `<namespace>/<name>` of the apply that made it.
    public static final String APPLY = "millwright.dev/apply";

    private WorkspaceOrigin() {}

    public static From of(RawObject workspace) {
        var own = workspace.name().namespace();
        if (!own.isEmpty()) {
            var type = CaptTypes.NAMESPACED_WORKSPACE.type();
            return new From(type.group(), type.kind(), own);
        }
        var apply = workspace.meta().annotation(APPLY);
        var type = CaptTypes.APPLY.type();
        var slash = apply == null ? -1 : apply.indexOf('/');
        return new From(
                type.group(),
                type.kind(),
                apply == null || slash < 0 ? "" : apply.substring(0, slash));
    }
}
