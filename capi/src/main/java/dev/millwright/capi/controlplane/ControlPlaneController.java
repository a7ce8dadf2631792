package dev.millwright.capi.controlplane;

import dev.millwright.capi.apply.Applies;
import dev.millwright.capi.apply.WantedApply;
import dev.millwright.capi.apply.WorkspaceState;
import dev.millwright.capi.controlplane.Progress.Report;
import dev.millwright.capi.machine.membership.ClusterMachines;
import dev.millwright.capi.object.CaptTypes;
import dev.millwright.capi.object.ClusterApi;
import dev.millwright.capi.object.ObjectPatches;
import dev.millwright.capi.object.Owners;
import dev.millwright.capi.object.Pause;
import dev.millwright.capi.object.Reference;
import dev.millwright.capi.port.Secrets;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.cache.Change;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.object.RawObject;
import dev.millwright.runtime.step.Controller;
import dev.millwright.runtime.step.Effect;
import dev.millwright.runtime.step.Pace;
import dev.millwright.runtime.step.Step;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/// Has the EKS cluster of a CAPTControlPlane made once its VPC is there, tells Cluster API where it
/// answers, and has it taken away after its kubeconfig. Kubeconfig and CA have a loop of their own.
public final class ControlPlaneController implements Controller {

    private static final int AT_ONCE_MAX = 10;

    private final ClusterApi api;
    private final Secrets secrets;

    public ControlPlaneController(ClusterApi api, Secrets secrets) {
        this.api = api;
        this.secrets = secrets;
    }

    @Override
    public String name() {
        return "captcontrolplane.eks";
    }

    @Override
    public Pace pace() {
        return Pace.of(AT_ONCE_MAX);
    }

    @Override
    public List<Watch<?>> watches() {
        var watches = new ArrayList<Watch<?>>(ClusterMachines.watches(CaptTypes.CONTROL_PLANE));
        watches.addAll(
                Applies.watches(
                        CaptTypes.CONTROL_PLANE,
                        Watch.own(CaptTypes.CONTROL_PLANE),
                        new Watch<>(
                                CaptTypes.CLUSTER,
                                (view, change) ->
                                        ofCluster(
                                                view,
                                                change,
                                                Owners.cluster(view, api, change.latest()))),
                        new Watch<>(
                                api.cluster(),
                                (view, change) -> ofCluster(view, change, change.latest()))));
        return watches;
    }

    private List<ObjectName> ofCluster(
            View view, Change<RawObject> change, @Nullable RawObject cluster) {
        if (cluster == null) {
            return List.of();
        }
        var referred = cluster.spec().at("controlPlaneRef").at("name").text("");
        Predicate<RawObject> isOfCluster =
                each ->
                        each.name().equals(cluster.name())
                                || each.name().name().equals(referred)
                                || cluster.name().equals(Owners.of(each, api.cluster()));
        return view.cache(CaptTypes.CONTROL_PLANE).all().stream()
                .filter(each -> each.name().namespace().equals(change.name().namespace()))
                .filter(isOfCluster)
                .map(RawObject::name)
                .toList();
    }

    @Override
    public Step step(View view, ObjectName key, Instant now) {
        var own = view.cache(CaptTypes.CONTROL_PLANE).find(key);
        if (own == null) {
            return Step.DONE;
        }
        var cluster = Owners.cluster(view, api, own);
        var status = new ControlPlaneStatus(own, now);
        if (Pause.holds(own, cluster)) {
            return status.paused();
        }
        if (own.meta().isDeleting()) {
            return new ControlPlaneDeletion(api).of(view, own, cluster, status);
        }
        if (cluster == null) {
            return status.of(
                    report(new Progress.Waiting("Creating", "waits for the Cluster that owns it")));
        }
        var clusterName = cluster.name().name();
        if (!own.meta().hasFinalizer(ControlPlanes.FINALIZER)
                || !own.meta().label(ClusterApi.CLUSTER_NAME).equals(clusterName)) {
            return Step.of(prepare(own, clusterName));
        }
        return new Making(view, own, cluster, now).step(status);
    }

    private static Report report(Progress progress) {
        return new Report(progress, null, null);
    }

