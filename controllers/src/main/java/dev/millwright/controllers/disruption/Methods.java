package dev.millwright.controllers.disruption;

import dev.millwright.controllers.effect.AutoscalerEffect;
import dev.millwright.controllers.metrics.Families;
import dev.millwright.controllers.metrics.SnakeCase;
import dev.millwright.controllers.pod.GuardEvents;
import dev.millwright.controllers.state.Marks;
import dev.millwright.controllers.state.NodeReservations;
import dev.millwright.core.deliberation.Deliberation;
import dev.millwright.core.disruption.Allowances;
import dev.millwright.core.disruption.Candidacy;
import dev.millwright.core.disruption.Command;
import dev.millwright.core.disruption.Decision;
import dev.millwright.core.disruption.DisruptionOptions;
import dev.millwright.core.disruption.DisruptionProblem;
import dev.millwright.core.disruption.KeepReason;
import dev.millwright.core.disruption.Method;
import dev.millwright.core.disruption.MethodCase;
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
import java.util.TreeSet;
import java.util.function.LongSupplier;

/// Asks core what a method would do, and tells what it answers.
public final class Methods {

    private final Marks marks;
    private final NodeReservations reservations;
    private final DisruptionOptions options;
    private final LongSupplier nanos;
    private final Unchanged unchanged = new Unchanged();
    private final LeftFleets leftFleets = new LeftFleets();

    /// Pools that the last search for a single node did not come to.
    private Set<String> unseenPools = new TreeSet<>();

    /// Nodes that the last search of the whole fleet did not come to.
    private Set<String> unseenNodes = new TreeSet<>();

    /// What the last asking of each method said, by reason; gauges show all of it.
    private final SequencedMap<String, Integer> eligible = new TreeMap<>();

    private final SequencedMap<String, Allowances> allowances = new TreeMap<>();

    /// Why a node stays.
    private record Told(String node, KeepReason reason) {}

    /// One asking: what is known of the cluster, and the effects to which answers are added. What
    /// several methods say of a node is `told` once.
    record Asking(
            View view,
            DisruptionProblem problem,
            long fingerprint,
            List<Effect> effects,
            Set<Told> told) {}

    /// Without repair.
    public Methods(Marks marks, NodeReservations reservations, LongSupplier nanos) {
        this(marks, reservations, DisruptionOptions.NONE, nanos);
    }

    /// `nanos` only measures how long deciding took; no decision depends on it.
    public Methods(
            Marks marks,
            NodeReservations reservations,
            DisruptionOptions options,
            LongSupplier nanos) {
        this.marks = marks;
        this.reservations = reservations;
        this.options = options;
        this.nanos = nanos;
    }

