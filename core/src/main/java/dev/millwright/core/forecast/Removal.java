package dev.millwright.core.forecast;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.cluster.Pod;
import dev.millwright.core.cluster.Snapshot;
import dev.millwright.core.deliberation.Deliberation;
import dev.millwright.core.deliberation.Deliberation.SecondLook;
import dev.millwright.core.disruption.Candidate;
import dev.millwright.core.disruption.Command;
import dev.millwright.core.disruption.Command.Order;
import dev.millwright.core.disruption.Decision;
import dev.millwright.core.disruption.DisruptionProblem;
import dev.millwright.core.disruption.KeepReason;
import dev.millwright.core.disruption.Method;
import dev.millwright.core.disruption.MethodCase;
import dev.millwright.core.disruption.Validation;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// Takes nodes away, pass by pass, as the operator would.
final class Removal {

    private static final Duration PERIOD = Duration.ofSeconds(10);

    /// Between the choice and the deed.
    private static final Duration VALIDATION_WAIT = Duration.ofSeconds(15);

    /// What time changes later than so is not waited for.
    private static final Duration WAKE_MAX = Duration.ofHours(12);

    /// How long the operator trusts that a method which found nothing finds nothing.
    private static final Duration TRUSTED_FOR = Duration.ofMinutes(5);

    /// What a method saw when it found nothing. The operator does not ask it the same again.
    private record InVain(DisruptionProblem seen, Decision decision) {

        boolean isSo(DisruptionProblem now) {
            return now.now().isBefore(seen.now().plus(TRUSTED_FOR))
                    && now.machines().equals(seen.machines())
                    && isAlike(now.scheduling().snapshot(), seen.scheduling().snapshot());
        }

        private static boolean isAlike(Snapshot now, Snapshot then) {
            return now.pods().equals(then.pods())
                    && now.disruptionBudgets().equals(then.disruptionBudgets());
        }
    }

    private final Course course;
    private final Scene scene;
    private final Agenda agenda;
    private final ForecastProblem problem;
    private final Drains drains;
    private final LeftFleets leftFleets;
    private final Map<Method, Decision> said = new EnumMap<>(Method.class);
    private final Map<Method, InVain> inVain = new EnumMap<>(Method.class);
    private List<Command> chosen = List.of();
    private Instant validAt = Instant.MIN;
    private Set<String> unseenNodes = Set.of();
    private Set<String> unseenPools = Set.of();
    private @Nullable Instant bookedFor;
    private Instant lastPassAt = Instant.MIN;

    Removal(ForecastProblem problem, Course course) {
        this.problem = problem;
        this.course = course;
        this.scene = course.scene();
        this.agenda = course.agenda();
        this.drains = new Drains(course);
        this.leftFleets = new LeftFleets(scene);
    }

    void begin() {
        course.onChange(
                () -> {
                    drains.retry();
                    book(lastPassAt.equals(Instant.MIN) ? agenda.now() : lastPassAt.plus(PERIOD));
                });
        drains.begin();
        book(agenda.now().plus(PERIOD));
    }

    /// A pass that is booked for later comes earlier; one that is booked for earlier stays.
    private void book(Instant wanted) {
        var soonest = wanted.isBefore(agenda.now()) ? agenda.now() : wanted;
        var at = !chosen.isEmpty() && soonest.isBefore(validAt) ? validAt : soonest;
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
        var last = chosen;
        chosen = List.of();
        var held = last.isEmpty() ? List.<Command>of() : held(seen, last);
        if (!held.isEmpty()) {
            start(held);
            return;
        }
        said.clear();
        for (var method : Method.values()) {
            if (!last.isEmpty() && method.compareTo(last.getFirst().method()) <= 0) {
                continue;
            }
            var commands = commands(seen, method);
            if (commands.isEmpty()) {
                continue;
            }
            if (isValidated(method)) {
                chosen = commands;
                validAt = now.plus(VALIDATION_WAIT);
                book(validAt);
            } else {
                start(commands);
            }
            return;
        }
        rest(!last.isEmpty());
    }

    /// Looks again when time alone changes something, and at once when a find was dropped.
    private void rest(boolean isDropped) {
        var now = agenda.now();
        if (isDropped || !unseenNodes.isEmpty() || !unseenPools.isEmpty()) {
            book(now.plus(PERIOD));
        }
        for (var unit : scene.units()) {
            var at = unit.wakesAt(scene.consolidateAfter(unit), now);
            if (at != null && at.isBefore(now.plus(WAKE_MAX))) {
                book(at.isBefore(now.plus(PERIOD)) ? now.plus(PERIOD) : at);
            }
        }
    }

    private List<Command> held(DisruptionProblem seen, List<Command> commands) {
        var look = SecondLook.of(seen, commands);
        course.decided(look);
        var held = new ArrayList<Command>();
        for (var validation : look.validations()) {
            if (validation instanceof Validation.Holds(var command, _)) {
                held.add(command);
            }
        }
        return held;
    }

    private static boolean isValidated(Method method) {
        return switch (method) {
            case EMPTINESS, WHOLE_FLEET, MULTI_NODE, SINGLE_NODE -> true;
            case REPAIR, STATIC_DRIFT, DRIFT -> false;
        };
    }

    private List<Command> commands(DisruptionProblem seen, Method method) {
        if (method == Method.REPAIR && problem.options().repair().isEmpty()) {
            return List.of();
        }
        var before = inVain.get(method);
        if (before != null && before.isSo(seen)) {
            said.put(method, before.decision());
            return List.of();
        }
        var candidacy = MethodCase.candidacy(seen, method, problem.options());
        var held =
                LeftFleets.isRemembered(method)
                        ? leftFleets.leadingBack(candidacy.candidates())
                        : Map.<String, KeepReason>of();
        var memory =
                switch (method) {
                    case REPAIR, STATIC_DRIFT ->
                            new MethodCase.Memory(held, Set.of(), scene.staticCounts());
                    case EMPTINESS, DRIFT, MULTI_NODE ->
                            new MethodCase.Memory(held, Set.of(), Map.of());
                    case WHOLE_FLEET -> new MethodCase.Memory(held, unseenNodes, Map.of());
                    case SINGLE_NODE -> new MethodCase.Memory(held, unseenPools, Map.of());
                };
        var asked = new MethodCase(seen, method, problem.options(), memory);
        var decision = asked.decide(candidacy);
        course.decided(new Deliberation.Disruption(asked, decision));
        said.put(method, decision);
        var isInVain =
                decision.eligible() > 0 && decision.commands().isEmpty() && !decision.isWithheld();
        if (isValidated(method) && isInVain) {
            inVain.put(method, new InVain(seen, decision));
        }
        switch (method) {
            case WHOLE_FLEET -> unseenNodes = new TreeSet<>(decision.search().unseen());
            case SINGLE_NODE -> unseenPools = new TreeSet<>(decision.search().unseen());
            case REPAIR, EMPTINESS, STATIC_DRIFT, DRIFT, MULTI_NODE -> {}
        }
        return decision.commands();
    }

    private void start(List<Command> commands) {
        leftFleets.leave(commands, agenda.now());
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
                if (command.method() == Method.WHOLE_FLEET) {
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
                        Method.SINGLE_NODE,
                        Method.WHOLE_FLEET,
                        Method.STATIC_DRIFT,
                        Method.EMPTINESS)) {
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
