package dev.millwright.cli.replay;

import dev.millwright.core.deliberation.Deliberation;
import dev.millwright.core.disruption.Candidate;
import dev.millwright.core.disruption.Command;
import dev.millwright.core.scheduling.Plan;
import dev.millwright.core.scheduling.PlannedClaim;

import java.util.HashSet;
import java.util.Set;

/// What decisions add up to.
///
/// The cluster of a record goes on as it did, whatever is decided anew. So that a node which should
/// have gone and did not is not counted in every pass, each counts once.
final class Figures {

    private static final double NANOS_PER_MILLI = 1e6;

    private final Set<String> gone = new HashSet<>();
    private long decisions;
    private long launches;
    private double launchedPerHour;
    private long waiting;
    private long nodesTaken;
    private long evictions;
    private double savedPerHour;
    private long cpuNanos;

    void add(Deliberation deliberation, long nanos) {
        decisions++;
        cpuNanos += nanos;
        switch (deliberation) {
            case Deliberation.Provisioning(_, var plan) -> add(plan);
            case Deliberation.Disruption(_, var decision) -> decision.commands().forEach(this::add);
            case Deliberation.SecondLook _ -> {
                // Its commands are counted where they were decided.
            }
        }
    }

    private void add(Plan plan) {
        plan.claims().forEach(this::launched);
        waiting += plan.waiting().size();
    }

    private void launched(PlannedClaim claim) {
        launches++;
        if (!claim.types().isEmpty()) {
            launchedPerHour += claim.pricePerHour();
        }
    }

    private void add(Command command) {
        var fresh = command.candidates().stream().filter(this::isFresh).toList();
        if (fresh.isEmpty()) {
            return;
        }
        nodesTaken += fresh.size();
        fresh.forEach(each -> evictions += each.reschedulablePods().size());
        savedPerHour += command.savedPerHour();
        launches += command.replacements().size();
    }

    private boolean isFresh(Candidate candidate) {
        return gone.add(candidate.name() + "/" + candidate.machine().standing().claimUid());
    }

    long launches() {
        return launches;
    }

    /// What nodes launched for pods cost; replacements are part of what is saved.
    double launchedPerHour() {
        return launchedPerHour;
    }

    /// Summed over all plans.
    long waiting() {
        return waiting;
    }

    long nodesTaken() {
        return nodesTaken;
    }

    long evictions() {
        return evictions;
    }

    double savedPerHour() {
        return savedPerHour;
    }

    double cpuMillisPerDecision() {
        return decisions == 0 ? 0 : cpuNanos / NANOS_PER_MILLI / decisions;
    }
}
