package dev.millwright.controllers.disruption;

import dev.millwright.controllers.disruption.DisruptionQueue.Start;
import dev.millwright.controllers.metrics.Families;
import dev.millwright.controllers.metrics.SnakeCase;
import dev.millwright.controllers.nodeclaim.NewClaims;
import dev.millwright.controllers.nodepool.PoolUsage;
import dev.millwright.controllers.state.Marks;
import dev.millwright.controllers.state.NodeReservations;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.disruption.Candidate;
import dev.millwright.core.disruption.Command;
import dev.millwright.core.disruption.Command.Order;
import dev.millwright.core.disruption.Command.Replacement;
import dev.millwright.core.disruption.DisruptionProblem;
import dev.millwright.core.scheduling.NodeClaimDraft;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.client.ApiAnswer;
import dev.millwright.kube.document.Faults;
import dev.millwright.kube.document.Field;
import dev.millwright.kube.object.Meta;
import dev.millwright.kube.object.PoolObject;
import dev.millwright.runtime.log.LogLevel;
import dev.millwright.runtime.step.Effect;
import dev.millwright.runtime.step.Step;
import dev.millwright.spi.CloudTraits;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/// Begins a command: marks its nodes, has replacements made, and hands it to the queue.
///
/// Nodes are marked for deletion in the shared memory only once the replacements are there: before
/// that a pass for waiting pods would buy for the same pods a second time.
public final class CommandStart {

    private static final int AT_ONCE_MAX = 20;

    private final DisruptionQueue queue;
    private final Marks marks;
    private final NodeReservations reservations;
    private final CloudTraits traits;
    private final Duration nomination;

    /// `nomination`: how long nodes are kept that are to take pods of those that go.
    public CommandStart(
            DisruptionQueue queue,
            Marks marks,
            NodeReservations reservations,
            CloudTraits traits,
            Duration nomination) {
        this.queue = queue;
        this.marks = marks;
        this.reservations = reservations;
        this.traits = traits;
        this.nomination = nomination;
    }

    /// All commands at once. One that fails half-way stays among the queue's starts, for
    /// [#resumed].
    Step of(View view, DisruptionProblem problem, List<Command> commands, Instant now) {
        return Step.of(
                new Effect.Together(
                        commands.stream()
                                .map(command -> started(view, problem, command, now))
                                .toList(),
                        AT_ONCE_MAX));
    }

    private Step started(View view, DisruptionProblem problem, Command command, Instant now) {
        if (command.terms().order() == Order.REBOOT) {
            return Step.of(new Effect.Say(LogLevel.INFO, "disrupting node(s)", told(command)))
                    .followedBy(
                            RebootStart.of(view, command, queue.reboots(), decided(command), now));
        }
        var start = queue.begin(command, now);
        var effects = new ArrayList<Effect>();
        effects.add(new Effect.Say(LogLevel.INFO, "disrupting node(s)", told(command)));
        effects.add(
                new Effect.Together(
                        command.candidates().stream()
                                .map(candidate -> marked(view, start, candidate, now))
                                .toList(),
                        AT_ONCE_MAX));
        if (!command.replacements().isEmpty()) {
            effects.add(
                    new Effect.Together(
                            command.replacements().stream()
                                    .map(each -> replaced(view, problem, start, each))
                                    .toList(),
                            AT_ONCE_MAX));
        }
        effects.addAll(queued(start, now));
        return Step.of(effects);
    }

    private static List<Object> told(Command command) {
        var reason = command.method().reason().text();
        return List.of(
                "reason",
                SnakeCase.of(reason),
                "decision",
                command.decision(),
                "nodes",
                command.nodes(),
                "replacements",
                command.replacements().size(),
                "pods",
                command.candidates().stream()
                        .mapToInt(each -> each.reschedulablePods().size())
                        .sum());
    }

    private static Step marked(View view, Start start, Candidate candidate, Instant now) {
        var claim = view.claim(DisruptionQueue.claim(candidate).name());
        var node = view.node(candidate.name());
        if (claim == null || node == null) {
            return Step.failed("node %s went meanwhile".formatted(candidate.name()));
        }
        return NodeMarks.put(view, claim, node, start.command().method().reason(), now)
                .followedBy(
                        Step.of(
                                new Effect.Remember(
                                        "marks of " + candidate.name(),
                                        () -> start.marked(candidate))));
    }

    private Step replaced(
            View view, DisruptionProblem problem, Start start, Replacement replacement) {
        var pool = view.pool(replacement.nodePool());
        if (pool == null) {
            return Step.failed(
                    "NodePool %s of a replacement went meanwhile"
                            .formatted(replacement.nodePool()));
        }
        var isReserved = replacement instanceof Replacement.Template;
        if (isReserved && !isGranted(view, pool)) {
            return Step.failed(
                    "NodePool %s has no room for a replacement; raise spec.limits.nodes"
                            .formatted(replacement.nodePool()));
        }
        var exceeded = exceeded(view, pool);
        if (exceeded != null) {
            return Step.failed(exceeded);
        }
        return Step.of(
                new Effect.Write(
                        NewClaims.of(
                                draft(problem, pool, replacement),
                                pool,
                                traits.terminationGracePeriodDefault()),
                        answer -> made(start, replacement, isReserved, answer)));
    }

