package dev.millwright.capi.cluster;

import dev.millwright.capi.apply.Applies;
import dev.millwright.capi.apply.WantedApply;
import dev.millwright.capi.machine.membership.ClusterMachines;
import dev.millwright.capi.object.CaptTypes;
import dev.millwright.capi.object.ClusterApi;
import dev.millwright.capi.object.ObjectPatches;
import dev.millwright.capi.object.Owners;
import dev.millwright.capi.object.Pause;
import dev.millwright.capi.object.Reference;
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

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.function.Predicate;

/// Has the VPC of a CAPTCluster made, tells Cluster API when it is there, and has it taken away
/// after the control plane.
public final class CaptClusterController implements Controller {

    static final String FINALIZER = "infrastructure.cluster.x-k8s.io/captcluster";

    private static final int AT_ONCE_MAX = 10;

    private final ClusterApi api;

    public CaptClusterController(ClusterApi api) {
        this.api = api;
    }

    @Override
    public String name() {
        return "captcluster.vpc";
    }

    @Override
    public Pace pace() {
        return Pace.of(AT_ONCE_MAX);
    }

    @Override
    public List<Watch<?>> watches() {
        var watches = new ArrayList<Watch<?>>(ClusterMachines.watches(CaptTypes.CLUSTER));
        watches.addAll(
                Applies.watches(
                        CaptTypes.CLUSTER,
                        Watch.own(CaptTypes.CLUSTER),
                        new Watch<>(
                                CaptTypes.WORKSPACE_TEMPLATE,
                                CaptClusterController::keysOfTemplate),
                        new Watch<>(
                                CaptTypes.CONTROL_PLANE, CaptClusterController::keysOfControlPlane),
                        new Watch<>(api.cluster(), this::keysOfCluster)));
        return watches;
    }

    private static List<ObjectName> keysOfTemplate(View view, Change<RawObject> change) {
        return change.isCreation() || change.isRemoval()
                ? clusters(view, each -> change.name().equals(templateName(each)))
                : List.of();
    }

    private static List<ObjectName> keysOfControlPlane(View view, Change<RawObject> change) {
        return change.isRemoval() ? clusters(view, each -> each.meta().isDeleting()) : List.of();
    }

    private List<ObjectName> keysOfCluster(View view, Change<RawObject> change) {
        var referred = change.latest().spec().at("infrastructureRef").at("name").text("");
        return clusters(
                view,
                each ->
                        each.name().namespace().equals(change.name().namespace())
                                && (each.name().equals(change.name())
                                        || each.name().name().equals(referred)
                                        || change.name().equals(Owners.of(each, api.cluster()))));
    }

    private static List<ObjectName> clusters(View view, Predicate<RawObject> which) {
        return view.cache(CaptTypes.CLUSTER).all().stream()
                .filter(which)
                .map(RawObject::name)
                .toList();
    }

    @Override
    public Step step(View view, ObjectName key, Instant now) {
        var own = view.cache(CaptTypes.CLUSTER).find(key);
        if (own == null || isManagedElsewhere(own)) {
            return Step.DONE;
        }
        var cluster = Owners.cluster(view, api, own);
        var status = new ClusterStatus(own, now, api.isNewer());
        if (Pause.holds(own, cluster)) {
            return status.paused();
        }
        if (own.meta().isDeleting()) {
            return ClusterDeletion.of(view, own, cluster, status);
        }
        if (cluster == null) {
            return status.of(new Vpc.Unowned());
        }
        var clusterName = cluster.name().name();
        if (!own.meta().hasFinalizer(FINALIZER)
                || !own.meta().label(ClusterApi.CLUSTER_NAME).equals(clusterName)) {
            return Step.of(prepare(own, clusterName));
        }
        return vpc(view, own, clusterName, status);
    }

