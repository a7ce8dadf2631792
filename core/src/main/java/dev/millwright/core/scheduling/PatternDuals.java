package dev.millwright.core.scheduling;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// What each kind of pod is worth, so that no pattern is worth more than its machine costs: the
/// pods' worth is then a price that no fleet beats. A node that is there costs nothing, and is
/// subtracted with the most worth it could hold.
///
/// The best worths are a linear program with a row for each pattern. Only rows that are violated
/// are added; what the last round leaves violated is scaled away, so that the answer is a proof
/// however it was found.
final class PatternDuals {

    private static final int ROUNDS_MAX = 60;
    private static final double EPSILON = 1e-9;

    private final FleetModel model;
    private final PatternTable table;
    private final boolean[][] heldBy;
    private final double[] worth;
    private double[] values;
    private double[] nodeValues;

    /// @param ceiling a price that no pod's worth needs to be above
    PatternDuals(FleetModel model, PatternTable table, double ceiling) {
        this.model = model;
        this.table = table;
        this.worth = new double[table.size()];
        this.heldBy = new boolean[model.nodes().size()][table.size()];
        this.nodeValues = new double[heldBy.length];
        for (var node = 0; node < heldBy.length; node++) {
            for (var pattern = 0; pattern < table.size(); pattern++) {
                heldBy[node][pattern] =
                        table.isPossible(pattern)
                                && table.isHeldBy(model.nodes().get(node), pattern);
            }
        }
        this.values = solve(ceiling);
        scale();
    }

    private double[] solve(double ceiling) {
        var kinds = model.kinds().size();
        var rows = new ArrayList<double[]>();
        var bounds = new ArrayList<Double>();
        var gain = new double[kinds + heldBy.length];
        for (var kind = 0; kind < kinds; kind++) {
            gain[kind] = model.kinds().get(kind).count();
            addRow(rows, bounds, table.single(kind), -1, ceiling);
        }
        Arrays.fill(gain, kinds, gain.length, -1);
        var solved = new double[gain.length];
        for (var round = 0; round < ROUNDS_MAX; round++) {
            solved =
                    Simplex.maximize(
                            rows.toArray(double[][]::new),
                            bounds.stream().mapToDouble(Double::doubleValue).toArray(),
                            gain);
            if (!addViolated(rows, bounds, solved)) {
                break;
            }
        }
        return solved;
    }

    private void addRow(
            List<double[]> rows, List<Double> bounds, int pattern, int node, double price) {
        var row = new double[model.kinds().size() + heldBy.length];
        for (var rest = pattern; rest > 0; rest = table.before(rest)) {
            row[table.lastKind(rest)]++;
        }
        if (node >= 0) {
            row[model.kinds().size() + node] = -1;
        }
        rows.add(row);
        bounds.add(price);
    }

    /// Adds the pattern that is worth most above its price for each kind it may begin with, and for
    /// each node.
    private boolean addViolated(List<double[]> rows, List<Double> bounds, double[] solved) {
        weigh(solved);
        var kinds = model.kinds().size();
        var worst = new int[kinds];
        var excess = new double[kinds];
        for (var pattern = 1; pattern < table.size(); pattern++) {
            var over = worth[pattern] - table.price(pattern);
            if (over > EPSILON && over > excess[table.lowestKind(pattern)]) {
                excess[table.lowestKind(pattern)] = over;
                worst[table.lowestKind(pattern)] = pattern;
            }
        }
        var isAny = false;
        for (var kind = 0; kind < kinds; kind++) {
            if (worst[kind] > 0) {
                addRow(rows, bounds, worst[kind], -1, table.price(worst[kind]));
                isAny = true;
            }
        }
        for (var node = 0; node < heldBy.length; node++) {
            var best = mostWorth(node);
            if (worth[best] > solved[kinds + node] + EPSILON) {
                addRow(rows, bounds, best, node, 0);
                isAny = true;
            }
        }
        return isAny;
    }

    private void weigh(double[] solved) {
        for (var pattern = 1; pattern < table.size(); pattern++) {
            worth[pattern] = worth[table.before(pattern)] + solved[table.lastKind(pattern)];
        }
    }

    private int mostWorth(int node) {
        var best = 0;
        for (var pattern = 1; pattern < table.size(); pattern++) {
            if (heldBy[node][pattern] && worth[pattern] > worth[best]) {
                best = pattern;
            }
        }
        return best;
    }

    private void scale() {
        weigh(values);
        var scale = 1.0;
        for (var pattern = 1; pattern < table.size(); pattern++) {
            var price = table.price(pattern);
            if (worth[pattern] > price) {
                scale = Math.min(scale, price / worth[pattern]);
            }
        }
        values = Arrays.copyOf(values, model.kinds().size());
        for (var kind = 0; kind < values.length; kind++) {
            values[kind] *= scale;
        }
        weigh(values);
        for (var node = 0; node < heldBy.length; node++) {
            nodeValues[node] = worth[mostWorth(node)];
        }
    }

    /// No fleet of the model costs less.
    double perHour() {
        var sum = -Arrays.stream(nodeValues).sum();
        for (var kind = 0; kind < values.length; kind++) {
            sum += values[kind] * model.kinds().get(kind).count();
        }
        return sum;
    }

    double worth(int pattern) {
        return worth[pattern];
    }

    /// The most worth that the node could hold.
    double nodeWorth(int node) {
        return nodeValues[node];
    }

    boolean isHeld(int node, int pattern) {
        return heldBy[node][pattern];
    }
}
