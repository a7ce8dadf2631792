package dev.millwright.core.scheduling;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// The least that columns cost which together cover a demand: `min cost · x` with `columns · x ≥
/// demand` and `x ≥ 0`. Columns may be added at any time, and the search goes on from where it was.
///
/// The revised simplex method with a dense inverse of the basis, for some hundred rows at most. Its
/// answer is never trusted: what its worths prove is checked by [PatternProgram].
final class CoveringProgram {

    private static final double EPSILON = 1e-10;

    /// No column at all.
    private static final int NONE = Integer.MAX_VALUE;

    /// A part of a column that is too small to divide by.
    private static final double PIVOT_LEAST = 1e-9;

    /// Changes of the basis after which its inverse is computed anew: rounding adds up.
    private static final int CHANGES_MAX = 100;

    /// Changes of the basis in one solution, for each row. Rounding could make it turn in a circle.
    private static final int CHANGES_PER_ROW = 40;

    /// A column, without its zeros.
    private record Column(int[] rows, double[] amounts, double cost) {}

    private final int size;
    private final double[] demand;
    private final List<Column> columns = new ArrayList<>();
    private final int[] basis;
    private final double[][] inverse;
    private final double[] amounts;
    private final double[] worth;
    private int changes;

    /// @param demand what is to be covered of each row; a negative number is the most that columns
    ///   with negative amounts may take of the row
    /// @param first for each row what a column covers that covers nothing else; ignored where the
    ///   demand is negative
    /// @param costs what these columns cost
    CoveringProgram(double[] demand, double[] first, double[] costs) {
        this.size = demand.length;
        this.demand = demand.clone();
        this.basis = new int[size];
        this.inverse = new double[size][size];
        this.amounts = new double[size];
        this.worth = new double[size];
        for (var row = 0; row < size; row++) {
            if (demand[row] < 0) {
                basis[row] = surplus(row);
            } else {
                columns.add(new Column(new int[] {row}, new double[] {first[row]}, costs[row]));
                basis[row] = columns.size() - 1;
            }
        }
        invert();
    }

    /// The surplus of a row is a column too, of a negative number.
    private static int surplus(int row) {
        return -1 - row;
    }

    /// @param amounts what one of the column covers of each row
    void add(double[] amounts, double cost) {
        var rows = new ArrayList<Integer>();
        for (var row = 0; row < size; row++) {
            if (amounts[row] != 0) {
                rows.add(row);
            }
        }
        var numbers = rows.stream().mapToInt(Integer::intValue).toArray();
        columns.add(
                new Column(
                        numbers,
                        Arrays.stream(numbers).mapToDouble(row -> amounts[row]).toArray(),
                        cost));
    }

    double worth(int row) {
        return worth[row];
    }

    /// What the column costs above the worth of what it covers.
    private double reducedCost(int column) {
        if (column < 0) {
            return worth[-1 - column];
        }
        var one = columns.get(column);
        var cost = one.cost();
        for (var index = 0; index < one.rows().length; index++) {
            cost -= worth[one.rows()[index]] * one.amounts()[index];
        }
        return cost;
    }

    double cost() {
        var sum = 0.0;
        for (var row = 0; row < size; row++) {
            sum += cost(basis[row]) * amounts[row];
        }
        return sum;
    }

    private double cost(int column) {
        return column < 0 ? 0 : columns.get(column).cost();
    }

    /// Goes on until no column lowers the cost.
    void solve() {
        for (var round = 0; round < CHANGES_PER_ROW * size; round++) {
            weigh();
            var entering = entering();
            if (entering == NONE) {
                return;
            }
            var direction = direction(entering);
            var leaving = leaving(direction);
            if (leaving < 0) {
                return;
            }
            change(leaving, entering, direction);
            if (++changes >= CHANGES_MAX) {
                invert();
            }
        }
        weigh();
    }

    private void weigh() {
        Arrays.fill(worth, 0);
        for (var row = 0; row < size; row++) {
            var cost = cost(basis[row]);
            if (cost != 0) {
                for (var column = 0; column < size; column++) {
                    worth[column] += cost * inverse[row][column];
                }
            }
        }
    }

    private int entering() {
        var best = NONE;
        var least = -EPSILON;
        for (var column = -size; column < columns.size(); column++) {
            var reduced = reducedCost(column);
            if (reduced < least) {
                least = reduced;
                best = column;
            }
        }
        return best;
    }

    /// What one of the column takes from each column of the basis.
    private double[] direction(int column) {
        var direction = new double[size];
        for (var row = 0; row < size; row++) {
            if (column < 0) {
                direction[row] = -inverse[row][-1 - column];
            } else {
                var one = columns.get(column);
                for (var index = 0; index < one.rows().length; index++) {
                    direction[row] += inverse[row][one.rows()[index]] * one.amounts()[index];
                }
            }
        }
        return direction;
    }

    private int leaving(double[] direction) {
        var best = -1;
        var least = Double.POSITIVE_INFINITY;
        for (var row = 0; row < size; row++) {
            if (direction[row] > PIVOT_LEAST) {
                var ratio = Math.max(0, amounts[row]) / direction[row];
                if (ratio < least - 1e-12
                        || (ratio < least + 1e-12 && direction[row] > direction[best])) {
                    least = ratio;
                    best = row;
                }
            }
        }
        return best;
    }

    private void change(int leaving, int entering, double[] direction) {
        var pivot = inverse[leaving];
        var factor = 1 / direction[leaving];
        for (var column = 0; column < size; column++) {
            pivot[column] *= factor;
        }
        amounts[leaving] *= factor;
        for (var row = 0; row < size; row++) {
            if (row != leaving && direction[row] != 0) {
                for (var column = 0; column < size; column++) {
                    inverse[row][column] -= direction[row] * pivot[column];
                }
                amounts[row] -= direction[row] * amounts[leaving];
            }
        }
        basis[leaving] = entering;
    }

    /// Computes the inverse of the basis by elimination.
    private void invert() {
        changes = 0;
        var matrix = new double[size][2 * size];
        for (var row = 0; row < size; row++) {
            matrix[row][size + row] = 1;
        }
        for (var place = 0; place < size; place++) {
            if (basis[place] < 0) {
                matrix[-1 - basis[place]][place] = -1;
            } else {
                var one = columns.get(basis[place]);
                for (var index = 0; index < one.rows().length; index++) {
                    matrix[one.rows()[index]][place] = one.amounts()[index];
                }
            }
        }
        for (var place = 0; place < size; place++) {
            eliminate(matrix, place);
        }
        for (var row = 0; row < size; row++) {
            System.arraycopy(matrix[row], size, inverse[row], 0, size);
            amounts[row] = 0;
            for (var column = 0; column < size; column++) {
                amounts[row] += inverse[row][column] * demand[column];
            }
        }
    }

    private void eliminate(double[][] matrix, int place) {
        var largest = place;
        for (var row = place + 1; row < size; row++) {
            if (Math.abs(matrix[row][place]) > Math.abs(matrix[largest][place])) {
                largest = row;
            }
        }
        var pivot = matrix[largest];
        matrix[largest] = matrix[place];
        matrix[place] = pivot;
        var factor = 1 / pivot[place];
        for (var column = place; column < 2 * size; column++) {
            pivot[column] *= factor;
        }
        for (var row = 0; row < size; row++) {
            var times = matrix[row][place];
            if (row != place && times != 0) {
                for (var column = place; column < 2 * size; column++) {
                    matrix[row][column] -= times * pivot[column];
                }
            }
        }
    }
}
