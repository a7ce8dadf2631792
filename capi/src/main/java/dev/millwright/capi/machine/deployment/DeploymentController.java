package dev.millwright.capi.machine.deployment;

import dev.millwright.capi.machine.deployment.Revisions.Revision;
import dev.millwright.capi.machine.membership.ClusterAdoption;
import dev.millwright.capi.machine.membership.ClusterMembership;
import dev.millwright.capi.machine.membership.MembershipWatches;
import dev.millwright.capi.machine.membership.WaitReason;
import dev.millwright.capi.machine.object.Marks;
import dev.millwright.capi.machine.object.Ownership;
import dev.millwright.capi.machine.object.Patches;
import dev.millwright.capi.machine.object.Pausing;
import dev.millwright.capi.machine.object.Teardown;
import dev.millwright.capi.machine.object.Template;
import dev.millwright.capi.machine.roll.RollPlan;
import dev.millwright.capi.object.CaptTypes;
import dev.millwright.capi.object.ClusterApi;
import dev.millwright.capi.object.ObjectPatches;
import dev.millwright.capi.object.Owners;
import dev.millwright.capi.object.Pause;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.cache.Change;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.object.RawObject;
import dev.millwright.runtime.log.LogLevel;
import dev.millwright.runtime.step.Controller;
import dev.millwright.runtime.step.Effect;
import dev.millwright.runtime.step.Pace;
import dev.millwright.runtime.step.Step;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// Rolls CaptMachineDeployments out through sets, one for each revision of the template.
///
/// One decision a step. It looks at machines themselves, and at no set that has not yet acted on
/// its last number: so what it allows holds at every moment, whoever is quicker.
public final class DeploymentController implements Controller {

    private static final int AT_ONCE = 10;

    /// Until a name may be free that a set on its way out still has.
    private static final Duration NAME_RECHECK = Duration.ofSeconds(2);

    private final ClusterApi api;

    public DeploymentController(ClusterApi api) {
        this.api = api;
    }

    @Override
    public String name() {
        return "captmachinedeployment";
    }

    @Override
    public List<Watch<?>> watches() {
        var watches =
                new ArrayList<Watch<?>>(MembershipWatches.of(api, CaptTypes.MACHINE_DEPLOYMENT));
        watches.add(Watch.own(CaptTypes.MACHINE_DEPLOYMENT));
        watches.add(new Watch<>(CaptTypes.MACHINE_SET, DeploymentController::deploymentsOf));
        watches.add(new Watch<>(CaptTypes.MACHINE, DeploymentController::deploymentOf));
        return watches;
    }

    private static List<ObjectName> deploymentsOf(View view, Change<RawObject> change) {
        var keys = new ArrayList<ObjectName>();
        for (var set : new RawObject[] {change.before(), change.after()}) {
            if (set != null) {
                keys.addAll(Ownership.ownerKey(CaptTypes.MACHINE_DEPLOYMENT, set));
            }
        }
        var after = change.after();
        if (after != null && Ownership.controller(after.meta()) == null) {
            view.cache(CaptTypes.MACHINE_DEPLOYMENT).all().stream()
                    .filter(each -> each.name().namespace().equals(after.name().namespace()))
                    .filter(
                            each ->
                                    Template.of(each.spec())
                                            .selector()
                                            .matches(after.meta().labels()))
                    .forEach(each -> keys.add(each.name()));
        }
        return keys.stream().distinct().toList();
    }

    private static List<ObjectName> deploymentOf(View view, Change<RawObject> change) {
        var keys = new ArrayList<ObjectName>();
        for (var key : Ownership.ownerKey(CaptTypes.MACHINE_SET, change.latest())) {
            var set = view.cache(CaptTypes.MACHINE_SET).find(key);
            if (set != null) {
                keys.addAll(Ownership.ownerKey(CaptTypes.MACHINE_DEPLOYMENT, set));
            }
        }
        return keys;
    }

    @Override
    public Pace pace() {
        return Pace.of(AT_ONCE);
    }

    @Override
    public Step step(View view, ObjectName key, Instant now) {
        var kind = CaptTypes.MACHINE_DEPLOYMENT;
        var deployment = view.cache(kind).find(key);
        if (deployment == null) {
            return Step.DONE;
        }
        var membership = ClusterMembership.of(view, api, deployment);
        if (Pause.holds(deployment, membership.cluster())) {
            return Step.of(Pausing.paused(kind, deployment, now));
        }
        if (deployment.meta().isDeleting()) {
            return Teardown.of(
                    view, kind, deployment, Marks.DEPLOYMENT_FINALIZER, CaptTypes.MACHINE_SET);
        }
        if (!deployment.meta().hasFinalizer(Marks.DEPLOYMENT_FINALIZER)) {
            return Step.of(Patches.withFinalizer(kind, deployment, Marks.DEPLOYMENT_FINALIZER));
        }
        var adoption = ClusterAdoption.of(view, kind, deployment, membership);
        if (!adoption.isEmpty()) {
            return Step.of(adoption);
        }
        var spec = DeploymentSpec.of(deployment);
        return spec.fault().isEmpty()
                ? keep(view, deployment, membership, spec, now)
                : Step.of(DeploymentStatus.refused(deployment, spec.fault(), now));
    }

