package dev.millwright.capi.apply;

import dev.millwright.capi.object.CaptTypes;
import dev.millwright.capi.object.Reference;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.cache.Change;
import dev.millwright.kube.cache.Kind;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.event.KubeEvent;
import dev.millwright.kube.object.RawObject;
import dev.millwright.runtime.step.Controller;
import dev.millwright.runtime.step.Effect;
import dev.millwright.runtime.step.Pace;
import dev.millwright.runtime.step.Step;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;

/// Says when a template for ClusterClass names a WorkspaceTemplate that is not there. Objects made
/// of it would say the same, each for itself and later.
public final class ReferenceController implements Controller {

    private static final Duration SAID_AGAIN_AFTER = Duration.ofHours(1);

    private final Kind<RawObject> kind;
    private final String field;

    private ReferenceController(Kind<RawObject> kind, String field) {
        this.kind = kind;
        this.field = field;
    }

    /// One for each kind of template whose objects run Terraform.
    public static List<Controller> all() {
        return List.of(
                new ReferenceController(CaptTypes.CONTROL_PLANE_TEMPLATE, "workspaceTemplateRef"),
                new ReferenceController(CaptTypes.CLUSTER_TEMPLATE, "vpcTemplateRef"),
                new ReferenceController(CaptTypes.MACHINE_TEMPLATE, "workspaceTemplateRef"));
    }

    @Override
    public String name() {
        return kind.type().kind().toLowerCase(Locale.ROOT) + ".reference";
    }

    @Override
    public Pace pace() {
        return Pace.of(1);
    }

    @Override
    public List<Watch<?>> watches() {
        return List.of(
                Watch.own(kind), new Watch<>(CaptTypes.WORKSPACE_TEMPLATE, this::keysOfReferred));
    }

    private List<ObjectName> keysOfReferred(View view, Change<RawObject> change) {
        return change.isCreation() || change.isRemoval()
                ? view.cache(kind).all().stream()
                        .filter(template -> change.name().equals(referred(template)))
                        .map(RawObject::name)
                        .toList()
                : List.of();
    }

    private @Nullable ObjectName referred(RawObject template) {
        var reference = Reference.of(template.spec().at("template").at("spec").at(field));
        return reference == null ? null : reference.in(template.name().namespace());
    }

    @Override
    public Step step(View view, ObjectName key, Instant now) {
        var template = view.cache(kind).find(key);
        var referred = template == null ? null : referred(template);
        if (template == null
                || referred == null
                || template.meta().isDeleting()
                || view.cache(CaptTypes.WORKSPACE_TEMPLATE).find(referred) != null) {
            return Step.DONE;
        }
        return Step.of(
                new Effect.Publish(
                        KubeEvent.warning(
                                        KubeEvent.Subject.of(kind.type(), template),
                                        "WorkspaceTemplateNotFound",
                                        "spec.template.spec.%s names WorkspaceTemplate %s, which is not there"
                                                .formatted(field, referred))
                                .dedupedBy(
                                        List.of(template.meta().uid(), referred.toString()),
                                        SAID_AGAIN_AFTER)));
    }
}
