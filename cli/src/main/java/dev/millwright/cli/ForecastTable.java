package dev.millwright.cli;

import dev.millwright.cli.plan.WhatIfs.Tried;
import dev.millwright.core.disruption.DisruptionMethod;
import dev.millwright.core.forecast.Action;
import dev.millwright.core.forecast.Forecast;
import dev.millwright.core.forecast.Forecast.Ending;
import dev.millwright.core.forecast.Forecast.Fleet;
import dev.millwright.core.forecast.Purchase;
import dev.millwright.core.policy.SchedulingPolicy.Packing;
import dev.millwright.core.quantity.GoDuration;
import dev.millwright.kube.snapshot.SnapshotFile;

import org.jspecify.annotations.Nullable;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;

/// A forecast as a person likes to look at it: what it comes to, what is done in which order, and
/// why the rest stays.
final class ForecastTable {

    /// Lines of a table before the rest is only counted.
    private static final int LINES_MAX = 40;

    private static final int NAMES_SHOWN_MAX = 3;

    private final Terminal terminal;
    private final PrintWriter out;
    private final SnapshotFile file;
    private final Forecast forecast;
    private final Map<String, Purchase> nodes;
    private final PriceWords prices;
    private final Packing packing;

    ForecastTable(Terminal terminal, SnapshotFile file, Forecast forecast, Packing packing) {
        this.packing = packing;
        this.terminal = terminal;
        this.out = terminal.out();
        this.file = file;
        this.prices = new PriceWords(file.origins());
        this.forecast = forecast;
        this.nodes =
                forecast.after().nodes().stream()
                        .collect(Collectors.toMap(Purchase::node, Function.identity()));
    }

    void print(List<Tried> tried, boolean isWide) {
        summary();
        if (!forecast.actions().isEmpty()) {
            heading("What would be done");
            actions(isWide).print(out);
        }
        if (!forecast.kept().isEmpty()) {
            heading("Nodes that stay");
            (isWide ? eachKept() : foldedKept()).print(out);
        }
        if (!forecast.waiting().isEmpty()) {
            heading("Left waiting");
            new WaitingText(terminal, file).print(forecast.waiting());
        }
        if (!tried.isEmpty()) {
            heading("What if");
            whatIf(tried).print(out);
        }
    }

    private void heading(String text) {
        out.println();
        out.println(terminal.isColoured() ? "\u001b[1m%s\u001b[0m".formatted(text) : text);
    }

    private void summary() {
        out.println("now:  " + fleet(forecast.before()));
        out.println("then: " + fleet(forecast.after()));
        var saved =
                prices.isAnyUnknown(forecast)
                        ? "what that saves is unknown"
                        : saved(forecast.savedPerMonth());
        out.println(
                "%s; %s evicted; %s"
                        .formatted(
                                saved,
                                count(forecast.evictions(), "pod"),
                                ending(forecast.ending())));
        var bound = forecast.after().lowerBoundPerHour();
        if (bound > 0) {
            out.println(
                    "no fleet of these pools can run these pods for less than $%s a month%s"
                            .formatted(
                                    Money.perMonth(bound),
                                    forecast.after().nodeFeesPerHour() > 0
                                            ? ", fees of nodes included"
                                            : ""));
        }
        out.println("packing: " + packing.text());
    }

    private String fleet(Fleet fleet) {
        var mark = PriceWords.marked(prices.isAnyEstimated(fleet.nodes()), "");
        return "%s, %s%s, %s%s$%s an hour, %s$%s a month%s"
                .formatted(
                        count(fleet.nodes().size(), "node"),
                        count(fleet.pods(), "pod"),
                        fleet.waiting() == 0 ? "" : " and %,d waiting".formatted(fleet.waiting()),
                        prices.unknown(fleet.nodes()) > 0 ? "at least " : "",
                        mark,
                        Money.perHour(fleet.pricePerHour()),
                        mark,
                        Money.perMonth(fleet.pricePerHour()),
                        fleet.nodeFeesPerHour() > 0
                                ? " and fees of nodes $%s an hour"
                                        .formatted(Money.perHour(fleet.nodeFeesPerHour()))
                                : "");
    }

    private static String saved(double perMonth) {
        if (Math.abs(perMonth) < 0.005) {
            return "the price stays";
        }
        return perMonth > 0
                ? String.format(Locale.ROOT, "saves $%,.2f a month", perMonth)
                : String.format(Locale.ROOT, "costs $%,.2f a month more", -perMonth);
    }

    private static String ending(Ending ending) {
        return switch (ending) {
            case Ending.Quiet(var after) when after.isZero() -> "nothing is left to do";
            case Ending.Quiet(var after) -> "at rest after about " + about(after);
            case Ending.Unfinished(var after, var why) ->
                    "not at rest after %s: %s".formatted(about(after), why);
        };
    }

    private static String about(Duration duration) {
        return GoDuration.format(Duration.ofSeconds(duration.toSeconds()));
    }

    private static String count(int number, String noun) {
        return "%,d %s%s".formatted(number, noun, number == 1 ? "" : "s");
    }

    private TextTable actions(boolean isWide) {
        var columns =
                new ArrayList<>(
                        List.of(
                                TextTable.right("AFTER"),
                                TextTable.left("DO"),
                                TextTable.left("NODE"),
                                TextTable.left("NODEPOOL"),
                                TextTable.left("TYPE"),
                                TextTable.left("ZONE"),
                                TextTable.left("CAPACITY"),
                                TextTable.right("$/HOUR"),
                                TextTable.right("PODS"),
                                TextTable.left("WHY")));
        var table = new TextTable(columns);
        var shown = isWide ? forecast.actions().size() : LINES_MAX;
        forecast.actions().stream().limit(shown).forEach(action -> row(table, action));
        var left = forecast.actions().size() - shown;
        if (left > 0) {
            table.row(
                    "",
                    "and %,d more; see -o wide".formatted(left),
                    "",
                    "",
                    "",
                    "",
                    "",
                    "",
                    "",
                    "");
        }
        return table;
    }

