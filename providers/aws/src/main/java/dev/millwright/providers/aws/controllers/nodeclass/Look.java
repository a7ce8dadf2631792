package dev.millwright.providers.aws.controllers.nodeclass;

import dev.millwright.kube.client.ApiWrite;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.object.Condition.Status;
import dev.millwright.kube.object.Conditions;
import dev.millwright.providers.aws.nodeclass.Ec2NodeClass;
import dev.millwright.providers.aws.nodeclass.NodeClassStatus;
import dev.millwright.runtime.log.LogLevel;
import dev.millwright.runtime.step.Effect;
import dev.millwright.runtime.step.Step;
import dev.millwright.runtime.step.Step.Ending;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// One look at a class: what was read, and what its status will say, as far as the look has got.
///
/// A part that could not be looked at leaves no trace but its failure: what was known stays.
///
/// @param again the soonest that any part wants to be looked at again
/// @param isUnsettled AWS did not answer a question that it may answer in a moment
record Look(
        Ec2NodeClass nodeClass,
        Instant now,
        NodeClassStatus status,
        Conditions conditions,
        @Nullable Duration again,
        boolean isUnsettled,
        List<String> failures,
        List<Effect> tellings) {

    Look {
        failures = List.copyOf(failures);
        tellings = List.copyOf(tellings);
    }

    static Look at(Ec2NodeClass nodeClass, Conditions.Family family, Instant now) {
        return new Look(
                nodeClass,
                now,
                nodeClass.status(),
                Conditions.of(family, nodeClass.meta(), nodeClass.conditions()),
                null,
                false,
                List.of(),
                List.of());
    }

    /// The class with what this look has found.
    Ec2NodeClass found() {
        return new Ec2NodeClass(
                nodeClass.meta(),
                nodeClass.spec(),
                status,
                conditions.all(),
                nodeClass.writtenSpec(),
                nodeClass.faults());
    }

    Look with(NodeClassStatus next) {
        return new Look(nodeClass, now, next, conditions, again, isUnsettled, failures, tellings);
    }

    private Look with(Conditions next) {
        return new Look(nodeClass, now, status, next, again, isUnsettled, failures, tellings);
    }

    Look ready(String type) {
        return with(conditions.withTrue(type, now));
    }

    Look unready(String type, String reason, String message) {
        return with(conditions.with(type, Status.FALSE, reason, message, now));
    }

    Look unknown(String type, String reason, String message) {
        return with(conditions.with(type, Status.UNKNOWN, reason, message, now));
    }

    Look againAfter(Duration after) {
        var sooner = again == null || after.compareTo(again) < 0 ? after : again;
        return new Look(
                nodeClass, now, status, conditions, sooner, isUnsettled, failures, tellings);
    }

    Look unsettled() {
        return new Look(nodeClass, now, status, conditions, again, true, failures, tellings);
    }

    Look failed(String failure) {
        var more = new ArrayList<>(failures);
        more.add(failure);
        return new Look(nodeClass, now, status, conditions, again, isUnsettled, more, tellings);
    }

    Look say(LogLevel level, String message, Object... keyValues) {
        var more = new ArrayList<>(tellings);
        var pairs = new ArrayList<>(List.of("EC2NodeClass", (Object) nodeClass.name()));
        pairs.addAll(List.of(keyValues));
        more.add(new Effect.Say(level, message, pairs));
        return new Look(nodeClass, now, status, conditions, again, isUnsettled, failures, more);
    }

    /// Writes what has changed, and says when to come again.
    Step step() {
        var effects = new ArrayList<>(tellings);
        if (!status.equals(nodeClass.status())
                || !conditions.all().equals(nodeClass.conditions())) {
            effects.add(new Effect.Write(write()));
        }
        return new Step(effects, ending());
    }

    private Ending ending() {
        if (!failures.isEmpty()) {
            return new Ending.Failed(
                    "EC2NodeClass %s: %s".formatted(nodeClass.name(), String.join("; ", failures)));
        }
        if (isUnsettled) {
            return new Ending.Retry();
        }
        return again == null ? new Ending.Done() : new Ending.Again(again);
    }

    private ApiWrite write() {
        return new ApiWrite.Patch(
                Ec2NodeClass.TYPE,
                nodeClass.meta().name(),
                ApiWrite.PatchKind.MERGE,
                ApiWrite.Subresource.STATUS,
                Tree.of("metadata", nodeClass.meta().locked())
                        .put("status", status.patch().put("conditions", conditions.value()))
                        .mapping());
    }
}
