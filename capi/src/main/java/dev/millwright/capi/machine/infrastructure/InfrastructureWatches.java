package dev.millwright.capi.machine.infrastructure;

import dev.millwright.capi.machine.membership.MembershipWatches;
import dev.millwright.capi.machine.object.Marks;
import dev.millwright.capi.machine.object.Ownership;
import dev.millwright.capi.object.CaptTypes;
import dev.millwright.capi.object.ClusterApi;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.cache.Change;
import dev.millwright.kube.cache.Kind;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.object.RawObject;
import dev.millwright.runtime.step.Controller.Watch;

import java.util.ArrayList;
import java.util.List;

/// What wakes the loop of a machine or pool: itself, its apply and workspace, the object of core
/// that it works for, and their Cluster.
final class InfrastructureWatches {

    private InfrastructureWatches() {}

    static List<Watch<?>> of(ClusterApi api, Kind<RawObject> own, Kind<RawObject> core) {
        var watches = new ArrayList<Watch<?>>(MembershipWatches.of(api, own));
        watches.add(Watch.own(own));
        watches.add(
                new Watch<>(
                        CaptTypes.APPLY, (_, change) -> Ownership.ownerKey(own, change.latest())));
        watches.add(
                new Watch<>(CaptTypes.WORKSPACE, (view, change) -> ofWorkspace(view, own, change)));
        watches.add(new Watch<>(core, (view, change) -> employed(view, own, change)));
        watches.add(
                new Watch<>(api.cluster(), (view, change) -> ofCluster(view, own, core, change)));
        return watches;
    }

    private static List<ObjectName> ofWorkspace(
            View view, Kind<RawObject> own, Change<RawObject> change) {
        var mark = change.latest().meta().annotation(Marks.APPLY);
        var slash = mark == null ? -1 : mark.indexOf('/');
        if (mark == null || slash < 0) {
            return List.of();
        }
        var name = new ObjectName(mark.substring(0, slash), mark.substring(slash + 1));
        var apply = view.cache(CaptTypes.APPLY).find(name);
        return apply == null ? List.of() : Ownership.ownerKey(own, apply);
    }

    private static List<ObjectName> employed(
            View view, Kind<RawObject> own, Change<RawObject> change) {
        var reference = Employer.infrastructure(change.latest());
        var name = new ObjectName(change.name().namespace(), reference.at("name").text(""));
        var isOurs = reference.at("kind").text("").equals(own.type().kind());
        return isOurs && view.cache(own).find(name) != null ? List.of(name) : List.of();
    }

    /// By the Machine's own word.
    private static List<ObjectName> ofCluster(
            View view, Kind<RawObject> own, Kind<RawObject> core, Change<RawObject> change) {
        var keys = new ArrayList<ObjectName>();
        for (var machine : view.cache(core).all()) {
            if (machine.name().namespace().equals(change.name().namespace())
                    && machine.spec().at("clusterName").text("").equals(change.name().name())) {
                keys.addAll(employed(view, own, new Change<>(machine.name(), null, machine)));
            }
        }
        return keys.stream().distinct().toList();
    }
}