    private void row(TextTable table, Action action) {
        var node = action.node();
        var pods =
                switch (action) {
                    case Action.Launch(_, _, var all, _) -> all.size();
                    case Action.Remove(_, _, _, var evicted, _) -> evicted.size();
                    case Action.Reboot(_, _) -> 0;
                };
        table.row(
                about(action.after()),
                verb(action),
                node.node(),
                node.nodePool(),
                node.instanceType(),
                node.zone(),
                node.capacityType(),
                prices.perHour(node),
                "%,d".formatted(pods),
                why(action));
    }

    private static String verb(Action action) {
        return switch (action) {
            case Action.Launch _ -> "launch";
            case Action.Remove _ -> "remove";
            case Action.Reboot _ -> "reboot";
        };
    }

    private static String why(Action action) {
        return switch (action) {
            case Action.Launch(_, _, _, var method) ->
                    method == null ? "pods wait" : "in place of others, " + reason(method);
            case Action.Remove(_, _, var method, _, var replacements) ->
                    method == null
                            ? "it goes already"
                            : reason(method)
                                    + (replacements.isEmpty()
                                            ? ""
                                            : ", for " + String.join(" ", replacements));
            case Action.Reboot(_, _) -> "unhealthy";
        };
    }

    private static String reason(@Nullable DisruptionMethod method) {
        return method == null ? "" : method.reason().text().toLowerCase(Locale.ROOT);
    }

    /// Nodes that stay for one cause, and the sentences that say it of them.
    private record CauseGroup(String cause, List<String> nodes, TreeSet<String> sentences) {

        static CauseGroup of(String cause) {
            return new CauseGroup(cause, new ArrayList<>(), new TreeSet<>());
        }

        void add(String node, String sentence) {
            nodes.add(node);
            sentences.add(sentence);
        }

        String why() {
            return sentences.size() == 1 ? sentences.first() : cause;
        }
    }

    /// Nodes that stay for the same cause share a line, whichever pod or price it is.
    private TextTable foldedKept() {
        var groups = new LinkedHashMap<String, CauseGroup>();
        forecast.kept()
                .forEach(
                        (node, reason) ->
                                groups.computeIfAbsent(reason.cause(), CauseGroup::of)
                                        .add(node, reason.explain()));
        var table =
                new TextTable(
                        List.of(
                                TextTable.right("COUNT"),
                                TextTable.right("$/HOUR"),
                                TextTable.left("NODES"),
                                TextTable.left("WHY")));
        groups.values().stream()
                .limit(LINES_MAX)
                .forEach(
                        group ->
                                table.row(
                                        "%,d".formatted(group.nodes().size()),
                                        price(group.nodes()),
                                        names(group.nodes()),
                                        group.why()));
        var left = groups.size() - LINES_MAX;
        if (left > 0) {
            table.row("", "", "and %,d groups more; see -o wide".formatted(left), "");
        }
        return table;
    }

    private String price(List<String> names) {
        var priced = names.stream().map(nodes::get).filter(Objects::nonNull).toList();
        if (priced.size() == 1) {
            return prices.perHour(priced.getFirst());
        }
        return PriceWords.marked(
                prices.isAnyEstimated(priced),
                Money.perHour(priced.stream().mapToDouble(Purchase::pricePerHour).sum()));
    }

    private static String names(List<String> names) {
        var shown = String.join(" ", names.stream().limit(NAMES_SHOWN_MAX).toList());
        return names.size() <= NAMES_SHOWN_MAX
                ? shown
                : "%s and %,d more".formatted(shown, names.size() - NAMES_SHOWN_MAX);
    }

    private TextTable eachKept() {
        var table =
                new TextTable(
                        List.of(
                                TextTable.left("NODE"),
                                TextTable.left("NODEPOOL"),
                                TextTable.left("TYPE"),
                                TextTable.right("$/HOUR"),
                                TextTable.left("WHY")));
        forecast.kept()
                .forEach(
                        (name, reason) -> {
                            var node = nodes.get(name);
                            table.row(
                                    name,
                                    node == null ? "" : node.nodePool(),
                                    node == null ? "" : node.instanceType(),
                                    price(List.of(name)),
                                    reason.explain());
                        });
        return table;
    }

    private static TextTable whatIf(List<Tried> tried) {
        var table =
                new TextTable(
                        List.of(
                                TextTable.left("CHANGE"),
                                TextTable.right("SAVES $/MONTH"),
                                TextTable.right("THEN $/MONTH"),
                                TextTable.right("NODES"),
                                TextTable.right("EVICTIONS"),
                                TextTable.right("WAITING")));
        for (var each : tried) {
            var after = each.forecast().after();
            var saving = each.savingPerMonth();
            table.row(
                    each.change().text(),
                    saving == null
                            ? "leaves pods waiting"
                            : String.format(Locale.ROOT, "%,.2f", saving),
                    Money.perMonth(after.pricePerHour()),
                    "%,d".formatted(after.nodes().size()),
                    "%,d".formatted(each.forecast().evictions()),
                    "%,d".formatted(after.waiting()));
        }
        return table;
    }
}
