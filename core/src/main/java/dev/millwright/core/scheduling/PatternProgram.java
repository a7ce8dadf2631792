package dev.millwright.core.scheduling;

import dev.millwright.core.scheduling.PackingDemand.Machine;

import java.util.Arrays;
import java.util.List;

/// The cheapest machines for pods of a few kinds in great numbers, where machines may be bought by
/// parts but pods are whole: a linear program with a column for each *pattern*, a set of pods on
/// one machine. Columns are looked for while they are worth more than their machine costs.
///
/// Whatever worths the program has come to, no machine costs less than its best pattern is worth
/// once they are scaled down far enough, and [BestPattern] proves how far that is. So a proof is
/// always at hand, and running out of steps makes it weaker, never false.
final class PatternProgram {

    /// A part of the price by which the proof may stay below the program's answer.
    private static final double NEAR = 5e-4;

    private static final int ROUNDS_MAX = 200;

    private static final double EPSILON = 1e-9;

    /// How much of the worths proven best is mixed into those that are tried next. The program's
    /// own worths leap from round to round.
    private static final double SMOOTHING = 0.7;

    private final PackingDemand demand;
    private final List<Machine> machines;
    private final int[] rowOf;
    private final int rows;
    private final CoveringProgram program;
    private final BestPattern finder;
    private final Effort effort;
    private final double proven;
    private boolean isCut;
    private double[] bestWorth;
    private double perHour;

    /// How many steps the search for patterns may take.
    ///
    /// @param untilGain those after which it must have proven more than is known
    /// @param perMachine for each machine, each time
    record Effort(long stepsMax, long untilGain, long perMachine) {}

    /// @param proven what is known without it
    PatternProgram(PackingDemand demand, Effort effort, double proven) {
        this.demand = demand;
        this.machines = demand.machines();
        this.effort = effort;
        this.proven = proven;
        this.rowOf = new int[machines.size()];
        var count = demand.kinds();
        for (var machine = 0; machine < rowOf.length; machine++) {
            rowOf[machine] = machines.get(machine).isForSale() ? -1 : count++;
        }
        this.rows = count;
        this.finder = new BestPattern(demand.resources(), demand.requests(), demand.counts());
        this.bestWorth = new double[demand.kinds()];
        this.program = program();
        price(worthInPieces());
        solve();
    }

    /// Begins with machines full of pods of one kind.
    private CoveringProgram program() {
        var asked = new double[rows];
        var first = new double[rows];
        var costs = new double[rows];
        for (var machine = 0; machine < rowOf.length; machine++) {
            if (rowOf[machine] >= 0) {
                asked[rowOf[machine]] = -machines.get(machine).available();
            }
        }
        for (var kind = 0; kind < demand.kinds(); kind++) {
            asked[kind] = demand.counts()[kind];
            var best = -1;
            var most = 0;
            for (var machine = 0; machine < rowOf.length; machine++) {
                var one = machines.get(machine);
                var held = one.isForSale() ? held(one, kind) : 0;
                if (held > 0
                        && (best < 0 || one.price() * most < machines.get(best).price() * held)) {
                    best = machine;
                    most = held;
                }
            }
            if (best < 0) {
                throw new IllegalArgumentException("no machine holds kind " + kind);
            }
            first[kind] = most;
            costs[kind] = machines.get(best).price();
        }
        return new CoveringProgram(asked, first, costs);
    }

    private int held(Machine machine, int kind) {
        var isTaken = false;
        for (var each : machine.kinds()) {
            isTaken |= each == kind;
        }
        return isTaken ? most(machine, kind) : 0;
    }

    private int most(Machine machine, int kind) {
        long most = demand.counts()[kind];
        for (var resource = 0; resource < demand.resources(); resource++) {
            var asked = demand.requests()[kind][resource];
            if (asked > 0) {
                most = Math.min(most, machine.room()[resource] / asked);
            }
        }
        return (int) most;
    }

    private void solve() {
        for (var round = 0; round < ROUNDS_MAX && finder.steps() < stepsMax(); round++) {
            program.solve();
            var cost = program.cost();
            if (cost - perHour <= NEAR * cost) {
                return;
            }
            var worth = worth();
            if (perHour > 0) {
                var mixed = new double[worth.length];
                Arrays.setAll(
                        mixed, kind -> SMOOTHING * bestWorth[kind] + (1 - SMOOTHING) * worth[kind]);
                if (price(mixed)) {
                    continue;
                }
            }
            if (!price(worth) && (!isCut || !addPieces())) {
                return;
            }
        }
    }

