package dev.millwright.controllers.provisioning;

import dev.millwright.controllers.metrics.Families;
import dev.millwright.controllers.nodeclaim.NewClaims;
import dev.millwright.controllers.nodepool.PoolUsage;
import dev.millwright.controllers.state.Marks;
import dev.millwright.controllers.state.PodTimes;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.cluster.Pod;
import dev.millwright.core.policy.CapacityBuffer;
import dev.millwright.core.quantity.Resources;
import dev.millwright.core.scheduling.NodeClaimDraft;
import dev.millwright.core.scheduling.Plan;
import dev.millwright.core.scheduling.PlannedClaim;
import dev.millwright.core.scheduling.SchedulingProblem;
import dev.millwright.core.scheduling.WaitReason;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.client.ApiAnswer;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Faults;
import dev.millwright.kube.document.Field;
import dev.millwright.kube.event.KubeEvent;
import dev.millwright.kube.object.Meta;
import dev.millwright.kube.object.PoolObject;
import dev.millwright.runtime.log.LogLevel;
import dev.millwright.runtime.metrics.GaugeSample;
import dev.millwright.runtime.step.Answers;
import dev.millwright.runtime.step.Effect;
import dev.millwright.runtime.step.Step;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// What a plan means for the world: claims to make, nodes to keep, and a word to every pod.
public final class PlanEffects {

    private static final int CREATED_AT_ONCE_MAX = 100;
    private static final Duration FAILED_DEDUPE = Duration.ofMinutes(5);
    private static final Duration NO_TYPES_DEDUPE = Duration.ofMinutes(1);
    private static final KubeEvent.Rate NOMINATED_RATE = new KubeEvent.Rate(5, 10);
    private static final String REASON_PROVISIONED = "provisioned";

    private final Marks marks;
    private final PodTimes times;
    private final @Nullable Duration graceDefault;
    private final Duration nomination;
    private final BufferConditions bufferConditions;
    private final CreationDoubt doubt = new CreationDoubt();

    /// Writes what a plan says of capacity buffers.
    @FunctionalInterface
    public interface BufferConditions {
        List<Effect> of(View view, List<CapacityBuffer> buffers, Plan plan, Instant now);
    }

    /// All that the effects of one pass are made from.
    public record Pass(
            View view,
            SchedulingProblem problem,
            Plan plan,
            List<CapacityBuffer> buffers,
            Instant now) {}

    public PlanEffects(
            Marks marks,
            PodTimes times,
            @Nullable Duration graceDefault,
            Duration nomination,
            BufferConditions bufferConditions) {
        this.marks = marks;
        this.times = times;
        this.graceDefault = graceDefault;
        this.nomination = nomination;
        this.bufferConditions = bufferConditions;
    }

    /// How long to wait before another plan, because claims may have been made that are not seen.
    Duration doubt(View view, Instant now) {
        return doubt.remaining(view, now);
    }

    public Step of(Pass pass) {
        var pods = new HashMap<ObjectName, Pod>();
        pass.problem().snapshot().pods().forEach(pod -> pods.put(pod.name(), pod));
        var effects = new ArrayList<Effect>();
        effects.add(new Effect.Gauges(Provisioner.NAME, gauges(pass.plan())));
        effects.addAll(summary(pass));
        effects.addAll(poolsWithoutTypes(pass));
        effects.addAll(waiting(pass, pods));
        effects.addAll(existing(pass, pods));
        effects.add(heldOpen(pass, pods));
        effects.addAll(bufferConditions.of(pass.view(), pass.buffers(), pass.plan(), pass.now()));
        if (!pass.plan().claims().isEmpty()) {
            effects.add(new Effect.Together(creations(pass, pods), CREATED_AT_ONCE_MAX));
        }
        return Step.of(effects);
    }

    private static List<GaugeSample> gauges(Plan plan) {
        var ignored = 0;
        var unschedulable = 0;
        for (var waiting : plan.waiting()) {
            switch (waiting.reason()) {
                case WaitReason.Invalid(_), WaitReason.OptedOut() -> ignored++;
                case WaitReason.ReservationPending(_) -> {}
                default -> unschedulable++;
            }
        }
        return List.of(
                new GaugeSample(Families.SCHEDULER_IGNORED_PODS, ignored, List.of()),
                new GaugeSample(
                        Families.SCHEDULER_UNSCHEDULABLE_PODS,
                        unschedulable,
                        List.of(Provisioner.NAME)));
    }