    /// The book of Cluster API says label, its code reads an annotation.
    private static boolean isManagedElsewhere(RawObject own) {
        return own.meta().labels().containsKey(ClusterApi.MANAGED_BY)
                || own.meta().annotation(ClusterApi.MANAGED_BY) != null;
    }

    private static Effect prepare(RawObject own, String clusterName) {
        var finalizers = new ArrayList<>(own.meta().finalizers());
        if (!finalizers.contains(FINALIZER)) {
            finalizers.add(FINALIZER);
        }
        return new Effect.Write(
                ObjectPatches.patch(
                        CaptTypes.CLUSTER,
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

    private static Step vpc(View view, RawObject own, String clusterName, ClusterStatus status) {
        var existing = own.spec().at("existingVpcId").text("");
        var template = templateName(own);
        var fault = fault(own, existing, template != null);
        if (!fault.isEmpty()) {
            return status.of(new Vpc.Faulty("InvalidVPCConfig", fault));
        }
        if (template == null) {
            return status.of(new Vpc.Existing(existing));
        }
        var name = new ObjectName(own.name().namespace(), CaptClusters.applyName(own, clusterName));
        var apply = Applies.find(view, name);
        if (view.cache(CaptTypes.WORKSPACE_TEMPLATE).find(template) == null && apply == null) {
            return status.of(
                    new Vpc.Faulty(
                            "VPCReconciliationFailed",
                            "WorkspaceTemplate %s is not there; make it, or name another in spec.vpcTemplateRef"
                                    .formatted(template)));
        }
        if (apply != null && Owners.isAnothers(apply, own)) {
            return status.of(
                    new Vpc.Faulty(
                            "VPCReconciliationFailed",
                            "WorkspaceTemplateApply %s belongs to another object; name another in spec.workspaceTemplateApplyName"
                                    .formatted(name)));
        }
        var wanted =
                new WantedApply(
                        name,
                        clusterName,
                        template,
                        variables(own, clusterName),
                        null,
                        List.of(),
                        own.spec().at("retainVpcOnDelete").isTrue());
        var made = new Vpc.Made(apply, Applies.state(view, apply));
        var effects = wanted.effects(CaptTypes.CLUSTER, own, apply);
        return Step.of(effects).followedBy(named(own, name.name(), status.of(made)));
    }

    /// As CAPT does, the name of the apply stands in the spec once it is chosen.
    private static Step named(RawObject own, String apply, Step step) {
        if (own.spec().at("workspaceTemplateApplyName").text("").equals(apply)) {
            return step;
        }
        var effects = new ArrayList<>(step.effects());
        effects.add(
                new Effect.Write(
                        ObjectPatches.patch(
                                CaptTypes.CLUSTER,
                                own,
                                Tree.of("spec", Tree.of("workspaceTemplateApplyName", apply)))));
        return new Step(effects, step.ending());
    }

    private static SequencedMap<String, String> variables(RawObject own, String clusterName) {
        var variables = new TreeMap<String, String>();
        variables.put("cluster_name", clusterName);
        variables.put("vpc_name", own.spec().at("vpcConfig").at("name").text(clusterName + "-vpc"));
        variables.put("environment", own.spec().at("environment").text("production"));
        variables.put("region", own.spec().at("region").text(""));
        return variables;
    }

    private static String fault(RawObject own, String existing, boolean hasTemplate) {
        if (existing.isEmpty() != hasTemplate) {
            return hasTemplate
                    ? "spec has both vpcTemplateRef and existingVpcId; keep one of them"
                    : "spec has neither vpcTemplateRef nor existingVpcId; set one of them";
        }
        return own.spec().at("retainVpcOnDelete").isTrue() && !hasTemplate
                ? "spec.retainVpcOnDelete needs vpcTemplateRef; an existing VPC is never deleted"
                : "";
    }

    private static @Nullable ObjectName templateName(RawObject own) {
        var reference = Reference.of(own.spec().at("vpcTemplateRef"));
        return reference == null ? null : reference.in(own.name().namespace());
    }
}