    private long stepsMax() {
        return perHour > proven * (1 + NEAR) ? effort.stepsMax() : effort.untilGain();
    }

    /// Lets machines hold pods in pieces whose best pattern is not known, and would lead to a
    /// weaker proof.
    private boolean addPieces() {
        var worth = worth();
        var isAny = false;
        for (var number = 0; number < machines.size(); number++) {
            var machine = machines.get(number);
            var known = known(number);
            var most =
                    finder.search(
                            worth, machine.kinds(), machine.room(), known, effort.perMachine());
            if (finder.isFound()) {
                isAny |= add(number, finder.counts());
            }
            if (finder.isCutShort() && most > known * (1 + NEAR / 2)) {
                isAny |= add(number, finder.pieces());
            }
        }
        return isAny;
    }

    private double known(int machine) {
        return known(machine, program);
    }

    private double known(int machine, CoveringProgram program) {
        return rowOf[machine] < 0
                ? machines.get(machine).price()
                : Math.max(0, program.worth(rowOf[machine]));
    }

    /// What pods would be worth if they could be cut in pieces: a proof, though a weak one, and a
    /// place to begin from.
    private double[] worthInPieces() {
        var pieces = program();
        for (var round = 0; round < ROUNDS_MAX && finder.steps() < effort.stepsMax() / 4; round++) {
            pieces.solve();
            var worth = worth(pieces);
            var isAny = false;
            for (var number = 0; number < machines.size(); number++) {
                var machine = machines.get(number);
                var known = known(number, pieces);
                var most = finder.search(worth, machine.kinds(), machine.room(), known, 0);
                if (most > known * (1 + NEAR / 10)) {
                    isAny |= add(pieces, number, finder.pieces());
                }
            }
            if (!isAny) {
                break;
            }
        }
        return worth(pieces);
    }

    private double[] worth() {
        return worth(program);
    }

    private double[] worth(CoveringProgram program) {
        var worth = new double[demand.kinds()];
        Arrays.setAll(worth, kind -> Math.max(0, program.worth(kind)));
        return worth;
    }

    /// Looks through all machines by these worths, which proves something.
    ///
    /// @return whether a pattern was found that lowers the program's cost
    private boolean price(double[] worth) {
        var scale = 1.0;
        var held = 0.0;
        var isAny = false;
        isCut = false;
        for (var number = 0; number < machines.size(); number++) {
            var machine = machines.get(number);
            var known = known(number);
            var most =
                    finder.search(
                            worth, machine.kinds(), machine.room(), known, effort.perMachine());
            if (machine.isForSale()) {
                scale = most > known ? Math.min(scale, known / most) : scale;
            } else {
                held += machine.available() * most;
            }
            isCut |= finder.isCutShort();
            isAny |= finder.isFound() && add(number, finder.counts());
        }
        var sum = -held;
        for (var kind = 0; kind < worth.length; kind++) {
            sum += worth[kind] * demand.counts()[kind];
        }
        if (scale * sum > perHour) {
            perHour = scale * sum;
            bestWorth = worth.clone();
            for (var kind = 0; kind < worth.length; kind++) {
                bestWorth[kind] *= scale;
            }
        }
        return isAny;
    }

    private boolean add(int machine, double[] counts) {
        return add(program, machine, counts);
    }

    private boolean add(CoveringProgram program, int machine, double[] counts) {
        var amounts = new double[rows];
        for (var kind = 0; kind < counts.length; kind++) {
            amounts[kind] = counts[kind];
        }
        if (rowOf[machine] >= 0) {
            amounts[rowOf[machine]] = -1;
        }
        var price = machines.get(machine).isForSale() ? machines.get(machine).price() : 0;
        var reduced = price;
        for (var row = 0; row < rows; row++) {
            reduced -= program.worth(row) * amounts[row];
        }
        if (reduced >= -EPSILON * Math.max(price, EPSILON)) {
            return false;
        }
        program.add(amounts, price);
        return true;
    }

    /// No fleet costs less.
    double perHour() {
        return perHour;
    }
}