    private boolean isGranted(View view, PoolObject pool) {
        var claims = PoolUsage.claims(view, marks, pool.pool().name());
        var nodes = claims.active() + claims.pendingDisruption() + claims.deleting();
        return reservations.reserve(
                        pool.pool().name(), StaticCounts.nodesMax(pool.pool()), nodes, 1)
                > 0;
    }

    private @Nullable String exceeded(View view, PoolObject pool) {
        var limits = pool.pool().limits();
        if (limits.isEmpty() || pool.pool().isStatic()) {
            return null;
        }
        var used = PoolUsage.of(view, marks, pool.pool().name());
        for (var limit : limits.amounts().entrySet()) {
            if (used.amount(limit.getKey()).compareTo(limit.getValue()) > 0) {
                return "NodePool %s: %s in use is %s, more than its limit %s; raise spec.limits or remove nodes"
                        .formatted(
                                pool.pool().name(),
                                limit.getKey(),
                                used.amount(limit.getKey()),
                                limit.getValue());
            }
        }
        return null;
    }

    private NodeClaimDraft draft(
            DisruptionProblem problem, PoolObject pool, Replacement replacement) {
        return switch (replacement) {
            case Replacement.Planned(var claim) ->
                    NodeClaimDraft.of(
                            pool.pool(),
                            claim,
                            problem.scheduling()
                                    .catalogs()
                                    .getOrDefault(claim.nodePool(), List.of()),
                            pool.hash(),
                            traits.vocabulary());
            case Replacement.Template(_) ->
                    NodeClaimDraft.ofTemplate(pool.pool(), pool.hash(), traits.vocabulary());
        };
    }

    /// Made or refused, a place set aside is free again: a claim that was made counts by itself.
    private Step made(Start start, Replacement replacement, boolean isReserved, ApiAnswer answer) {
        var effects = new ArrayList<Effect>();
        if (isReserved) {
            effects.add(
                    new Effect.Remember(
                            "release a node of NodePool " + replacement.nodePool(),
                            () -> reservations.release(replacement.nodePool(), 1)));
        }
        if (!(answer instanceof ApiAnswer.Done(var object))) {
            return Step.of(effects)
                    .followedBy(Step.failed("making a replacement failed: " + answer.explain()));
        }
        var name = Meta.of(Field.root("", object, new Faults())).name().name();
        effects.add(new Effect.Remember("replacement " + name, () -> start.replaced(name)));
        effects.add(
                new Effect.Count(
                        Families.NODECLAIMS_CREATED,
                        SnakeCase.of(start.command().method().reason().text()),
                        replacement.nodePool(),
                        Boolean.toString(
                                replacement instanceof Replacement.Planned(var claim)
                                        && claim.isMinValuesRelaxed())));
        effects.add(
                new Effect.Say(
                        LogLevel.INFO,
                        "created nodeclaim",
                        "NodePool",
                        replacement.nodePool(),
                        "NodeClaim",
                        name,
                        "command",
                        start.id()));
        return Step.of(effects);
    }

    private List<Effect> queued(Start start, Instant now) {
        var command = start.command();
        var effects = new ArrayList<Effect>();
        effects.add(
                new Effect.Remember(
                        "command " + start.id(),
                        () -> {
                            for (var candidate : queue.add(start)) {
                                marks.mark(DisruptionQueue.claim(candidate).providerId());
                            }
                            command.nominated()
                                    .forEach(node -> marks.nominate(node, now.plus(nomination)));
                        }));
        effects.addAll(decided(command));
        effects.add(new Effect.Enqueue(QueueController.NAME, new ObjectName("", start.id())));
        return effects;
    }

    private static List<Effect> decided(Command command) {
        var reason = SnakeCase.of(command.method().reason().text());
        var type = command.method().consolidationType();
        var effects = new ArrayList<Effect>();
        effects.add(
                new Effect.Count(Families.DISRUPTION_DECISIONS, command.decision(), reason, type));
        var pools =
                command.candidates().stream()
                        .map(Candidate::nodePool)
                        .collect(Collectors.toCollection(java.util.TreeSet::new));
        for (var pool : pools) {
            effects.add(
                    new Effect.Count(
                            Families.DISRUPTION_DECISIONS_BY_NODEPOOL,
                            pool,
                            command.decision(),
                            reason,
                            type));
        }
        return effects;
    }

    /// What is to be done about a command that failed half-way: it goes on with the nodes that were
    /// marked if it needs no replacements, else it is given up.
    List<Effect> resumed(Start start, Instant now) {
        if (start.command().replacements().isEmpty() && !start.marked().isEmpty()) {
            return queued(start, now);
        }
        return List.of(
                new Effect.Remember("giving up " + start.id(), () -> queue.abandon(start)),
                new Effect.Say(
                        LogLevel.WARN,
                        "gave up a disruption that could not begin",
                        "command",
                        start.id(),
                        "nodes",
                        start.command().nodes()));
    }
}
