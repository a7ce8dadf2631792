package dev.millwright.capi.apply;

import dev.millwright.capi.object.CaptTypes;
import dev.millwright.capi.object.ObjectPatches;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.event.KubeEvent;
import dev.millwright.kube.object.RawObject;
import dev.millwright.runtime.step.Controller;
import dev.millwright.runtime.step.Effect;
import dev.millwright.runtime.step.Pace;
import dev.millwright.runtime.step.Step;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// Says, when a WorkspaceTemplate is deleted, which applies still use it. It holds up nothing: what
/// they made stays, and they find a template of the same name again.
public final class TemplateController implements Controller {

    static final String FINALIZER = "workspacetemplate.v2.infrastructure.cluster.x-k8s.io";

    private static final int NAMES_SHOWN_MAX = 5;

    @Override
    public String name() {
        return "workspacetemplate.use";
    }

    @Override
    public Pace pace() {
        return Pace.of(1);
    }

    @Override
    public List<Watch<?>> watches() {
        return List.of(Watch.own(CaptTypes.WORKSPACE_TEMPLATE));
    }

    @Override
    public Step step(View view, ObjectName key, Instant now) {
        var template = view.cache(CaptTypes.WORKSPACE_TEMPLATE).find(key);
        if (template == null || template.meta().hasFinalizer(FINALIZER) != isGoing(template)) {
            return Step.DONE;
        }
        if (!isGoing(template)) {
            return Step.of(
                    new Effect.Write(
                            ObjectPatches.withFinalizer(
                                    CaptTypes.WORKSPACE_TEMPLATE, template, FINALIZER)));
        }
        var effects = new ArrayList<Effect>();
        var users =
                view.cache(CaptTypes.APPLY).all().stream()
                        .filter(apply -> key.equals(Applies.templateName(apply)))
                        .map(apply -> apply.name().toString())
                        .toList();
        if (!users.isEmpty()) {
            effects.add(new Effect.Publish(stillUsed(template, users)));
        }
        effects.add(
                new Effect.Write(
                        ObjectPatches.withoutFinalizer(
                                CaptTypes.WORKSPACE_TEMPLATE, template, FINALIZER)));
        return Step.of(effects);
    }

    private static boolean isGoing(RawObject template) {
        return template.meta().isDeleting();
    }

    private static KubeEvent stillUsed(RawObject template, List<String> users) {
        var shown = String.join(", ", users.subList(0, Math.min(NAMES_SHOWN_MAX, users.size())));
        return KubeEvent.warning(
                KubeEvent.Subject.of(CaptTypes.WORKSPACE_TEMPLATE.type(), template),
                "StillUsed",
                "%d applies use this template and are no longer rendered: %s"
                        .formatted(users.size(), shown));
    }
}
