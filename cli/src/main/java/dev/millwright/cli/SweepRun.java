package dev.millwright.cli;

import dev.millwright.cli.explain.StandingCluster;
import dev.millwright.cli.plan.Cores;
import dev.millwright.cli.plan.Outlook;
import dev.millwright.cli.plan.PolicyFile;
import dev.millwright.core.forecast.Forecast;
import dev.millwright.core.forecast.Forecast.Fleet;
import dev.millwright.core.forecast.Forecaster;
import dev.millwright.kube.document.Source;
import dev.millwright.kube.document.Value;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.SequencedMap;

/// Looks at each snapshot with each policy by itself, on all cores of this machine.
final class SweepRun {

    /// The policy of a cluster as it is.
    private static final String AS_IT_IS = "as it is";

    /// What is to be looked at.
    record Cell(int number, String snapshot, String policy) {}

    /// What one look came to.
    record Row(Cell cell, Figures before, Figures after, double savingPerMonth, long evictions) {

        static Row of(Cell cell, Forecast forecast) {
            return new Row(
                    cell,
                    Figures.of(forecast.before()),
                    Figures.of(forecast.after()),
                    forecast.savedPerMonth(),
                    forecast.evictions());
        }
    }

    /// A fleet in numbers.
    record Figures(long nodes, long pods, long waiting, double pricePerHour) {

        static Figures of(Fleet fleet) {
            return new Figures(
                    fleet.nodes().size(), fleet.pods(), fleet.waiting(), fleet.pricePerHour());
        }

        private SequencedMap<String, Object> result() {
            var result = new LinkedHashMap<String, Object>();
            result.put("nodes", (int) nodes);
            result.put("pods", (int) pods);
            result.put("waiting", (int) waiting);
            result.put("pricePerHour", ResultText.number(pricePerHour));
            return result;
        }
    }

    private final Planning planning;
    private final Terminal terminal;
    private final Outlook outlook;
    private final Instant now;

    SweepRun(Planning planning, Terminal terminal, Outlook outlook, Instant now) {
        this.planning = planning;
        this.terminal = terminal;
        this.outlook = outlook;
        this.now = now;
    }

    /// Every snapshot as it is, and with every policy.
    static List<Cell> cells(List<String> snapshots, List<String> policies) {
        var cells = new ArrayList<Cell>();
        for (var snapshot : snapshots) {
            cells.add(new Cell(cells.size(), snapshot, AS_IT_IS));
            for (var policy : policies) {
                cells.add(new Cell(cells.size(), snapshot, policy));
            }
        }
        return cells;
    }

    /// In the order of the cells.
    List<Row> rows(List<Cell> cells) throws InterruptedException {
        try (var progress = new Progress(terminal)) {
            progress.step("making %,d forecasts".formatted(cells.size()));
            return Cores.map(
                    cells,
                    this::row,
                    done ->
                            progress.step(
                                    "%,d of %,d forecasts made".formatted(done, cells.size())));
        }
    }

    /// The cells of one of several that share the work.
    static List<Cell> share(List<Cell> cells, int index, int of) {
        return cells.stream().filter(cell -> cell.number() % of == index).toList();
    }

    /// The cheapest of each snapshot first.
    static List<Row> ranked(List<String> snapshots, List<Row> rows) {
        return rows.stream()
                .sorted(
                        Comparator.comparingInt(
                                        (Row row) -> snapshots.indexOf(row.cell().snapshot()))
                                .thenComparingDouble(row -> row.after().pricePerHour())
                                .thenComparingInt(row -> row.cell().number()))
                .toList();
    }

    private Row row(Cell cell) {
        @Nullable PolicyFile policy =
                cell.policy().equals(AS_IT_IS)
                        ? null
                        : PolicyFile.read(Planning.source(cell.policy(), terminal));
        var cluster = cluster(cell.snapshot(), policy);
        return Row.of(cell, Forecaster.forecast(outlook.problem(cluster)));
    }

    private StandingCluster cluster(String snapshot, @Nullable PolicyFile policy) {
        if (policy == null) {
            return StandingCluster.of(
                    planning.readSources(List.of(source(snapshot))),
                    List.of(source(snapshot)),
                    now);
        }
        return ClusterSource.standing(
                planning, List.of(snapshot), List.of(source(snapshot)), policy, now);
    }

    private Source source(String file) {
        return Planning.source(file, terminal);
    }

    static TextTable table(List<Row> rows) {
        var table =
                new TextTable(
                        List.of(
                                TextTable.left("SNAPSHOT"),
                                TextTable.left("POLICY"),
                                TextTable.right("NOW $/MONTH"),
                                TextTable.right("THEN $/MONTH"),
                                TextTable.right("SAVES"),
                                TextTable.right("NODES"),
                                TextTable.right("EVICTIONS"),
                                TextTable.right("WAITING")));
        for (var row : rows) {
            table.row(
                    row.cell().snapshot(),
                    row.cell().policy(),
                    Money.perMonth(row.before().pricePerHour()),
                    Money.perMonth(row.after().pricePerHour()),
                    String.format(Locale.ROOT, "%,.2f", row.savingPerMonth()),
                    "%,d".formatted(row.after().nodes()),
                    "%,d".formatted(row.evictions()),
                    "%,d".formatted(row.after().waiting()));
        }
        return table;
    }

    static SequencedMap<String, Object> result(List<Row> rows) {
        var result = new LinkedHashMap<String, Object>();
        result.put("sweep", rows.stream().map(SweepRun::result).toList());
        return result;
    }

    private static SequencedMap<String, Object> result(Row row) {
        var result = new LinkedHashMap<String, Object>();
        result.put("cell", row.cell().number());
        result.put("snapshot", row.cell().snapshot());
        result.put("policy", row.cell().policy());
        result.put("before", row.before().result());
        result.put("after", row.after().result());
        result.put("savingPerMonth", ResultText.number(row.savingPerMonth()));
        result.put("evictions", (int) row.evictions());
        return result;
    }

    /// What a pod elsewhere found for the cell.
    static Row read(Cell cell, Value.Mapping row) {
        return new Row(
                cell,
                figures(row, "before"),
                figures(row, "after"),
                decimal(row, "savingPerMonth"),
                (long) decimal(row, "evictions"));
    }

    private static Figures figures(Value.Mapping row, String field) {
        return row.fields().get(field) instanceof Value.Mapping fleet
                ? new Figures(
                        (long) decimal(fleet, "nodes"),
                        (long) decimal(fleet, "pods"),
                        (long) decimal(fleet, "waiting"),
                        decimal(fleet, "pricePerHour"))
                : new Figures(0, 0, 0, 0);
    }

    private static double decimal(Value.Mapping mapping, String field) {
        return mapping.fields().get(field) instanceof Value.Numeral(_, var digits)
                ? Double.parseDouble(digits)
                : 0;
    }
}
