package dev.millwright.capi.roster;

import dev.millwright.capi.object.CaptTypes;
import dev.millwright.capi.object.ClusterApi;
import dev.millwright.capi.object.WorkspaceOrigin;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.cache.Kind;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.object.Meta;
import dev.millwright.kube.object.RawObject;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/// Which objects this process looks after. What belongs to an object of ours is ours: the applies
/// of a cluster and their Workspaces bear no label of their own.
///
/// @param namespace empty for all
/// @param watchFilter the value of the label `cluster.x-k8s.io/watch-filter`, empty for all objects
public record Scope(String namespace, String watchFilter, ClusterApi core) {

    /// `<namespace>/<name>` of the apply that made a Workspace.
    static final String APPLY = WorkspaceOrigin.APPLY;

    /// From a Workspace to its Cluster it is four; a circle of owners ends here.
    private static final int GENERATIONS_MAX = 8;

    public boolean holds(View view, RawObject object) {
        return isInNamespace(object.meta())
                && (watchFilter.isEmpty() || isFiltered(view, object, GENERATIONS_MAX));
    }

    /// What has a namespace is watched there alone, so only what has none is to be told apart.
    private boolean isInNamespace(Meta meta) {
        var apply = meta.annotation(APPLY);
        return namespace.isEmpty()
                || !meta.name().namespace().isEmpty()
                || (apply != null && apply.startsWith(namespace + "/"));
    }

    private boolean isFiltered(View view, RawObject object, int generations) {
        var label = object.meta().label(ClusterApi.WATCH_FILTER);
        if (!label.isEmpty() || generations == 0) {
            return label.equals(watchFilter);
        }
        return parents(view, object.meta()).stream()
                .anyMatch(parent -> isFiltered(view, parent, generations - 1));
    }

    private List<RawObject> parents(View view, Meta meta) {
        var parents = new ArrayList<RawObject>();
        for (var owner : meta.owners()) {
            var kind = kind(owner.apiVersion(), owner.kind());
            if (kind != null) {
                add(view, kind, new ObjectName(meta.name().namespace(), owner.name()), parents);
            }
        }
        var apply = meta.annotation(APPLY);
        if (apply != null && apply.contains("/")) {
            var slash = apply.indexOf('/');
            var name = new ObjectName(apply.substring(0, slash), apply.substring(slash + 1));
            add(view, CaptTypes.APPLY, name, parents);
        }
        var cluster = meta.label(ClusterApi.CLUSTER_NAME);
        if (!cluster.isEmpty()) {
            var name = new ObjectName(meta.name().namespace(), cluster);
            add(view, core.cluster(), name, parents);
        }
        return parents;
    }

    private static void add(
            View view, Kind<RawObject> kind, ObjectName name, List<RawObject> parents) {
        var found = view.keeps(kind) ? view.cache(kind).find(name) : null;
        if (found != null) {
            parents.add(found);
        }
    }

    /// Whatever the version: an owner may have been written by an older client.
    private @Nullable Kind<RawObject> kind(String apiVersion, String word) {
        var group = apiVersion.replaceFirst("/.*", "");
        for (var kind : Kinds.all(core)) {
            if (kind.type().group().equals(group) && kind.type().kind().equals(word)) {
                return kind;
            }
        }
        return null;
    }
}
