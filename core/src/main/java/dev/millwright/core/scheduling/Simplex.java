package dev.millwright.core.scheduling;

/// Solves small linear programs: the most of `gain · x` with `rows · x ≤ bounds`, all `x ≥ 0` and
/// all bounds at least 0.
///
/// The origin is feasible, so that the plain tableau method with Bland's rule needs no first phase
/// and cannot cycle. The programs of this package have a dozen columns and as many rows as there
/// are shapes.
final class Simplex {

    private static final double EPSILON = 1e-11;
    private static final int PIVOTS_MAX = 5_000;

    private final double[][] tableau;
    private final int[] basis;
    private final int columns;

    private Simplex(double[][] rows, double[] bounds, double[] gain) {
        this.columns = gain.length;
        this.basis = new int[rows.length];
        this.tableau = new double[rows.length + 1][];
        for (var row = 0; row < rows.length; row++) {
            tableau[row] = new double[columns + 1];
            System.arraycopy(rows[row], 0, tableau[row], 0, columns);
            tableau[row][columns] = bounds[row];
            basis[row] = columns + row;
        }
        tableau[rows.length] = new double[columns + 1];
        for (var column = 0; column < columns; column++) {
            tableau[rows.length][column] = -gain[column];
        }
    }

    /// The best `x`. When the number of pivots runs out it is feasible, if not the best.
    static double[] maximize(double[][] rows, double[] bounds, double[] gain) {
        return new Simplex(rows, bounds, gain).solve();
    }

    /// The tableau keeps only the columns outside the basis: `nonBasic[j]` tells which variable
    /// column j stands for.
    private double[] solve() {
        var nonBasic = new int[columns];
        for (var column = 0; column < columns; column++) {
            nonBasic[column] = column;
        }
        for (var pivot = 0; pivot < PIVOTS_MAX; pivot++) {
            var entering = entering(nonBasic);
            var leaving = entering < 0 ? -1 : leaving(entering);
            if (leaving < 0) {
                break;
            }
            pivot(leaving, entering);
            var swapped = basis[leaving];
            basis[leaving] = nonBasic[entering];
            nonBasic[entering] = swapped;
        }
        var result = new double[columns];
        for (var row = 0; row < basis.length; row++) {
            if (basis[row] < columns) {
                result[basis[row]] = Math.max(0, tableau[row][columns]);
            }
        }
        return result;
    }

    private int entering(int[] nonBasic) {
        var last = tableau[tableau.length - 1];
        var best = -1;
        for (var column = 0; column < columns; column++) {
            if (last[column] < -EPSILON && (best < 0 || nonBasic[column] < nonBasic[best])) {
                best = column;
            }
        }
        return best;
    }

    private int leaving(int entering) {
        var best = -1;
        var least = Double.POSITIVE_INFINITY;
        for (var row = 0; row < basis.length; row++) {
            if (tableau[row][entering] > EPSILON) {
                var ratio = tableau[row][columns] / tableau[row][entering];
                if (ratio < least - EPSILON
                        || (ratio < least + EPSILON && best >= 0 && basis[row] < basis[best])) {
                    least = ratio;
                    best = row;
                }
            }
        }
        return best;
    }

    private void pivot(int leaving, int entering) {
        var pivotRow = tableau[leaving];
        var inverse = 1 / pivotRow[entering];
        for (var column = 0; column <= columns; column++) {
            pivotRow[column] *= inverse;
        }
        pivotRow[entering] = inverse;
        for (var row = 0; row < tableau.length; row++) {
            var factor = tableau[row][entering];
            if (row == leaving || factor == 0) {
                continue;
            }
            var current = tableau[row];
            for (var column = 0; column <= columns; column++) {
                current[column] -= factor * pivotRow[column];
            }
            current[entering] = -factor * inverse;
        }
    }
}
