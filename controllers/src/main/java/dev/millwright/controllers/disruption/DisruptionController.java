package dev.millwright.controllers.disruption;

import dev.millwright.controllers.state.ClusterState;
import dev.millwright.controllers.state.Marks;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.deliberation.DisruptionMemory;
import dev.millwright.core.deliberation.DisruptionPass;
import dev.millwright.core.disruption.Command;
import dev.millwright.core.policy.Freeze;
import dev.millwright.kube.cache.Change;
import dev.millwright.kube.cache.Kind;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.object.ClaimObject;
import dev.millwright.kube.object.KubeObject;
import dev.millwright.kube.object.NodeObject;
import dev.millwright.runtime.log.LogLevel;
import dev.millwright.runtime.step.Controller;
import dev.millwright.runtime.step.Effect;
import dev.millwright.runtime.step.Pace;
import dev.millwright.runtime.step.Step;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/// The pass that takes nodes away: tries the methods in order, and begins what the first of them
/// finds.
///
/// What it decides is [DisruptionPass]'s; between two steps it keeps what that one remembers.
public final class DisruptionController implements Controller {

    public static final String NAME = "disruption";

    private static final Duration UNSYNCED_RECHECK = Duration.ofSeconds(1);
    private static final Duration AT_ONCE = Duration.ZERO;

    /// A pass that comes so much later than the last one says that something held it up.
    private static final Duration GAP_MAX = Duration.ofMinutes(15);

    private static final int AT_ONCE_MAX = 20;

    private final PassQuestions questions;
    private final CommandStart start;
    private final DisruptionQueue queue;
    private final Marks marks;
    private final DecisionEvents events;
    private final ToldControls toldControls = new ToldControls();
    private DisruptionMemory memory = DisruptionMemory.NONE;
    private @Nullable Instant lastPassAt;

    /// `nanos` only measures how long deciding took; no decision depends on it.
    public DisruptionController(
            PassQuestions questions,
            CommandStart start,
            DisruptionQueue queue,
            Marks marks,
            LongSupplier nanos) {
        this.questions = questions;
        this.start = start;
        this.queue = queue;
        this.marks = marks;
        this.events = new DecisionEvents(nanos);
    }

    @Override
    public String name() {
        return NAME;
    }

    /// Who freezes or releases does not wait for the next turn.
    @Override
    public List<Watch<?>> watches() {
        return List.of(
                new Watch<>(Kind.NAMESPACE, (_, change) -> called(change)),
                new Watch<>(Kind.NODE_POOL, (_, change) -> called(change)));
    }

    private static List<ObjectName> called(Change<? extends KubeObject> change) {
        return Freezes.isNews(change) ? List.of(SINGLETON) : List.of();
    }

    @Override
    public List<ObjectName> initialKeys() {
        return List.of(SINGLETON);
    }

    @Override
    public Pace pace() {
        return Pace.of(1);
    }

    @Override
    public Step step(View view, ObjectName key, Instant now) {
        if (memory.quiet().isSince(questions.revision(view), now)) {
            return Step.again(DisruptionPass.PERIOD);
        }
        if (queue.takeVain()) {
            return Step.again(DisruptionPass.PERIOD);
        }
        var told = toldControls.news(view);
        if (!ClusterState.isSynced(view)) {
            return Step.of(told).thenAgain(UNSYNCED_RECHECK);
        }
        var undone = unfinished(view, now);
        if (!undone.isEmpty()) {
            return Step.of(told).followedBy(Step.of(undone)).thenAgain(AT_ONCE);
        }
        return Step.of(told).followedBy(pass(view, now));
    }

    /// Commands of this process that failed half-way, then marks that no command stands behind.
    private List<Effect> unfinished(View view, Instant now) {
        var effects = new ArrayList<Effect>();
        queue.starts().forEach(each -> effects.addAll(start.resumed(each, now)));
        if (!effects.isEmpty()) {
            return effects;
        }
        var leftovers = leftovers(view);
        return leftovers.isEmpty()
                ? List.of()
                : List.of(new Effect.Together(leftovers, AT_ONCE_MAX));
    }

    private List<Step> leftovers(View view) {
        var steps = new ArrayList<Step>();
        for (var claim : view.claims()) {
            if (claim.isDeleting()
                    || claim.providerId().isEmpty()
                    || marks.isMarked(claim.providerId())
                    || queue.holds(claim.name().name())
                    || claim.conditions().isTrue(ClaimObject.REBOOTING)
                    || !view.isManaged(claim.spec().nodeClassRef())) {
                continue;
            }
            var nodes = view.nodesOf(claim.providerId());
            if (nodes.size() == 1 && isFree(nodes.getFirst())) {
                var effects = NodeMarks.take(view, claim, nodes.getFirst());
                if (!effects.isEmpty()) {
                    steps.add(Step.of(effects));
                }
            }
        }
        return steps;
    }

    private static boolean isFree(NodeObject node) {
        return node.isInitialized() && !node.isDeleting();
    }

    private Step pass(View view, Instant now) {
        var pending = memory.pending();
        var freeze = pending == null ? null : Freezes.against(view, pending.commands());
        if (pending != null && freeze == null && now.isBefore(pending.validAt())) {
            return Step.again(Duration.between(now, pending.validAt()));
        }
        var question = questions.of(view, now);
        var report = events.report(view, question.problem());
        if (pending != null && freeze != null) {
            report.add(pending.commands().stream().map(each -> dropped(each, freeze)).toList());
            memory = memory.withoutPending();
        }
        report.add(gap(now));
        var outcome = DisruptionPass.next(memory, question, report::tell);
        memory = outcome.memory();
        var told = Step.of(report.effects()).followedBy(Step.of(events.gauges()));
        var begun =
                outcome.commands().isEmpty()
                        ? told
                        : told.followedBy(
                                start.of(view, question.problem(), outcome.commands(), now));
        return begun.thenAgain(outcome.again());
    }

    private static Effect dropped(Command command, Freeze freeze) {
        return new Effect.Say(
                LogLevel.INFO,
                "dropped a disruption for a freeze",
                "nodes",
                command.nodes(),
                "by",
                freeze.where());
    }

    private List<Effect> gap(Instant now) {
        var last = lastPassAt;
        lastPassAt = now;
        return last == null || Duration.between(last, now).compareTo(GAP_MAX) <= 0
                ? List.of()
                : List.of(
                        new Effect.Say(
                                LogLevel.WARN,
                                "disruption was held up for long",
                                "since",
                                last.toString()));
    }
}
