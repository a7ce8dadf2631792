package dev.millwright.core.forecast;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.cluster.Pod;
import dev.millwright.core.cluster.PodState;
import dev.millwright.core.deliberation.Deliberation;
import dev.millwright.core.disruption.Command.Replacement;
import dev.millwright.core.disruption.DisruptionMethod;
import dev.millwright.core.scheduling.Binding;
import dev.millwright.core.scheduling.Plan;
import dev.millwright.core.scheduling.Plan.WaitingPod;
import dev.millwright.core.scheduling.PlannedClaim;
import dev.millwright.core.scheduling.Planner;
import dev.millwright.core.scheduling.StaticCapacity;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/// How things go on: pods that wait get a place, nodes are bought for those that do not, and come
/// up. Who takes nodes away listens to what changes.
final class Course {

    /// How often the operator looks again at what waits or goes.
    private static final Duration RECHECK = Duration.ofSeconds(10);

    private static final Duration STARTING_MAX = Duration.ofMinutes(2);

    /// Longer than any forecast: what waits for a node that cannot be emptied waits for good.
    private static final Duration FOR_GOOD = Duration.ofDays(30);

    private final ForecastProblem problem;
    private final Consumer<Deliberation> heard;
    private final Scene scene;
    private final Agenda agenda;
    private final List<Action> actions = new ArrayList<>();
    private List<WaitingPod> refused = List.of();
    private List<String> nominated = List.of();
    private long plannedAt = -1;
    private @Nullable Instant planBookedFor;
    private Runnable onChange = () -> {};

    Course(ForecastProblem problem, Consumer<Deliberation> heard) {
        this.problem = problem;
        this.heard = heard;
        this.scene = new Scene(problem);
        this.agenda = new Agenda(problem.now());
    }

    /// To be called whenever the cluster has changed.
    void onChange(Runnable listener) {
        onChange = listener;
    }

    /// Of every decision that is made.
    void decided(Deliberation deliberation) {
        heard.accept(deliberation);
    }

    Scene scene() {
        return scene;
    }

    Agenda agenda() {
        return agenda;
    }

    List<Action> actions() {
        return actions;
    }

    Pace pace() {
        return problem.pace();
    }

    /// Why the last plan left pods waiting.
    List<WaitingPod> refused() {
        return refused;
    }

    Duration elapsed() {
        return Duration.between(problem.now(), agenda.now());
    }

    /// What is under way already goes on.
    void begin() {
        var now = agenda.now();
        for (var unit : List.copyOf(scene.units())) {
            if (unit.stage() == Unit.Stage.COMING) {
                agenda.at(now.plus(pace().launch()), () -> up(unit, null));
            }
            for (var pod : unit.pods()) {
                if (isStarting(pod.state())) {
                    agenda.at(now.plus(pace().podStart()), () -> ready(pod));
                }
            }
        }
        problem.asked().forEach(this::goOn);
        agenda.at(
                now,
                () -> {
                    fillStaticPools();
                    bind();
                });
    }

    /// A pod that has run for long and is not ready will not be.
    private boolean isStarting(PodState state) {
        return switch (state.phase()) {
            case PENDING -> true;
            case RUNNING ->
                    state.isKnownNotReady()
                            && (state.startedAt() == null
                                    || problem.now()
                                            .isBefore(state.startedAt().plus(STARTING_MAX)));
            case NONE, SUCCEEDED, FAILED, UNKNOWN -> false;
        };
    }

    void changed() {
        scene.changed();
        bookPlan();
        onChange.run();
    }

    /// kube-scheduler's turn.
    void bind() {
        if (!scene.waiting().isEmpty()) {
            var now = agenda.now();
            var bound = Binding.of(scene.scheduling(now));
            bound.forEach(
                    (name, node) -> {
                        var pod = scene.waiting().get(name);
                        var unit = scene.unit(node);
                        if (pod != null && unit != null) {
                            scene.bind(pod, unit, now);
                            agenda.at(now.plus(pace().podStart()), () -> ready(pod));
                        }
                    });
        }
        changed();
    }

    private void ready(Pod pod) {
        var before = scene.revision();
        scene.ready(pod);
        if (scene.revision() != before) {
            onChange.run();
        }
    }

    private boolean isPlanDue() {
        return !scene.waiting().isEmpty()
                || scene.units().stream()
                        .anyMatch(unit -> unit.isGoing() && !unit.pods().isEmpty());
    }

    private void bookPlan() {
        if (planBookedFor == null && isPlanDue() && plannedAt != scene.revision()) {
            book(pace().batch());
        }
    }

