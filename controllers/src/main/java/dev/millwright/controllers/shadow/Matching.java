package dev.millwright.controllers.shadow;

import dev.millwright.core.scheduling.PlannedClaim;

import java.util.Arrays;
import java.util.List;

/// Whether machines that were bought are some that a plan would have bought, one for one.
///
/// A planned claim names every type that would do, and the cloud picks one: a machine is of the
/// plan when it was bought for as much, in the same pool, and is of one of its types.
final class Matching {

    private static final int FREE = -1;

    private final List<ShadowMachine> bought;
    private final List<PlannedClaim> planned;

    /// By planned claim, the machine it stands for.
    private final int[] machineOf;

    private Matching(List<ShadowMachine> bought, List<PlannedClaim> planned) {
        this.bought = bought;
        this.planned = planned;
        this.machineOf = new int[planned.size()];
        Arrays.fill(machineOf, FREE);
    }

    static boolean isSame(List<ShadowMachine> bought, List<PlannedClaim> planned) {
        if (bought.size() != planned.size()) {
            return false;
        }
        var matching = new Matching(bought, planned);
        for (var machine = 0; machine < bought.size(); machine++) {
            if (!matching.place(machine, new boolean[planned.size()])) {
                return false;
            }
        }
        return true;
    }

    /// Those that stand in the way make room when they can be somewhere else.
    private boolean place(int machine, boolean[] tried) {
        for (var claim = 0; claim < machineOf.length; claim++) {
            if (!tried[claim] && isOf(bought.get(machine), planned.get(claim))) {
                tried[claim] = true;
                if (machineOf[claim] == FREE || place(machineOf[claim], tried)) {
                    machineOf[claim] = machine;
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean isOf(ShadowMachine machine, PlannedClaim claim) {
        return claim.nodePool().equals(machine.nodePool())
                && claim.requests().equals(machine.requests())
                && claim.types().stream()
                        .anyMatch(
                                type ->
                                        type.name().equals(machine.instanceType())
                                                && type.capacityType()
                                                        .equals(machine.capacityType()));
    }
}
