package dev.millwright.capi.machine.object;

/// Finalizers, labels and annotations of the machine kinds.
public final class Marks {

    public static final String MACHINE_FINALIZER = "captmachine.infrastructure.cluster.x-k8s.io";
    public static final String SET_FINALIZER = "captmachineset.infrastructure.cluster.x-k8s.io";
    public static final String DEPLOYMENT_FINALIZER =
            "captmachinedeployment.infrastructure.cluster.x-k8s.io";
    public static final String POOL_FINALIZER = "captmachinepool.infrastructure.cluster.x-k8s.io";

    /// The garbage collector's: it takes the owner off the dependents before this goes.
    public static final String ORPHAN_FINALIZER = "orphan";

    /// Tells the machines and the set of one revision from those of another.
    public static final String HASH = "capt-deployment-hash";

    /// On a set: its place in the deployment's history, the newest highest.
    public static final String REVISION = "millwright.dev/revision";

    /// On a set: the template as the deployment had it when the set was made.
    public static final String TEMPLATE_HASH = "millwright.dev/template-hash";

    /// On a set: what the deployment wanted in all when the set was last given a number.
    public static final String DESIRED = "millwright.dev/desired-replicas";

    /// On a set: the most machines the deployment allowed then.
    public static final String MAX = "millwright.dev/max-replicas";

    /// On a deployment: go back to this revision, 0 being the previous one.
    public static final String ROLL_BACK = "millwright.dev/rollback-to";

    /// On a Workspace: the apply that made it.
    public static final String APPLY = "millwright.dev/apply";

    private Marks() {}
}
