package dev.millwright.controllers.node.termination;

import dev.millwright.controllers.effect.AutoscalerEffect;
import dev.millwright.controllers.metrics.Families;
import dev.millwright.controllers.node.Condemned;
import dev.millwright.controllers.node.Deadline;
import dev.millwright.controllers.node.eviction.EvictionQueue;
import dev.millwright.controllers.nodeclaim.ClaimChange;
import dev.millwright.controllers.nodeclaim.MachineClaims;
import dev.millwright.controllers.settings.Concurrency;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.label.AnnotationKeys;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.kube.cache.Change;
import dev.millwright.kube.cache.Kind;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.client.ApiWrite;
import dev.millwright.kube.client.ApiWrite.PatchKind;
import dev.millwright.kube.client.ApiWrite.Subresource;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.event.KubeEvent;
import dev.millwright.kube.event.KubeEvent.Subject;
import dev.millwright.kube.object.ClaimObject;
import dev.millwright.kube.object.NodeObject;
import dev.millwright.runtime.log.LogLevel;
import dev.millwright.runtime.metrics.MetricFamily;
import dev.millwright.runtime.step.Answers;
import dev.millwright.runtime.step.Controller;
import dev.millwright.runtime.step.Effect;
import dev.millwright.runtime.step.Pace;
import dev.millwright.runtime.step.Step;
import dev.millwright.spi.FindAnswer;
import dev.millwright.spi.TerminateAnswer;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// Takes away a Node whose deletion was asked for. The finalizer holds the object until its pods,
/// its volumes and its machine are gone.
public final class TerminationController implements Controller {

    public static final String NAME = "node.termination";

    private static final Duration MACHINE_POLL = Duration.ofSeconds(5);
    private static final int AT_ONCE_MIN = 100;
    private static final int AT_ONCE_MAX = 5_000;
    private static final int PER_SECOND_MIN = 10;
    private static final Duration BACKOFF_MIN = Duration.ofMillis(100);
    private static final Duration BACKOFF_MAX = Duration.ofSeconds(10);

    /// In a second, as a divisor that keeps the fraction.
    private static final double MILLIS = 1_000.0;

    private final EvictionQueue queue;
    private final Pace pace;

    public TerminationController(EvictionQueue queue, double cores) {
        this.queue = queue;
        var atOnce = Concurrency.scale(AT_ONCE_MIN, AT_ONCE_MAX, cores);
        var rate = Concurrency.rate(PER_SECOND_MIN, AT_ONCE_MIN, atOnce);
        this.pace =
                Pace.of(atOnce)
                        .withBackoff(BACKOFF_MIN, BACKOFF_MAX)
                        .withBucket(rate.perSecond(), rate.burst());
    }

    @Override
    public String name() {
        return NAME;
    }

    /// A claim that is gone leaves its node to be taken away without it.
    @Override
    public List<Watch<?>> watches() {
        return List.of(
                new Watch<>(Kind.NODE, (_, change) -> going(change)),
                new Watch<>(Kind.NODE_CLAIM, TerminationController::withoutClaim));
    }

    private static List<ObjectName> going(Change<NodeObject> change) {
        return change.after() != null && isOurs(change.after())
                ? List.of(change.name())
                : List.of();
    }

    private static List<ObjectName> withoutClaim(View view, Change<ClaimObject> change) {
        return change.isRemoval()
                ? view.nodesOf(change.latest().providerId()).stream()
                        .filter(TerminationController::isOurs)
                        .map(NodeObject::name)
                        .toList()
                : List.of();
    }

    private static boolean isOurs(NodeObject node) {
        return node.isDeleting() && node.meta().hasFinalizer(LabelKeys.TERMINATION_FINALIZER);
    }

    @Override
    public Pace pace() {
        return pace;
    }

    @Override
    public Step step(View view, ObjectName key, Instant now) {
        var node = view.node(key.name());
        if (node == null || !isOurs(node) || !view.isManaged(node)) {
            return Step.DONE;
        }
        var claim = view.claimOf(node);
        if (claim == null || claim.isDeleting()) {
            return condemned(view, key, now);
        }
        var delete =
                new ApiWrite.Delete(
                        ResourceType.NODE_CLAIM, claim.name(), claim.meta().uid(), null);
        return Step.of(
                new Effect.Write(
                        delete,
                        answer ->
                                answer.isDone() || answer.isNotFound()
                                        ? condemned(view, key, now)
                                        : Answers.usual(answer)));
    }

    private Step condemned(View view, ObjectName key, Instant now) {
        var node = view.node(key.name());
        if (node == null) {
            return Step.DONE;
        }
        if (!Condemned.isCondemned(view, node)) {
            return Step.again(Emptying.POLL); // The claim's deletion is not to be seen yet.
        }
        if (node.isReady() || node.providerId().isEmpty()) {
            return cordoned(view, node, now);
        }
        return Step.of(
                new AutoscalerEffect.Find(
                        node.providerId(),
                        answer ->
                                switch (answer) {
                                    case FindAnswer.Found(_) -> cordoned(view, node, now);
                                    case FindAnswer.Gone() -> released(node, now);
                                    case FindAnswer.Failed(var message) ->
                                            Step.failed(
                                                    "cannot find the machine of node %s: %s"
                                                            .formatted(
                                                                    node.name().name(), message));
                                }));
    }

