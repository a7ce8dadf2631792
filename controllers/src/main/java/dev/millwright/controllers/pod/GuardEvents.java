package dev.millwright.controllers.pod;

import dev.millwright.core.cluster.DoNotDisrupt;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.event.KubeEvent;
import dev.millwright.kube.event.KubeEvent.Subject;
import dev.millwright.kube.object.PodObject;
import dev.millwright.runtime.step.Effect;

import java.time.Instant;
import java.util.List;

/// Tells a pod's owner how its do-not-disrupt annotation was read.
public final class GuardEvents {

    private static final int TEXT_MAX = 60;

    private GuardEvents() {}

    /// Nothing for a pod without the annotation, and for one that is guarded for good.
    public static List<Effect> of(PodObject pod, Instant now) {
        if (!pod.isActive()) {
            return List.of();
        }
        var subject = Subject.of(ResourceType.POD, pod);
        return switch (DoNotDisrupt.of(pod.pod(), now)) {
            case DoNotDisrupt.Absent(), DoNotDisrupt.Forever(), DoNotDisrupt.BeforeStart(_) ->
                    List.of();
            case DoNotDisrupt.Until(var end) ->
                    told(
                            KubeEvent.normal(
                                    subject,
                                    "DoNotDisruptUntil",
                                    "Pod %s: %s guards it until %s"
                                            .formatted(pod.name(), LabelKeys.DO_NOT_DISRUPT, end)));
            case DoNotDisrupt.Elapsed(var end) ->
                    told(
                            KubeEvent.normal(
                                    subject,
                                    "DoNotDisruptGracePeriodElapsed",
                                    "Pod %s: %s guarded it until %s and does no longer"
                                            .formatted(pod.name(), LabelKeys.DO_NOT_DISRUPT, end)));
            case DoNotDisrupt.Invalid(var text) ->
                    told(
                            KubeEvent.warning(
                                    subject,
                                    "InvalidDoNotDisruptAnnotation",
                                    "Pod %s: %s is \"%s\" and guards nothing; wanted \"true\" or a duration above zero such as \"1h30m\""
                                            .formatted(
                                                    pod.name(),
                                                    LabelKeys.DO_NOT_DISRUPT,
                                                    shortened(text))));
        };
    }

    private static List<Effect> told(KubeEvent event) {
        return List.of(new Effect.Publish(event));
    }

    /// An annotation may be long; an event's message may not.
    private static String shortened(String text) {
        return text.length() <= TEXT_MAX ? text : text.substring(0, TEXT_MAX) + "…";
    }
}
