package dev.millwright.dashboard.ledger;

import dev.millwright.core.deliberation.Deliberation;
import dev.millwright.core.disruption.DisruptionMethod;
import dev.millwright.core.disruption.DisruptionProblem;
import dev.millwright.core.disruption.KeepReason;
import dev.millwright.core.scheduling.Plan;
import dev.millwright.core.scheduling.SchedulingProblem;
import dev.millwright.dashboard.picture.Answer;
import dev.millwright.dashboard.picture.History;
import dev.millwright.dashboard.picture.Picture;
import dev.millwright.dashboard.picture.Picture.Counters;
import dev.millwright.dashboard.picture.Picture.Decision;
import dev.millwright.dashboard.picture.Picture.Kind;
import dev.millwright.dashboard.picture.Picture.Moment;
import dev.millwright.dashboard.picture.Picture.Pace;
import dev.millwright.dashboard.picture.Picture.Price;
import dev.millwright.dashboard.picture.Picture.Upcoming;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;

/// Folds decisions into a picture of the fleet that they are about: what is there, what it costs,
/// what waits, what goes and what stays, and how it came so. The same decisions in the same order
/// make the same picture.
///
/// To hear a decision is cheap; a picture costs a walk over all pods. It belongs to one thread;
/// what it hands out does not change.
public final class FleetLedger {

    /// Entries of the timeline that are kept, with all that is said about them.
    public static final int DECISIONS_MAX = 200;

    /// At least so much lies between two moments of the history.
    private static final Duration HISTORY_STEP = Duration.ofSeconds(10);

    /// An entry of the timeline and what is said when somebody points at it.
    private record Entry(Decision decision, Answer answer) {}

    private final String title;
    private final Deque<Entry> entries = new ArrayDeque<>();
    private final History history = new History(HISTORY_STEP);
    private final Map<DisruptionMethod, SequencedMap<String, KeepReason>> kept =
            new EnumMap<>(DisruptionMethod.class);
    private final UpcomingCommands upcoming = new UpcomingCommands();
    private @Nullable Instant startedAt;
    private @Nullable SchedulingProblem newest;
    private @Nullable DisruptionProblem standing;
    private @Nullable Plan plan;
    private double lowerBoundPerHour;
    private long next;
    private long launched;
    private long removed;

    public FleetLedger(String title) {
        this(title, 0);
    }

    /// @param next the number of the first decision that it will hear
    FleetLedger(String title, long next) {
        this.title = title;
        this.next = next;
    }

    public void hear(Deliberation deliberation) {
        var number = next++;
        if (startedAt == null) {
            startedAt = deliberation.at();
        }
        switch (deliberation) {
            case Deliberation.Provisioning(var problem, var made) -> {
                newest = problem;
                plan = made;
                launched += made.claims().size();
            }
            case Deliberation.Disruption(var asked, var decision) -> {
                standing = asked.problem();
                newest = asked.problem().scheduling();
                kept.put(decision.method(), decision.kept());
                upcoming.decided(decision);
                if (!UpcomingCommands.isLookedAtAgain(decision.method())) {
                    decision.commands().forEach(command -> removed += command.nodes().size());
                }
            }
            case Deliberation.SecondLook look -> {
                standing = look.problem();
                newest = look.problem().scheduling();
                removed += upcoming.lookedAgain(look);
            }
        }
        var words = Telling.of(deliberation);
        if (words != null) {
            if (entries.size() == DECISIONS_MAX) {
                entries.removeFirst();
            }
            entries.addLast(
                    new Entry(
                            new Decision(number, deliberation.at(), words.kind(), words.line()),
                            words.answer()));
        }
    }

    /// The least that the pods of the newest problem could cost, without fees of nodes, as all
    /// prices of a picture are: too much work for each decision. The history begins with the first.
    public void bounded(double perHour) {
        lowerBoundPerHour = perHour;
    }

    /// How it stood when the last decision was made.
    public Picture picture() {
        var problem = newest;
        if (problem == null) {
            return Picture.empty(title, Instant.EPOCH);
        }
        var fleet = new FleetReading(problem, plan, this::keptReason);
        var now = problem.snapshot().takenAt();
        var nodes = fleet.nodes();
        var price = nodes.stream().mapToDouble(node -> node.machine().pricePerHour()).sum();
        if (lowerBoundPerHour > 0) {
            history.add(
                    new Moment(now, price, lowerBoundPerHour, nodes.size(), fleet.podsRunning()));
        }
        return new Picture(
                title,
                new Pace(startedAt == null ? now : startedAt, now, 1, false),
                isFrozen(),
                nodes,
                fleet.workload(),
                new Price(price, lowerBoundPerHour, history.moments()),
                new Counters(fleet.podsRunning(), launched, removed, 0, 0, 0),
                entries.stream().map(Entry::decision).toList(),
                upcoming());
    }

    /// The last way that was tried says most: it is the one that would have taken the node. What
    /// has not drifted or is not sick says nothing about consolidation.
    private String keptReason(String node) {
        for (var method : List.of(DisruptionMethod.values()).reversed()) {
            var reasons =
                    method.manner() == DisruptionMethod.Manner.GRACEFUL ? kept.get(method) : null;
            var reason = reasons == null ? null : reasons.get(node);
            if (reason != null) {
                return reason.explain();
            }
        }
        return "";
    }

    private boolean isFrozen() {
        var problem = standing;
        return problem != null
                && !problem.pools().isEmpty()
                && problem.pools().values().stream()
                        .allMatch(pool -> pool.controls().freeze() != null);
    }

    /// All that was said with an entry of the timeline; null when it is too long ago.
    public @Nullable Answer decision(long wanted) {
        for (var entry : entries) {
            if (entry.decision().number() == wanted) {
                return entry.answer();
            }
        }
        return null;
    }

    /// What was said last with an entry of that kind; null before the first.
    public @Nullable Answer latest(Kind kind) {
        for (var each = entries.descendingIterator(); each.hasNext(); ) {
            var entry = each.next();
            if (entry.decision().kind() == kind) {
                return entry.answer();
            }
        }
        return null;
    }

    /// What is about to go, as far as the last decision knows.
    public List<Upcoming> upcoming() {
        var problem = newest;
        return problem == null ? List.of() : upcoming.shown(problem.snapshot());
    }

    /// What the last decision was made from; null before the first.
    public @Nullable SchedulingProblem problem() {
        return newest;
    }

    /// What the last decision about taking nodes away was made from; null before the first.
    public @Nullable DisruptionProblem standing() {
        return standing;
    }
}