    Asking asking(View view, DisruptionProblem problem) {
        return new Asking(
                view,
                problem,
                Unchanged.fingerprint(view, marks, problem.now()),
                told(view, problem),
                new HashSet<>());
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

    /// Whether the method's commands are looked at again after a while.
    static boolean isValidated(Method method) {
        return switch (method) {
            case EMPTINESS, WHOLE_FLEET, MULTI_NODE, SINGLE_NODE -> true;
            case REPAIR, STATIC_DRIFT, DRIFT -> false;
        };
    }

    /// The method's commands; effects are what is to be told of them and of nodes that stay.
    List<Command> commands(Asking asking, Method method) {
        var problem = asking.problem();
        if (isValidated(method) && unchanged.isSo(method, asking.fingerprint(), problem.now())) {
            return List.of();
        }
        if (method == Method.REPAIR && options.repair().isEmpty()) {
            return List.of();
        }
        var begun = nanos.getAsLong();
        var candidacy = MethodCase.candidacy(problem, method, options);
        var asked = new MethodCase(problem, method, options, memory(asking, method, candidacy));
        var decision = asked.decide(candidacy);
        asking.effects()
                .add(new AutoscalerEffect.Decided(new Deliberation.Disruption(asked, decision)));
        var reason = method.reason().text();
        eligible.put(SnakeCase.of(reason), decision.eligible());
        if (decision.eligible() == 0) {
            kept(asking, decision.kept());
            return List.of();
        }
        searched(method, decision);
        allowances.put(reason, decision.allowances());
        closed(asking, decision.allowances());
        kept(asking, decision.kept());
        asking.effects().addAll(ConsolidationTelling.of(asking.view(), decision));
        asking.effects().addAll(RepairTelling.of(asking.view(), decision));
        asking.effects()
                .add(
                        new Effect.Observe(
                                Families.DISRUPTION_EVALUATION,
                                (nanos.getAsLong() - begun) / 1e9,
                                List.of(SnakeCase.of(reason), method.consolidationType())));
        if (isValidated(method) && decision.commands().isEmpty() && !decision.isWithheld()) {
            unchanged.nothingFound(method, asking.fingerprint(), problem.now());
        }
        return decision.commands();
    }

    /// To be told of each pass.
    void look(View view, DisruptionQueue queue) {
        leftFleets.look(view, queue.entries().isEmpty(), queue.moves().takenBack());
    }

    /// The commands begin.
    void begun(Asking asking, List<Command> commands) {
        leftFleets.leave(asking.view(), commands, asking.problem().now());
    }

    boolean isTimed(Asking asking) {
        return asking.problem().isTimed(options.repair());
    }

    private MethodCase.Memory memory(Asking asking, Method method, Candidacy candidacy) {
        var held =
                LeftFleets.isRemembered(method)
                        ? leftFleets.leadingBack(
                                asking.view(), candidacy.candidates(), asking.problem().now())
                        : Map.<String, KeepReason>of();
        return switch (method) {
            case REPAIR, STATIC_DRIFT ->
                    new MethodCase.Memory(
                            held, Set.of(), StaticCounts.of(asking.view(), marks, reservations));
            case EMPTINESS, DRIFT, MULTI_NODE -> new MethodCase.Memory(held, Set.of(), Map.of());
            case WHOLE_FLEET -> new MethodCase.Memory(held, unseenNodes, Map.of());
            case SINGLE_NODE -> new MethodCase.Memory(held, unseenPools, Map.of());
        };
    }

    /// Keeps what a search did not come to, for the next one to begin with.
    private void searched(Method method, Decision decision) {
        switch (method) {
            case WHOLE_FLEET -> unseenNodes = new TreeSet<>(decision.search().unseen());
            case SINGLE_NODE -> unseenPools = new TreeSet<>(decision.search().unseen());
            case REPAIR, EMPTINESS, STATIC_DRIFT, DRIFT, MULTI_NODE -> {}
        }
    }

    /// Looks at commands of one decision again; those that hold, as they are now.
    List<Command> validated(Asking asking, List<Command> commands) {
        var looked = Deliberation.SecondLook.of(asking.problem(), commands);
        asking.effects().add(new AutoscalerEffect.Decided(looked));
        var validations = looked.validations();
        var held = new ArrayList<Command>();
        for (var index = 0; index < commands.size(); index++) {
            told(asking, commands.get(index), validations.get(index));
            if (validations.get(index) instanceof Validation.Holds(var command, _)) {
                held.add(command);
            }
        }
        return held;
    }

    private static void told(Asking asking, Command command, Validation validation) {
        var dropped =
                switch (validation) {
                    case Validation.Holds(_, var some) -> some;
                    case Validation.Broken(var cause, var all) -> {
                        asking.effects()
                                .addAll(
                                        ConsolidationTelling.rejected(
                                                asking.view(), command, cause));
                        yield all;
                    }
                };
        if (dropped > 0) {
            asking.effects()
                    .add(
                            new Effect.Count(
                                    Families.DISRUPTION_FAILED_VALIDATIONS,
                                    dropped,
                                    List.of(command.method().consolidationType())));
        }
    }

    private static void closed(Asking asking, Allowances allowed) {
        allowed.byPool()
                .forEach(
                        (name, allowance) -> {
                            var pool = asking.view().pool(name);
                            var why = allowed.closed(name);
                            if (pool != null
                                    && allowance.isClosed()
                                    && !(why instanceof KeepReason.Frozen)) {
                                asking.effects()
                                        .add(
                                                DisruptionEvents.poolClosed(
                                                        pool, allowed.reason(), why));
                            }
                        });
    }

    private static void kept(Asking asking, Map<String, KeepReason> kept) {
        var view = asking.view();
        kept.forEach(
                (name, reason) -> {
                    var node = view.node(name);
                    var claim = node == null ? view.claim(name) : view.claimOf(node);
                    if (claim != null && asking.told().add(new Told(name, reason))) {
                        asking.effects().addAll(DisruptionEvents.kept(node, claim, reason));
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
