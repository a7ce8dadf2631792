package dev.millwright.world.invariant;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.world.invariant.seen.SeenPod;
import dev.millwright.world.invariant.seen.Sight;

import java.time.Instant;

/// Every pod that some machine could run does run, in bounded time after the last trouble.
final class PodsRun implements Invariant {

    /// Of a pod that is not meant to run: no machine, or no limit, allows it.
    static final String NEVER_RUNS = "world.millwright.dev/never-runs";

    private final Court court;
    private final Patience<ObjectName> waiting = new Patience<>(Bounds.WAITING_POD);

    PodsRun(Court court) {
        this.court = court;
    }

    @Override
    public String name() {
        return "pod-runs";
    }

    @Override
    public void saw(Sight sight) {
        if (sight instanceof Sight.OfPod(var at, _, var before, var after)) {
            if (before != null && (after == null || !after.uid().equals(before.uid()))) {
                waiting.end(before.name());
            }
            if (after != null) {
                waiting.update(after.name(), isWaiting(after), at);
            }
        }
        tellOverdue(sight.at());
    }

    /// A pod that ran and is ill is its kubelet's business.
    private static boolean isWaiting(SeenPod pod) {
        return pod.phase() == SeenPod.Phase.PENDING
                && pod.isActive()
                && !pod.isDaemon()
                && !pod.annotations().containsKey(NEVER_RUNS);
    }

    private void tellOverdue(Instant now) {
        for (var late : waiting.overdue(now, court.trouble())) {
            var pod = court.cluster().pod(late.key());
            var where = pod == null || !pod.isBound() ? "nowhere" : "on node " + pod.nodeName();
            court.tell(
                    breach(
                            now,
                            "Pod %s: waits since %s, bound %s; wanted it to run within %d minutes of the last trouble, at %s"
                                    .formatted(
                                            late.key(),
                                            late.since(),
                                            where,
                                            Bounds.WAITING_POD.toMinutes(),
                                            court.trouble().lastAt())));
        }
    }

    @Override
    public void end(Instant at) {
        tellOverdue(at);
    }
}