    private static List<Effect> summary(Pass pass) {
        var plan = pass.plan();
        if (plan.claims().isEmpty()) {
            return List.of();
        }
        var placed = plan.claims().stream().mapToInt(claim -> claim.pods().size()).sum();
        return List.of(
                new Effect.Say(
                        LogLevel.INFO,
                        "computed new nodeclaim(s) to fit pod(s)",
                        "nodeclaims",
                        plan.claims().size(),
                        "pods",
                        placed,
                        "waiting",
                        plan.waiting().size(),
                        "pricePerHour",
                        plan.pricePerHour(),
                        "nodeFeesPerHour",
                        plan.nodeFeesPerHour(),
                        "lowerBoundPerHour",
                        plan.lowerBoundPerHour()));
    }

    /// A pool of which nothing can be bought is a fault of the pool, told where its owner looks.
    private static List<Effect> poolsWithoutTypes(Pass pass) {
        var effects = new ArrayList<Effect>();
        for (var name : pass.plan().poolsWithoutTypes()) {
            var pool = pass.view().pool(name);
            if (pool != null) {
                var event =
                        KubeEvent.warning(
                                        KubeEvent.Subject.of(ResourceType.NODE_POOL, pool),
                                        "NoCompatibleInstanceTypes",
                                        "NodePool %s: its requirements leave no instance type with an available offering; widen spec.template.spec.requirements"
                                                .formatted(name))
                                .dedupedBy(List.of(pool.meta().uid()), NO_TYPES_DEDUPE);
                effects.add(new Effect.Publish(event));
            }
        }
        return effects;
    }

    private List<Effect> waiting(Pass pass, Map<ObjectName, Pod> pods) {
        var effects = new ArrayList<Effect>();
        for (var waiting : pass.plan().waiting()) {
            var pod = pods.get(waiting.pod());
            if (pod == null || CapacityBuffer.isVirtual(pod)) {
                continue;
            }
            if (!pod.state().isBound()) {
                decided(times.refused(pod.name(), pass.now()), pod, pass.now(), effects);
            }
            if (!(waiting.reason() instanceof WaitReason.OptedOut)
                    && !(waiting.reason() instanceof WaitReason.ReservationPending)) {
                effects.add(new Effect.Publish(failed(pod, waiting.reason().explain())));
            }
        }
        return effects;
    }

    private static KubeEvent failed(Pod pod, String why) {
        return KubeEvent.warning(subject(pod), "FailedScheduling", "no node can be made: " + why)
                .dedupedBy(List.of(pod.uid()), FAILED_DEDUPE);
    }

    private static KubeEvent.Subject subject(Pod pod) {
        return new KubeEvent.Subject("v1", "Pod", pod.name(), pod.uid());
    }

    /// Real pods keep the node they are to land on from being taken away.
    private List<Effect> existing(Pass pass, Map<ObjectName, Pod> pods) {
        var effects = new ArrayList<Effect>();
        for (var placement : pass.plan().existing()) {
            var isNominated = false;
            for (var name : placement.pods()) {
                var pod = pods.get(name);
                if (pod != null && !CapacityBuffer.isVirtual(pod)) {
                    isNominated = true;
                    placed(pod, "node/" + placement.node(), false, pass.now(), effects);
                }
            }
            if (isNominated) {
                effects.add(
                        new Effect.Remember(
                                "nomination of " + placement.node(),
                                () ->
                                        marks.nominate(
                                                placement.node(), pass.now().plus(nomination))));
            }
        }
        return effects;
    }

    /// What a pass means that had nothing to plan for.
    public Step ofNothing() {
        return Step.of(new Effect.Remember("no buffers", () -> marks.holdOpen(Map.of())));
    }

    /// Virtual pods hold a node open as long as passes put them there.
    private Effect heldOpen(Pass pass, Map<ObjectName, Pod> pods) {
        var counts = new HashMap<String, Integer>();
        for (var placement : pass.plan().existing()) {
            for (var name : placement.pods()) {
                var pod = pods.get(name);
                if (pod != null && CapacityBuffer.isVirtual(pod)) {
                    counts.merge(placement.node(), 1, Integer::sum);
                }
            }
        }
        return new Effect.Remember("nodes held open by buffers", () -> marks.holdOpen(counts));
    }

