package dev.millwright.capi.tree;

import static dev.millwright.capi.object.CaptTypes.INFRASTRUCTURE;
import static dev.millwright.capi.object.CaptTypes.TERRAFORM;

import dev.millwright.capi.object.CaptTypes;
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

    private static final String TEMPLATE = "WorkspaceTemplate";

    /// Where an object names its WorkspaceTemplate.
    private static final List<List<String>> TEMPLATE_FIELDS =
            List.of(
                    List.of("vpcTemplateRef"),
                    List.of("workspaceTemplateRef"),
                    List.of("templateRef"),
                    List.of("template", "spec", "workspaceTemplateRef"));

    /// Kinds of machines below the control plane, in this order.
    private static final List<List<String>> OWN_MACHINES =
            List.of(
                    List.of(INFRASTRUCTURE, "CaptMachineDeployment"),
                    List.of(INFRASTRUCTURE, "CaptMachineSet"),
                    List.of(INFRASTRUCTURE, "CaptMachinePool"),
                    List.of(INFRASTRUCTURE, "CaptMachine"));

    /// Kinds of machines below the Cluster: core's, and ours where no control plane of ours is.
    private static final List<List<String>> MACHINES =
            List.of(
                    List.of(ClusterApi.GROUP, "MachineDeployment"),
                    List.of(ClusterApi.GROUP, "MachinePool"),
                    List.of(INFRASTRUCTURE, "CaptMachineDeployment"),
                    List.of(ClusterApi.GROUP, "MachineSet"),
                    List.of(INFRASTRUCTURE, "CaptMachineSet"),
                    List.of(ClusterApi.GROUP, "Machine"),
                    List.of(INFRASTRUCTURE, "CaptMachine"),
                    List.of(INFRASTRUCTURE, "CaptMachinePool"));

    private final Estate estate;
    private final StateReading.Keeper states;

    /// Who has a place in the tree: a machine's object may be named and owned by the same Machine.
    private final Set<RawObject> placed = new HashSet<>();

    /// Templates shown between the root and here: an apply has mostly that of its owner.
    private final Set<ObjectName> shownAbove = new HashSet<>();

    private final RawObject root;

    private ClusterTree(RawObject root, Estate estate, StateReading.Keeper states) {
        this.root = root;
        this.estate = estate;
        this.states = states;
    }

    public static TreeNode of(RawObject cluster, Estate estate, StateReading.Keeper states) {
        return new ClusterTree(cluster, estate, states).cluster();
    }

    private TreeNode cluster() {
        placed.add(root);
        var children = new ArrayList<TreeNode>();
        named(root, "infrastructureRef", "infrastructure", children);
        named(root, "controlPlaneRef", "control plane", children);
        machines(MACHINES, children);
        return made("", root, children);
    }

    /// Those of the Cluster that have no place yet.
    private void machines(List<List<String>> sorts, List<TreeNode> children) {
        for (var sort : sorts) {
            for (var each : estate.all(sort.getFirst(), sort.getLast())) {
                if (isOf(each, root) && isAtTop(each, root) && !placed.contains(each)) {
                    children.add(node("", each));
                }
            }
        }
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
        var template = template(object, children);
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
            default -> named(object, children);
        }
        for (var each : estate.ownedBy(object)) {
            if (!placed.contains(each) && isShown(each)) {
                children.add(node("", each));
            }
        }
        if (CaptTypes.CONTROL_PLANE.type().kind().equals(object.object().text("kind"))) {
            machines(OWN_MACHINES, children);
        }
        if (template != null) {
            shownAbove.remove(template);
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

    /// The template that an object names, shown below it unless an object above names the same one.
    /// Returns its name when it is shown here.
    private @Nullable ObjectName template(RawObject object, List<TreeNode> children) {
        for (var path : TEMPLATE_FIELDS) {
            var field = object.spec();
            for (var step : path) {
                field = field.at(step);
            }
            var reference = Reference.of(field);
            if (reference == null) {
                continue;
            }
            var wanted = reference.in(object.name().namespace());
            if (!shownAbove.add(wanted)) {
                return null;
            }
            var found = estate.find(INFRASTRUCTURE, TEMPLATE, wanted);
            children.add(
                    found == null
                            ? missing(
                                    "",
                                    TEMPLATE,
                                    wanted,
                                    "%s names it by spec.%s"
                                            .formatted(title(object), String.join(".", path)))
                            : made("", found, List.of()));
            return wanted;
        }
        return null;
    }

    private void apply(RawObject apply, List<TreeNode> children) {
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
