package dev.millwright.controllers.nodeclaim.lifecycle;

import dev.millwright.controllers.effect.AutoscalerEffect;
import dev.millwright.controllers.nodeclaim.ClaimDeletion;
import dev.millwright.controllers.nodeclaim.MachineClaims;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.event.KubeEvent;
import dev.millwright.kube.event.KubeEvent.Subject;
import dev.millwright.kube.object.ClaimObject;
import dev.millwright.runtime.log.LogLevel;
import dev.millwright.runtime.step.Effect;
import dev.millwright.runtime.step.Step;
import dev.millwright.spi.LaunchAnswer;
import dev.millwright.spi.Machine;

import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.function.Function;

/// Asks the cloud for the claim's machine, once.
final class Launch {

    /// Longer messages of a cloud are cut: events and conditions are read by people.
    private static final int MESSAGE_MAX = 300;

    private final LaunchMemory memory;

    Launch(LaunchMemory memory) {
        this.memory = memory;
    }

    Step launched(Progress progress, Function<Progress, Step> next) {
        var conditions = progress.conditions();
        if (!conditions.isUnknown(ClaimObject.LAUNCHED)) {
            if (conditions.isTrue(ClaimObject.LAUNCHED)) {
                memory.forget(progress.uid());
            }
            return next.apply(progress.observed(ClaimObject.LAUNCHED));
        }
        var machine = memory.find(progress.uid(), progress.now());
        if (machine != null) {
            return next.apply(withMachine(progress, machine));
        }
        return Step.of(
                new AutoscalerEffect.Launch(
                        MachineClaims.of(progress.claim()),
                        answer -> answered(progress, answer, next)));
    }

    /// The claim as the machine makes it. The user's labels win over the cloud's, the cloud's
    /// annotations over the user's.
    static Progress withMachine(Progress progress, Machine machine) {
        var meta = progress.claim().meta();
        var change =
                progress.change()
                        .labels(overlaid(machine.labels(), meta.labels()))
                        .annotations(overlaid(meta.annotations(), machine.annotations()))
                        .status(
                                old ->
                                        new ClaimObject.Status(
                                                old.nodeName(),
                                                machine.providerId(),
                                                machine.imageId(),
                                                machine.capacity(),
                                                machine.allocatable(),
                                                old.lastPodEventAt(),
                                                old.conditions()));
        return progress.with(change).found(ClaimObject.LAUNCHED);
    }

    private static SequencedMap<String, String> overlaid(
            SequencedMap<String, String> below, SequencedMap<String, String> above) {
        var all = new TreeMap<>(below);
        all.putAll(above);
        return all;
    }

    private Step answered(Progress progress, LaunchAnswer answer, Function<Progress, Step> next) {
        var claim = progress.claim();
        return switch (answer) {
            case LaunchAnswer.Launched(var machine) ->
                    Step.of(
                                    new Effect.Remember(
                                            "machine of a claim",
                                            () ->
                                                    memory.remember(
                                                            progress.uid(),
                                                            machine,
                                                            progress.now())),
                                    told(claim, machine))
                            .followedBy(next.apply(withMachine(progress, machine)));
            case LaunchAnswer.InsufficientCapacity(var message) ->
                    Step.of(
                            insufficientCapacity(claim, message),
                            new Effect.Say(
                                    LogLevel.ERROR,
                                    "no capacity for a claim, deleting it",
                                    "NodeClaim",
                                    claim.name().name(),
                                    "error",
                                    message),
                            ClaimDeletion.because("insufficient_capacity", claim));
            case LaunchAnswer.NodeClassNotReady(var message) ->
                    Step.of(
                            new Effect.Say(
                                    LogLevel.ERROR,
                                    "class of a claim is not ready, deleting the claim",
                                    "NodeClaim",
                                    claim.name().name(),
                                    "NodeClass",
                                    claim.spec().nodeClassRef().name(),
                                    "error",
                                    message),
                            ClaimDeletion.because("nodeclass_not_ready", claim));
            case LaunchAnswer.Refused(var reason, var message) ->
                    next.apply(failed(progress, reason, message));
            case LaunchAnswer.Failed(var message) ->
                    next.apply(failed(progress, "LaunchFailed", shortened(message)));
        };
    }

    private static Progress failed(Progress progress, String reason, String message) {
        return progress.waiting(ClaimObject.LAUNCHED, reason, message)
                .failed(
                        "NodeClaim %s: launch failed, %s"
                                .formatted(progress.claim().name().name(), message));
    }

    private static Effect told(ClaimObject claim, Machine machine) {
        return new Effect.Say(
                LogLevel.INFO,
                "launched a machine",
                "NodeClaim",
                claim.name().name(),
                "provider-id",
                machine.providerId(),
                "instance-type",
                machine.labels().getOrDefault(LabelKeys.INSTANCE_TYPE, ""));
    }

    private static Effect insufficientCapacity(ClaimObject claim, String message) {
        return new Effect.Publish(
                KubeEvent.warning(
                        Subject.of(ResourceType.NODE_CLAIM, claim),
                        "InsufficientCapacityError",
                        "NodeClaim %s gets no machine and is deleted: %s"
                                .formatted(claim.name().name(), shortened(message))));
    }

    private static String shortened(String message) {
        return message.length() <= MESSAGE_MAX
                ? message
                : message.substring(0, MESSAGE_MAX) + "...";
    }
}
