package dev.millwright.cli.plan;

import dev.millwright.core.cluster.DaemonSet;
import dev.millwright.core.deliberation.Deliberation;
import dev.millwright.core.forecast.Forecast;
import dev.millwright.core.forecast.ForecastProblem;
import dev.millwright.core.forecast.Forecaster;
import dev.millwright.core.label.Slips;
import dev.millwright.spi.ec2.Ec2Labels;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.TreeSet;
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

    /// The namespace of what a cluster itself is made of: networking, DNS, drivers of volumes.
    private static final String SYSTEM = "kube-system";

    /// Names that a message lists before it only counts.
    private static final int NAMES_SHOWN_MAX = 10;

    /// A change and what came of it, beside what would come without.
    ///
    /// @param leftWaiting pods that wait with the change and would not without; while there are
    ///   some, a lower price is an outage and no saving
    public record Tried(WhatIf change, Forecast forecast, double cheaperPerMonth, int leftWaiting) {

        /// What the change saves a month, less than nothing where it costs more; null where pods
        /// are left waiting for it.
        public @Nullable Double savingPerMonth() {
            return leftWaiting > 0 ? null : cheaperPerMonth;
        }
    }

    /// The changes that a word of the command line names.
    ///
    /// @throws IllegalArgumentException when it names none
    public static List<WhatIf> parse(String text, ForecastProblem problem) {
        if (text.startsWith(FAMILIES) && text.length() > FAMILIES.length()) {
            return List.of(
                    families(List.of(text.substring(FAMILIES.length()).split(",", -1)), problem));
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

    private static WhatIf families(List<String> names, ForecastProblem problem) {
        var known = new TreeSet<String>();
        problem.provisioning()
                .catalogs()
                .values()
                .forEach(
                        types ->
                                types.forEach(
                                        type ->
                                                known.addAll(
                                                        type.requirements()
                                                                .on(Ec2Labels.FAMILY)
                                                                .values())));
        for (var name : names) {
            if (!known.contains(name)) {
                var meant = Slips.nearest(name, known);
                throw new IllegalArgumentException(
                        "families: no instance type is of family \"%s\"; %s"
                                .formatted(
                                        name,
                                        meant != null
                                                ? "maybe \"%s\"?".formatted(meant)
                                                : "there are " + listed(known)));
            }
        }
        return new WhatIf.Families(names);
    }

    private static WhatIf daemonSet(String name, ForecastProblem problem) {
        var sets = problem.provisioning().snapshot().daemonSets();
        var meant =
                sets.stream().filter(set -> WhatIf.WithoutDaemonSet.isNamed(set, name)).toList();
        if (meant.isEmpty()) {
            throw new IllegalArgumentException(
                    "there is no DaemonSet %s; there are %s"
                            .formatted(
                                    name,
                                    listed(
                                            sets.stream()
                                                    .map(set -> set.name().toString())
                                                    .toList())));
        }
        if (meant.stream().anyMatch(WhatIfs::isSystem)) {
            throw new IllegalArgumentException(
                    "DaemonSet %s is in %s, without which nodes do not work; name one of another namespace"
                            .formatted(name, SYSTEM));
        }
        return new WhatIf.WithoutDaemonSet(name);
    }

    private static boolean isSystem(DaemonSet set) {
        return set.name().namespace().equals(SYSTEM);
    }

    private static String listed(Collection<String> names) {
        var shown = names.stream().sorted().limit(NAMES_SHOWN_MAX).toList();
        return names.isEmpty()
                ? "none"
                : String.join(", ", shown)
                        + (names.size() > shown.size()
                                ? " and %,d more".formatted(names.size() - shown.size())
                                : "");
    }

    private static List<WhatIf> all(ForecastProblem problem) {
        var changes = new ArrayList<WhatIf>();
        changes.add(new WhatIf.Arm64());
        changes.add(new WhatIf.Spot());
        changes.add(new WhatIf.OnDemand());
        problem.provisioning().snapshot().daemonSets().stream()
                .filter(set -> !isSystem(set))
                .map(set -> set.name().toString())
                .sorted()
                .limit(DAEMON_SETS_MAX)
                .map(WhatIf.WithoutDaemonSet::new)
                .forEach(changes::add);
        return changes;
    }

    /// What the cluster comes to as it is, and with each change; the most saving first, and last
    /// what leaves more pods waiting.
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
                            first.after().pricePerMonth() - then.after().pricePerMonth(),
                            Math.max(0, then.after().waiting() - first.after().waiting())));
        }
        tried.sort(
                Comparator.comparing((Tried each) -> each.leftWaiting() > 0)
                        .thenComparing(
                                Comparator.comparingDouble(Tried::cheaperPerMonth).reversed())
                        .thenComparing(each -> each.change().text()));
        return new Answer(first, tried);
    }
}
