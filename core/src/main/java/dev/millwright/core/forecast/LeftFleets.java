package dev.millwright.core.forecast;

import dev.millwright.core.cluster.Pod;
import dev.millwright.core.disruption.Candidate;
import dev.millwright.core.disruption.Command;
import dev.millwright.core.disruption.FleetNumber;
import dev.millwright.core.disruption.KeepReason;
import dev.millwright.core.disruption.Method;
import dev.millwright.core.policy.NodePoolBudgets.Reason;

import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/// From which fleets which kind of node was taken before: the operator does not do it again, so
/// that it does not go in circles.
final class LeftFleets {

    private final Scene scene;
    private final Map<Long, Instant> left = new HashMap<>();

    LeftFleets(Scene scene) {
        this.scene = scene;
    }

    static boolean isRemembered(Method method) {
        return method.reason() == Reason.UNDERUTILIZED;
    }

    Map<String, KeepReason> leadingBack(Collection<Candidate> candidates) {
        var found = new TreeMap<String, KeepReason>();
        if (!left.isEmpty()) {
            var fleet = fleet();
            for (var candidate : candidates) {
                var at = left.get(way(fleet, candidate));
                if (at != null) {
                    found.put(candidate.name(), new KeepReason.LeadsBack(at));
                }
            }
        }
        return found;
    }

    void leave(Collection<Command> commands, Instant now) {
        var fleet = fleet();
        for (var command : commands) {
            if (isRemembered(command.method())) {
                command.candidates().forEach(each -> left.put(way(fleet, each), now));
            }
        }
    }

    private long way(long fleet, Candidate candidate) {
        var unit = scene.unit(candidate.name());
        return FleetNumber.ofLeaving(
                fleet, unit == null ? FleetNumber.of(candidate.name()) : machine(unit));
    }

    /// Which machines there are and which workloads' pods run on each, whatever their names.
    private long fleet() {
        var sum = 0L;
        for (var unit : scene.units()) {
            if (unit.isManaged() && unit.stage() != Unit.Stage.DRAINING) {
                sum += machine(unit);
            }
        }
        for (var pod : scene.waiting().values()) {
            sum += FleetNumber.of("waiting " + workload(pod));
        }
        return sum;
    }

    private static long machine(Unit unit) {
        return FleetNumber.ofMachine(
                unit.purchase().kind(), unit.pods().stream().map(LeftFleets::workload).toList());
    }

    private static String workload(Pod pod) {
        var owner = pod.state().controller();
        return owner == null ? pod.name().toString() : owner.uid();
    }
}
