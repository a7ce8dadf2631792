package dev.millwright.capi.workspace;

import dev.millwright.kube.object.RawObject;

/// What Crossplane, Cluster API and we write on a Workspace besides its spec.
public final class WorkspaceMarks {

    public static final String FINALIZER = "finalizer.managedresource.crossplane.io";
    public static final String CONFIG_FINALIZER = "in-use.crossplane.io";
    public static final String EXTERNAL_NAME = "crossplane.io/external-name";
    public static final String PAUSED = "crossplane.io/paused";

    /// Holds `clusterctl move` back.
    public static final String BLOCK_MOVE = "clusterctl.cluster.x-k8s.io/block-move";

    /// On a usage, the config it is of.
    public static final String USED_CONFIG = "crossplane.io/provider-config";

    public static final String SYNCED = "Synced";
    public static final String READY = "Ready";

    /// Ours: there while Terraform works.
    public static final String RUNNING = "Running";

    private WorkspaceMarks() {}

    static boolean isPaused(RawObject workspace) {
        return "true".equals(workspace.meta().annotation(PAUSED));
    }
}
