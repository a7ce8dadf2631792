package dev.millwright.capi.apply;

import dev.millwright.capi.object.CaptTypes;
import dev.millwright.capi.object.ClusterApi;
import dev.millwright.capi.object.Owners;
import dev.millwright.capi.object.Reference;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.cache.Kind;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.document.Value;
import dev.millwright.kube.object.RawObject;
import dev.millwright.runtime.step.Controller.Watch;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/// How applies, their Workspaces and their Clusters find each other.
public final class Applies {

    private static final String SUFFIX = "-apply";

    private Applies() {}

    /// The name of the Workspace that an apply of this name makes.
    public static String workspaceName(String apply) {
        return apply.endsWith(SUFFIX) && apply.length() > SUFFIX.length()
                ? apply.substring(0, apply.length() - SUFFIX.length())
                : apply;
    }

    public static @Nullable RawObject find(View view, ObjectName name) {
        return view.cache(CaptTypes.APPLY).find(name);
    }

    /// The Workspace that this very apply made; null when there is none, or it is another's.
    public static @Nullable RawObject workspace(View view, RawObject apply) {
        var named = named(view, apply);
        return named != null && isOwn(apply, named) ? named : null;
    }

    /// What the apply's Workspace says of itself; null when there is none.
    public static @Nullable WorkspaceState state(View view, @Nullable RawObject apply) {
        var workspace = apply == null ? null : workspace(view, apply);
        return workspace == null ? null : new WorkspaceState(workspace);
    }

    /// Whether the apply's Workspace is made of what the apply and its template say now, and
    /// Terraform has run for that.
    public static boolean isSettled(View view, @Nullable RawObject apply) {
        var state = state(view, apply);
        var rendering = apply == null ? null : rendering(view, apply);
        return state != null
                && state.isReady()
                && (rendering == null || rendering.hash().equals(state.hash()));
    }

    /// Null when the template is not there.
    static @Nullable Rendering rendering(View view, RawObject apply) {
        var name = templateName(apply);
        var template = name == null ? null : view.cache(CaptTypes.WORKSPACE_TEMPLATE).find(name);
        return template != null
                        && template.spec().at("template").at("spec").value()
                                instanceof Value.Mapping spec
                ? Rendering.of(apply, spec, workspaceName(apply.name().name()))
                : null;
    }

    static @Nullable ObjectName templateName(RawObject apply) {
        var reference = Reference.of(apply.spec().at("templateRef"));
        return reference == null ? null : reference.in(apply.name().namespace());
    }

    /// What concerns a kind that owns applies: a change of one or of its Workspace, and all else.
    public static List<Watch<?>> watches(Kind<RawObject> owners, Watch<?>... others) {
        var all = new ArrayList<>(List.of(others));
        all.add(
                new Watch<>(
                        CaptTypes.APPLY,
                        (_, change) -> {
                            var owner = Owners.of(change.latest(), owners);
                            return owner == null ? List.of() : List.of(owner);
                        }));
        all.add(
                new Watch<>(
                        CaptTypes.WORKSPACE,
                        (view, change) -> owners(view, change.latest(), owners)));
        return all;
    }

    /// Why an object whose apply is being deleted is still there, with what keeps the apply.
    public static String awaitedEnd(View view, RawObject apply) {
        var state = state(view, apply);
        var error = state == null ? null : state.error();
        return "waits until WorkspaceTemplateApply %s is gone%s"
                .formatted(apply.name().name(), error == null ? "" : ": " + error);
    }

    /// The owner of this kind of the apply that made a Workspace: whom a change of it concerns.
    public static List<ObjectName> owners(View view, RawObject workspace, Kind<?> kind) {
        return of(view, workspace).stream()
                .map(name -> find(view, name))
                .filter(apply -> apply != null)
                .map(apply -> Owners.of(apply, kind))
                .filter(owner -> owner != null)
                .toList();
    }

    /// The Workspace under the apply's name, whoever made it.
    static @Nullable RawObject named(View view, RawObject apply) {
        return view.cache(CaptTypes.WORKSPACE).find(workspaceName(apply.name().name()));
    }

    /// By our mark alone, which is on an object that no tenant writes.
    private static boolean isOwn(RawObject apply, RawObject workspace) {
        return apply.name().toString().equals(workspace.meta().annotation(Marks.APPLY));
    }

    /// Whether the apply's status says that it made this Workspace, which nobody marked. CAPT
    /// leaves no other trace; but who may write a status may write that of a Workspace that an
    /// administrator made.
    static boolean isClaimed(RawObject apply, RawObject workspace) {
        return workspace.meta().annotation(Marks.APPLY) == null
                && apply.status().at("workspaceName").text("").equals(workspace.name().name());
    }

    /// The applies whose Workspace this is, or would be.
    static List<ObjectName> of(View view, RawObject workspace) {
        var mark = workspace.meta().annotation(Marks.APPLY);
        if (mark != null && mark.indexOf('/') > 0) {
            var slash = mark.indexOf('/');
            return List.of(new ObjectName(mark.substring(0, slash), mark.substring(slash + 1)));
        }
        return view.cache(CaptTypes.APPLY).all().stream()
                .map(RawObject::name)
                .filter(name -> workspaceName(name.name()).equals(workspace.name().name()))
                .toList();
    }

    /// The Workspaces that an apply waits for.
    static List<String> awaited(RawObject apply) {
        return apply.spec().at("waitForWorkspaces").elements().stream()
                .map(Reference::of)
                .filter(reference -> reference != null)
                .map(Reference::name)
                .toList();
    }

    /// The Cluster an apply works for: by its label, its owner, or its owner's label. Null for one
    /// that a person made for himself.
    static @Nullable RawObject cluster(View view, ClusterApi api, RawObject apply) {
        var name = clusterName(view, api, apply);
        return name.isEmpty()
                ? null
                : view.cache(api.cluster()).find(new ObjectName(apply.name().namespace(), name));
    }

    static String clusterName(View view, ClusterApi api, RawObject apply) {
        var direct = ownClusterName(api, apply);
        if (!direct.isEmpty()) {
            return direct;
        }
        for (var kind :
                List.of(
                        CaptTypes.CLUSTER,
                        CaptTypes.CONTROL_PLANE,
                        CaptTypes.MACHINE,
                        CaptTypes.MACHINE_POOL)) {
            var name = Owners.of(apply, kind);
            var owner = name == null || !view.keeps(kind) ? null : view.cache(kind).find(name);
            if (owner != null) {
                return ownClusterName(api, owner);
            }
        }
        return "";
    }

    private static String ownClusterName(ClusterApi api, RawObject object) {
        var owner = Owners.of(object, api.cluster());
        return owner == null ? object.meta().label(ClusterApi.CLUSTER_NAME) : owner.name();
    }
}
