package dev.millwright.controllers.disruption;

import dev.millwright.core.disruption.Candidate;
import dev.millwright.core.disruption.Command;
import dev.millwright.core.disruption.FleetNumber;
import dev.millwright.core.disruption.KeepReason;
import dev.millwright.core.disruption.Method;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.policy.NodePoolBudgets.Reason;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.object.ClaimObject;
import dev.millwright.kube.object.PodObject;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Remembers from which fleets a consolidation took which kind of node, so that it does not go in
/// circles: kube-scheduler may put pods elsewhere than planned, so that a node is bought again for
/// one of them and the fleet is as it was.
///
/// A fleet is which machines there are and which workloads' pods run on each. All is forgotten when
/// somebody asks for other pods or other pools, and when a command is taken back: that led nowhere.
/// A process that dies forgets, too: the worst is one round more.
final class LeftFleets {

    /// What cannot be seen here may have changed after so long.
    private static final Duration REMEMBERED_FOR = Duration.ofHours(24);

    private static final int REMEMBERED_MAX = 10_000;

    private final Map<Long, Instant> left = new HashMap<>();
    private long wishes;
    private long takenBack;

    /// To be told of each pass. While nothing is on the move, pods that come or go do so because
    /// somebody wants it.
    void look(View view, boolean isAtRest, long takenBackSoFar) {
        if (takenBack != takenBackSoFar) {
            takenBack = takenBackSoFar;
            left.clear();
        }
        if (!isAtRest || view.pods().stream().anyMatch(LeftFleets::isOnTheMove)) {
            return;
        }
        var seen = 0L;
        for (var pod : view.pods()) {
            if (pod.isActive()) {
                seen += FleetNumber.of(workload(pod));
            }
        }
        for (var pool : view.pools()) {
            seen += FleetNumber.of(pool.meta().uid() + pool.meta().generation());
        }
        if (seen != wishes) {
            left.clear();
            wishes = seen;
        }
    }

    private static boolean isOnTheMove(PodObject pod) {
        return pod.isActive() ? pod.nodeName().isEmpty() : !pod.isTerminal();
    }

    /// Candidates that were taken from a fleet like this before, each with why it stays.
    Map<String, KeepReason> leadingBack(View view, Collection<Candidate> candidates, Instant now) {
        left.values().removeIf(at -> now.isAfter(at.plus(REMEMBERED_FOR)));
        if (left.isEmpty()) {
            return Map.of();
        }
        var fleet = fleet(view);
        var found = new TreeMap<String, KeepReason>();
        for (var candidate : candidates) {
            var at = left.get(way(view, fleet, candidate));
            if (at != null) {
                found.put(candidate.name(), new KeepReason.LeadsBack(at));
            }
        }
        return found;
    }

    /// The commands begin.
    void leave(View view, List<Command> commands, Instant now) {
        var remembered = commands.stream().filter(each -> isRemembered(each.method())).toList();
        if (remembered.isEmpty()) {
            return;
        }
        var fleet = fleet(view);
        for (var command : remembered) {
            for (var candidate : command.candidates()) {
                if (left.size() < REMEMBERED_MAX) {
                    left.put(way(view, fleet, candidate), now);
                }
            }
        }
    }

    /// An empty node disturbs nobody, and a drifted one does not come back.
    static boolean isRemembered(Method method) {
        return method.reason() == Reason.UNDERUTILIZED;
    }

    private static long way(View view, long fleet, Candidate candidate) {
        var claim = candidate.machine().node().claim();
        var object = claim == null ? null : view.claim(claim.name());
        return FleetNumber.ofLeaving(
                fleet, object == null ? FleetNumber.of(candidate.name()) : machine(view, object));
    }

    private static long fleet(View view) {
        var sum = 0L;
        for (var claim : view.claims()) {
            if (!claim.isDeleting()) {
                sum += machine(view, claim);
            }
        }
        for (var pod : view.pods()) {
            if (pod.isActive() && pod.nodeName().isEmpty()) {
                sum += FleetNumber.of("waiting " + workload(pod));
            }
        }
        return sum;
    }

    private static long machine(View view, ClaimObject claim) {
        var workloads = new ArrayList<String>();
        for (var node : view.nodesOf(claim.providerId())) {
            for (var pod : view.podsOn(node.name().name())) {
                if (pod.isActive()) {
                    workloads.add(workload(pod));
                }
            }
        }
        var meta = claim.meta();
        var kind =
                String.join(
                        " ",
                        claim.nodePool(),
                        meta.label(LabelKeys.INSTANCE_TYPE),
                        meta.label(LabelKeys.ZONE),
                        meta.label(LabelKeys.CAPACITY_TYPE));
        return FleetNumber.ofMachine(kind, workloads);
    }

    /// Names and uids of pods change with each move; their owner's does not.
    private static String workload(PodObject pod) {
        var controller = pod.pod().state().controller();
        return controller == null ? pod.name().toString() : controller.uid();
    }
}