    private static Effect prepare(RawObject own, String clusterName) {
        var finalizers = new ArrayList<>(own.meta().finalizers());
        if (!finalizers.contains(ControlPlanes.FINALIZER)) {
            finalizers.add(ControlPlanes.FINALIZER);
        }
        return new Effect.Write(
                ObjectPatches.patch(
                        CaptTypes.CONTROL_PLANE,
                        own,
                        Tree.of(
                                "metadata",
                                own.meta()
                                        .locked()
                                        .putTextList("finalizers", finalizers)
                                        .put(
                                                "labels",
                                                Tree.of(ClusterApi.CLUSTER_NAME, clusterName)))));
    }

    /// One look at a control plane that is to be there.
    private final class Making {

        private static final long MINUTES_MAX = 100_000;

        private final View view;
        private final RawObject own;
        private final RawObject cluster;
        private final Instant now;
        private final Infrastructure infrastructure;

        Making(View view, RawObject own, RawObject cluster, Instant now) {
            this.view = view;
            this.own = own;
            this.cluster = cluster;
            this.now = now;
            this.infrastructure = Infrastructure.of(view, own, cluster);
        }

        Step step(ControlPlaneStatus status) {
            var apply = ControlPlanes.eksApply(view, own);
            if (apply != null && Owners.isAnothers(apply, own)) {
                return status.of(
                        report(
                                new Progress.Failed(
                                        "WorkspaceError",
                                        "WorkspaceTemplateApply %s belongs to another object"
                                                .formatted(apply.name()),
                                        false)));
            }
            if (apply == null) {
                return begin(status);
            }
            // Not while the network is unknown: after a move its id is found again first.
            var effects =
                    infrastructure.isReady()
                            ? wanted().effects(CaptTypes.CONTROL_PLANE, own, apply)
                            : List.<Effect>of();
            return Step.of(effects).followedBy(follow(status, apply, effects.isEmpty()));
        }

        private Step begin(ControlPlaneStatus status) {
            var template = templateName();
            if (template == null
                    || view.cache(CaptTypes.WORKSPACE_TEMPLATE).find(template) == null) {
                return status.of(
                        report(
                                new Progress.Failed(
                                        "WorkspaceTemplateNotFound",
                                        "WorkspaceTemplate %s is not there; make it, or name another in spec.workspaceTemplateRef"
                                                .formatted(template),
                                        true)));
            }
            if (!infrastructure.isReady()) {
                return status.of(report(vpcAwaited(own.meta().createdAt())));
            }
            var spot = new SpotRole(view, own, cluster).stage();
            var progress = spot.progress();
            if (progress != null) {
                return Step.of(spot.effects()).followedBy(status.of(report(progress)));
            }
            return Step.of(spot.effects())
                    .followedBy(Step.of(wanted().effects(CaptTypes.CONTROL_PLANE, own, null)))
                    .followedBy(status.of(report(new Progress.Waiting("Creating", "is begun"))));
        }

        private WantedApply wanted() {
            var template = templateName();
            return new WantedApply(
                    ControlPlanes.eksApplyName(own),
                    cluster.name().name(),
                    template == null ? own.name() : template,
                    EksVariables.of(own, cluster, infrastructure.vpcId()),
                    ControlPlanes.connectionSecret(own),
                    infrastructure.waitsFor() == null
                            ? List.of()
                            : List.of(infrastructure.waitsFor()),
                    false);
        }

        private @Nullable ObjectName templateName() {
            var reference = Reference.of(own.spec().at("workspaceTemplateRef"));
            return reference == null ? null : reference.in(own.name().namespace());
        }

        private Progress vpcAwaited(Instant since) {
            var limit = minutes("vpcReadyTimeout", 15);
            return now.isAfter(since.plus(limit))
                    ? new Progress.Failed(
                            "VPCReadyTimeout",
                            "the VPC was not ready within %d minutes; %s"
                                    .formatted(limit.toMinutes(), infrastructure.message()),
                            true)
                    : new Progress.Waiting("WaitingForVPC", infrastructure.message());
        }

