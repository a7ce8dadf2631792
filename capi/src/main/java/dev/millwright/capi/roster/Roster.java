package dev.millwright.capi.roster;

import dev.millwright.capi.apply.ApplyController;
import dev.millwright.capi.apply.ReferenceController;
import dev.millwright.capi.apply.TemplateController;
import dev.millwright.capi.cluster.CaptClusterController;
import dev.millwright.capi.controlplane.ControlPlaneController;
import dev.millwright.capi.kubeconfig.KubeconfigController;
import dev.millwright.capi.kubeconfig.KubeconfigMemory;
import dev.millwright.capi.machine.deployment.DeploymentController;
import dev.millwright.capi.machine.infrastructure.MachineController;
import dev.millwright.capi.machine.infrastructure.PoolController;
import dev.millwright.capi.machine.set.SetController;
import dev.millwright.capi.object.CaptTypes;
import dev.millwright.capi.workspace.ProviderConfigController;
import dev.millwright.capi.workspace.WorkspaceCollection;
import dev.millwright.capi.workspace.WorkspaceController;
import dev.millwright.capi.workspace.WorkspaceKinds;
import dev.millwright.capi.workspace.WorkspaceMemory;
import dev.millwright.capi.workspace.WorkspaceSettings;
import dev.millwright.kube.cache.Kind;
import dev.millwright.kube.object.RawObject;
import dev.millwright.runtime.step.Controller;
import dev.millwright.runtime.step.Pace;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/// All controllers of the provider, by the half they belong to.
public final class Roster {

    private static final List<WorkspaceKinds> GROUPS =
            List.of(WorkspaceKinds.CLUSTER_SCOPED, WorkspaceKinds.NAMESPACED);

    private final Scope scope;
    private final int concurrency;
    private final WorkspaceController.Ports ports;
    private final WorkspaceSettings workspaces;

    /// @param concurrency objects of a kind that are looked at side by side
    public Roster(
            Scope scope,
            int concurrency,
            WorkspaceController.Ports ports,
            WorkspaceSettings workspaces) {
        this.scope = scope;
        this.concurrency = concurrency;
        this.ports = ports;
        this.workspaces = workspaces;
    }

    public List<Controller> controllers(Collection<Half> halves) {
        var controllers = new ArrayList<Controller>();
        if (halves.contains(Half.INFRASTRUCTURE)) {
            controllers.addAll(templates());
            controllers.addAll(clusters());
            controllers.addAll(machines());
            controllers.addAll(terraform());
        }
        if (halves.contains(Half.CONTROL_PLANE)) {
            controllers.addAll(controlPlanes());
        }
        return controllers;
    }

    private List<Controller> clusters() {
        var core = scope.core();
        return List.of(
                scoped(CaptTypes.CLUSTER, new CaptClusterController(core)),
                scoped(
                        CaptTypes.APPLY,
                        new ApplyController(core, ports.secrets(), ports.references())));
    }

    /// A template belongs to nobody: all who use it may look at it, whatever their labels.
    private static List<Controller> templates() {
        var controllers = new ArrayList<Controller>(ReferenceController.all());
        controllers.add(new TemplateController());
        return controllers;
    }

    private List<Controller> machines() {
        var core = scope.core();
        return List.of(
                scoped(CaptTypes.MACHINE, new MachineController(core)),
                scoped(CaptTypes.MACHINE_SET, new SetController(core)),
                scoped(CaptTypes.MACHINE_DEPLOYMENT, new DeploymentController(core)),
                scoped(CaptTypes.MACHINE_POOL, new PoolController(core)));
    }

    private List<Controller> controlPlanes() {
        var core = scope.core();
        return List.of(
                scoped(CaptTypes.CONTROL_PLANE, new ControlPlaneController(core, ports.secrets())),
                scoped(
                        CaptTypes.CONTROL_PLANE,
                        new KubeconfigController(core, ports.secrets(), new KubeconfigMemory())));
    }

    /// Configs have no owner among clusters: whoever runs Workspaces keeps the list of their users.
    private List<Controller> terraform() {
        var memory = new WorkspaceMemory();
        var controllers = new ArrayList<Controller>();
        for (var kinds : GROUPS) {
            controllers.add(
                    scoped(
                            kinds.workspace(),
                            new WorkspaceController(kinds, workspaces, ports, memory)));
            for (var config : kinds.configs()) {
                controllers.add(new ProviderConfigController(kinds, config, ports.ownership()));
            }
        }
        controllers.add(new WorkspaceCollection(GROUPS, ports.runs(), memory));
        return controllers;
    }

    private Controller scoped(Kind<RawObject> subject, Controller controller) {
        var pace = controller.pace();
        return new Scoped(
                subject,
                controller,
                scope,
                Pace.of(concurrency)
                        .withBackoff(pace.backoffMin(), pace.backoffMax())
                        .withBucket(pace.perSecond(), pace.burst())
                        .withRest(pace.rest()));
    }
}
