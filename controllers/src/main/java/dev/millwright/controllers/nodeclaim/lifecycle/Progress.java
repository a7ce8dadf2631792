package dev.millwright.controllers.nodeclaim.lifecycle;

import dev.millwright.controllers.nodeclaim.ClaimChange;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.object.ClaimObject;
import dev.millwright.kube.object.Condition;
import dev.millwright.kube.object.Conditions;
import dev.millwright.runtime.step.Effect;
import dev.millwright.runtime.step.Step;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/// How far one step has brought a claim. Each part of the step adds to it, whatever went wrong in
/// the parts before; what was found is written once, at the end.
///
/// `afterwards` is done when the claim is written; a claim that could not be written is looked at
/// again, and nothing is counted twice.
record Progress(
        View view, Instant now, ClaimChange change, List<Effect> afterwards, Outcome outcome) {

    /// How the step ends: the gravest counts.
    private record Outcome(List<String> problems, boolean isRetry, @Nullable Duration again) {}

    static Progress of(View view, Instant now, ClaimObject claim) {
        return new Progress(
                view, now, ClaimChange.of(claim), List.of(), new Outcome(List.of(), false, null));
    }

    ClaimObject claim() {
        return change.after();
    }

    String uid() {
        return claim().meta().uid();
    }

    Conditions conditions() {
        return change.conditions();
    }

    boolean isTrue(String type) {
        return conditions().isTrue(type);
    }

    Progress with(ClaimChange next) {
        return new Progress(view, now, next, afterwards, outcome);
    }

    private Progress conditions(UnaryOperator<Conditions> next) {
        return with(change.conditions(next.apply(conditions())));
    }

    Progress found(String type) {
        return conditions(all -> all.withTrue(type, now));
    }

    Progress waiting(String type, String reason, String message) {
        return conditions(all -> all.with(type, Condition.Status.UNKNOWN, reason, message, now));
    }

    Progress refused(String type, String reason, String message) {
        return conditions(all -> all.with(type, Condition.Status.FALSE, reason, message, now));
    }

    /// The condition holds for the claim's present generation too.
    Progress observed(String type) {
        return conditions(all -> all.observed(type));
    }

    Progress afterwards(Effect... effects) {
        return afterwards(List.of(effects));
    }

    Progress afterwards(List<Effect> effects) {
        var all = new ArrayList<>(afterwards);
        all.addAll(effects);
        return new Progress(view, now, change, List.copyOf(all), outcome);
    }

    Progress failed(String problem) {
        var all = new ArrayList<>(outcome.problems());
        all.add(problem);
        return ending(new Outcome(List.copyOf(all), outcome.isRetry(), outcome.again()));
    }

    /// Somebody else was quicker.
    Progress retry() {
        return ending(new Outcome(outcome.problems(), true, outcome.again()));
    }

    Progress again(Duration after) {
        var before = outcome.again();
        var sooner = before != null && before.compareTo(after) <= 0 ? before : after;
        return ending(new Outcome(outcome.problems(), outcome.isRetry(), sooner));
    }

    /// Whatever went wrong does not matter any more: the claim goes.
    Progress givenUp() {
        return ending(new Outcome(List.of(), false, null));
    }

    private Progress ending(Outcome other) {
        return new Progress(view, now, change, afterwards, other);
    }

    Step finished() {
        var effects = new ArrayList<>(change.writes(view));
        effects.addAll(afterwards);
        var step = Step.of(effects);
        if (!outcome.problems().isEmpty()) {
            return step.thenFailed(String.join("; ", outcome.problems()));
        }
        return outcome.isRetry() ? step.followedBy(Step.RETRY) : step.thenAgain(outcome.again());
    }
}
