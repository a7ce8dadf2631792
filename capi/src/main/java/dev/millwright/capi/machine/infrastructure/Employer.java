package dev.millwright.capi.machine.infrastructure;

import dev.millwright.capi.machine.membership.ClusterMembership;
import dev.millwright.capi.object.ClusterApi;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.cache.Kind;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.document.Field;
import dev.millwright.kube.object.OwnerReference;
import dev.millwright.kube.object.RawObject;

/// The Machine or MachinePool of core Cluster API that an object of ours works for.
sealed interface Employer {

    /// It stands by itself, or belongs to a set of ours.
    record Nobody() implements Employer {}

    /// Core made it, or points to it, and has not taken it yet.
    record NotYet() implements Employer {}

    record Core(RawObject owner) implements Employer {}

    /// On an object that core made of a template.
    String CLONED_FROM = "cluster.x-k8s.io/cloned-from-name";

    static Employer of(View view, Kind<RawObject> core, Kind<RawObject> own, RawObject object) {
        for (var reference : object.meta().owners()) {
            if (isOf(reference, core)) {
                var name = new ObjectName(object.name().namespace(), reference.name());
                var owner = view.cache(core).find(name);
                return owner == null ? new NotYet() : new Core(owner);
            }
        }
        var isCores =
                object.meta().annotation(CLONED_FROM) != null
                        || object.meta().owners().stream()
                                .anyMatch(
                                        each ->
                                                group(each).endsWith(ClusterApi.GROUP)
                                                        && !isOurs(each));
        if (isCores) {
            return new NotYet();
        }
        var isPointedTo =
                view.cache(core).all().stream()
                        .anyMatch(each -> pointsTo(each, own, object.name()));
        return isPointedTo ? new NotYet() : new Nobody();
    }

    private static boolean isOf(OwnerReference reference, Kind<RawObject> kind) {
        return reference.kind().equals(kind.type().kind())
                && group(reference).equals(kind.type().group());
    }

    private static String group(OwnerReference reference) {
        var slash = reference.apiVersion().indexOf('/');
        return slash < 0 ? "" : reference.apiVersion().substring(0, slash);
    }

    private static boolean isOurs(OwnerReference reference) {
        return reference.kind().startsWith("Capt") || reference.kind().startsWith("CAPT");
    }

    /// Whether a Machine or MachinePool names this object as its infrastructure.
    static boolean pointsTo(RawObject core, Kind<RawObject> own, ObjectName name) {
        var reference = infrastructure(core);
        return core.name().namespace().equals(name.namespace())
                && reference.at("kind").text("").equals(own.type().kind())
                && reference.at("name").text("").equals(name.name());
    }

    /// A MachinePool has it in the template of its machines.
    static Field infrastructure(RawObject core) {
        var own = core.spec().at("infrastructureRef");
        return own.isPresent()
                ? own
                : core.spec().at("template").at("spec").at("infrastructureRef");
    }

    default ClusterMembership membership(View view, ClusterApi api, RawObject object) {
        return switch (this) {
            case Core(var owner) ->
                    ClusterMembership.named(
                            view, api, object, owner.spec().at("clusterName").text(""));
            case Nobody(), NotYet() -> ClusterMembership.of(view, api, object);
        };
    }

    /// The Secret with what the instance runs at its start; empty until there is one.
    static String bootstrapSecret(RawObject core) {
        var own = core.spec().at("bootstrap");
        var field = own.isPresent() ? own : core.spec().at("template").at("spec").at("bootstrap");
        return field.at("dataSecretName").text("");
    }
}
