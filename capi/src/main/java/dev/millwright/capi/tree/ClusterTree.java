package dev.millwright.capi.tree;

import static dev.millwright.capi.object.CaptTypes.INFRASTRUCTURE;
import static dev.millwright.capi.object.CaptTypes.TERRAFORM;

import dev.millwright.capi.object.ClusterApi;
import dev.millwright.capi.object.Reference;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.document.Field;
import dev.millwright.kube.object.OwnerReference;
import dev.millwright.kube.object.RawObject;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Makes the tree of a cluster: what its Cluster names, what that owns, and so on down to what
/// Terraform built. A reference to what is not there is a node of its own.
public final class ClusterTree {

    private static final String APPLY = "WorkspaceTemplateApply";
    private static final String APPLY_SUFFIX = "-apply";

    /// Kinds of the cluster's machines that stand at the top, in this order.
    private static final List<List<String>> WORKERS =
            List.of(
                    List.of(ClusterApi.GROUP, "MachineDeployment"),
                    List.of(ClusterApi.GROUP, "MachinePool"),
                    List.of(INFRASTRUCTURE, "CaptMachineDeployment"),
                    List.of(ClusterApi.GROUP, "MachineSet"),
                    List.of(INFRASTRUCTURE, "CaptMachineSet"),
                    List.of(ClusterApi.GROUP, "Machine"),
                    List.of(INFRASTRUCTURE, "CaptMachine"));

    private final Estate estate;
    private final StateReading.Keeper states;

    /// Who has a place in the tree: a machine's object may be named and owned by the same Machine.
    private final Set<RawObject> placed = new HashSet<>();

    private ClusterTree(Estate estate, StateReading.Keeper states) {
        this.estate = estate;
        this.states = states;
    }

    public static TreeNode of(RawObject cluster, Estate estate, StateReading.Keeper states) {
        return new ClusterTree(estate, states).cluster(cluster);
    }

    private TreeNode cluster(RawObject cluster) {
        placed.add(cluster);
        var children = new ArrayList<TreeNode>();
        named(cluster, "infrastructureRef", "infrastructure", children);
        named(cluster, "controlPlaneRef", "control plane", children);
        for (var sort : WORKERS) {
            for (var each : estate.all(sort.getFirst(), sort.getLast())) {
                if (isOf(each, cluster) && isAtTop(each, cluster) && !placed.contains(each)) {
                    children.add(node("", each));
                }
            }
        }
        return made("", cluster, children);
    }

    private static boolean isOf(RawObject object, RawObject cluster) {
        var name = cluster.name();
        return object.name().namespace().equals(name.namespace())
                && (object.meta().label(ClusterApi.CLUSTER_NAME).equals(name.name())
                        || object.spec().at("clusterName").text("").equals(name.name()));
    }

    /// Others are found below their owner.
    private boolean isAtTop(RawObject object, RawObject cluster) {
        return object.meta().owners().stream()
                .map(owner -> owner(object, owner))
                .allMatch(owner -> owner == null || owner.equals(cluster));
    }

    private @Nullable RawObject owner(RawObject object, OwnerReference owner) {
        var name = new ObjectName(object.name().namespace(), owner.name());
        return estate.find(Estate.group(owner.apiVersion()), owner.kind(), name);
    }

    private TreeNode node(String role, RawObject object) {
        placed.add(object);
        var children = new ArrayList<TreeNode>();
        switch (String.valueOf(object.object().text("kind"))) {
            case APPLY -> apply(object, children);
            case "Workspace" -> workspace(object, children);
            case "Machine" -> named(object, "infrastructureRef", "", children);
            case "MachinePool" ->
                    named(
                            object.spec().at("template").at("spec"),
                            object,
                            "infrastructureRef",
                            "",
                            children);
            default -> templates(object, children);
        }
        for (var each : estate.ownedBy(object)) {
            if (!placed.contains(each) && isShown(each)) {
                children.add(node("", each));
            }
        }
        return made(role, object, children);
    }

    private static boolean isShown(RawObject object) {
        var group = Estate.group(object.object().text("apiVersion"));
        return group.endsWith(ClusterApi.GROUP) || group.endsWith(TERRAFORM);
    }

    private static TreeNode made(String role, RawObject object, List<TreeNode> children) {
        return new TreeNode(
                role,
                String.valueOf(object.object().text("kind")),
                object.name().namespace(),
                object.name().name(),
                Standing.of(object),
                object.meta().createdAt(),
                children);
    }

