package dev.millwright.controllers.capacitybuffer;

import dev.millwright.core.policy.CapacityBuffer;
import dev.millwright.core.scheduling.BufferReport;
import dev.millwright.core.scheduling.BufferReport.Verdict;
import dev.millwright.core.scheduling.Plan;
import dev.millwright.kube.cache.Kind;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.client.ApiAnswer;
import dev.millwright.kube.object.BufferObject;
import dev.millwright.kube.object.Condition.Status;
import dev.millwright.runtime.log.LogLevel;
import dev.millwright.runtime.step.Effect;
import dev.millwright.runtime.step.Step;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// What a pass says of buffers: their condition `Provisioning`.
public final class BufferVerdicts {

    private BufferVerdicts() {}

    public static List<Effect> of(View view, List<CapacityBuffer> buffers, Plan plan, Instant now) {
        if (buffers.isEmpty()) {
            return List.of();
        }
        var report = BufferReport.of(buffers, plan);
        var effects = new ArrayList<Effect>();
        for (var verdict : report.verdicts().entrySet()) {
            var buffer = view.cache(Kind.CAPACITY_BUFFER).find(verdict.getKey());
            if (buffer != null) {
                effects.addAll(told(buffer, verdict.getValue(), now));
            }
        }
        return effects;
    }

    private static List<Effect> told(BufferObject buffer, Verdict verdict, Instant now) {
        var after =
                BufferStatus.with(
                        buffer,
                        BufferObject.PROVISIONING,
                        verdict.isTrue() ? Status.TRUE : Status.FALSE,
                        verdict.reason(),
                        message(verdict),
                        now);
        if (after.equals(buffer.status().conditions())) {
            return List.of();
        }
        var patch = BufferStatus.patch(buffer, BufferStatus.conditions(after));
        return List.of(new Effect.Write(patch, answer -> answered(buffer, answer)));
    }

    /// Whatever the server says of a condition, nodes are made all the same; the next pass tells it
    /// again.
    private static Step answered(BufferObject buffer, ApiAnswer answer) {
        if (answer.isDone() || answer.isNotFound() || answer.isConflict()) {
            return Step.DONE;
        }
        return Step.of(
                new Effect.Say(
                        LogLevel.WARN,
                        "capacity buffer keeps its old condition",
                        "CapacityBuffer",
                        buffer.name().toString(),
                        "error",
                        answer.explain()));
    }

    private static String message(Verdict verdict) {
        return switch (verdict) {
            case FITS_EXISTING_CAPACITY -> "all its pods would find room on nodes there are";
            case REQUIRES_NEW_CAPACITY -> "some of its pods need a node that is not there yet";
            case NOT_READY -> "what it refers to is not there; see ReadyForProvisioning";
            case EMPTY -> "it stands for no pods; raise replicas, percentage or limits";
        };
    }
}
