package dev.millwright.dashboard.ledger;

import dev.millwright.core.deliberation.Deliberation;
import dev.millwright.core.scheduling.FleetBound;
import dev.millwright.dashboard.picture.Answers;
import dev.millwright.dashboard.picture.Picture;
import dev.millwright.dashboard.picture.Picture.Moment;
import dev.millwright.dashboard.picture.Picture.Price;
import dev.millwright.dashboard.picture.Reel;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

/// A record of decisions as a reel: a picture for each decision, and answers from what it was made
/// from. Decisions are read when they are looked at, so that a long record need not fit in memory.
///
/// The number of a decision in a picture is its index here.
public final class DeliberationReel implements Reel {

    /// Decisions up to the one that is looked at whose words still hold: why nodes stay, what
    /// waits, what goes. An operator's pass has at most seven.
    static final int HEARD_MAX = 64;

    /// Points of the price's line over the whole record. Each is a plan for the whole fleet.
    static final int MOMENTS_MAX = 60;

    private final String title;
    private final List<Instant> times;
    private final IntFunction<Deliberation> read;
    private @Nullable List<Moment> moments;
    private int lastIndex = -1;
    private @Nullable FleetLedger lastLedger;

    /// @param times of all decisions, oldest first
    /// @param read a decision by its index
    public DeliberationReel(String title, List<Instant> times, IntFunction<Deliberation> read) {
        this.title = title;
        this.times = List.copyOf(times);
        this.read = read;
    }

    public static DeliberationReel of(String title, List<Deliberation> all) {
        var kept = List.copyOf(all);
        return new DeliberationReel(title, kept.stream().map(Deliberation::at).toList(), kept::get);
    }

    @Override
    public int length() {
        return times.size();
    }

    @Override
    public Instant at(int index) {
        return times.get(index);
    }

    /// The line of its price is that of the whole record, whichever picture it is.
    @Override
    public synchronized Picture picture(int index) {
        var picture = ledger(index).picture();
        var price = picture.price();
        return picture.withPrice(new Price(price.perHour(), price.lowerBoundPerHour(), moments()));
    }

    @Override
    public synchronized Answers answers(int index) {
        var ledger = ledger(index);
        var answers = new LedgerAnswers();
        answers.hear(ledger.problem(), ledger.standing(), this::decision);
        return answers;
    }

    private Answers.@Nullable Reply decision(long number) {
        if (number < 0 || number >= length()) {
            return null;
        }
        var telling = Telling.of(read.apply(Math.toIntExact(number)));
        return telling == null ? null : new Answers.Reply.Known(telling.answer());
    }

    private FleetLedger ledger(int index) {
        var known = lastLedger;
        if (known != null && lastIndex == index) {
            return known;
        }
        var from = Math.max(0, index - HEARD_MAX + 1);
        var ledger = new FleetLedger(title, from);
        for (var at = from; at <= index; at++) {
            ledger.hear(read.apply(at));
        }
        bound(ledger);
        lastIndex = index;
        lastLedger = ledger;
        return ledger;
    }

    private static void bound(FleetLedger ledger) {
        var problem = ledger.problem();
        if (problem != null) {
            ledger.bounded(FleetBound.of(problem.withoutNodeFees()).lowerBoundPerHour());
        }
    }

    private List<Moment> moments() {
        var known = moments;
        if (known == null) {
            known = new ArrayList<>();
            var count = Math.min(MOMENTS_MAX, length());
            for (var number = 0; number < count; number++) {
                var ledger = new FleetLedger(title);
                ledger.hear(
                        read.apply(
                                count == 1
                                        ? 0
                                        : (int) ((long) number * (length() - 1) / (count - 1))));
                bound(ledger);
                known.addAll(ledger.picture().price().history());
            }
            moments = known;
        }
        return known;
    }
}
