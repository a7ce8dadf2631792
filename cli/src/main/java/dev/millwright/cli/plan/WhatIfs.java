package dev.millwright.cli.plan;

import dev.millwright.core.deliberation.Deliberation;
import dev.millwright.core.forecast.Forecast;
import dev.millwright.core.forecast.ForecastProblem;
import dev.millwright.core.forecast.Forecaster;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/// Tries changes one by one, each by a whole forecast.
public final class WhatIfs {

    /// DaemonSets that `all` tries to do without, the most costly first.
    private static final int DAEMON_SETS_MAX = 10;

    private static final String FAMILIES = "families=";
    private static final String WITHOUT = "without-daemonset=";
    private static final String REGION = "region=";

    private WhatIfs() {}

    /// A change and what came of it, beside what would come without.
    public record Tried(WhatIf change, Forecast forecast, double savingPerMonth) {}

    /// The changes that a word of the command line names.
    ///
    /// @throws IllegalArgumentException when it names none
    public static List<WhatIf> parse(String text, ForecastProblem problem) {
        if (text.startsWith(FAMILIES) && text.length() > FAMILIES.length()) {
            return List.of(
                    new WhatIf.Families(List.of(text.substring(FAMILIES.length()).split(",", -1))));
        }
        if (text.startsWith(WITHOUT) && text.length() > WITHOUT.length()) {
            return List.of(daemonSet(text.substring(WITHOUT.length()), problem));
        }
        if (text.startsWith(REGION)) {
            throw new IllegalArgumentException(
                    "found \"%s\"; prices of other regions are not in the catalogue, give them by --prices FILE"
                            .formatted(text));
        }
        return switch (text) {
            case "arm64" -> List.of(new WhatIf.Arm64());
            case "spot" -> List.of(new WhatIf.Spot());
            case "on-demand" -> List.of(new WhatIf.OnDemand());
            case "all" -> all(problem);
            default ->
                    throw new IllegalArgumentException(
                            "found \"%s\"; wanted arm64, spot, on-demand, families=F,…, without-daemonset=NAME or all"
                                    .formatted(text));
        };
    }

    private static WhatIf daemonSet(String name, ForecastProblem problem) {
        var sets = problem.provisioning().snapshot().daemonSets();
        if (sets.stream()
                .noneMatch(
                        set ->
                                set.name().name().equals(name)
                                        || set.name().toString().equals(name))) {
            throw new IllegalArgumentException(
                    "there is no DaemonSet %s; there are %s"
                            .formatted(
                                    name,
                                    sets.stream().map(set -> set.name().toString()).toList()));
        }
        return new WhatIf.WithoutDaemonSet(name);
    }

    private static List<WhatIf> all(ForecastProblem problem) {
        var changes = new ArrayList<WhatIf>();
        changes.add(new WhatIf.Arm64());
        changes.add(new WhatIf.Spot());
        changes.add(new WhatIf.OnDemand());
        problem.provisioning().snapshot().daemonSets().stream()
                .map(set -> set.name().toString())
                .sorted()
                .limit(DAEMON_SETS_MAX)
                .map(WhatIf.WithoutDaemonSet::new)
                .forEach(changes::add);
        return changes;
    }

    /// What the cluster comes to as it is, and with each change; the most saving first.
    public record Answer(Forecast forecast, List<Tried> tried) {
        public Answer {
            tried = List.copyOf(tried);
        }
    }

    private record Question(ForecastProblem problem, Consumer<Deliberation> heard) {}

    /// `heard` is told of every decision for the cluster as it is.
    public static Answer forecast(
            ForecastProblem problem, List<WhatIf> changes, Consumer<Deliberation> heard)
            throws InterruptedException {
        var distinct = new LinkedHashMap<String, WhatIf>();
        changes.forEach(change -> distinct.putIfAbsent(change.text(), change));
        var questions =
                Stream.concat(
                                Stream.of(new Question(problem, heard)),
                                distinct.values().stream()
                                        .map(change -> change.applied(problem))
                                        .map(changed -> new Question(changed, _ -> {})))
                        .toList();
        var forecasts =
                Cores.map(
                        questions,
                        each -> Forecaster.forecast(each.problem(), each.heard()),
                        _ -> {});
        var first = forecasts.getFirst();
        var tried = new ArrayList<Tried>();
        var index = 1;
        for (var change : distinct.values()) {
            var then = forecasts.get(index++);
            tried.add(
                    new Tried(
                            change,
                            then,
                            first.after().pricePerMonth() - then.after().pricePerMonth()));
        }
        tried.sort(
                Comparator.comparingDouble(Tried::savingPerMonth)
                        .reversed()
                        .thenComparing(each -> each.change().text()));
        return new Answer(first, tried);
    }
}
