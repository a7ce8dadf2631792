package dev.millwright.core.forecast;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.cluster.Pod;
import dev.millwright.core.deliberation.DisruptionMemory;
import dev.millwright.core.deliberation.DisruptionPass;
import dev.millwright.core.deliberation.DisruptionPass.Question;
import dev.millwright.core.disruption.Candidate;
import dev.millwright.core.disruption.Command;
import dev.millwright.core.disruption.Command.Order;
import dev.millwright.core.disruption.Decision;
import dev.millwright.core.disruption.DisruptionMethod;
import dev.millwright.core.disruption.KeepReason;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SequencedMap;
import java.util.TreeMap;

/// Takes nodes away, pass by pass, as the operator would.
final class Removal {

    /// What time changes later than so is not waited for.
    private static final Duration WAKE_MAX = Duration.ofHours(12);

    private final Course course;
    private final Scene scene;
    private final Agenda agenda;
    private final ForecastProblem problem;
    private final Drains drains;
    private DisruptionMemory memory = DisruptionMemory.NONE;
    private SequencedMap<DisruptionMethod, Decision> said = new TreeMap<>();
    private @Nullable Instant bookedFor;
    private Instant lastPassAt = Instant.MIN;

    Removal(ForecastProblem problem, Course course) {
        this.problem = problem;
        this.course = course;
        this.scene = course.scene();
        this.agenda = course.agenda();
        this.drains = new Drains(course);
    }

    void begin() {
        course.onChange(
                () -> {
                    drains.retry();
                    book(
                            lastPassAt.equals(Instant.MIN)
                                    ? agenda.now()
                                    : lastPassAt.plus(DisruptionPass.PERIOD));
                });
        drains.begin();
        book(agenda.now().plus(DisruptionPass.PERIOD));
    }

    /// A pass that is booked for later comes earlier; one that is booked for earlier stays.
    private void book(Instant wanted) {
        var soonest = wanted.isBefore(agenda.now()) ? agenda.now() : wanted;
        var pending = memory.pending();
        var at =
                pending != null && soonest.isBefore(pending.validAt())
                        ? pending.validAt()
                        : soonest;
        if (bookedFor != null && !bookedFor.isAfter(at)) {
            return;
        }
        bookedFor = at;
        agenda.at(
                at,
                () -> {
                    if (at.equals(bookedFor)) {
                        bookedFor = null;
                        pass();
                    }
                });
    }

    private void pass() {
        var now = agenda.now();
        lastPassAt = now;
        var seen = scene.disruption(now);
        var isLookedAtAgain = memory.pending() != null;
        var outcome =
                DisruptionPass.next(
                        memory,
                        new Question(
                                seen, problem.options(), scene.staticCounts(), scene.sight(seen)),
                        course::decided);
        memory = outcome.memory();
        var pending = memory.pending();
        if (!outcome.said().isEmpty()) {
            said = outcome.said();
        }
        if (!outcome.commands().isEmpty()) {
            start(outcome.commands());
        } else if (pending != null) {
            book(pending.validAt());
        } else {
            rest(isLookedAtAgain);
        }
    }

    /// Looks again when time alone changes something, and at once when a find was dropped.
    private void rest(boolean isDropped) {
        var now = agenda.now();
        if (isDropped || memory.isUnfinished()) {
            book(now.plus(DisruptionPass.PERIOD));
        }
        for (var unit : scene.units()) {
            var at = unit.wakesAt(scene.consolidateAfter(unit), now);
            if (at != null && at.isBefore(now.plus(WAKE_MAX))) {
                var soonest = now.plus(DisruptionPass.PERIOD);
                book(at.isBefore(soonest) ? soonest : at);
            }
        }
    }

    private void start(List<Command> commands) {
        commands.forEach(this::start);
        course.changed();
        book(agenda.now());
    }

    private void start(Command command) {
        var going =
                command.candidates().stream()
                        .map(Candidate::name)
                        .map(scene::unit)
                        .filter(unit -> unit != null)
                        .toList();
        if (command.terms().order() == Order.REBOOT) {
            for (var unit : going) {
                unit.reboot(agenda.now());
                course.actions().add(new Action.Reboot(course.elapsed(), unit.purchase()));
            }
            return;
        }
        going.forEach(unit -> unit.enter(Unit.Stage.QUEUED));
        var replacements = new ArrayList<String>();
        for (var replacement : command.replacements()) {
            var name = course.replace(replacement, command.method());
            if (name != null) {
                replacements.add(name);
                if (command.method().leavesWhatItBought()) {
                    scene.settled(name);
                }
            }
        }
        command.nominated()
                .forEach(
                        node -> {
                            var unit = scene.unit(node);
                            if (unit != null) {
                                unit.nominate(agenda.now().plus(course.pace().nomination()));
                            }
                        });
        for (var unit : going) {
            course.actions()
                    .add(
                            new Action.Remove(
                                    course.elapsed(),
                                    unit.purchase(),
                                    command.method(),
                                    leaving(unit),
                                    replacements));
        }
        drains.add(going, replacements);
    }

    private static List<ObjectName> leaving(Unit unit) {
        return unit.pods().stream()
                .filter(pod -> pod.isEvictable() && !pod.state().isOwnedByDaemonSet())
                .map(Pod::name)
                .toList();
    }

    /// Of every node that stays, the word of the method that would have taken it.
    SequencedMap<String, KeepReason> kept() {
        var kept = new TreeMap<String, KeepReason>();
        for (var unit : scene.units()) {
            var reason = reason(unit.name());
            if (reason != null) {
                kept.put(unit.name(), reason);
            }
        }
        return kept;
    }

    private @Nullable KeepReason reason(String node) {
        @Nullable KeepReason found = null;
        for (var method :
                List.of(
                        DisruptionMethod.SINGLE_NODE,
                        DisruptionMethod.WHOLE_FLEET,
                        DisruptionMethod.STATIC_DRIFT,
                        DisruptionMethod.EMPTINESS)) {
            var decision = said.get(method);
            var reason = decision == null ? null : decision.kept().get(node);
            if (reason != null) {
                if (!isAnothersTurn(reason)) {
                    return reason;
                }
                found = found == null ? reason : found;
            }
        }
        return found;
    }

    private static boolean isAnothersTurn(KeepReason reason) {
        return reason instanceof KeepReason.ConsolidatedOtherwise
                || reason instanceof KeepReason.StaticPool
                || reason instanceof KeepReason.DynamicPool
                || reason instanceof KeepReason.Empty
                || reason instanceof KeepReason.NotEmpty;
    }
}