    private static Step keep(
            View view,
            RawObject deployment,
            ClusterMembership membership,
            DeploymentSpec spec,
            Instant now) {
        var claimed =
                Ownership.claim(
                        CaptTypes.MACHINE_SET,
                        Ownership.beside(view.cache(CaptTypes.MACHINE_SET).all(), deployment),
                        Owners.controller(CaptTypes.MACHINE_DEPLOYMENT, deployment),
                        spec.template().selector(),
                        Ownership.Release.NEVER);
        if (!claimed.effects().isEmpty()) {
            return Step.of(claimed.effects()); // Their change wakes the next step.
        }
        // No set before there can be machines: the progress deadline begins with the first.
        var wait = claimed.mine().isEmpty() ? WaitReason.of(view, membership) : null;
        if (wait != null) {
            return Step.of(DeploymentStatus.waiting(deployment, wait, now));
        }
        var revisions = Revisions.of(view, claimed.mine(), spec.template());
        if (spec.rollBackTo() != null && !spec.isPaused()) {
            return RollBack.of(deployment, revisions, spec.rollBackTo());
        }
        var upkeep = SetWrites.upkeep(revisions, spec);
        if (!upkeep.isEmpty()) {
            return Step.of(upkeep);
        }
        return roll(view, deployment, spec, revisions, now);
    }

    private static Step roll(
            View view,
            RawObject deployment,
            DeploymentSpec spec,
            Revisions revisions,
            Instant now) {
        var plan =
                RollPlan.of(
                        spec.strategy(),
                        spec.isPaused(),
                        spec.bounds(),
                        revisions.counts(spec.minReady(), now));
        return switch (plan) {
            case RollPlan.Make(var replicas) ->
                    make(view, deployment, spec, revisions, replicas, now);
            case RollPlan.Resize(var sizes) ->
                    resize(deployment, spec, revisions, sizes)
                            .followedBy(
                                    DeploymentStatus.of(deployment, spec, revisions, false, now));
            case RollPlan.Settled() ->
                    Step.of(forgotten(spec, revisions, now))
                            .followedBy(
                                    DeploymentStatus.of(deployment, spec, revisions, false, now));
            case RollPlan.Wait(_) -> DeploymentStatus.of(deployment, spec, revisions, false, now);
        };
    }

    private static Step make(
            View view,
            RawObject deployment,
            DeploymentSpec spec,
            Revisions revisions,
            int replicas,
            Instant now) {
        var collisions = deployment.status().at("collisionCount").whole(0, Integer.MAX_VALUE, 0);
        var hash = SetWrites.hash(spec, collisions);
        var name = new ObjectName(deployment.name().namespace(), SetWrites.name(deployment, hash));
        var taken = view.cache(CaptTypes.MACHINE_SET).find(name);
        if (taken != null && taken.meta().isDeleting()) {
            return Step.again(NAME_RECHECK);
        }
        if (taken != null) {
            return Step.of(DeploymentStatus.collided(deployment, collisions + 1L));
        }
        return Step.of(
                        new Effect.Say(
                                LogLevel.INFO,
                                "making a machine set",
                                "CaptMachineDeployment",
                                deployment.name().toString(),
                                "set",
                                name.name(),
                                "replicas",
                                replicas),
                        SetWrites.creation(
                                deployment, spec, hash, revisions.newestNumber(), replicas))
                .followedBy(DeploymentStatus.of(deployment, spec, revisions, true, now));
    }

    private static Step resize(
            RawObject deployment,
            DeploymentSpec spec,
            Revisions revisions,
            List<RollPlan.Size> sizes) {
        var effects = new ArrayList<Effect>();
        for (var size : sizes) {
            var revision = revisions.named(size.set());
            if (revision == null) {
                continue;
            }
            if (revision.wanted() != size.replicas()) {
                effects.add(
                        new Effect.Say(
                                LogLevel.INFO,
                                "resizing a machine set",
                                "CaptMachineDeployment",
                                deployment.name().toString(),
                                "set",
                                size.set(),
                                "from",
                                revision.wanted(),
                                "to",
                                size.replicas()));
            }
            effects.addAll(SetWrites.size(revision, size.replicas(), spec.bounds()));
        }
        return Step.of(effects);
    }

    /// Old sets without machines, beyond those that are kept to roll back to.
    private static List<Effect> forgotten(DeploymentSpec spec, Revisions revisions, Instant now) {
        if (!Counts.of(revisions, spec, now).isComplete(spec.bounds().replicas())) {
            return List.of();
        }
        var idle =
                revisions.old().stream()
                        .filter(each -> each.wanted() == 0 && each.machines().isEmpty())
                        .filter(each -> !each.set().meta().isDeleting())
                        .sorted(Comparator.comparingLong(Revision::number))
                        .toList();
        return idle.stream()
                .limit(Math.max(0, idle.size() - spec.historyMax()))
                .<Effect>map(each -> ObjectPatches.delete(CaptTypes.MACHINE_SET, each.set()))
                .toList();
    }
}
