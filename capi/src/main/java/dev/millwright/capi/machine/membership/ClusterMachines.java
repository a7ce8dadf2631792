package dev.millwright.capi.machine.membership;

import dev.millwright.capi.machine.object.Ownership;
import dev.millwright.capi.object.CaptTypes;
import dev.millwright.capi.object.ClusterApi;
import dev.millwright.capi.object.ObjectPatches;
import dev.millwright.capi.object.Owners;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.cache.Kind;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.object.RawObject;
import dev.millwright.runtime.step.Controller.Watch;
import dev.millwright.runtime.step.Effect;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/// The machines below a control plane or network when that is deleted: they go first. EKS deletes
/// no cluster that has node groups, and EC2 no network that has instances.
///
/// @param deletions writes for those that the deleted object owns and nobody deletes yet
/// @param message which are left, for a person
public record ClusterMachines(List<Effect> deletions, String message) {

    private static final List<Kind<RawObject>> KINDS =
            List.of(
                    CaptTypes.MACHINE_DEPLOYMENT,
                    CaptTypes.MACHINE_SET,
                    CaptTypes.MACHINE_POOL,
                    CaptTypes.MACHINE);

    /// Kinds that something is built for.
    private static final List<Kind<RawObject>> BUILT =
            List.of(CaptTypes.MACHINE_POOL, CaptTypes.MACHINE);

    /// Deletions of one step; the end of the first wakes the next step.
    private static final int DELETED_MAX = 100;

    private static final int NAMES_SHOWN_MAX = 3;

    public ClusterMachines {
        deletions = List.copyOf(deletions);
    }

    /// Those that the owner owns, and those that are labelled with its Cluster; null when none is
    /// left.
    ///
    /// @param clusterName empty when only what is owned is to go, as after an orphaning deletion
    public static @Nullable ClusterMachines before(View view, RawObject owner, String clusterName) {
        var deletions = new ArrayList<Effect>();
        var left = new ArrayList<String>();
        for (var kind : KINDS) {
            for (var each : Ownership.beside(view.cache(kind).all(), owner)) {
                var isOwned = Owners.has(each, owner);
                var isOfCluster =
                        !clusterName.isEmpty()
                                && BUILT.contains(kind)
                                && each.meta().label(ClusterApi.CLUSTER_NAME).equals(clusterName);
                if (isOwned || isOfCluster) {
                    left.add("%s %s".formatted(kind.type().kind(), each.name().name()));
                }
                if (isOwned && !each.meta().isDeleting() && deletions.size() < DELETED_MAX) {
                    deletions.add(ObjectPatches.delete(kind, each));
                }
            }
        }
        return left.isEmpty() ? null : new ClusterMachines(deletions, message(left));
    }

    private static String message(List<String> left) {
        var shown = String.join(", ", left.stream().limit(NAMES_SHOWN_MAX).toList());
        var more = left.size() - NAMES_SHOWN_MAX;
        return "waits until its machines are gone: %s%s"
                .formatted(shown, more > 0 ? " and %d more".formatted(more) : "");
    }

    /// Wakes a parent that is being deleted when one of its machines changes.
    public static List<Watch<?>> watches(Kind<RawObject> parent) {
        var watches = new ArrayList<Watch<?>>();
        for (var kind : KINDS) {
            watches.add(
                    new Watch<>(
                            kind, (view, change) -> deletingBeside(view, parent, change.latest())));
        }
        return watches;
    }

    private static List<ObjectName> deletingBeside(
            View view, Kind<RawObject> parent, RawObject machine) {
        return Ownership.beside(view.cache(parent).all(), machine).stream()
                .filter(each -> each.meta().isDeleting())
                .map(RawObject::name)
                .toList();
    }
}
