package dev.millwright.capi.workspace;

import dev.millwright.kube.object.RawObject;

/// What Crossplane, Cluster API and we write on a Workspace besides its spec.
final class WorkspaceMarks {

    static final String FINALIZER = "finalizer.managedresource.crossplane.io";
    static final String CONFIG_FINALIZER = "in-use.crossplane.io";
    static final String EXTERNAL_NAME = "crossplane.io/external-name";
    static final String PAUSED = "crossplane.io/paused";

    /// Holds `clusterctl move` back.
    static final String BLOCK_MOVE = "clusterctl.cluster.x-k8s.io/block-move";

    /// On a usage, the config it is of.
    static final String USED_CONFIG = "crossplane.io/provider-config";

    /// On a config: the namespaces that may use it, joined by commas. Without it all may.
    static final String ALLOWED_NAMESPACES = "millwright.dev/allowed-namespaces";

    static final String SYNCED = "Synced";
    static final String READY = "Ready";

    /// Ours: there while Terraform works.
    static final String RUNNING = "Running";

    private WorkspaceMarks() {}

    static boolean isPaused(RawObject workspace) {
        return "true".equals(workspace.meta().annotation(PAUSED));
    }
}
