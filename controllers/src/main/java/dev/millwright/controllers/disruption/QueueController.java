package dev.millwright.controllers.disruption;

import dev.millwright.controllers.disruption.DisruptionQueue.Entry;
import dev.millwright.controllers.metrics.Families;
import dev.millwright.controllers.metrics.SnakeCase;
import dev.millwright.controllers.node.Deadline;
import dev.millwright.controllers.nodeclaim.ClaimChange;
import dev.millwright.controllers.nodeclaim.ClaimDeletion;
import dev.millwright.controllers.provisioning.Catalogs;
import dev.millwright.controllers.settings.Concurrency;
import dev.millwright.controllers.state.Marks;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.disruption.Candidate;
import dev.millwright.core.disruption.Command;
import dev.millwright.kube.cache.Kind;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.object.ClaimObject;
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

/// Sees a command through: waits until its replacements work and nothing is frozen, then deletes
/// the claims of its nodes; or takes all back when a replacement is lost or the time is over.
public final class QueueController implements Controller {

    public static final String NAME = "disruption.queue";

    private static final Duration RECHECK = Duration.ofSeconds(1);
    private static final int AT_ONCE_MIN = 100;
    private static final int AT_ONCE_MAX = 1_000;
    private static final int DELETED_AT_ONCE_MAX = 20;

    private final DisruptionQueue queue;
    private final Marks marks;
    private final Catalogs catalogs;
    private final double cores;

    /// @param catalogs tell what replacements cost that came
    public QueueController(DisruptionQueue queue, Marks marks, Catalogs catalogs, double cores) {
        this.queue = queue;
        this.marks = marks;
        this.catalogs = catalogs;
        this.cores = cores;
    }

    @Override
    public String name() {
        return NAME;
    }

    /// A replacement that gets ready need not wait for the next look.
    @Override
    public List<Watch<?>> watches() {
        return List.of(
                new Watch<>(
                        Kind.NODE_CLAIM,
                        (_, change) ->
                                queue.waitingFor(change.name().name()).stream()
                                        .map(id -> new ObjectName("", id))
                                        .toList()));
    }

    @Override
    public Pace pace() {
        return Pace.of(Concurrency.scale(AT_ONCE_MIN, AT_ONCE_MAX, cores))
                .withBackoff(Duration.ofSeconds(1), Duration.ofSeconds(10))
                .withBucket(100, 1_000);
    }

    @Override
    public Step step(View view, ObjectName key, Instant now) {
        var entry = queue.find(key.name());
        if (entry == null) {
            return Step.DONE;
        }
        var told = new ArrayList<Effect>();
        var unready = 0;
        for (var name : entry.replacements()) {
            var claim = view.claim(name);
            if (claim == null) {
                return takenBack(view, entry, "replacement %s is gone".formatted(name), now);
            }
            told.add(DisruptionEvents.launching(claim, entry.command().method().reason()));
            if (!claim.conditions().isTrue(ClaimObject.INITIALIZED)) {
                told.add(DisruptionEvents.waiting(claim));
                unready++;
            }
        }
        var freeze = Freezes.against(view, entry.command());
        if (unready == 0 && freeze == null) {
            return Step.of(told).followedBy(deletion(view, entry, now));
        }
        var most = Command.timeout(queue.nodes());
        if (Duration.between(entry.startedAt(), now).compareTo(most) <= 0) {
            return Step.of(told).thenAgain(RECHECK);
        }
        var why =
                freeze == null
                        ? "%d replacements are not ready after %s".formatted(unready, most)
                        : "it is %s after %s".formatted(freeze.explain(), most);
        return Step.of(told).followedBy(takenBack(view, entry, why, now));
    }

    private Step deletion(View view, Entry entry, Instant now) {
        var steps =
                entry.command().candidates().stream()
                        .map(candidate -> deletion(view, entry.command(), candidate, now))
                        .toList();
        var saving = Saving.of(view, catalogs, entry);
        var effects = new ArrayList<Effect>();
        effects.add(new Effect.Together(steps, DELETED_AT_ONCE_MAX));
        effects.add(
                new Effect.Remember(
                        "moves of " + entry.id(), () -> queue.moves().done(entry, now)));
        effects.add(ended(entry));
        effects.addAll(saving.counts());
        effects.add(
                new Effect.Say(
                        LogLevel.INFO,
                        "disrupted node(s)",
                        "command",
                        entry.id(),
                        "reason",
                        SnakeCase.of(entry.command().method().reason().text()),
                        "nodes",
                        entry.command().nodes(),
                        "savedPerHour",
                        saving.perHour()));
        return Step.of(effects);
    }

    /// Nothing when the claim went, or goes already: whoever was first has counted it.
    private static Step deletion(View view, Command command, Candidate candidate, Instant now) {
        var claim = claim(view, candidate);
        if (claim == null || claim.isDeleting()) {
            return Step.DONE;
        }
        var counted = new ArrayList<>(Disrupted.counts(claim, command, candidate));
        counted.addAll(
                DisruptionEvents.terminating(
                        view.node(candidate.name()), claim, command.method().reason()));
        // The deadline goes first, and only now: replacements may have taken their time.
        var drainMax = command.terms().drainMax();
        var hurried =
                drainMax == null
                        ? ClaimChange.of(claim)
                        : Deadline.tightened(claim, now.plus(drainMax));
        return hurried.written(view, fresh -> Step.of(ClaimDeletion.of(fresh, counted)));
    }

    private static @Nullable ClaimObject claim(View view, Candidate candidate) {
        var claim = view.claim(DisruptionQueue.claim(candidate).name());
        return claim != null && claim.meta().uid().equals(candidate.machine().standing().claimUid())
                ? claim
                : null;
    }

    /// A claim that is deleted says so itself from now on.
    private Effect ended(Entry entry) {
        return new Effect.Remember(
                "end of " + entry.id(),
                () -> {
                    queue.remove(entry.id());
                    entry.command()
                            .candidates()
                            .forEach(
                                    each -> marks.unmark(DisruptionQueue.claim(each).providerId()));
                });
    }

    /// The nodes are free again; replacements that came up stay, to be used or consolidated.
    private Step takenBack(View view, Entry entry, String why, Instant now) {
        var command = entry.command();
        var steps = new ArrayList<Step>();
        for (var candidate : command.candidates()) {
            var claim = claim(view, candidate);
            if (claim != null && !claim.isDeleting()) {
                steps.add(Step.of(NodeMarks.take(view, claim, view.node(candidate.name()))));
            }
        }
        var lost =
                entry.replacements().stream()
                        .map(view::claim)
                        .filter(
                                each ->
                                        each == null
                                                || !each.conditions()
                                                        .isTrue(ClaimObject.INITIALIZED))
                        .count();
        return Step.of(
                new Effect.Together(steps, DELETED_AT_ONCE_MAX),
                new Effect.Remember(
                        "vain moves of " + entry.id(), () -> queue.moves().vain(entry, now)),
                ended(entry),
                new Effect.Count(
                        Families.DISRUPTION_QUEUE_FAILURES,
                        lost,
                        List.of(
                                command.decision(),
                                SnakeCase.of(command.method().reason().text()),
                                command.method().consolidationType())),
                new Effect.Say(
                        LogLevel.WARN,
                        "took a disruption back",
                        "command",
                        entry.id(),
                        "nodes",
                        command.nodes(),
                        "reason",
                        why));
    }
}
