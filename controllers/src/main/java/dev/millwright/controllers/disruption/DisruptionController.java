package dev.millwright.controllers.disruption;

import dev.millwright.controllers.state.ClusterState;
import dev.millwright.controllers.state.Marks;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.disruption.Command;
import dev.millwright.core.disruption.Method;
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

/// The pass that takes nodes away: tries the methods in order, and begins what the first of them
/// finds.
///
/// What it remembers between two steps are commands that it looks at again after a while; a restart
/// waits anew.
public final class DisruptionController implements Controller {

    public static final String NAME = "disruption";

    private static final Duration PERIOD = Duration.ofSeconds(10);
    private static final Duration UNSYNCED_RECHECK = Duration.ofSeconds(1);
    private static final Duration AT_ONCE = Duration.ZERO;

    /// Between the choice and the deed: a pod that was bound just before shows by then.
    private static final Duration VALIDATION_WAIT = Duration.ofSeconds(15);

    /// A pass that comes so much later than the last one says that something held it up.
    private static final Duration GAP_MAX = Duration.ofMinutes(15);

    private static final int AT_ONCE_MAX = 20;

    /// Commands of one method that are looked at again when their time has come.
    private record Waiting(List<Command> commands, Instant validAt) {
        private Method method() {
            return commands.getFirst().method();
        }
    }

    /// A pass that found nothing to do, and what it had seen. Until something changes, another one
    /// would find as little, except for what time changes: prices without a word, and more often
    /// where an answer hangs on the hour.
    private record Quiet(long revision, Instant at, Duration trustedFor) {

        private static final Duration LONG = Duration.ofMinutes(5);
        private static final Duration SHORT = Duration.ofMinutes(1);
        private static final Quiet NEVER = new Quiet(-1, Instant.EPOCH, Duration.ZERO);

        private boolean isSince(long seen, Instant now) {
            return seen == revision && now.isBefore(at.plus(trustedFor)) && !now.isBefore(at);
        }
    }

    private Quiet quiet = Quiet.NEVER;
    private final Survey survey;
    private final CommandStart start;
    private final DisruptionQueue queue;
    private final Marks marks;
    private final Methods methods;
    private final ToldControls toldControls = new ToldControls();
    private @Nullable Waiting waiting;
    private @Nullable Instant lastPassAt;

    public DisruptionController(
            Survey survey,
            CommandStart start,
            DisruptionQueue queue,
            Marks marks,
            Methods methods) {
        this.survey = survey;
        this.start = start;
        this.queue = queue;
        this.marks = marks;
        this.methods = methods;
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
        var revision = view.revision() + marks.revision();
        if (quiet.isSince(revision, now)) {
            return Step.again(PERIOD);
        }
        if (queue.takeVain()) {
            return Step.again(PERIOD);
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
        var known = waiting;
        var freeze = known == null ? null : Freezes.against(view, known.commands());
        if (known != null && freeze == null && now.isBefore(known.validAt())) {
            return Step.again(Duration.between(now, known.validAt()));
        }
        methods.look(view, queue);
        var asking = methods.asking(view, survey.of(view, now));
        if (known != null && freeze != null) {
            for (var command : known.commands()) {
                asking.effects().add(dropped(command, freeze));
            }
            known = null;
        }
        asking.effects().addAll(gap(now));
        waiting = null;
        var held = known == null ? List.<Command>of() : methods.validated(asking, known.commands());
        if (!held.isEmpty()) {
            return begun(asking, held);
        }
        for (var method : Method.values()) {
            if (known != null && method.compareTo(known.method()) <= 0) {
                continue;
            }
            var commands = methods.commands(asking, method);
            if (commands.isEmpty()) {
                continue;
            }
            if (!Methods.isValidated(method)) {
                return begun(asking, commands);
            }
            waiting = new Waiting(commands, now.plus(VALIDATION_WAIT));
            return told(asking).thenAgain(VALIDATION_WAIT);
        }
        if (known == null && queue.entries().isEmpty()) {
            quiet =
                    new Quiet(
                            view.revision() + marks.revision(),
                            now,
                            methods.isTimed(asking) ? Quiet.SHORT : Quiet.LONG);
        }
        return told(asking).thenAgain(PERIOD);
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

    private Step told(Methods.Asking asking) {
        return Step.of(asking.effects()).followedBy(Step.of(methods.gauges()));
    }

    private Step begun(Methods.Asking asking, List<Command> commands) {
        var problem = asking.problem();
        methods.begun(asking, commands);
        return told(asking)
                .followedBy(start.of(asking.view(), problem, commands, problem.now()))
                .thenAgain(AT_ONCE);
    }
}
