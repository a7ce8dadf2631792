package dev.millwright.capi.apply;

import dev.millwright.capi.object.WorkspaceOrigin;

/// What we write on Workspaces and applies beside what the kinds know.
public final class Marks {

    /// On a Workspace: namespace and name of the apply that made it.
    public static final String APPLY = WorkspaceOrigin.APPLY;

    /// On a Workspace: which rendering of its template it has.
    public static final String RENDERED_HASH = "millwright.dev/rendered-hash";

    /// On a Workspace: run at once when this is another time than the one that was seen.
    public static final String RUN_AT = "millwright.dev/run-at";

    /// On a Workspace: since when it is paused by us, because its Cluster is. One that a person
    /// paused has no such mark and stays paused.
    public static final String PAUSED_SINCE = "millwright.dev/paused-since";

    /// On a Workspace: with the value true, it is left alone.
    public static final String PAUSED = "crossplane.io/paused";

    /// Holds `clusterctl move` back.
    public static final String BLOCK_MOVE = "clusterctl.cluster.x-k8s.io/block-move";

    private Marks() {}
}
