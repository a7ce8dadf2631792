package dev.millwright.controllers.shadow;

import dev.millwright.controllers.disruption.ClusterFingerprint;
import dev.millwright.controllers.disruption.Survey;
import dev.millwright.controllers.effect.AutoscalerEffect;
import dev.millwright.controllers.metrics.SnakeCase;
import dev.millwright.controllers.pricing.PoolCosts;
import dev.millwright.controllers.provisioning.Catalogs;
import dev.millwright.controllers.provisioning.Market;
import dev.millwright.controllers.state.ClusterState;
import dev.millwright.controllers.state.Marks;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.deliberation.Deliberation;
import dev.millwright.core.deliberation.DisruptionMemory;
import dev.millwright.core.deliberation.DisruptionPass;
import dev.millwright.core.deliberation.DisruptionPass.Question;
import dev.millwright.core.deliberation.DisruptionPass.Sight;
import dev.millwright.core.disruption.DisruptionMethod;
import dev.millwright.core.disruption.DisruptionOptions;
import dev.millwright.core.disruption.DisruptionProblem;
import dev.millwright.core.policy.SchedulingPolicy;
import dev.millwright.core.scheduling.PlannedClaim;
import dev.millwright.core.scheduling.Planner;
import dev.millwright.kube.cache.Kind;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.object.ClaimObject;
import dev.millwright.kube.object.PodObject;
import dev.millwright.runtime.step.Controller;
import dev.millwright.runtime.step.Effect;
import dev.millwright.runtime.step.Pace;
import dev.millwright.runtime.step.Step;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;

/// Watches a cluster that another controller looks after, asks core at each of its decisions what
/// we would have decided from the same state, and tells both.
///
/// It makes no effect but lines and figures. What it remembers is lost with the process: what was
/// not compared by then is not compared.
public final class ShadowController implements Controller {

    public static final String NAME = "shadow";

    /// Without a change of a claim: so that what has stood for long is noticed.
    private static final Duration PERIOD = Duration.ofSeconds(5);

    /// Repair and static pools are left out: the one is about machines and not about money, the
    /// other is a number that somebody wrote.
    private static final List<DisruptionMethod> METHODS =
            Arrays.stream(DisruptionMethod.values())
                    .filter(method -> !method.countsStaticNodes())
                    .toList();

    private final Survey survey;
    private final Catalogs catalogs;
    private final SchedulingPolicy policy;
    private final DisruptionOptions options;
    private final ShadowLedger ledger;
    private final Marks marks = new Marks();
    private final ClusterState state = new ClusterState(marks);
    private final Launches launches = new Launches();
    private final Wishes wishes = new Wishes();

    /// Claims that are on their way out, by uid.
    private final Set<String> going = new HashSet<>();

    /// Pods that were told of as left waiting, by uid.
    private final Set<String> toldPods = new HashSet<>();

    private @Nullable Instant lastPassAt;
    private DisruptionMemory memory = DisruptionMemory.NONE;

