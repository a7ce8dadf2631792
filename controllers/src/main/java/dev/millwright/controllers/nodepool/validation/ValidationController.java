package dev.millwright.controllers.nodepool.validation;

import dev.millwright.controllers.nodepool.PoolPatches;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.label.LabelVocabulary;
import dev.millwright.kube.cache.Kind;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.event.KubeEvent;
import dev.millwright.kube.object.Condition.Status;
import dev.millwright.kube.object.PoolObject;
import dev.millwright.runtime.step.Controller;
import dev.millwright.runtime.step.Effect;
import dev.millwright.runtime.step.Pace;
import dev.millwright.runtime.step.Step;

import java.time.Instant;
import java.util.List;

/// Tells in the pool's condition `ValidationSucceeded`, and by an event, what must be mended.
///
/// Warnings stand in the message of a condition that is true: the pool works, in part.
public final class ValidationController implements Controller {

    private static final String FAILED = "NodePoolValidationFailed";
    private static final String WARNED = "NodePoolValidationWarning";
    private static final int AT_ONCE = 10;

    private final LabelVocabulary vocabulary;

    public ValidationController(LabelVocabulary vocabulary) {
        this.vocabulary = vocabulary;
    }

    @Override
    public String name() {
        return "nodepool.validation";
    }

    @Override
    public List<Watch<?>> watches() {
        return List.of(Watch.own(Kind.NODE_POOL));
    }

    @Override
    public Pace pace() {
        return Pace.of(AT_ONCE);
    }

    @Override
    public Step step(View view, ObjectName key, Instant now) {
        var pool = view.pool(key.name());
        if (pool == null || !view.isManaged(pool.pool().template().nodeClassRef())) {
            return Step.DONE;
        }
        var findings = PoolFindings.of(pool, vocabulary, now);
        var isSound = findings.faults().isEmpty();
        var message = String.join("; ", isSound ? findings.warnings() : findings.faults());
        var before = pool.conditions();
        var after =
                before.with(
                        PoolObject.VALIDATION_SUCCEEDED,
                        isSound ? Status.TRUE : Status.FALSE,
                        isSound ? PoolObject.VALIDATION_SUCCEEDED : FAILED,
                        message,
                        now);
        if (after.equals(before)) {
            return Step.DONE;
        }
        var told = Step.of(new Effect.Write(PoolPatches.conditions(pool, after)));
        return message.isEmpty()
                ? told
                : told.followedBy(
                        Step.of(
                                new Effect.Publish(
                                        event(pool, isSound ? WARNED : FAILED, message))));
    }

    /// Another fault is another event, however soon it comes.
    private static KubeEvent event(PoolObject pool, String reason, String message) {
        return KubeEvent.warning(
                        KubeEvent.Subject.of(ResourceType.NODE_POOL, pool),
                        reason,
                        "NodePool %s: %s".formatted(pool.meta().name().name(), message))
                .dedupedBy(List.of(pool.meta().uid(), message), KubeEvent.DEDUPE_DEFAULT);
    }
}