        private Duration minutes(String timeout, long fallback) {
            var minutes =
                    own.spec()
                            .at("controlPlaneConfig")
                            .at("timeouts")
                            .at(timeout)
                            .whole(1, MINUTES_MAX);
            return Duration.ofMinutes(minutes == null ? fallback : minutes);
        }

        private Step follow(ControlPlaneStatus status, RawObject apply, boolean isAsWanted) {
            var state = Applies.state(view, apply);
            if (state == null) {
                return status.of(new Report(unmade(apply), apply, null));
            }
            if (!state.isAvailable()) {
                return status.of(new Report(unready(apply, state), apply, state));
            }
            var isSettled = isAsWanted && Applies.isSettled(view, apply) && isOfVersion(state);
            var output = state.output("cluster_endpoint").text("");
            return output.isEmpty()
                    ? endpointFromSecret(status, apply, state, isSettled)
                    : running(status, apply, state, output, isSettled);
        }

        private Progress unmade(RawObject apply) {
            var ready = apply.conditions().find(WorkspaceState.READY);
            return ready != null && ready.reason().equals("WaitingForWorkspace")
                    ? vpcAwaited(apply.meta().createdAt())
                    : new Progress.Waiting("Creating", ready == null ? "" : ready.message());
        }

        private Progress unready(RawObject apply, WorkspaceState state) {
            var error = state.error();
            var limit = minutes("controlPlaneTimeout", 30);
            if (!ControlPlaneStatus.isInitialized(own)
                    && now.isAfter(apply.meta().createdAt().plus(limit))) {
                return new Progress.Failed(
                        "ControlPlaneTimeout",
                        "the EKS cluster was not ready within %d minutes%s"
                                .formatted(limit.toMinutes(), error == null ? "" : ": " + error),
                        true);
            }
            return error == null
                    ? new Progress.Waiting("Creating", "waits for the EKS cluster")
                    : new Progress.Failed("WorkspaceError", error, false);
        }

        /// EKS tells major and minor. A template that does not pass them on is believed.
        private boolean isOfVersion(WorkspaceState state) {
            var found = state.output("cluster_version").text("");
            return found.isEmpty()
                    || found.equals(KubernetesVersion.minor(own.spec().at("version").text("")));
        }

        private Step endpointFromSecret(
                ControlPlaneStatus status, RawObject apply, WorkspaceState state, boolean settled) {
            var name = ControlPlanes.connectionSecret(own);
            return Step.of(
                    new Effect.Ask<>(
                            "endpoint of the EKS cluster",
                            Effect.Ask.Touch.READS,
                            () -> text(secrets.read(name), "cluster_endpoint"),
                            found -> running(status, apply, state, found, settled)));
        }

        private static String text(Secrets.Answer answer, String key) {
            return answer instanceof Secrets.Answer.Found(_, _, var data) && data.get(key) != null
                    ? new String(data.get(key), StandardCharsets.UTF_8)
                    : "";
        }

        private Step running(
                ControlPlaneStatus status,
                RawObject apply,
                WorkspaceState state,
                String address,
                boolean isSettled) {
            var endpoint = Endpoint.of(address);
            if (endpoint == null) {
                return status.of(
                        new Report(
                                new Progress.Failed(
                                        "EndpointError",
                                        "neither the outputs of Workspace %s nor Secret %s have a cluster_endpoint"
                                                .formatted(
                                                        state.workspace().name().name(),
                                                        ControlPlanes.connectionSecret(own)),
                                        false),
                                apply,
                                state));
            }
            var step =
                    status.of(
                            new Report(
                                    new Progress.Running(endpoint, isSettled, state.error()),
                                    apply,
                                    state));
            var effects = new ArrayList<>(step.effects());
            if (!endpoint.isIn(own.spec())) {
                effects.add(
                        new Effect.Write(
                                ObjectPatches.patch(
                                        CaptTypes.CONTROL_PLANE, own, endpoint.spec())));
            }
            if (!endpoint.isIn(cluster.spec()) && !cluster.meta().isDeleting()) {
                effects.add(status.endpoint(api.cluster(), cluster, endpoint));
            }
            return new Step(effects, step.ending());
        }
    }
}
