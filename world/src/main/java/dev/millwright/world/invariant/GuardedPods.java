package dev.millwright.world.invariant;

import dev.millwright.world.invariant.seen.SeenPod;
import dev.millwright.world.invariant.seen.Sight;

import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/// No pod that asks not to be disrupted is made to leave, but at its node's deadline.
final class GuardedPods implements Invariant {

    private final Court court;

    /// When pods that are there for longer were given their annotation, by uid.
    private final Map<String, Instant> guardedSince = new HashMap<>();

    GuardedPods(Court court) {
        this.court = court;
    }

    @Override
    public String name() {
        return "do-not-disrupt";
    }

    @Override
    public void saw(Sight sight) {
        if (!(sight instanceof Sight.OfPod change)) {
            return;
        }
        var before = change.before();
        var after = change.after();
        if (before != null && change.isRemoval() && Sight.isOperator(change.by())) {
            removed(change, before);
        }
        if (after == null) {
            if (before != null) {
                guardedSince.remove(before.uid());
            }
        } else if (before != null && !before.guard().equals(after.guard())) {
            guardedSince.put(after.uid(), change.at());
        }
    }

    private void removed(Sight.OfPod change, SeenPod pod) {
        var at = change.at();
        var since = guardedSince.getOrDefault(pod.uid(), pod.createdAt());
        if (pod.isGuarded(at.plus(court.slack().clockError()))
                && !since.plus(court.slack().viewLag()).isAfter(at)
                && !Deadlines.isDue(court, pod, at)) {
            court.tell(
                    breach(
                            at,
                            "Pod %s: was made to leave node %s by %s, though it says karpenter.sh/do-not-disrupt: %s since %s; wanted it left alone until the node's deadline"
                                    .formatted(
                                            pod.name(),
                                            pod.nodeName(),
                                            change.by(),
                                            pod.guard(),
                                            since)));
        }
    }
}