    private void placed(
            Pod pod, String where, boolean isPoolHealthy, Instant now, List<Effect> effects) {
        // A pod that runs on a node that goes was scheduled long ago: it does not wait.
        if (!pod.state().isBound()) {
            decided(times.placed(pod.name(), where, isPoolHealthy, now), pod, now, effects);
        }
        effects.add(
                new Effect.Publish(
                        KubeEvent.normal(
                                        subject(pod),
                                        "Nominated",
                                        "Pod should schedule on: " + where)
                                .dedupedBy(List.of(pod.uid(), where), KubeEvent.DEDUPE_DEFAULT)
                                .limitedTo(NOMINATED_RATE)));
    }

    private void decided(boolean isFirst, Pod pod, Instant now, List<Effect> effects) {
        var known = times.find(pod.name());
        if (isFirst && known != null && known.ackedAt() != null) {
            effects.add(
                    new Effect.Observe(
                            Families.PODS_SCHEDULING_DECISION,
                            Duration.between(known.ackedAt(), now).toNanos() / 1e9,
                            List.of()));
        }
    }

    private List<Step> creations(Pass pass, Map<ObjectName, Pod> pods) {
        var usage = new HashMap<String, Resources>();
        var steps = new ArrayList<Step>();
        var apportioning = new Apportioning(pass);
        for (var claim : pass.plan().claims()) {
            var pool = pass.view().pool(claim.nodePool());
            if (pool == null) {
                continue;
            }
            var used =
                    usage.computeIfAbsent(
                            claim.nodePool(), name -> PoolUsage.of(pass.view(), marks, name));
            var exceeded = exceeded(pool, used);
            steps.add(
                    exceeded == null
                            ? creation(pass, pool, apportioning.of(pool, claim), pods)
                            : Step.failed(
                                    "NodePool %s: %s in use is %s, more than its limit %s; raise spec.limits or remove nodes"
                                            .formatted(
                                                    pool.pool().name(),
                                                    exceeded,
                                                    used.amount(exceeded),
                                                    pool.pool().limits().amount(exceeded))));
        }
        return steps;
    }

    private static @Nullable String exceeded(PoolObject pool, Resources used) {
        for (var limit : pool.pool().limits().amounts().entrySet()) {
            if (used.amount(limit.getKey()).compareTo(limit.getValue()) > 0) {
                return limit.getKey();
            }
        }
        return null;
    }

    private Step creation(
            Pass pass, PoolObject pool, PlannedClaim claim, Map<ObjectName, Pod> pods) {
        var draft =
                NodeClaimDraft.of(
                        pool.pool(),
                        claim,
                        pass.problem().catalogs().getOrDefault(claim.nodePool(), List.of()),
                        pool.hash(),
                        pass.problem().policy().vocabulary());
        var write = NewClaims.of(draft, pool, graceDefault);
        var isHealthy = pool.conditions().isTrue(PoolObject.REGISTRATION_HEALTHY);
        return Step.of(
                new Effect.Write(
                        write,
                        answer ->
                                switch (answer) {
                                    case ApiAnswer.Done(var object) ->
                                            created(
                                                    Meta.of(Field.root("", object, new Faults())),
                                                    claim,
                                                    isHealthy,
                                                    pods,
                                                    pass.now());
                                    case ApiAnswer.Unreachable(_) ->
                                            Step.of(
                                                            new Effect.Remember(
                                                                    "claim in doubt",
                                                                    () ->
                                                                            doubt.begin(
                                                                                    pass.view(),
                                                                                    pass.now())))
                                                    .followedBy(Answers.usual(answer));
                                    case ApiAnswer.Refused(_, _, _) -> Answers.usual(answer);
                                }));
    }

    private Step created(
            Meta meta,
            PlannedClaim claim,
            boolean isHealthy,
            Map<ObjectName, Pod> pods,
            Instant now) {
        var name = meta.name().name();
        var effects = new ArrayList<Effect>();
        effects.add(
                new Effect.Count(
                        Families.NODECLAIMS_CREATED,
                        REASON_PROVISIONED,
                        claim.nodePool(),
                        Boolean.toString(claim.isMinValuesRelaxed())));
        effects.add(
                new Effect.Say(
                        LogLevel.INFO,
                        "created nodeclaim",
                        "NodePool",
                        claim.nodePool(),
                        "NodeClaim",
                        name,
                        "requests",
                        claim.requests().toString(),
                        "pods",
                        claim.pods().size(),
                        "cheapest",
                        claim.cheapest().name()));
        for (var pod : claim.pods()) {
            var known = pods.get(pod);
            if (known != null && !CapacityBuffer.isVirtual(known)) {
                placed(known, "nodeclaim/" + name, isHealthy, now, effects);
            }
        }
        return Step.of(effects);
    }
}
