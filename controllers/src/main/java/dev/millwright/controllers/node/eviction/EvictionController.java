package dev.millwright.controllers.node.eviction;

import dev.millwright.controllers.metrics.Families;
import dev.millwright.controllers.node.Condemned;
import dev.millwright.controllers.pod.GuardEvents;
import dev.millwright.controllers.pod.PodRules;
import dev.millwright.controllers.settings.Concurrency;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.cache.Change;
import dev.millwright.kube.cache.Kind;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.client.ApiAnswer;
import dev.millwright.kube.client.ApiWrite;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.event.KubeEvent;
import dev.millwright.kube.event.KubeEvent.Subject;
import dev.millwright.kube.object.ClaimObject;
import dev.millwright.kube.object.NodeObject;
import dev.millwright.kube.object.PodObject;
import dev.millwright.runtime.log.LogLevel;
import dev.millwright.runtime.step.Controller;
import dev.millwright.runtime.step.Effect;
import dev.millwright.runtime.step.Pace;
import dev.millwright.runtime.step.Step;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// Asks for the eviction of each pod that a drain wants gone until it goes, and deletes it when its
/// node's deadline leaves no more time to ask.
public final class EvictionController implements Controller {

    public static final String NAME = "eviction-queue";

    private static final int AT_ONCE_MIN = 100;
    private static final int AT_ONCE_MAX = 5_000;
    private static final Duration BACKOFF_MIN = Duration.ofMillis(100);
    private static final Duration BACKOFF_MAX = Duration.ofSeconds(10);

    /// A watch tells of a granted eviction well within this time; else it is asked for once more.
    private static final Duration ASKED_MAX = Duration.ofSeconds(10);

    private static final Duration ASKED_POLL = Duration.ofSeconds(1);

    /// How the API server begins to say that several budgets select the pod. Its code, 500, alone
    /// would not tell.
    private static final String SEVERAL_BUDGETS = "more than one PodDisruptionBudget";

    /// Why pods had to go when no disruption of ours was the reason.
    private static final String FORCEFUL = "Forceful Termination";

    private final EvictionQueue queue;
    private final Pace pace;

    public EvictionController(EvictionQueue queue, double cores) {
        this.queue = queue;
        var atOnce = Concurrency.scale(AT_ONCE_MIN, AT_ONCE_MAX, cores);
        var rate = Concurrency.rate(AT_ONCE_MIN, AT_ONCE_MIN, atOnce);
        this.pace =
                Pace.of(atOnce)
                        .withBackoff(BACKOFF_MIN, BACKOFF_MAX)
                        .withBucket(rate.perSecond(), rate.burst());
    }

    /// Has the pod leave. One that is in the queue already comes by its own back-off, unless it is
    /// more urgent now.
    public static List<Effect> enqueued(
            EvictionQueue queue, PodObject pod, EvictionQueue.Entry entry) {
        var uid = pod.meta().uid();
        return queue.isNews(pod.name(), uid, entry)
                ? List.of(
                        new Effect.Remember(
                                "pod to evict", () -> queue.add(pod.name(), uid, entry)),
                        new Effect.Enqueue(NAME, pod.name()))
                : List.of();
    }

    @Override
    public String name() {
        return NAME;
    }

    /// Drains ring; a pod that is gone is looked at once more, to forget it.
    @Override
    public List<Watch<?>> watches() {
        return List.of(new Watch<>(Kind.POD, (_, change) -> gone(change)));
    }

    private List<ObjectName> gone(Change<PodObject> change) {
        return change.isRemoval() && queue.has(change.name()) ? List.of(change.name()) : List.of();
    }

    @Override
    public Pace pace() {
        return pace;
    }

    @Override
    public Step step(View view, ObjectName key, Instant now) {
        var pod = view.pod(key);
        var entry = pod == null ? null : queue.find(key, pod.meta().uid());
        if (pod == null || entry == null) {
            var uid = pod == null ? null : pod.meta().uid();
            return queue.has(key)
                    ? Step.of(new Effect.Remember("pod gone", () -> queue.dropOthers(key, uid)))
                    : Step.DONE;
        }
        var node = view.node(pod.nodeName());
        if (node == null || !Condemned.mayBeEmptied(view, node) || pod.isTerminal()) {
            return dropped(pod);
        }
        var deadline = entry.deadline();
        if (deadline != null && ForcedDeletion.isDue(pod, deadline, now)) {
            return delete(view, node, pod, ForcedDeletion.graceSeconds(deadline, now));
        }
        if (!pod.isActive()) {
            return dropped(pod);
        }
        var askedAt = entry.askedAt();
        if (askedAt != null && now.isBefore(askedAt.plus(ASKED_MAX))) {
            return Step.again(ASKED_POLL);
        }
        var told = Step.of(GuardEvents.of(pod, now));
        return told.followedBy(
                PodRules.isEvictable(pod, now)
                        ? new CopyFirst(queue, pod, entry, now)
                                .step(view, () -> evict(view, node, pod, now))
                        : Step.RETRY);
    }

