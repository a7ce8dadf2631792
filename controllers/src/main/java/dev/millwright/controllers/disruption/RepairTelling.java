package dev.millwright.controllers.disruption;

import dev.millwright.core.disruption.Command;
import dev.millwright.core.disruption.Decision;
import dev.millwright.core.disruption.KeepReason;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.event.KubeEvent;
import dev.millwright.kube.event.KubeEvent.Subject;
import dev.millwright.runtime.log.LogLevel;
import dev.millwright.runtime.step.Effect;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// What is told of sick nodes: why one was chosen, and that a pool has too many of them.
final class RepairTelling {

    private static final Duration DEDUPE = Duration.ofMinutes(15);

    private RepairTelling() {}

    static List<Effect> of(View view, Decision decision) {
        var effects = new ArrayList<Effect>();
        decision.commands().forEach(command -> effects.addAll(chosen(command)));
        decision.kept()
                .forEach(
                        (node, reason) -> {
                            if (reason instanceof KeepReason.PoolUnwell unwell) {
                                effects.addAll(unwell(view, node, unwell));
                            }
                        });
        return effects;
    }

    private static List<Effect> chosen(Command command) {
        var diagnosis = command.terms().diagnosis();
        return diagnosis == null
                ? List.of()
                : List.of(
                        new Effect.Say(
                                LogLevel.INFO,
                                "selected repair policy",
                                "Node",
                                command.candidates().getFirst().name(),
                                "condition",
                                diagnosis.sign().type(),
                                "status",
                                diagnosis.sign().status(),
                                "reason",
                                diagnosis.sign().reason(),
                                "action",
                                diagnosis.action().text(),
                                "escalated",
                                diagnosis.isEscalated(),
                                "due-since",
                                diagnosis.dueAt().toString()));
    }

    private static List<Effect> unwell(View view, String name, KeepReason.PoolUnwell reason) {
        var subjects = new ArrayList<Subject>();
        var node = view.node(name);
        var claim = node == null ? null : view.claimOf(node);
        var pool = view.pool(reason.nodePool());
        if (node != null) {
            subjects.add(Subject.of(ResourceType.NODE, node));
        }
        if (claim != null) {
            subjects.add(Subject.of(ResourceType.NODE_CLAIM, claim));
        }
        if (pool != null) {
            subjects.add(Subject.of(ResourceType.NODE_POOL, pool));
        }
        return subjects.stream()
                .<Effect>map(
                        subject ->
                                new Effect.Publish(
                                        KubeEvent.warning(
                                                        subject,
                                                        "NodeRepairBlocked",
                                                        "not repaired: " + reason.explain())
                                                .dedupedBy(List.of(subject.uid()), DEDUPE)))
                .toList();
    }
}