    public ShadowController(
            Survey survey,
            Catalogs catalogs,
            SchedulingPolicy policy,
            DisruptionOptions options,
            ShadowLedger ledger) {
        this.survey = survey;
        this.catalogs = catalogs;
        this.policy = policy;
        this.options = options;
        this.ledger = ledger;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public List<Watch<?>> watches() {
        return List.of(new Watch<>(Kind.NODE_CLAIM, (_, _) -> List.of(SINGLETON)));
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
        var claims =
                view.claims().stream()
                        .filter(claim -> view.isManaged(claim.spec().nodeClassRef()))
                        .toList();
        var effects = new ArrayList<Effect>();
        var compared = new ArrayList<Comparison>();
        launches.see(claims, now, fresh -> answer(view, now, fresh, effects));
        compared.addAll(launches.answered(view, now, claim -> machine(view, claim)));
        compared.addAll(removals(view, claims));
        wishes.look(view);
        var last = lastPassAt;
        if (last == null || !now.isBefore(last.plus(DisruptionPass.PERIOD))) {
            lastPassAt = now;
            compared.addAll(pass(view, now, effects));
        }
        compared.forEach(each -> effects.addAll(ledger.tell(each)));
        effects.addAll(ledger.due(now));
        return Step.of(effects).thenAgain(PERIOD);
    }

    private @Nullable ShadowMachine machine(View view, ClaimObject claim) {
        return ShadowMachine.of(claim, PoolCosts.perHour(view, catalogs, claim));
    }

    /// What we would launch if these claims had not been made: for pods that wait, and for nodes
    /// that they and we want gone.
    private Launches.Answer answer(
            View view, Instant now, Set<String> fresh, List<Effect> effects) {
        var provisioning = plan(view, now, fresh);
        effects.add(new AutoscalerEffect.Decided(provisioning));
        var claims = new ArrayList<PlannedClaim>(provisioning.plan().claims());
        var asked = new LinkedHashSet<Wishes.Wish>();
        for (var claim : view.claims()) {
            var wish = wishes.about(claim.name().name());
            var isMarked =
                    !claim.isDeleting() && claim.conditions().isTrue(ClaimObject.DISRUPTION_REASON);
            if (isMarked && wish != null && asked.add(wish)) {
                claims.addAll(wish.replacements());
            }
        }
        return new Launches.Answer(claims, provisioning.plan().waiting().size());
    }

    private Deliberation.Provisioning plan(View view, Instant now, Set<String> without) {
        var snapshot = state.snapshot(view, now);
        var nodes =
                snapshot.nodes().stream()
                        .filter(
                                node ->
                                        node.claim() == null
                                                || !without.contains(node.claim().name()))
                        .toList();
        var problem = Market.open(view, catalogs).problem(snapshot.withNodes(nodes), policy);
        return new Deliberation.Provisioning(problem, Planner.plan(problem));
    }

    /// Claims that began to go since the last look, and say that somebody decided so. Of those that
    /// expired, failed or were deleted by hand there is nothing to compare.
    private List<Comparison> removals(View view, Collection<ClaimObject> claims) {
        var isFirst = lastPassAt == null;
        var found = new ArrayList<Comparison>();
        var present = new HashSet<String>();
        for (var claim : claims) {
            present.add(claim.meta().uid());
            if (claim.isDeleting() && going.add(claim.meta().uid()) && !isFirst) {
                var reason = claim.conditions().find(ClaimObject.DISRUPTION_REASON);
                if (reason != null && reason.isTrue()) {
                    found.add(removed(view, claim, reason.reason()));
                }
            }
        }
        going.retainAll(present);
        return found;
    }

    private Comparison removed(View view, ClaimObject claim, String reason) {
        var price = PoolCosts.perHour(view, catalogs, claim);
        var node = claim.status().nodeName();
        var evictions =
                view.podsOn(node).stream()
                        .filter(pod -> pod.pod().state().isReschedulable())
                        .count();
        var wish = wishes.about(claim.name().name());
        return new Comparison.Removed(
                node.isEmpty() ? claim.name().name() : node,
                SnakeCase.of(reason),
                new Bill(0, price == null ? 0 : price, (int) evictions),
                wish != null,
                wish != null && wish.isCounted());
    }

    private List<Comparison> pass(View view, Instant now, List<Effect> effects) {
        var compared = new ArrayList<Comparison>();
        var isNews = !memory.quiet().isSince(view.revision(), now);
        if (ClusterState.isSynced(view) && (isNews || wishes.isOverdue(now))) {
            var problem = survey.of(view, now);
            compared.addAll(wishes.overdue(view, problem));
            decide(view, problem, effects);
        }
        var left = leftWaiting(view, now, effects);
        if (left != null) {
            compared.add(left);
        }
        return compared;
    }

    /// As the operator does, but that the choice counts as the deed: whether it would have held a
    /// while later is asked when it has stood for long.
    private void decide(View view, DisruptionProblem problem, List<Effect> effects) {
        var outcome = DisruptionPass.next(memory, question(view, problem));
        var pending = outcome.memory().pending();
        memory = outcome.memory().withoutPending();
        for (var decision : outcome.decisions()) {
            if (decision instanceof Deliberation.Disruption(_, var made)
                    && !made.commands().isEmpty()) {
                effects.add(new AutoscalerEffect.Decided(decision));
            }
        }
        (pending == null ? outcome.commands() : pending.commands())
                .forEach(command -> wishes.add(command, problem.now()));
    }

    private Question question(View view, DisruptionProblem problem) {
        return new Question(
                problem,
                options,
                METHODS,
                wishes.held(),
                new TreeMap<>(),
                new Sight(
                        view.revision(),
                        ClusterFingerprint.of(view, marks, problem.now()),
                        null,
                        0,
                        true));
    }

    /// Pods that have waited for long and that we would launch for. Each is told of once.
    private Comparison.@Nullable LeftWaiting leftWaiting(
            View view, Instant now, List<Effect> effects) {
        var present = new HashSet<String>();
        var names = new HashSet<ObjectName>();
        for (var pod : view.pods()) {
            if (pod.pod().state().isProvisionable()) {
                present.add(pod.meta().uid());
                if (isOverdue(pod, now) && toldPods.add(pod.meta().uid())) {
                    names.add(pod.name());
                }
            }
        }
        toldPods.retainAll(present);
        if (names.isEmpty()) {
            return null;
        }
        var provisioning = plan(view, now, Set.of());
        effects.add(new AutoscalerEffect.Decided(provisioning));
        var pods = new ArrayList<String>();
        var machines = new ArrayList<ShadowMachine>();
        for (var claim : provisioning.plan().claims()) {
            var served = claim.pods().stream().filter(names::contains).toList();
            if (!served.isEmpty()) {
                served.forEach(pod -> pods.add(pod.toString()));
                machines.add(ShadowMachine.of(claim));
            }
        }
        return pods.isEmpty() ? null : new Comparison.LeftWaiting(pods, machines);
    }

    private static boolean isOverdue(PodObject pod, Instant now) {
        return !now.isBefore(pod.meta().createdAt().plus(Wishes.PATIENCE));
    }
}
