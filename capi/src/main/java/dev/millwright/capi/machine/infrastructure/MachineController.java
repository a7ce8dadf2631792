package dev.millwright.capi.machine.infrastructure;

import dev.millwright.capi.machine.membership.ClusterAdoption;
import dev.millwright.capi.machine.object.Marks;
import dev.millwright.capi.machine.object.Patches;
import dev.millwright.capi.machine.object.Pausing;
import dev.millwright.capi.machine.object.Teardown;
import dev.millwright.capi.object.CaptTypes;
import dev.millwright.capi.object.ClusterApi;
import dev.millwright.capi.object.ObjectPatches;
import dev.millwright.capi.object.Pause;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.cache.Kind;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.object.Condition.Status;
import dev.millwright.kube.object.RawObject;
import dev.millwright.runtime.step.Controller;
import dev.millwright.runtime.step.Effect;
import dev.millwright.runtime.step.Pace;
import dev.millwright.runtime.step.Step;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

/// Makes a CaptMachine by an apply and follows it: for a Machine of core Cluster API, for a set of
/// ours, or by itself.
public final class MachineController implements Controller {

    private static final Kind<RawObject> KIND = CaptTypes.MACHINE;
    private static final String APPLY_SUFFIX = "-machine";
    private static final int AT_ONCE = 10;

    /// Applies that are not ours say nothing to us when they go.
    private static final Duration RECHECK = Duration.ofSeconds(10);

    private final ClusterApi api;

    public MachineController(ClusterApi api) {
        this.api = api;
    }

    @Override
    public String name() {
        return "captmachine";
    }

    @Override
    public List<Watch<?>> watches() {
        return InfrastructureWatches.of(api, KIND, api.machine());
    }

    @Override
    public Pace pace() {
        return Pace.of(AT_ONCE);
    }

    @Override
    public Step step(View view, ObjectName key, Instant now) {
        var machine = view.cache(KIND).find(key);
        if (machine == null) {
            return Step.DONE;
        }
        var employer = Employer.of(view, api.machine(), KIND, machine);
        var membership = employer.membership(view, api, machine);
        if (Pause.holds(machine, membership.cluster())) {
            return Step.of(Pausing.paused(KIND, machine, now));
        }
        if (machine.meta().isDeleting()) {
            return Step.of(deleting(machine, now))
                    .followedBy(
                            Teardown.of(
                                    view, KIND, machine, Marks.MACHINE_FINALIZER, CaptTypes.APPLY));
        }
        if (employer instanceof Employer.NotYet) {
            return Step.DONE;
        }
        if (!machine.meta().hasFinalizer(Marks.MACHINE_FINALIZER)) {
            return Step.of(Patches.withFinalizer(KIND, machine, Marks.MACHINE_FINALIZER));
        }
        if (employer instanceof Employer.Nobody) {
            var adoption = ClusterAdoption.of(view, KIND, machine, membership);
            if (!adoption.isEmpty()) {
                return Step.of(adoption);
            }
        }
        var isBegun = ApplyUpkeep.isBegun(view, machine, APPLY_SUFFIX);
        var held = Standing.held(view, employer, membership, isBegun);
        return held == null
                ? make(view, machine, employer, Place.of(view, membership), now)
                : Step.of(status(machine, held, Outputs.NONE, now));
    }

    private static Step make(
            View view, RawObject machine, Employer employer, Place place, Instant now) {
        var upkeep =
                ApplyUpkeep.of(
                        view,
                        KIND,
                        machine,
                        APPLY_SUFFIX,
                        Variables.machine(machine, employer, place));
        var apply = upkeep.apply();
        var outputs = apply == null ? Outputs.NONE : Outputs.instance(Outputs.of(view, apply));
        var effects = new ArrayList<>(upkeep.effects());
        var known = machine.spec().at("providerID").text("");
        if (known.isEmpty() && !outputs.providerId().isEmpty()) {
            // Before the machine is called ready: core reads it then. The change wakes the next
            // step, which writes the status.
            effects.add(
                    Patches.merged(
                            KIND,
                            machine,
                            Tree.of(),
                            Tree.of("spec", Tree.of("providerID", outputs.providerId()))));
            return Step.of(effects);
        }
        effects.addAll(status(machine, standing(upkeep, employer, known, outputs), outputs, now));
        return Step.of(effects).thenAgain(upkeep.problem().isEmpty() ? null : RECHECK);
    }

    /// A machine is one instance for its whole life: what Terraform put in its place is another.
    private static Standing standing(
            ApplyUpkeep upkeep, Employer employer, String known, Outputs outputs) {
        var standing = Standing.of(upkeep);
        if (!standing.isReady()) {
            return standing;
        }
        if (!known.isEmpty()
                && !outputs.providerId().isEmpty()
                && !known.equals(outputs.providerId())) {
            return Standing.waiting(
                    "InstanceReplaced",
                    "the instance was %s and is now %s; delete the machine to get a new one"
                            .formatted(known, outputs.providerId()));
        }
        return known.isEmpty() && employer instanceof Employer.Core
                ? Standing.waiting(
                        "WaitingForProviderID",
                        "the workspace has no output provider_id, nor instance_id and"
                                + " availability_zone")
                : standing;
    }

    private static List<Effect> status(
            RawObject machine, Standing standing, Outputs outputs, Instant now) {
        var status = machine.status();
        var wasReady = status.at("ready").isTrue();
        var conditions =
                Pausing.running(machine)
                        .with(
                                "Ready",
                                standing.isReady() ? Status.TRUE : Status.FALSE,
                                standing.reason(),
                                standing.message(),
                                machine.meta().generation(),
                                now);
        var tree =
                Tree.of()
                        .put("ready", standing.isReady())
                        .put("conditions", conditions.value())
                        .put("observedGeneration", machine.meta().generation());
        // Once provisioned, always: it tells of the beginning, ready of the whole life.
        var isProvisioned =
                standing.isReady() || status.at("initialization").at("provisioned").isTrue();
        tree.put("initialization", Tree.of().put("provisioned", isProvisioned));
        if (wasReady != standing.isReady() || !status.at("lastTransitionTime").isPresent()) {
            tree.put("lastTransitionTime", now.truncatedTo(ChronoUnit.SECONDS).toString());
        }
        // What is known stays known while Terraform does not say otherwise.
        tree.putUnlessEmpty("instanceId", outputs.instanceId())
                .putUnlessEmpty("privateIp", outputs.privateIp())
                .putUnlessEmpty("failureDomain", outputs.zone());
        if (!outputs.addresses().isEmpty()) {
            tree.putList("addresses", outputs.addresses());
        }
        return ObjectPatches.statusIfChanged(KIND, machine, tree);
    }

    private static List<Effect> deleting(RawObject machine, Instant now) {
        var standing = Standing.waiting("Deleting", "waits for its apply to be gone");
        return status(machine, standing, Outputs.NONE, now);
    }
}
