package dev.millwright.controllers.shadow;

import dev.millwright.controllers.metrics.OwnFamilies;
import dev.millwright.runtime.log.LogLevel;
import dev.millwright.runtime.step.Effect;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// The sums of a shadow, and how comparisons are told. A process that ends asks for the last report
/// from a thread of its own.
public final class ShadowLedger {

    private static final String THEIRS = "theirs";
    private static final String OURS = "ours";
    private static final int PODS_TOLD_MAX = 10;
    private static final double DIGITS = 1e4;

    private final Duration reportEvery;
    private Totals totals = Totals.NONE;
    private Instant reportedAt = Instant.EPOCH;

    /// @param reportEvery zero: only when the process ends
    public ShadowLedger(Duration reportEvery) {
        this.reportEvery = reportEvery;
    }

    synchronized Totals totals() {
        return totals;
    }

    synchronized List<Effect> tell(Comparison comparison) {
        totals = totals.plus(comparison);
        var effects = new ArrayList<Effect>();
        effects.add(
                new Effect.Count(
                        OwnFamilies.SHADOW_DECISIONS,
                        word(comparison.kind()),
                        comparison.isAgreed() ? "agreed" : "differed"));
        count(effects, THEIRS, comparison.theirs());
        count(effects, OURS, comparison.ours());
        effects.add(new Effect.Say(LogLevel.INFO, "compared a decision", told(comparison)));
        return effects;
    }

    private static String word(Comparison.Kind kind) {
        return kind.name().toLowerCase(Locale.ROOT);
    }

    private static void count(List<Effect> effects, String side, Bill bill) {
        if (bill.launchedPerHour() > 0) {
            effects.add(
                    new Effect.Count(
                            OwnFamilies.SHADOW_LAUNCHED, bill.launchedPerHour(), List.of(side)));
        }
        if (bill.removedPerHour() > 0) {
            effects.add(
                    new Effect.Count(
                            OwnFamilies.SHADOW_REMOVED, bill.removedPerHour(), List.of(side)));
        }
        if (bill.evictions() > 0) {
            effects.add(
                    new Effect.Count(
                            OwnFamilies.SHADOW_EVICTIONS, bill.evictions(), List.of(side)));
        }
    }

    private static List<Object> told(Comparison comparison) {
        var told = new ArrayList<Object>();
        told.addAll(List.of("kind", word(comparison.kind()), "isAgreed", comparison.isAgreed()));
        switch (comparison) {
            case Comparison.Launched(var machines, var wouldBe, var pods, var waiting, _) ->
                    told.addAll(
                            List.of(
                                    THEIRS,
                                    words(machines),
                                    OURS,
                                    words(wouldBe),
                                    "podsOurs",
                                    pods,
                                    "waitingOurs",
                                    waiting));
            case Comparison.Removed(var node, var reason, _, _, _) ->
                    told.addAll(List.of("nodes", List.of(node), "reason", reason));
            case Comparison.Kept(var nodes, var reason, _) ->
                    told.addAll(List.of("keptNodes", nodes, "reason", reason));
            case Comparison.LeftWaiting(var pods, var wouldBe) ->
                    told.addAll(
                            List.of(
                                    "podsWaiting",
                                    pods.size(),
                                    "pods",
                                    pods.stream().limit(PODS_TOLD_MAX).toList(),
                                    OURS,
                                    words(wouldBe)));
        }
        told.addAll(bills(comparison.theirs(), comparison.ours()));
        return told;
    }

    private static List<String> words(List<ShadowMachine> machines) {
        return machines.stream().map(ShadowMachine::toString).sorted().toList();
    }

    private static List<Object> bills(Bill theirs, Bill ours) {
        return List.of(
                "theirsRisePerHour",
                rounded(theirs.risePerHour()),
                "oursRisePerHour",
                rounded(ours.risePerHour()),
                "theirsEvictions",
                theirs.evictions(),
                "oursEvictions",
                ours.evictions());
    }

    private static double rounded(double dollars) {
        return Math.round(dollars * DIGITS) / DIGITS;
    }

    /// The report, when it is time for one.
    synchronized List<Effect> due(Instant now) {
        if (reportedAt.equals(Instant.EPOCH)) {
            reportedAt = now;
        }
        if (reportEvery.isZero() || now.isBefore(reportedAt.plus(reportEvery))) {
            return List.of();
        }
        reportedAt = now;
        return List.of(new Effect.Say(LogLevel.INFO, "shadow report", report()));
    }

    /// All sums so far, as keys and values of a line.
    public synchronized List<Object> report() {
        var all = new ArrayList<Object>();
        all.addAll(List.of("agreed", totals.agreed(), "differed", totals.differed()));
        all.addAll(
                List.of(
                        "theirsLaunchedPerHour",
                        rounded(totals.theirs().launchedPerHour()),
                        "oursLaunchedPerHour",
                        rounded(totals.ours().launchedPerHour()),
                        "theirsRemovedPerHour",
                        rounded(totals.theirs().removedPerHour()),
                        "oursRemovedPerHour",
                        rounded(totals.ours().removedPerHour())));
        all.addAll(bills(totals.theirs(), totals.ours()));
        all.addAll(List.of("savedPerMonth", rounded(totals.savedPerMonth())));
        return all;
    }
}
