package dev.millwright.controllers.disruption;

import dev.millwright.controllers.metrics.Families;
import dev.millwright.controllers.metrics.GaugeSample;
import dev.millwright.controllers.metrics.SnakeCase;
import dev.millwright.controllers.state.Marks;
import dev.millwright.controllers.state.NodeReservations;
import dev.millwright.controllers.step.Effect;
import dev.millwright.core.disruption.Allowances;
import dev.millwright.core.disruption.Candidacy;
import dev.millwright.core.disruption.Command;
import dev.millwright.core.disruption.Decision;
import dev.millwright.core.disruption.DisruptionProblem;
import dev.millwright.core.disruption.Drift;
import dev.millwright.core.disruption.Emptiness;
import dev.millwright.core.disruption.KeepReason;
import dev.millwright.core.disruption.Method;
import dev.millwright.core.disruption.StaticDrift;
import dev.millwright.core.disruption.Validation;
import dev.millwright.kube.cache.View;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.TreeMap;

/// Asks core what a method would do, and tells what it answers.
final class Methods {

    private final Marks marks;
    private final NodeReservations reservations;

    /// What the last asking of each method said, by reason; gauges show all of it.
    private final SequencedMap<String, Integer> eligible = new TreeMap<>();

    private final SequencedMap<String, Allowances> allowances = new TreeMap<>();

    Methods(Marks marks, NodeReservations reservations) {
        this.marks = marks;
        this.reservations = reservations;
    }

    /// Whether the method's commands are looked at again after a while.
    static boolean isValidated(Method method) {
        return switch (method) {
            case EMPTINESS, MULTI_NODE, SINGLE_NODE -> true;
            case STATIC_DRIFT, DRIFT -> false;
        };
    }

    /// The method's commands; effects are what is to be told of them and of nodes that stay.
    List<Command> commands(
            DisruptionProblem problem, Method method, List<Effect> effects, View view) {
        var candidacy = candidacy(problem, method);
        var reason = method.reason().text();
        eligible.put(SnakeCase.of(reason), candidacy.candidates().size());
        if (candidacy.candidates().isEmpty()) {
            kept(view, candidacy.kept(), effects);
            return List.of();
        }
        var allowed = Allowances.of(problem, method.reason());
        allowances.put(reason, allowed);
        closed(view, allowed, effects);
        var decision = decision(problem, method, candidacy, allowed, view);
        kept(view, decision.kept(), effects);
        return decision.commands();
    }

    private static Candidacy candidacy(DisruptionProblem problem, Method method) {
        return switch (method) {
            case EMPTINESS -> Emptiness.candidacy(problem);
            case STATIC_DRIFT -> StaticDrift.candidacy(problem);
            case DRIFT -> Drift.candidacy(problem);
            case MULTI_NODE, SINGLE_NODE -> new Candidacy(List.of(), new TreeMap<>());
        };
    }

    private Decision decision(
            DisruptionProblem problem,
            Method method,
            Candidacy candidacy,
            Allowances allowed,
            View view) {
        return switch (method) {
            case EMPTINESS -> Emptiness.decide(candidacy, allowed);
            case STATIC_DRIFT ->
                    StaticDrift.decide(
                            candidacy, allowed, StaticCounts.of(view, marks, reservations));
            case DRIFT -> Drift.decide(problem, candidacy, allowed);
            case MULTI_NODE, SINGLE_NODE -> throw new IllegalStateException("not there yet");
        };
    }

    Validation validation(
            DisruptionProblem problem, Command command, List<Effect> effects, View view) {
        var validation = Emptiness.validate(problem, command);
        var dropped =
                switch (validation) {
                    case Validation.Holds(_, var some) -> some;
                    case Validation.Broken(_, var all) -> all;
                };
        if (dropped > 0) {
            effects.add(
                    new Effect.Count(
                            Families.DISRUPTION_FAILED_VALIDATIONS,
                            dropped,
                            List.of(command.method().consolidationType())));
        }
        return validation;
    }

    private static void closed(View view, Allowances allowed, List<Effect> effects) {
        allowed.byPool()
                .forEach(
                        (name, allowance) -> {
                            var pool = view.pool(name);
                            if (pool != null && allowance.isClosed()) {
                                effects.add(DisruptionEvents.poolClosed(pool, allowed.reason()));
                            }
                        });
    }

    private static void kept(View view, Map<String, KeepReason> kept, List<Effect> effects) {
        kept.forEach(
                (name, reason) -> {
                    var node = view.node(name);
                    var claim = node == null ? view.claim(name) : view.claimOf(node);
                    if (claim != null) {
                        effects.addAll(DisruptionEvents.kept(node, claim, reason));
                    }
                });
    }

    Effect gauges() {
        var samples = new ArrayList<GaugeSample>();
        eligible.forEach(
                (reason, count) ->
                        samples.add(
                                new GaugeSample(
                                        Families.DISRUPTION_ELIGIBLE_NODES,
                                        count,
                                        List.of(reason))));
        allowances.forEach(
                (reason, allowed) ->
                        allowed.byPool()
                                .forEach(
                                        (pool, allowance) -> {
                                            var labels = List.of(pool, reason);
                                            samples.add(
                                                    new GaugeSample(
                                                            Families.NODEPOOLS_ALLOWED_DISRUPTIONS,
                                                            allowance.allowed(),
                                                            labels));
                                            samples.add(
                                                    new GaugeSample(
                                                            Families
                                                                    .NODEPOOLS_NODES_CONSUMING_BUDGETS,
                                                            allowance.disrupting(),
                                                            labels));
                                        }));
        return new Effect.Gauges(DisruptionController.NAME, samples);
    }
}
