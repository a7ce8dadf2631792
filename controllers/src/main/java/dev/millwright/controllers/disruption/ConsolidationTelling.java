package dev.millwright.controllers.disruption;

import dev.millwright.controllers.metrics.Families;
import dev.millwright.core.disruption.Balance;
import dev.millwright.core.disruption.Candidate;
import dev.millwright.core.disruption.Command;
import dev.millwright.core.disruption.Decision;
import dev.millwright.core.disruption.Validation;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.event.KubeEvent;
import dev.millwright.kube.event.KubeEvent.Subject;
import dev.millwright.runtime.step.Effect;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;

/// What is told of a search for a consolidation: how moves were weighed, what was found, and why a
/// find was dropped again.
final class ConsolidationTelling {

    private static final String APPROVED = "approved";
    private static final String REJECTED = "rejected";

    private ConsolidationTelling() {}

    static List<Effect> of(View view, Decision decision) {
        var effects = new ArrayList<Effect>();
        decision.search().weighed().forEach(verdict -> effects.addAll(weighed(view, verdict)));
        if (decision.search().isOutOfEffort()) {
            effects.add(
                    new Effect.Count(
                            Families.DISRUPTION_CONSOLIDATION_TIMEOUTS,
                            decision.method().consolidationType()));
        }
        for (var command : decision.commands()) {
            if (command.method().isSearch() && !command.replacements().isEmpty()) {
                effects.addAll(
                        onCandidates(
                                view,
                                command,
                                "ConsolidationCandidate",
                                "%s saves %s an hour".formatted(command.summary(), saved(command)),
                                command.summary()));
            }
        }
        return effects;
    }

    static List<Effect> rejected(View view, Command command, Validation.Cause cause) {
        return command.method().isSearch()
                ? onCandidates(
                        view,
                        command,
                        "ConsolidationRejected",
                        "%s is dropped for a change of %s; it would have saved %s an hour"
                                .formatted(command.summary(), cause.text(), saved(command)),
                        command.summary() + cause.text())
                : List.of();
    }

    private static String saved(Command command) {
        return String.format(Locale.ROOT, "$%.2f", command.savedPerHour());
    }

    private static List<Effect> weighed(View view, Balance.Verdict verdict) {
        var policies = new TreeMap<String, String>();
        for (var candidate : verdict.command().candidates()) {
            policies.put(candidate.nodePool(), candidate.pool().policy().text());
        }
        var effects = new ArrayList<Effect>();
        policies.forEach(
                (pool, policy) -> {
                    effects.add(
                            new Effect.Count(
                                    Families.CONSOLIDATION_MOVES,
                                    verdict.isApproved() ? APPROVED : REJECTED,
                                    pool,
                                    policy));
                    var score = verdict.scores().get(pool);
                    if (score != null) {
                        effects.add(
                                new Effect.Observe(
                                        Families.CONSOLIDATION_SCORE,
                                        score.value(),
                                        List.of(
                                                score.isApproved() ? APPROVED : REJECTED,
                                                pool,
                                                policy)));
                        if (score.isApproved()) {
                            effects.addAll(approved(view, verdict.command(), pool, score));
                        }
                    }
                });
        return effects;
    }

    private static List<Effect> approved(
            View view, Command command, String poolName, Balance.Score score) {
        var message =
                String.format(
                        Locale.ROOT,
                        "saves %.1f%% of the pool's price for %.1f%% of its disturbance: score %.2f of at least %.2f",
                        score.savedShare() * 100,
                        score.disturbedShare() * 100,
                        score.value(),
                        Balance.SCORE_MIN);
        if (command.candidates().size() == 1) {
            return onCandidates(view, command, "ConsolidationApproved", message, "");
        }
        var pool = view.pool(poolName);
        return pool == null
                ? List.of()
                : List.of(
                        new Effect.Publish(
                                KubeEvent.normal(
                                        Subject.of(ResourceType.NODE_POOL, pool),
                                        "ConsolidationApproved",
                                        message)));
    }

    private static List<Effect> onCandidates(
            View view, Command command, String reason, String message, String dedupe) {
        var effects = new ArrayList<Effect>();
        for (Candidate candidate : command.candidates()) {
            var node = view.node(candidate.name());
            var claim = view.claim(DisruptionQueue.claim(candidate).name());
            if (node != null) {
                effects.add(
                        published(Subject.of(ResourceType.NODE, node), reason, message, dedupe));
            }
            if (claim != null) {
                effects.add(
                        published(
                                Subject.of(ResourceType.NODE_CLAIM, claim),
                                reason,
                                message,
                                dedupe));
            }
        }
        return effects;
    }

    private static Effect published(Subject subject, String reason, String message, String dedupe) {
        return new Effect.Publish(
                KubeEvent.normal(subject, reason, message)
                        .dedupedBy(List.of(subject.uid(), dedupe), KubeEvent.DEDUPE_DEFAULT));
    }
}
