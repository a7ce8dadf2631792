package dev.millwright.capi.kubeconfig;

import dev.millwright.capi.apply.Applies;
import dev.millwright.capi.apply.WorkspaceState;
import dev.millwright.capi.controlplane.ControlPlanes;
import dev.millwright.capi.object.CaptTypes;
import dev.millwright.capi.object.ClusterApi;
import dev.millwright.capi.object.Owners;
import dev.millwright.capi.object.Pause;
import dev.millwright.capi.port.Secrets;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.object.RawObject;
import dev.millwright.runtime.step.Controller;
import dev.millwright.runtime.step.Effect;
import dev.millwright.runtime.step.Pace;
import dev.millwright.runtime.step.Step;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.List;

/// Has the kubeconfig of an EKS cluster made, and keeps its Secret and that of the CA as Cluster
/// API wants them: there, of the right type, and renewed before what is in them expires.
///
/// Secrets are read when a Workspace has run, before a token expires, and every ten minutes in case
/// somebody took one away; in between a look costs nothing.
public final class KubeconfigController implements Controller {

    private static final int AT_ONCE_MAX = 4;

    private static final String DEFAULT_NAMESPACE = "default";

    private final ClusterApi api;
    private final Secrets secrets;
    private final KubeconfigMemory memory;

    public KubeconfigController(ClusterApi api, Secrets secrets, KubeconfigMemory memory) {
        this.api = api;
        this.secrets = secrets;
        this.memory = memory;
    }

    @Override
    public String name() {
        return "captcontrolplane.kubeconfig";
    }

    @Override
    public Pace pace() {
        return Pace.of(AT_ONCE_MAX);
    }

    @Override
    public List<Watch<?>> watches() {
        return List.of(
                Watch.own(CaptTypes.CONTROL_PLANE),
                new Watch<>(
                        CaptTypes.WORKSPACE,
                        (view, change) ->
                                Applies.owners(view, change.latest(), CaptTypes.CONTROL_PLANE)),
                new Watch<>(
                        CaptTypes.WORKSPACE_TEMPLATE,
                        (view, change) ->
                                change.isCreation()
                                                && change.name()
                                                        .name()
                                                        .equals(KubeconfigLook.TEMPLATE)
                                        ? view.cache(CaptTypes.CONTROL_PLANE).all().stream()
                                                .map(RawObject::name)
                                                .toList()
                                        : List.of()));
    }

    @Override
    public Step step(View view, ObjectName key, Instant now) {
        var own = view.cache(CaptTypes.CONTROL_PLANE).find(key);
        if (own == null || own.meta().isDeleting()) {
            memory.forget(key);
            return Step.DONE;
        }
        var cluster = Owners.cluster(view, api, own);
        var eks = Applies.state(view, ControlPlanes.eksApply(view, own));
        if (cluster == null
                || Pause.holds(own, cluster)
                || eks == null
                || !eks.isAvailable()
                || ControlPlanes.host(own).isEmpty()) {
            return Step.DONE;
        }
        var look = new KubeconfigLook(view, own, cluster, now);
        var workspace = look.workspace();
        if (workspace != null && workspace.isRunning()) {
            return Step.DONE; // Its end wakes us.
        }
        var sign =
                String.join(
                        " ",
                        own.meta().uid(),
                        ControlPlanes.host(own),
                        eks.hash(),
                        workspace == null ? "" : workspace.workspace().meta().resourceVersion());
        var rest = memory.rest(key, sign, now);
        if (rest != null) {
            return Step.again(rest);
        }
        return Step.of(
                new Effect.Ask<>(
                        "Secrets of a control plane",
                        Effect.Ask.Touch.READS,
                        () -> read(own, cluster.name().name(), workspace),
                        found -> look.step(found, at -> memory.note(key, sign, at))));
    }

    private KubeconfigLook.Found read(
            RawObject own, String clusterName, @Nullable WorkspaceState workspace) {
        var namespace = own.name().namespace();
        var outputs =
                secrets.read(new ObjectName(namespace, KubeconfigLook.outputsName(clusterName)));
        if (outputs instanceof Secrets.Answer.Missing) {
            // Where CAPT's own template writes it, for clusters of this name in all namespaces.
            outputs =
                    ofWorkspace(
                            workspace,
                            secrets.read(
                                    new ObjectName(
                                            DEFAULT_NAMESPACE,
                                            KubeconfigLook.outputsName(clusterName))));
        }
        return new KubeconfigLook.Found(
                secrets.read(ControlPlanes.connectionSecret(own)),
                outputs,
                secrets.read(KubeconfigLook.kubeconfigName(namespace, clusterName)),
                secrets.read(KubeconfigLook.authorityName(namespace, clusterName)));
    }

    /// What this very Workspace wrote; a Secret of another counts as none.
    private static Secrets.Answer ofWorkspace(
            @Nullable WorkspaceState workspace, Secrets.Answer answer) {
        var isOwn =
                answer instanceof Secrets.Answer.Found found
                        && workspace != null
                        && found.meta().owners().stream()
                                .anyMatch(
                                        each ->
                                                each.uid()
                                                        .equals(
                                                                workspace
                                                                        .workspace()
                                                                        .meta()
                                                                        .uid()));
        return isOwn || answer instanceof Secrets.Answer.Failed
                ? answer
                : new Secrets.Answer.Missing();
    }
}
