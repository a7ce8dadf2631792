package dev.millwright.core.scheduling;

import java.util.Arrays;
import java.util.Comparator;

/// Looks for the set of pods of most worth that fits one machine, by branch and bound. It looks
/// only for sets that are worth more than a price, and proves as it goes how much more there could
/// be.
///
/// What is left of the machine's room is worth no more than its *rents* say, prices of room by
/// which no pod is worth more than the room it takes: the answer of the linear program of pods that
/// may be cut in pieces. Pods that are worth much less than their room are seldom looked at.
final class BestPattern {

    private static final double EPSILON = 1e-12;
    private static final int PIVOTS_MAX = 60;

    /// Entries of the linear program's rows that count as one step.
    private static final int ENTRIES_PER_STEP = 8;

    private final int resources;
    private final long[][] requests;
    private final int[] counts;
    private long stepsMax;
    private final double[][] tableau;
    private final int[] basis;
    private final int[] nonBasic;
    private final double[] rents;
    private final double[] excess;
    private final double[][] ratios;
    private final int[] chosen;
    private final double[] best;
    private final long[][] left;
    private int[] order = {};
    private int[] usable = {};
    private double[] worth = {};
    private double most;
    private double threshold;
    private double open;
    private double rest;
    private long steps;
    private long stepsInAll;

    /// @param requests for each kind of pods what one asks for
    /// @param counts how many there are of each kind
    BestPattern(int resources, long[][] requests, int[] counts) {
        this.resources = resources;
        this.requests = requests;
        this.counts = counts;
        var kinds = counts.length;
        this.tableau = new double[resources + 1][kinds + 1];
        this.basis = new int[resources];
        this.nonBasic = new int[kinds];
        this.rents = new double[resources];
        this.excess = new double[kinds];
        this.ratios = new double[kinds + 1][resources];
        this.chosen = new int[kinds];
        this.best = new double[kinds];
        this.left = new long[kinds + 1][resources];
    }

    /// The most that any set of pods on the machine could be worth, but no less than the price.
    /// Afterwards [#counts()] is the best set that was found if [#isFound()].
    ///
    /// @param kinds which kinds the machine takes
    double search(double[] worth, int[] kinds, long[] room, double price, long stepsMax) {
        this.worth = worth;
        this.stepsMax = stepsMax;
        most = 0;
        steps = 0;
        open = 0;
        threshold = price;
        usable = fitting(worth, kinds, room);
        if (usable.length == 0) {
            return price;
        }
        rent(worth, usable, room);
        rest = 0;
        var root = 0.0;
        for (var resource = 0; resource < resources; resource++) {
            root += rents[resource] * room[resource];
        }
        for (var kind : usable) {
            excess[kind] = worth[kind];
            for (var resource = 0; resource < resources; resource++) {
                excess[kind] -= rents[resource] * requests[kind][resource];
            }
            rest += counts[kind] * Math.max(0, excess[kind]);
        }
        if (root + rest <= threshold) {
            return price;
        }
        sort(usable, root);
        System.arraycopy(room, 0, left[0], 0, resources);
        branch(0, 0, 0);
        stepsInAll += steps;
        return Math.max(Math.max(price, most), open);
    }

    boolean isFound() {
        return most > 0;
    }

    /// How many pods of each kind the best set has. Callers do not change it.
    double[] counts() {
        return best;
    }

    /// The pods, cut in pieces, that are worth most on the machine that was searched last.
    ///
    /// @return for each kind how many
    double[] pieces() {
        var pieces = new double[counts.length];
        for (var row = 0; row < resources; row++) {
            if (basis[row] < usable.length) {
                pieces[usable[basis[row]]] = tableau[row][usable.length];
            }
        }
        return pieces;
    }

    /// Whether steps ran out before all sets had been looked at that could be worth more.
    boolean isCutShort() {
        return open > threshold;
    }

    /// Steps of all searches.
    long steps() {
        return stepsInAll;
    }

    private int[] fitting(double[] worth, int[] kinds, long[] room) {
        var fitting = new int[kinds.length];
        var size = 0;
        for (var kind : kinds) {
            if (worth[kind] > EPSILON && counts[kind] > 0 && fits(requests[kind], room)) {
                fitting[size++] = kind;
            }
        }
        return Arrays.copyOf(fitting, size);
    }

    private boolean fits(long[] asked, long[] room) {
        for (var resource = 0; resource < resources; resource++) {
            if (asked[resource] > room[resource]) {
                return false;
            }
        }
        return true;
    }