    private static TreeNode missing(String role, String kind, ObjectName name, String why) {
        return new TreeNode(
                role, kind, name.namespace(), name.name(), Standing.missing(why), null, List.of());
    }

    private void named(RawObject from, String field, String role, List<TreeNode> children) {
        named(from.spec(), from, field, role, children);
    }

    /// A reference of Cluster API: by apiVersion and namespace, or by group.
    private void named(
            Field in, RawObject from, String field, String role, List<TreeNode> children) {
        var reference = in.at(field);
        var name = Reference.of(reference);
        if (name == null) {
            return;
        }
        var kind = reference.at("kind").text("");
        var group = reference.at("apiGroup").text(Estate.group(reference.at("apiVersion").text()));
        var wanted = name.in(from.name().namespace());
        var found = estate.find(group, kind, wanted);
        if (found != null) {
            children.add(node(role, found));
            return;
        }
        children.add(
                missing(
                        role,
                        kind,
                        wanted,
                        "%s names it by spec.%s".formatted(title(from), field)));
    }

    private static String title(RawObject object) {
        return object.object().text("kind") + "/" + object.name().name();
    }

    /// Templates are shown where they are not.
    private void templates(RawObject object, List<TreeNode> children) {
        template(object, "vpcTemplateRef", children);
        template(object, "workspaceTemplateRef", children);
        named(object, children);
    }

    /// An apply that an object names though it does not own it.
    private void named(RawObject object, List<TreeNode> children) {
        var name = object.spec().at("workspaceTemplateApplyName").text("");
        if (name.isEmpty()) {
            return;
        }
        var wanted = new ObjectName(object.name().namespace(), name);
        var found = estate.find(INFRASTRUCTURE, APPLY, wanted);
        if (found == null) {
            children.add(
                    missing(
                            "",
                            APPLY,
                            wanted,
                            title(object) + " names it by spec.workspaceTemplateApplyName"));
        } else if (!placed.contains(found)) {
            children.add(node("", found));
        }
    }

    private void template(RawObject object, String field, List<TreeNode> children) {
        var reference = Reference.of(object.spec().at(field));
        if (reference == null) {
            return;
        }
        var wanted = reference.in(object.name().namespace());
        if (estate.find(INFRASTRUCTURE, "WorkspaceTemplate", wanted) == null) {
            children.add(
                    missing(
                            "",
                            "WorkspaceTemplate",
                            wanted,
                            "%s names it by spec.%s".formatted(title(object), field)));
        }
    }

    private void apply(RawObject apply, List<TreeNode> children) {
        template(apply, "templateRef", children);
        var name = workspaceName(apply);
        var found = estate.find(TERRAFORM, "Workspace", new ObjectName("", name));
        if (found != null) {
            children.add(node("", found));
        } else if (apply.status().at("applied").isTrue()) {
            children.add(
                    missing(
                            "",
                            "Workspace",
                            new ObjectName("", name),
                            title(apply) + " has applied it"));
        }
    }

    private static String workspaceName(RawObject apply) {
        var own = apply.name().name();
        var derived =
                own.endsWith(APPLY_SUFFIX)
                        ? own.substring(0, own.length() - APPLY_SUFFIX.length())
                        : own;
        return apply.status().at("workspaceName").text(derived);
    }

    private void workspace(RawObject workspace, List<TreeNode> children) {
        switch (states.of(workspace)) {
            case StateReading.Known(var resources) ->
                    resources.forEach(resource -> children.add(resource(resource)));
            case StateReading.None() -> {}
            case StateReading.Unreadable(var why) ->
                    children.add(
                            new TreeNode(
                                    "",
                                    TreeNode.RESOURCE,
                                    "",
                                    "state not readable",
                                    new Standing(Standing.State.PRESENT, "", why, ""),
                                    null,
                                    List.of()));
        }
    }

    private static TreeNode resource(StateReading.Resource resource) {
        return new TreeNode(
                "",
                TreeNode.RESOURCE,
                "",
                resource.address(),
                resource.isTainted() ? Standing.TAINTED : Standing.PRESENT,
                null,
                List.of());
    }

    /// The Cluster of this name; null when there is none.
    public static @Nullable RawObject find(Estate estate, ObjectName name) {
        return estate.find(ClusterApi.GROUP, "Cluster", name);
    }
}
