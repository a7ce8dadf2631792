package dev.millwright.controllers.disruption;

import dev.millwright.controllers.effect.AutoscalerEffect;
import dev.millwright.controllers.metrics.Families;
import dev.millwright.controllers.metrics.SnakeCase;
import dev.millwright.controllers.pod.GuardEvents;
import dev.millwright.core.deliberation.Deliberation;
import dev.millwright.core.disruption.Allowances;
import dev.millwright.core.disruption.Command;
import dev.millwright.core.disruption.Decision;
import dev.millwright.core.disruption.DisruptionProblem;
import dev.millwright.core.disruption.KeepReason;
import dev.millwright.core.disruption.Validation;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.kube.cache.View;
import dev.millwright.runtime.metrics.GaugeSample;
import dev.millwright.runtime.step.Effect;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongSupplier;

/// What is told of the decisions of a pass: events, figures, and lines.
final class DecisionEvents {

    private final LongSupplier nanos;

    /// What the last decision of each method said, by reason; gauges show all of it.
    private final SequencedMap<String, Integer> eligible = new TreeMap<>();

    private final SequencedMap<String, Allowances> allowances = new TreeMap<>();

    /// Why a node stays.
    private record Told(String node, KeepReason reason) {}

    /// `nanos` only measures how long deciding took; no decision depends on it.
    DecisionEvents(LongSupplier nanos) {
        this.nanos = nanos;
    }

    /// What is told of one pass, in the order of its decisions.
    final class Report {
        private final View view;
        private final List<Effect> effects;

        /// What several methods say of a node is told once.
        private final Set<Told> told = new HashSet<>();

        private long since;

        private Report(View view, List<Effect> effects) {
            this.view = view;
            this.effects = effects;
            this.since = nanos.getAsLong();
        }

        List<Effect> effects() {
            return effects;
        }

        void add(List<Effect> more) {
            effects.addAll(more);
        }

        void tell(Deliberation deliberation) {
            effects.add(new AutoscalerEffect.Decided(deliberation));
            switch (deliberation) {
                case Deliberation.SecondLook look -> lookedAgain(look);
                case Deliberation.Disruption(_, var decision) -> decided(decision);
                case Deliberation.Provisioning _ -> {}
            }
            since = nanos.getAsLong();
        }

        private void lookedAgain(Deliberation.SecondLook look) {
            for (var index = 0; index < look.commands().size(); index++) {
                lookedAgain(look.commands().get(index), look.validations().get(index));
            }
        }

        private void lookedAgain(Command command, Validation validation) {
            var dropped =
                    switch (validation) {
                        case Validation.Holds(_, var some) -> some;
                        case Validation.Broken(var cause, var all) -> {
                            effects.addAll(ConsolidationTelling.rejected(view, command, cause));
                            yield all;
                        }
                    };
            if (dropped > 0) {
                effects.add(
                        new Effect.Count(
                                Families.DISRUPTION_FAILED_VALIDATIONS,
                                dropped,
                                List.of(command.method().consolidationType())));
            }
        }

        private void decided(Decision decision) {
            var method = decision.method();
            var reason = method.reason().text();
            eligible.put(SnakeCase.of(reason), decision.eligible());
            if (decision.eligible() == 0) {
                kept(decision.kept());
                return;
            }
            allowances.put(reason, decision.allowances());
            closed(decision.allowances());
            kept(decision.kept());
            effects.addAll(ConsolidationTelling.of(view, decision));
            effects.addAll(RepairTelling.of(view, decision));
            effects.add(
                    new Effect.Observe(
                            Families.DISRUPTION_EVALUATION,
                            (nanos.getAsLong() - since) / 1e9,
                            List.of(SnakeCase.of(reason), method.consolidationType())));
        }

        private void closed(Allowances allowed) {
            allowed.byPool()
                    .forEach(
                            (name, allowance) -> {
                                var pool = view.pool(name);
                                var why = allowed.closed(name);
                                if (pool != null
                                        && allowance.isClosed()
                                        && !(why instanceof KeepReason.Frozen)) {
                                    effects.add(
                                            DisruptionEvents.poolClosed(
                                                    pool, allowed.reason(), why));
                                }
                            });
        }

        private void kept(Map<String, KeepReason> kept) {
            kept.forEach(
                    (name, reason) -> {
                        var node = view.node(name);
                        var claim = node == null ? view.claim(name) : view.claimOf(node);
                        if (claim != null && told.add(new Told(name, reason))) {
                            effects.addAll(DisruptionEvents.kept(node, claim, reason));
                        }
                    });
        }
    }

    Report report(View view, DisruptionProblem problem) {
        return new Report(view, told(view, problem));
    }

    private static List<Effect> told(View view, DisruptionProblem problem) {
        var effects = new ArrayList<>(guards(view, problem));
        for (var rules : problem.pools().values()) {
            var pool = view.pool(rules.name());
            var freeze = rules.controls().freeze();
            if (pool != null && freeze != null) {
                effects.add(DisruptionEvents.poolFrozen(pool, freeze));
            }
        }
        return effects;
    }

    /// How annotations of pods were read that guard nodes of ours, or were meant to.
    private static List<Effect> guards(View view, DisruptionProblem problem) {
        var effects = new ArrayList<Effect>();
        for (var machine : problem.machines()) {
            for (var moved : machine.pods()) {
                var isAnnotated = moved.pod().annotations().containsKey(LabelKeys.DO_NOT_DISRUPT);
                var pod = isAnnotated ? view.pod(moved.pod().name()) : null;
                if (pod != null && machine.node().isManaged()) {
                    effects.addAll(GuardEvents.of(pod, problem.now()));
                }
            }
        }
        return effects;
    }

    /// How many nodes were eligible, and how many may go.
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
                                        (pool, allowance) ->
                                                samples.addAll(samples(pool, reason, allowance))));
        return new Effect.Gauges(DisruptionController.NAME, samples);
    }

    private static List<GaugeSample> samples(
            String pool, String reason, Allowances.Allowance allowance) {
        var labels = List.of(pool, reason);
        return List.of(
                new GaugeSample(
                        Families.NODEPOOLS_ALLOWED_DISRUPTIONS, allowance.allowed(), labels),
                new GaugeSample(
                        Families.NODEPOOLS_NODES_CONSUMING_BUDGETS,
                        allowance.disrupting(),
                        labels));
    }
}
