package dev.millwright.core.disruption;

import dev.millwright.core.cluster.Pod;
import dev.millwright.core.policy.CapacityBuffer;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.SequencedMap;
import java.util.TreeMap;

/// From which fleets consolidations took which kind of node, and when, so that none goes in
/// circles: kube-scheduler may put pods elsewhere than planned, so that a node is bought again for
/// one of them and the fleet is as it was.
///
/// A fleet is which machines there are and which workloads' pods run on each. All is forgotten when
/// somebody asks for other pods or other pools, and when a command is taken back: that led nowhere.
///
/// @param left by the number of the fleet and the machine ([FleetNumber])
/// @param wanted the number of what people asked for last
/// @param takenBack how many commands had been taken back
public record LeftFleets(SequencedMap<Long, Instant> left, long wanted, long takenBack) {

    public static final LeftFleets NONE = new LeftFleets(new TreeMap<>(), 0, 0);

    /// What cannot be seen here may have changed after so long.
    private static final Duration REMEMBERED_FOR = Duration.ofHours(24);

    private static final int REMEMBERED_MAX = 10_000;

    public LeftFleets {
        left = Collections.unmodifiableSequencedMap(new TreeMap<>(left));
    }

    /// What remains known at the next look.
    ///
    /// @param wantedNow null while pods are on the move, so that nobody can tell
    public LeftFleets seen(@Nullable Long wantedNow, long takenBackSoFar) {
        var isAsBefore = takenBack == takenBackSoFar && (wantedNow == null || wantedNow == wanted);
        return isAsBefore
                ? this
                : new LeftFleets(
                        new TreeMap<>(), wantedNow == null ? wanted : wantedNow, takenBackSoFar);
    }

    /// Candidates that were taken from a fleet like this before, each with why it stays.
    public SequencedMap<String, KeepReason> leadingBack(
            DisruptionProblem problem, Collection<Candidate> candidates) {
        var found = new TreeMap<String, KeepReason>();
        if (left.isEmpty()) {
            return found;
        }
        var fleet = fleet(problem);
        for (var candidate : candidates) {
            var at = left.get(number(fleet, candidate));
            if (at != null && isRemembered(at, problem.now())) {
                found.put(candidate.name(), new KeepReason.LeadsBack(at));
            }
        }
        return found;
    }

    private static boolean isRemembered(Instant at, Instant now) {
        return !now.isAfter(at.plus(REMEMBERED_FOR));
    }

    /// The commands begin.
    public LeftFleets leaving(DisruptionProblem problem, List<Command> commands) {
        var remembered = commands.stream().filter(each -> each.method().mayLeadBack()).toList();
        if (remembered.isEmpty()) {
            return this;
        }
        var fleet = fleet(problem);
        var more = new TreeMap<>(left);
        more.values().removeIf(at -> !isRemembered(at, problem.now()));
        for (var command : remembered) {
            for (var candidate : command.candidates()) {
                if (more.size() < REMEMBERED_MAX) {
                    more.put(number(fleet, candidate), problem.now());
                }
            }
        }
        return new LeftFleets(more, wanted, takenBack);
    }

    private static long number(long fleet, Candidate candidate) {
        return FleetNumber.ofLeaving(fleet, machine(candidate.machine()));
    }

    private static long fleet(DisruptionProblem problem) {
        var sum = 0L;
        for (var machine : problem.machines()) {
            if (isStaying(machine)) {
                sum += machine(machine);
            }
        }
        for (var pod : problem.scheduling().snapshot().pods()) {
            var state = pod.state();
            if (state.isActive() && !state.isBound() && !CapacityBuffer.isVirtual(pod)) {
                sum += FleetNumber.of("waiting " + workload(pod));
            }
        }
        return sum;
    }

    /// A node that a command is about is part of the fleet until it goes.
    private static boolean isStaying(Machine machine) {
        return machine.node().isManaged()
                && (!machine.node().isMarkedForDeletion() || machine.standing().isQueued());
    }

    private static long machine(Machine machine) {
        var workloads = new ArrayList<String>();
        for (var moved : machine.pods()) {
            if (moved.pod().state().isActive()) {
                workloads.add(workload(moved.pod()));
            }
        }
        var kind =
                String.join(
                        " ",
                        machine.nodePool(),
                        machine.instanceType(),
                        machine.zone(),
                        machine.capacityType());
        return FleetNumber.ofMachine(kind, workloads);
    }

    /// Names and uids of pods change with each move; their owner's does not.
    private static String workload(Pod pod) {
        var controller = pod.state().controller();
        return controller == null ? pod.name().toString() : controller.uid();
    }
}
