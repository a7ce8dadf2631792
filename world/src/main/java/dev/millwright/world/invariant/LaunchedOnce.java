package dev.millwright.world.invariant;

import dev.millwright.world.happening.Happening;
import dev.millwright.world.invariant.seen.SeenMachine;
import dev.millwright.world.invariant.seen.Sight;

import java.util.HashMap;
import java.util.Map;

/// A claim has one machine. A second one that the cloud started by itself in the same moment is its
/// own mishap, and [MachinesOwned] sees that it goes; one that came of a second launch is ours.
final class LaunchedOnce implements Invariant {

    private final Court court;
    private final Map<String, SeenMachine> machineByUid = new HashMap<>();

    LaunchedOnce(Court court) {
        this.court = court;
    }

    @Override
    public String name() {
        return "launched-once";
    }

    @Override
    public void saw(Sight sight) {
        if (sight instanceof Sight.Of(Happening.Started started)) {
            started(started);
        } else if (sight instanceof Sight.OfClaim(_, _, var before, var after)
                && before != null
                && after == null) {
            machineByUid.remove(before.meta().uid());
        }
    }

    private void started(Happening.Started started) {
        var uid = started.claim().uid();
        var machine = new SeenMachine(started.machine(), started.claim(), started.at());
        var first = machineByUid.putIfAbsent(uid, machine);
        if (first == null || first.startedAt().equals(started.at())) {
            return;
        }
        var claim = court.cluster().claimByUid(uid);
        var isFirstThere = court.cluster().machine(first.providerId()) != null;
        var isFirstTold = claim != null && !claim.providerId().isEmpty();
        if (isFirstThere || isFirstTold) {
            court.tell(
                    breach(
                            started.at(),
                            "NodeClaim %s: machine %s was launched, though %s was launched at %s; wanted one machine for a claim"
                                    .formatted(
                                            started.claim().name(),
                                            machine.providerId(),
                                            first.providerId(),
                                            first.startedAt())));
        }
        machineByUid.put(uid, machine);
    }
}
