package dev.millwright.capi.controlplane;

import dev.millwright.capi.apply.Applies;
import dev.millwright.capi.apply.WantedApply;
import dev.millwright.capi.object.CaptTypes;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.document.Value;
import dev.millwright.kube.event.KubeEvent;
import dev.millwright.kube.object.RawObject;
import dev.millwright.runtime.step.Effect;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/// The role of an account without which no spot instance starts: looked for before the EKS cluster
/// is begun, and made where it is missing.
final class SpotRole {

    private static final String CHECK = "spot-role-check";
    private static final String CREATE = "spot-role-create";

    /// What to do, and why the EKS cluster has to wait; no progress when it need not.
    record Stage(List<Effect> effects, @Nullable Progress progress) {
        Stage {
            effects = List.copyOf(effects);
        }
    }

    private final View view;
    private final RawObject controlPlane;
    private final RawObject cluster;

    SpotRole(View view, RawObject controlPlane, RawObject cluster) {
        this.view = view;
        this.controlPlane = controlPlane;
        this.cluster = cluster;
    }

    Stage stage() {
        if (template(CHECK) == null) {
            return passedOver(CHECK);
        }
        var check = applied(CHECK);
        var exists = check.output("role_exists");
        if (exists == null) {
            return check.unfinished("looks for the service-linked role of spot instances");
        }
        if (!exists.equals("false")) {
            return new Stage(check.effects(), null);
        }
        if (template(CREATE) == null) {
            return passedOver(CREATE);
        }
        var create = applied(CREATE);
        var role = create.output("role_arn");
        if (role == null) {
            return create.unfinished("makes the service-linked role of spot instances");
        }
        return role.isEmpty()
                ? new Stage(
                        create.effects(),
                        failed("Workspace of apply %s has no output role_arn".formatted(CREATE)))
                : new Stage(create.effects(), null);
    }

    private static Progress failed(String message) {
        return new Progress.Failed("SpotServiceLinkedRoleFailed", message, true);
    }

    private record Applied(View view, @Nullable RawObject apply, List<Effect> effects) {

        /// Null before the Workspace is ready; empty when it has no such output.
        @Nullable String output(String name) {
            var state = Applies.state(view, apply);
            if (state == null || !state.isAvailable()) {
                return null;
            }
            return switch (state.output(name).value()) {
                case Value.Text(_, var text) -> text;
                case Value.Flag(_, var isTrue) -> Boolean.toString(isTrue);
                case null, default -> "";
            };
        }

        Stage unfinished(String what) {
            var state = Applies.state(view, apply);
            var error = state == null ? null : state.error();
            return new Stage(
                    effects,
                    error == null ? new Progress.Waiting("Creating", what) : failed(error));
        }
    }

    private Applied applied(String role) {
        var name = ControlPlanes.beside(controlPlane, "-" + role);
        var apply = Applies.find(view, name);
        var variables = new TreeMap<String, String>();
        variables.put("cluster_name", cluster.name().name());
        variables.put("region", ControlPlanes.region(controlPlane, cluster));
        var wanted =
                new WantedApply(
                        name,
                        cluster.name().name(),
                        templateName(role),
                        variables,
                        null,
                        List.of(),
                        false);
        return new Applied(
                view, apply, wanted.effects(CaptTypes.CONTROL_PLANE, controlPlane, apply));
    }

    private @Nullable RawObject template(String name) {
        return view.cache(CaptTypes.WORKSPACE_TEMPLATE).find(templateName(name));
    }

    private ObjectName templateName(String name) {
        return new ObjectName(controlPlane.name().namespace(), name);
    }

    private Stage passedOver(String template) {
        var effects = new ArrayList<Effect>();
        effects.add(
                new Effect.Publish(
                        KubeEvent.normal(
                                KubeEvent.Subject.of(CaptTypes.CONTROL_PLANE.type(), controlPlane),
                                "SpotRolePassedOver",
                                "WorkspaceTemplate %s is not there; the role of spot instances is not looked after"
                                        .formatted(templateName(template)))));
        return new Stage(effects, null);
    }
}