    private void book(Duration after) {
        var at = agenda.now().plus(after);
        planBookedFor = at;
        agenda.at(at, this::plan);
    }

    /// The operator's turn. Between two changes a plan stays as it is, and the nodes it gave pods
    /// to are kept for them.
    private void plan() {
        planBookedFor = null;
        if (!isPlanDue()) {
            refused = List.of();
            return;
        }
        var now = agenda.now();
        if (plannedAt != scene.revision()) {
            var seen = scene.provisioning(now);
            var plan = Planner.plan(seen);
            decided(new Deliberation.Provisioning(seen, plan));
            refused = plan.waiting();
            nominated =
                    plan.existing().stream()
                            .filter(each -> !each.pods().isEmpty())
                            .map(Plan.ExistingPlacement::node)
                            .toList();
            plan.claims().forEach(claim -> launch(claim, null));
            plannedAt = scene.revision();
        }
        var isMoving = scene.units().stream().anyMatch(Course::isMoving);
        var until = now.plus(isMoving ? pace().nomination() : FOR_GOOD);
        for (var node : nominated) {
            var unit = scene.unit(node);
            if (unit != null) {
                unit.nominate(until);
            }
        }
        if (isMoving) {
            book(RECHECK);
        }
    }

    /// Something will come of it without anybody's doing. A node that is still being emptied waits
    /// for a budget.
    private static boolean isMoving(Unit unit) {
        return unit.isManaged()
                && switch (unit.stage()) {
                    case COMING, QUEUED, LEAVING -> true;
                    case READY, DRAINING -> false;
                };
    }

    private @Nullable String launch(PlannedClaim claim, @Nullable DisruptionMethod method) {
        var pool = scene.pool(claim.nodePool());
        var newcomer =
                pool == null
                        ? null
                        : Newcomer.of(
                                pool,
                                claim,
                                scene.catalog(pool.name()),
                                problem.provisioning().policy().vocabulary());
        return newcomer == null ? null : launch(newcomer, claim.pods(), method);
    }

    /// The cloud will answer.
    private void goOn(ForecastProblem.Asked asked) {
        var pool = scene.pool(asked.nodePool());
        var newcomer =
                pool == null
                        ? null
                        : Newcomer.of(
                                pool,
                                asked.requirements(),
                                scene.catalog(pool.name()),
                                problem.provisioning().policy().vocabulary());
        if (newcomer != null) {
            launch(asked.name(), newcomer, List.of(), null);
        }
    }

    private String launch(
            Newcomer newcomer, List<ObjectName> pods, @Nullable DisruptionMethod method) {
        return launch(scene.newName(newcomer.pool().name()), newcomer, pods, method);
    }

    private String launch(
            String name,
            Newcomer newcomer,
            List<ObjectName> pods,
            @Nullable DisruptionMethod method) {
        var unit = newcomer.coming(name, agenda.now());
        scene.add(unit);
        actions.add(new Action.Launch(elapsed(), unit.purchase(), pods, method));
        agenda.at(agenda.now().plus(pace().launch()), () -> up(unit, newcomer));
        return name;
    }

    /// A node in place of others; its name, or null when it cannot be had.
    @Nullable String replace(Replacement replacement, DisruptionMethod method) {
        return switch (replacement) {
            case Replacement.Planned(var claim) -> launch(claim, method);
            case Replacement.Template(var pool) -> launchStatic(pool, method);
        };
    }

    private @Nullable String launchStatic(String name, @Nullable DisruptionMethod method) {
        var pool = scene.pool(name);
        var newcomer =
                pool == null
                        ? null
                        : Newcomer.ofTemplate(
                                pool,
                                scene.catalog(name),
                                problem.provisioning().policy().vocabulary());
        return newcomer == null ? null : launch(newcomer, List.of(), method);
    }

    /// Pools of a fixed number of nodes get those that are missing.
    void fillStaticPools() {
        for (var pool : problem.provisioning().nodePools()) {
            if (StaticCapacity.growth(pool, scene.counts(pool.name()))
                    instanceof StaticCapacity.Growth.Create(var claims)) {
                for (var index = 0; index < claims; index++) {
                    launchStatic(pool.name(), null);
                }
            }
        }
    }

    private void up(Unit unit, @Nullable Newcomer newcomer) {
        if (scene.unit(unit.name()) != unit || unit.stage() != Unit.Stage.COMING) {
            return;
        }
        var node = newcomer == null ? Arrival.of(unit.node()) : newcomer.node(unit.name());
        unit.up(node, agenda.now());
        bind();
    }
}
