package dev.millwright.core.label;

/// The annotations by which people say when nodes may go by choice. They are ours: Karpenter knows
/// none of them.
public final class ControlKeys {

    public static final String PREFIX = "millwright.dev/";

    /// On the namespace [#FREEZE_NAMESPACE] for the whole cluster, on a NodePool for that pool. Its
    /// value is the reason, in words.
    public static final String FREEZE = PREFIX + "freeze";

    /// On a NodePool: when its nodes may go by choice.
    public static final String MAINTENANCE_WINDOWS = PREFIX + "maintenance-windows";

    /// On a NodePool: the age at which a node is to be replaced when budgets and windows let it.
    public static final String EXPIRE_SOFTLY_AFTER = PREFIX + "expire-softly-after";

    /// On a NodePool: `cheapest` or `karpenter`, how its nodes are consolidated.
    public static final String CONSOLIDATION = PREFIX + "consolidation";

    /// On a NodePool: how many of its nodes are on-demand before any is spot.
    public static final String ON_DEMAND_BASE = PREFIX + "on-demand-base";

    /// On a NodePool: how many of a hundred of its nodes beyond the base are spot.
    public static final String SPOT_PERCENT = PREFIX + "spot-percent";

    /// On a NodePool: for how long spot must not have been refused before on-demand nodes go back
    /// to it.
    public static final String RETURN_TO_SPOT = PREFIX + "return-to-spot";

    /// On a NodePool: what a node of it costs an hour beside its machine.
    public static final String NODE_FEE_PER_HOUR = PREFIX + "node-fee-per-hour";

    /// The taint of a node that pods are steered away from, and the annotation of a pod there whose
    /// deletion cost is ours.
    public static final String STEERED = PREFIX + "steered-away";

    /// Every cluster has it, and whoever may write to it may stop the cluster anyway.
    public static final String FREEZE_NAMESPACE = "kube-system";

    /// `true` on the pod template of a Deployment: its only pod moves by a copy that is ready
    /// before it leaves.
    public static final String MAKE_BEFORE_BREAK = PREFIX + "make-before-break";

    /// On the pod template of such a Deployment: the uid of the pod that the copy stands in for.
    public static final String COPY_OF = PREFIX + "copy-of";

    private ControlKeys() {}
}
