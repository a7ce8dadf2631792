package dev.millwright.core.deliberation;

import dev.millwright.core.deliberation.DisruptionMemory.InVain;
import dev.millwright.core.deliberation.DisruptionMemory.Pending;
import dev.millwright.core.deliberation.DisruptionMemory.Quiet;
import dev.millwright.core.disruption.Candidacy;
import dev.millwright.core.disruption.Command;
import dev.millwright.core.disruption.Decision;
import dev.millwright.core.disruption.DisruptionMethod;
import dev.millwright.core.disruption.DisruptionOptions;
import dev.millwright.core.disruption.DisruptionProblem;
import dev.millwright.core.disruption.KeepReason;
import dev.millwright.core.disruption.LeftFleets;
import dev.millwright.core.disruption.MethodCase;
import dev.millwright.core.disruption.Validation;
import dev.millwright.core.scheduling.StaticCapacity;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.function.Consumer;

/// One pass that takes nodes away: looks again at what was chosen before, else tries the methods in
/// their order until one finds something. Operator, forecast and shadow call it; none of them has a
/// loop over methods of its own.
public final class DisruptionPass {

    /// From one pass to the next, when there is nothing to wait for.
    public static final Duration PERIOD = Duration.ofSeconds(10);

    /// Between the choice and the deed: a pod that was bound just before shows by then.
    public static final Duration VALIDATION_WAIT = Duration.ofSeconds(15);

    private static final Duration AT_ONCE = Duration.ZERO;

    /// What the caller sees and the problem does not say.
    ///
    /// @param revision grows with every change of the cluster
    /// @param fingerprint the same as long as nothing changes that a search depends on
    /// @param wanted a number for what people ask for: pods of workloads, and pools; null while
    ///   pods are on the move, so that nobody can tell
    /// @param takenBack how many commands were taken back so far
    /// @param isAtRest whether no command is under way
    public record Sight(
            long revision,
            long fingerprint,
            @Nullable Long wanted,
            long takenBack,
            boolean isAtRest) {}

    /// What a pass is asked.
    ///
    /// @param methods those that are tried; in their own order, whatever this one
    /// @param held nodes that stay for a reason of the caller's
    /// @param counts the claims of static pools
    public record Question(
            DisruptionProblem problem,
            DisruptionOptions options,
            List<DisruptionMethod> methods,
            SequencedMap<String, KeepReason> held,
            SequencedMap<String, StaticCapacity.Counts> counts,
            Sight sight) {

        public Question {
            methods = methods.stream().sorted().toList();
            held = Collections.unmodifiableSequencedMap(new TreeMap<>(held));
            counts = Collections.unmodifiableSequencedMap(new TreeMap<>(counts));
        }

        /// To all methods, with no node held.
        public Question(
                DisruptionProblem problem,
                DisruptionOptions options,
                Map<String, StaticCapacity.Counts> counts,
                Sight sight) {
            this(
                    problem,
                    options,
                    List.of(DisruptionMethod.values()),
                    new TreeMap<>(),
                    new TreeMap<>(counts),
                    sight);
        }
    }

    /// What a pass came to.
    ///
    /// @param memory for the next pass; commands that wait are in it
    /// @param decisions made on the way, in their order
    /// @param said the last word of each method that was asked, also of one that said it before
    /// @param commands that begin now
    /// @param again after how long to look again
    public record Outcome(
            DisruptionMemory memory,
            List<Deliberation> decisions,
            SequencedMap<DisruptionMethod, Decision> said,
            List<Command> commands,
            Duration again) {

        public Outcome {
            decisions = List.copyOf(decisions);
            said = Collections.unmodifiableSequencedMap(new TreeMap<>(said));
            commands = List.copyOf(commands);
        }
    }

    private final DisruptionMemory before;
    private final Question question;
    private final Consumer<Deliberation> heard;
    private final long fingerprint;
    private final List<Deliberation> decisions = new ArrayList<>();
    private final TreeMap<DisruptionMethod, Decision> said = new TreeMap<>();
    private final TreeMap<DisruptionMethod, InVain> inVain;
    private final TreeMap<DisruptionMethod, SortedSet<String>> unseen;
    private final LeftFleets leftFleets;

