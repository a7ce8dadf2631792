package dev.millwright.controllers.disruption;

import dev.millwright.controllers.nodeclaim.ClaimChange;
import dev.millwright.controllers.nodeclaim.reboot.RebootController;
import dev.millwright.core.disruption.Candidate;
import dev.millwright.core.disruption.Command;
import dev.millwright.core.label.AnnotationKeys;
import dev.millwright.core.quantity.GoDuration;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.object.ClaimObject;
import dev.millwright.kube.object.Condition.Status;
import dev.millwright.runtime.log.LogLevel;
import dev.millwright.runtime.step.Effect;
import dev.millwright.runtime.step.Step;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SequencedMap;
import java.util.TreeMap;

/// Hands a sick node over to the controller that reboots it. From then on the claim's condition
/// tells all: the queue knows nothing of it.
final class RebootStart {

    private RebootStart() {}

    /// `decided` is counted once the claim says that it is to be rebooted.
    static Step of(
            View view, Command command, RebootHistory history, List<Effect> decided, Instant now) {
        var candidate = command.candidates().getFirst();
        var claim = view.claim(DisruptionQueue.claim(candidate).name());
        if (claim == null
                || claim.isDeleting()
                || claim.conditions().isTrue(ClaimObject.REBOOTING)) {
            return Step.DONE;
        }
        var changed =
                ClaimChange.of(claim)
                        .annotations(annotations(claim, command.terms().drainMax()))
                        .conditions(
                                claim.conditions()
                                        .with(
                                                ClaimObject.DISRUPTION_REASON,
                                                Status.TRUE,
                                                command.method().reason().text(),
                                                command.method().reason().text(),
                                                now)
                                        .with(
                                                ClaimObject.REBOOTING,
                                                Status.TRUE,
                                                RebootController.REQUESTED,
                                                why(command),
                                                now));
        return changed.written(
                view, written -> begun(written, candidate, command, history, decided, now));
    }

    private static SequencedMap<String, String> annotations(
            ClaimObject claim, @Nullable Duration drainMax) {
        var annotations = new TreeMap<>(claim.meta().annotations());
        var most = drainMax == null ? claim.spec().terminationGracePeriod() : drainMax;
        annotations.remove(AnnotationKeys.REBOOT_GRACE_PERIOD);
        if (most != null) {
            annotations.put(AnnotationKeys.REBOOT_GRACE_PERIOD, GoDuration.format(most));
        }
        return annotations;
    }

    private static String why(Command command) {
        var diagnosis = command.terms().diagnosis();
        return diagnosis == null
                ? "rebooting"
                : "rebooting because of condition %s, reason %s"
                        .formatted(diagnosis.sign().type(), diagnosis.sign().reason());
    }

    private static Step begun(
            ClaimObject claim,
            Candidate candidate,
            Command command,
            RebootHistory history,
            List<Effect> decided,
            Instant now) {
        var effects = new ArrayList<Effect>();
        effects.add(
                new Effect.Remember(
                        "reboot of " + claim.name().name(),
                        () -> history.begun(claim.meta().uid(), now)));
        effects.addAll(decided);
        effects.addAll(Disrupted.counts(claim, command, candidate));
        effects.add(
                new Effect.Say(
                        LogLevel.INFO,
                        "committed node reboot",
                        "NodeClaim",
                        claim.name().name(),
                        "Node",
                        candidate.name()));
        return Step.of(effects);
    }
}
