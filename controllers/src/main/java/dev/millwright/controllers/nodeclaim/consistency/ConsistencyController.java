package dev.millwright.controllers.nodeclaim.consistency;

import dev.millwright.controllers.nodeclaim.ClaimChange;
import dev.millwright.controllers.settings.Concurrency;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.cache.Change;
import dev.millwright.kube.cache.Kind;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.event.KubeEvent;
import dev.millwright.kube.event.KubeEvent.Subject;
import dev.millwright.kube.object.ClaimObject;
import dev.millwright.kube.object.Condition;
import dev.millwright.kube.object.Conditions;
import dev.millwright.runtime.log.LogLevel;
import dev.millwright.runtime.step.Controller;
import dev.millwright.runtime.step.Effect;
import dev.millwright.runtime.step.Pace;
import dev.millwright.runtime.step.Step;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// Looks at every initialised claim each ten minutes and says whether its node is as promised.
public final class ConsistencyController implements Controller {

    private static final Duration PERIOD = Duration.ofMinutes(10);
    private static final int AT_ONCE_MIN = 10;
    private static final int AT_ONCE_MAX = 1_000;

    private final Scans scans;
    private final Pace pace;

    public ConsistencyController(Scans scans, double cores) {
        this.scans = scans;
        this.pace = Pace.of(Concurrency.scale(AT_ONCE_MIN, AT_ONCE_MAX, cores));
    }

    @Override
    public String name() {
        return "nodeclaim.consistency";
    }

    @Override
    public Pace pace() {
        return pace;
    }

    @Override
    public List<Watch<?>> watches() {
        return List.of(new Watch<>(Kind.NODE_CLAIM, ConsistencyController::ofClaim));
    }

    /// Its going is of interest too: then it is forgotten.
    private static List<ObjectName> ofClaim(View view, Change<ClaimObject> change) {
        var before = change.before();
        var after = change.after();
        var isNews =
                before == null || after == null || isInitialized(before) != isInitialized(after);
        return isNews ? List.of(change.name()) : List.of();
    }

    private static boolean isInitialized(ClaimObject claim) {
        return claim.conditions().isTrue(ClaimObject.INITIALIZED);
    }

    @Override
    public Step step(View view, ObjectName key, Instant now) {
        var claim = view.claim(key.name());
        if (claim == null) {
            scans.forget(key.name());
            return Step.DONE;
        }
        if (!view.isManaged(claim.spec().nodeClassRef())
                || claim.isDeleting()
                || !isInitialized(claim)) {
            return Step.DONE;
        }
        var last = scans.last(key.name(), claim.meta().uid());
        if (last != null && now.isBefore(last.plus(PERIOD))) {
            return Step.again(Duration.between(now, last.plus(PERIOD)));
        }
        var nodes = view.nodesOf(claim.providerId());
        return nodes.size() == 1
                ? scanned(view, claim, NodeShape.issues(claim, nodes.getFirst()), now)
                : Step.again(PERIOD);
    }

    private Step scanned(View view, ClaimObject claim, List<String> issues, Instant now) {
        var effects =
                new ArrayList<>(
                        ClaimChange.of(claim).conditions(judged(claim, issues, now)).writes(view));
        effects.add(
                new Effect.Remember(
                        "scan of a claim",
                        () -> scans.record(claim.name().name(), claim.meta().uid(), now)));
        for (var issue : issues) {
            effects.add(
                    new Effect.Say(
                            LogLevel.ERROR,
                            "node is not as promised",
                            "NodeClaim",
                            claim.name().name(),
                            "error",
                            issue));
            effects.add(new Effect.Publish(event(claim, issue)));
        }
        return Step.of(effects).thenAgain(PERIOD);
    }

    private static Conditions judged(ClaimObject claim, List<String> issues, Instant now) {
        var conditions = claim.conditions();
        return issues.isEmpty()
                ? conditions.withTrue(ClaimObject.CONSISTENT_STATE_FOUND, now)
                : conditions.with(
                        ClaimObject.CONSISTENT_STATE_FOUND,
                        Condition.Status.FALSE,
                        "ConsistencyCheckFailed",
                        String.join("; ", issues),
                        now);
    }

    private static KubeEvent event(ClaimObject claim, String issue) {
        return KubeEvent.warning(
                        Subject.of(ResourceType.NODE_CLAIM, claim), "FailedConsistencyCheck", issue)
                .dedupedBy(List.of(claim.meta().uid(), issue), KubeEvent.DEDUPE_DEFAULT);
    }
}