    private Step cordoned(View view, NodeObject node, Instant now) {
        var claim = view.claimOf(node);
        var told = Step.of(expiring(node, claim));
        var patch = Cordon.of(node);
        if (patch == null) {
            return told.followedBy(emptied(view, node, now));
        }
        return told.followedBy(
                Step.of(
                        new Effect.Write(
                                patch,
                                answer ->
                                        answer.isDone()
                                                ? Step.of(cordonLines(node, claim))
                                                        .followedBy(emptied(view, node, now))
                                                : Answers.usual(answer))));
    }

    private static List<Effect> expiring(NodeObject node, @Nullable ClaimObject claim) {
        var deadline = Deadline.of(claim);
        return deadline == null
                ? List.of()
                : List.of(
                        new Effect.Publish(
                                KubeEvent.warning(
                                        Subject.of(ResourceType.NODE, node),
                                        "TerminationGracePeriodExpiring",
                                        "Node %s: all its pods must have left by %s; those that have not are deleted"
                                                .formatted(node.name().name(), deadline))));
    }

    private static List<Effect> cordonLines(NodeObject node, @Nullable ClaimObject claim) {
        var lines = new ArrayList<Effect>();
        lines.add(new Effect.Say(LogLevel.INFO, "tainted node", "Node", node.name().name()));
        if (Deadline.isUnreadable(claim)) {
            lines.add(
                    new Effect.Say(
                            LogLevel.WARN,
                            "the deadline of a node is no time and counts for nothing",
                            "Node",
                            node.name().name(),
                            "annotation",
                            AnnotationKeys.TERMINATION_TIMESTAMP));
        }
        return lines;
    }

    /// Drains and detaches; the machine goes only when that is over.
    private Step emptied(View view, NodeObject node, Instant now) {
        var emptying = new Emptying(view, queue, node, now).step();
        return emptying.ending() instanceof Step.Ending.Done
                ? emptying.followedBy(machine(view, node, now))
                : emptying;
    }

    private static Step machine(View view, NodeObject node, Instant now) {
        var claim = view.claimOf(node);
        if (claim == null) {
            return released(node, now);
        }
        return Step.of(
                new AutoscalerEffect.Terminate(
                        MachineClaims.of(claim),
                        answer ->
                                switch (answer) {
                                    case TerminateAnswer.Started() ->
                                            terminating(view, node, now).thenAgain(MACHINE_POLL);
                                    case TerminateAnswer.Gone() ->
                                            terminating(view, node, now)
                                                    .followedBy(released(node, now));
                                    case TerminateAnswer.Failed(var message) ->
                                            Step.failed(
                                                    "cannot terminate the machine of node %s: %s"
                                                            .formatted(
                                                                    node.name().name(), message));
                                }));
    }

    /// The claim as it is by now: its conditions were written a moment ago.
    private static Step terminating(View view, NodeObject node, Instant now) {
        var claim = view.claimOf(node);
        if (claim == null) {
            return Step.DONE;
        }
        var conditions = claim.conditions().withTrue(ClaimObject.INSTANCE_TERMINATING, now);
        return Step.of(ClaimChange.of(claim).conditions(conditions).writes(view));
    }

    /// Takes our finalizer out of the list and leaves those of others, whatever they do meanwhile.
    private static Step released(NodeObject node, Instant now) {
        var metadata =
                Tree.of()
                        .putTextList(
                                "$deleteFromPrimitiveList/finalizers",
                                List.of(LabelKeys.TERMINATION_FINALIZER));
        var patch =
                new ApiWrite.Patch(
                        ResourceType.NODE,
                        node.name(),
                        PatchKind.STRATEGIC,
                        Subresource.NONE,
                        Tree.of("metadata", metadata).mapping());
        return Step.of(
                new Effect.Write(
                        patch,
                        answer ->
                                answer.isDone()
                                        ? Step.of(farewell(node, now))
                                        : Answers.usual(answer)));
    }

    private static List<Effect> farewell(NodeObject node, Instant now) {
        var pool = node.meta().label(LabelKeys.NODE_POOL);
        var deletedAt = node.meta().deletedAt();
        return List.of(
                new Effect.Say(LogLevel.INFO, "deleted node", "Node", node.name().name()),
                new Effect.Count(
                        Families.NODES_TERMINATED, pool, node.meta().label(LabelKeys.ZONE)),
                observed(
                        Families.NODES_TERMINATION, deletedAt == null ? now : deletedAt, now, pool),
                observed(Families.NODES_LIFETIME, node.meta().createdAt(), now, pool));
    }

    private static Effect observed(MetricFamily family, Instant from, Instant to, String pool) {
        return new Effect.Observe(
                family, Duration.between(from, to).toMillis() / MILLIS, List.of(pool));
    }
}