    /// The kinds that a set worth more than the price could hold, those that use room best first.
    private void sort(int[] usable, double root) {
        order =
                Arrays.stream(usable)
                        .filter(kind -> root + rest + Math.min(0, excess[kind]) > threshold)
                        .boxed()
                        .sorted(
                                Comparator.comparingDouble((Integer kind) -> -excess[kind])
                                        .thenComparingDouble(kind -> -worth[kind])
                                        .thenComparing(kind -> kind))
                        .mapToInt(Integer::intValue)
                        .toArray();
        Arrays.fill(ratios[order.length], 0);
        for (var place = order.length - 1; place >= 0; place--) {
            var kind = order[place];
            for (var resource = 0; resource < resources; resource++) {
                var asked = requests[kind][resource];
                ratios[place][resource] =
                        Math.max(
                                ratios[place + 1][resource],
                                asked > 0 ? worth[kind] / asked : Double.POSITIVE_INFINITY);
            }
        }
    }

    private void branch(int place, double value, double lost) {
        if (value > threshold) {
            threshold = value;
            most = value;
            Arrays.fill(best, 0);
            for (var before = 0; before < place; before++) {
                best[order[before]] = chosen[before];
            }
        }
        if (place == order.length) {
            return;
        }
        var room = left[place];
        var more = more(place, lost);
        if (value + more <= threshold) {
            return;
        }
        if (steps >= stepsMax) {
            open = Math.max(open, value + more);
            return;
        }
        var kind = order[place];
        var asked = requests[kind];
        long fitting = counts[kind];
        for (var resource = 0; resource < resources; resource++) {
            if (asked[resource] > 0) {
                fitting = Math.min(fitting, room[resource] / asked[resource]);
            }
        }
        for (var count = (int) fitting; count >= 0; count--) {
            if (steps >= stepsMax) {
                open = Math.max(open, value + more);
                break;
            }
            steps++;
            chosen[place] = count;
            for (var resource = 0; resource < resources; resource++) {
                left[place + 1][resource] = room[resource] - count * asked[resource];
            }
            branch(
                    place + 1,
                    value + count * worth[kind],
                    lost + counts[kind] * Math.max(0, excess[kind]));
        }
        chosen[place] = 0;
    }

    /// The most that what is left of the room could still be worth.
    private double more(int place, double lost) {
        var room = left[place];
        var more = rest - lost;
        for (var resource = 0; resource < resources; resource++) {
            more += rents[resource] * room[resource];
        }
        for (var resource = 0; resource < resources; resource++) {
            var ratio = ratios[place][resource];
            if (ratio < Double.POSITIVE_INFINITY) {
                more = Math.min(more, ratio * room[resource]);
            }
        }
        return more;
    }

    /// Finds the rents by the simplex method. If it is cut short they are not the least, and pods
    /// that are worth more than their room are counted besides.
    private void rent(double[] worth, int[] usable, long[] room) {
        var columns = usable.length;
        for (var resource = 0; resource < resources; resource++) {
            var scale = Math.max(1.0, (double) room[resource]);
            for (var column = 0; column < columns; column++) {
                tableau[resource][column] = requests[usable[column]][resource] / scale;
            }
            tableau[resource][columns] = room[resource] / scale;
            basis[resource] = columns + resource;
        }
        for (var column = 0; column < columns; column++) {
            tableau[resources][column] = -worth[usable[column]];
            nonBasic[column] = column;
        }
        tableau[resources][columns] = 0;
        for (var pivot = 0; pivot < PIVOTS_MAX; pivot++) {
            var entering = -1;
            var least = -EPSILON;
            for (var column = 0; column < columns; column++) {
                if (tableau[resources][column] < least) {
                    least = tableau[resources][column];
                    entering = column;
                }
            }
            var leaving = entering < 0 ? -1 : leaving(entering, columns);
            if (leaving < 0) {
                break;
            }
            pivot(leaving, entering, columns);
            stepsInAll += 1 + columns / ENTRIES_PER_STEP;
        }
        Arrays.fill(rents, 0);
        for (var column = 0; column < columns; column++) {
            if (nonBasic[column] >= columns) {
                var resource = nonBasic[column] - columns;
                rents[resource] =
                        Math.max(0, tableau[resources][column])
                                / Math.max(1.0, (double) room[resource]);
            }
        }
    }

    private int leaving(int entering, int columns) {
        var best = -1;
        var least = Double.POSITIVE_INFINITY;
        for (var row = 0; row < resources; row++) {
            if (tableau[row][entering] > EPSILON) {
                var ratio = tableau[row][columns] / tableau[row][entering];
                if (ratio < least) {
                    least = ratio;
                    best = row;
                }
            }
        }
        return best;
    }

    private void pivot(int leaving, int entering, int columns) {
        var row = tableau[leaving];
        var inverse = 1 / row[entering];
        for (var column = 0; column <= columns; column++) {
            row[column] *= inverse;
        }
        row[entering] = inverse;
        for (var other = 0; other <= resources; other++) {
            var factor = tableau[other][entering];
            if (other != leaving && factor != 0) {
                for (var column = 0; column <= columns; column++) {
                    tableau[other][column] -= factor * row[column];
                }
                tableau[other][entering] = -factor * inverse;
            }
        }
        var swapped = basis[leaving];
        basis[leaving] = nonBasic[entering];
        nonBasic[entering] = swapped;
    }
}