    private Step dropped(PodObject pod) {
        return Step.of(drop(pod));
    }

    private Effect drop(PodObject pod) {
        return new Effect.Remember("pod done with", () -> queue.drop(pod.name(), pod.meta().uid()));
    }

    private Step delete(View view, NodeObject node, PodObject pod, long graceSeconds) {
        var write =
                new ApiWrite.Delete(ResourceType.POD, pod.name(), pod.meta().uid(), graceSeconds);
        return Step.of(
                new Effect.Write(
                        write,
                        answer -> {
                            if (answer.isDone()) {
                                return left(
                                                view,
                                                node,
                                                pod,
                                                "Disrupted",
                                                "Pod %s: deleted with %ds of grace because node %s must be empty by its deadline"
                                                        .formatted(
                                                                pod.name(),
                                                                graceSeconds,
                                                                node.name().name()))
                                        .followedBy(dropped(pod));
                            }
                            if (answer.isNotFound()) {
                                return dropped(pod);
                            }
                            return answer.isConflict()
                                    ? Step.RETRY
                                    : Step.failed(failure("delete", pod, answer));
                        }));
    }

    private Step evict(View view, NodeObject node, PodObject pod, Instant now) {
        return Step.of(
                new Effect.Write(
                        new ApiWrite.Evict(pod.name(), pod.meta().uid()),
                        answer ->
                                Step.of(counted(answer))
                                        .followedBy(afterEviction(view, node, pod, answer, now))));
    }

    private Step afterEviction(
            View view, NodeObject node, PodObject pod, ApiAnswer answer, Instant now) {
        if (answer.isDone()) {
            return left(
                            view,
                            node,
                            pod,
                            "Evicted",
                            "Pod %s: evicted because node %s is going"
                                    .formatted(pod.name(), node.name().name()))
                    .followedBy(untilSeen(view, pod, now));
        }
        if (answer.isNotFound() || answer.isConflict()) {
            return dropped(pod);
        }
        if (answer.isTooManyRequests() || isForSeveralBudgets(answer)) {
            var message =
                    "Node %s: pod %s cannot be evicted yet, %s"
                            .formatted(node.name().name(), pod.name(), answer.explain());
            var event =
                    KubeEvent.warning(
                                    Subject.of(ResourceType.NODE, node), "FailedDraining", message)
                            .dedupedBy(
                                    List.of(node.meta().uid(), pod.meta().uid()),
                                    KubeEvent.DEDUPE_DEFAULT);
            return Step.of(new Effect.Publish(event)).followedBy(Step.RETRY);
        }
        return Step.failed(failure("evict", pod, answer));
    }

    /// An eviction answers without the pod. While the caches still show it alive, a drain would
    /// want it evicted again.
    private Step untilSeen(View view, PodObject pod, Instant now) {
        var seen = view.pod(pod.name());
        var isStillActive =
                seen != null && seen.isActive() && seen.meta().uid().equals(pod.meta().uid());
        return isStillActive
                ? Step.of(
                                new Effect.Remember(
                                        "eviction granted",
                                        () -> queue.asked(pod.name(), pod.meta().uid(), now)))
                        .thenAgain(ASKED_POLL)
                : dropped(pod);
    }

    private static boolean isForSeveralBudgets(ApiAnswer answer) {
        return answer instanceof ApiAnswer.Refused(var code, _, var message)
                && code == 500
                && message.contains(SEVERAL_BUDGETS);
    }

    /// Answers are counted; silence is not an answer.
    private static List<Effect> counted(ApiAnswer answer) {
        var code =
                switch (answer) {
                    case ApiAnswer.Done(_) -> "200";
                    case ApiAnswer.Refused(var refused, _, _) -> Integer.toString(refused);
                    case ApiAnswer.Unreachable(_) -> null;
                };
        return code == null
                ? List.of()
                : List.of(new Effect.Count(Families.PODS_EVICTION_REQUESTS, code));
    }

    private Step left(View view, NodeObject node, PodObject pod, String reason, String message) {
        var effects = new ArrayList<Effect>();
        effects.add(
                new Effect.Publish(
                        KubeEvent.normal(Subject.of(ResourceType.POD, pod), reason, message)));
        effects.add(new Effect.Count(Families.PODS_DRAINED, cause(view.claimOf(node))));
        effects.add(
                new Effect.Say(
                        LogLevel.DEBUG,
                        "made pod leave its node",
                        "Pod",
                        pod.name().toString(),
                        "Node",
                        node.name().name(),
                        "how",
                        reason));
        return Step.of(effects);
    }

    private static String cause(@Nullable ClaimObject claim) {
        if (claim == null) {
            return "";
        }
        var reason = claim.conditions().find(ClaimObject.DISRUPTION_REASON);
        return reason != null && reason.isTrue() ? reason.reason() : FORCEFUL;
    }

    private static String failure(String what, PodObject pod, ApiAnswer answer) {
        return "cannot %s pod %s: %s".formatted(what, pod.name(), answer.explain());
    }
}
