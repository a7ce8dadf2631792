package dev.millwright.cli.replay;

import dev.millwright.core.deliberation.Deliberation;
import dev.millwright.kube.record.RecordEntry;
import dev.millwright.kube.record.RecordHead;
import dev.millwright.kube.record.RecordReader;
import dev.millwright.kube.record.value.Outcome;

import org.jspecify.annotations.Nullable;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntConsumer;

/// Makes the decisions of a record again, by this program or under another policy, and compares.
public final class Replay {

    /// Differences that are kept; all are counted.
    private static final int DIFFERENCES_MAX = 1_000;

    /// Decisions between two words about progress.
    private static final int TOLD_EVERY = 500;

    /// What is looked at. No `policy` means the recorded one; `from` and `to` may be open.
    public record Wish(@Nullable OtherPolicy policy, @Nullable Instant from, @Nullable Instant to) {

        boolean isWanted(Instant at) {
            return (from == null || !at.isBefore(from)) && (to == null || at.isBefore(to));
        }
    }

    /// A decision that came out otherwise.
    public record Difference(
            int number, Instant at, String what, String recorded, String replayed) {}

    /// What came of it.
    ///
    /// @param different all of them; `differences` are the first
    /// @param missed decisions that the record says it does not have
    /// @param damages of files, in words
    public record Review(
            RecordHead head,
            int decisions,
            int different,
            List<Difference> differences,
            long missed,
            List<String> damages,
            Totals recorded,
            Totals replayed) {
        public Review {
            differences = List.copyOf(differences);
            damages = List.copyOf(damages);
        }

        public int identical() {
            return decisions - different;
        }
    }

    /// What one way to decide adds up to.
    ///
    /// @param launchedPerHour of nodes for pods that waited
    /// @param waiting pods left, summed over all plans
    /// @param savedPerHour of nodes taken, less what replaces them
    public record Totals(
            long launches,
            double launchedPerHour,
            long waiting,
            long nodesTaken,
            long evictions,
            double savedPerHour,
            double cpuMillisPerDecision) {

        private static Totals of(Figures figures) {
            return new Totals(
                    figures.launches(),
                    figures.launchedPerHour(),
                    figures.waiting(),
                    figures.nodesTaken(),
                    figures.evictions(),
                    figures.savedPerHour(),
                    figures.cpuMillisPerDecision());
        }
    }

    private record Made(Deliberation deliberation, long cpuNanos) {}

    private final Wish wish;
    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private final Figures recorded = new Figures();
    private final Figures replayed = new Figures();
    private final List<Difference> differences = new ArrayList<>();
    private final List<String> damages = new ArrayList<>();
    private int decisions;
    private int different;
    private long missed;

    private Replay(Wish wish) {
        this.wish = wish;
    }

    /// @param progress hears now and then how many decisions were made
    public static Review of(RecordReader reader, Wish wish, IntConsumer progress) {
        var replay = new Replay(wish);
        while (reader.hasNext()) {
            switch (reader.next()) {
                case RecordEntry.Decided decided -> replay.look(decided, progress);
                case RecordEntry.Missed gap -> replay.missed += gap.decisions();
                case RecordEntry.Damaged damage -> replay.damages.add(damage.explain());
            }
        }
        return replay.review(reader.head());
    }

    private Review review(RecordHead head) {
        return new Review(
                head,
                decisions,
                different,
                differences,
                missed,
                damages,
                Totals.of(recorded),
                Totals.of(replayed));
    }

    private void look(RecordEntry.Decided decided, IntConsumer progress) {
        var was = decided.deliberation();
        if (!wish.isWanted(was.at())) {
            return;
        }
        decisions++;
        var policy = wish.policy();
        var same = again(was);
        var now = policy == null ? same : again(policy.applied(was));
        recorded.add(was, same.cpuNanos());
        replayed.add(now.deliberation(), now.cpuNanos());
        if (!isSame(was, now.deliberation())) {
            different++;
            if (differences.size() < DIFFERENCES_MAX) {
                differences.add(difference(decided.number(), was, now.deliberation()));
            }
        }
        if (decisions % TOLD_EVERY == 0) {
            progress.accept(decisions);
        }
    }

    private Made again(Deliberation deliberation) {
        var before = threads.getCurrentThreadCpuTime();
        var made = deliberation.again();
        return new Made(made, threads.getCurrentThreadCpuTime() - before);
    }

    /// To the last bit under the same policy. Under another one a node's pool is never the same, so
    /// only what becomes of nodes and pods counts.
    private boolean isSame(Deliberation was, Deliberation now) {
        return wish.policy() == null
                ? Arrays.equals(Outcome.bytes(was), Outcome.bytes(now))
                : OutcomeLines.of(was).equals(OutcomeLines.of(now));
    }

    private static Difference difference(int number, Deliberation was, Deliberation now) {
        var before = OutcomeLines.of(was);
        var after = OutcomeLines.of(now);
        return new Difference(
                number,
                was.at(),
                what(was),
                "%s: %s".formatted(was.summary(), OutcomeLines.only(before, after)),
                "%s: %s".formatted(now.summary(), OutcomeLines.only(after, before)));
    }

    private static String what(Deliberation deliberation) {
        return switch (deliberation) {
            case Deliberation.Provisioning _ -> "provisioning";
            case Deliberation.Disruption(var asked, _) -> asked.method().label();
            case Deliberation.SecondLook _ -> "second look";
        };
    }
}