    private DisruptionPass(
            DisruptionMemory before, Question question, Consumer<Deliberation> heard) {
        this.before = before;
        this.question = question;
        this.heard = heard;
        // Who releases a node wants it to be looked at.
        this.fingerprint = question.sight().fingerprint() + 31L * question.held().hashCode();
        this.inVain = new TreeMap<>(before.inVain());
        this.unseen = new TreeMap<>(before.unseen());
        this.leftFleets =
                before.leftFleets().seen(question.sight().wanted(), question.sight().takenBack());
    }

    public static Outcome next(DisruptionMemory memory, Question question) {
        return next(memory, question, _ -> {});
    }

    /// `heard` is told of each decision when it is made, for who measures how long it took.
    public static Outcome next(
            DisruptionMemory memory, Question question, Consumer<Deliberation> heard) {
        return new DisruptionPass(memory, question, heard).outcome();
    }

    private Outcome outcome() {
        var pending = before.pending();
        var held = pending == null ? List.<Command>of() : stillHeld(pending.commands());
        if (!held.isEmpty()) {
            return begun(held);
        }
        for (var method : question.methods()) {
            if (pending != null && method.compareTo(pending.method()) <= 0) {
                continue;
            }
            var commands = commands(method);
            if (!commands.isEmpty()) {
                return method.isValidated() ? chosen(commands) : begun(commands);
            }
        }
        return nothingFound(pending == null);
    }

    /// The commands that were chosen before and still hold, as they are now.
    private List<Command> stillHeld(List<Command> commands) {
        var look = Deliberation.SecondLook.of(question.problem(), commands);
        tell(look);
        var held = new ArrayList<Command>();
        for (var validation : look.validations()) {
            if (validation instanceof Validation.Holds(var command, _)) {
                held.add(command);
            }
        }
        return held;
    }

    private List<Command> commands(DisruptionMethod method) {
        var problem = question.problem();
        if (method.isOff(question.options())) {
            return List.of();
        }
        var known = inVain.get(method);
        if (known != null && known.isStill(fingerprint, problem.now())) {
            said.put(method, known.decision());
            return List.of();
        }
        var candidacy = MethodCase.candidacy(problem, method, question.options());
        var asked =
                new MethodCase(problem, method, question.options(), remembered(method, candidacy));
        var decision = asked.decide(candidacy);
        tell(new Deliberation.Disruption(asked, decision));
        said.put(method, decision);
        unseen.put(method, DisruptionMemory.sorted(decision.search().unseen()));
        if (method.isValidated()
                && decision.eligible() > 0
                && decision.commands().isEmpty()
                && !decision.isWithheld()) {
            inVain.put(method, new InVain(fingerprint, problem.now(), decision));
        }
        return decision.commands();
    }

    private MethodCase.Memory remembered(DisruptionMethod method, Candidacy candidacy) {
        var held = new TreeMap<>(question.held());
        if (method.mayLeadBack()) {
            held.putAll(leftFleets.leadingBack(question.problem(), candidacy.candidates()));
        }
        return new MethodCase.Memory(
                held,
                before.unseen(method),
                method.countsStaticNodes() ? question.counts() : new TreeMap<>());
    }

    private void tell(Deliberation deliberation) {
        decisions.add(deliberation);
        heard.accept(deliberation);
    }

    private Outcome begun(List<Command> commands) {
        var left = leftFleets.leaving(question.problem(), commands);
        return outcome(null, left, Quiet.NEVER, commands, AT_ONCE);
    }

    private Outcome chosen(List<Command> commands) {
        var pending = new Pending(commands, question.problem().now().plus(VALIDATION_WAIT));
        return outcome(pending, leftFleets, Quiet.NEVER, List.of(), VALIDATION_WAIT);
    }

    /// A pass that went on after what was dropped has not asked all methods.
    private Outcome nothingFound(boolean isComplete) {
        var problem = question.problem();
        var isQuiet = isComplete && question.sight().isAtRest();
        var quiet =
                isQuiet
                        ? new Quiet(
                                question.sight().revision(),
                                problem.now(),
                                problem.isTimed(question.options().repair())
                                        ? Quiet.SHORT
                                        : Quiet.LONG)
                        : Quiet.NEVER;
        return outcome(null, leftFleets, quiet, List.of(), PERIOD);
    }

    private Outcome outcome(
            @Nullable Pending pending,
            LeftFleets left,
            Quiet quiet,
            List<Command> commands,
            Duration again) {
        return new Outcome(
                new DisruptionMemory(pending, inVain, unseen, left, quiet),
                decisions,
                said,
                commands,
                again);
    }
}
