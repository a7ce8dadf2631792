package dev.millwright.world.invariant;

import dev.millwright.world.happening.Happening;
import dev.millwright.world.invariant.seen.SeenPod;
import dev.millwright.world.invariant.seen.Sight;

import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/// No machine is ended under running pods: its node is drained first, or its deadline has come.
final class DrainedFirst implements Invariant {

    private final Court court;
    private final Map<String, Instant> boundAt = new HashMap<>();
    private final Set<String> told = new HashSet<>();

    DrainedFirst(Court court) {
        this.court = court;
    }

    @Override
    public String name() {
        return "drained-first";
    }

    @Override
    public void saw(Sight sight) {
        if (sight instanceof Sight.OfPod(var at, _, var before, var after)) {
            if (after == null) {
                if (before != null) {
                    boundAt.remove(before.uid());
                }
            } else if (after.isBound() && (before == null || !before.isBound())) {
                boundAt.put(after.uid(), at);
            }
        } else if (sight instanceof Sight.Of(Happening.Asked asked)
                && asked.call().equals("terminate")
                && Sight.isOperator(asked.by())) {
            asked(asked);
        } else if (sight instanceof Sight.Of(Happening.Stopped(_, var providerId, _))) {
            told.remove(providerId);
        }
    }

    private void asked(Happening.Asked asked) {
        var claim = court.cluster().claimByUid(asked.uid());
        var providerId = claim == null ? "" : claim.providerId();
        if (providerId.isEmpty() || court.cluster().machine(providerId) == null) {
            return;
        }
        for (var node : court.cluster().nodesOf(providerId)) {
            var deadline = Deadlines.of(court.cluster(), node.name().name());
            if (deadline != null && asked.at().plus(court.slack().clockError()).isAfter(deadline)) {
                continue;
            }
            for (var pod : court.cluster().podsOn(node.name().name())) {
                if (pod.holdsDrain(asked.at().plus(court.slack().clockError()))
                        && !isLatecomer(pod, asked.at())) {
                    tell(asked, providerId, pod);
                }
            }
        }
    }

    /// A pod that was bound after the last look at the node.
    private boolean isLatecomer(SeenPod pod, Instant now) {
        var since = boundAt.get(pod.uid());
        return since != null && since.plus(court.slack().viewLag()).isAfter(now);
    }

    private void tell(Happening.Asked asked, String providerId, SeenPod pod) {
        if (told.add(providerId)) {
            court.tell(
                    breach(
                            asked.at(),
                            "machine %s of NodeClaim %s: was told to end by %s while pod %s runs on node %s; wanted the node drained first"
                                    .formatted(
                                            providerId,
                                            asked.claim(),
                                            asked.by(),
                                            pod.name(),
                                            pod.nodeName())));
        }
    }
}
