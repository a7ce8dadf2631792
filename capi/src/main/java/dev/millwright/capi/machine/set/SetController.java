package dev.millwright.capi.machine.set;

import dev.millwright.capi.machine.membership.ClusterAdoption;
import dev.millwright.capi.machine.membership.ClusterMembership;
import dev.millwright.capi.machine.membership.MembershipWatches;
import dev.millwright.capi.machine.object.MachineFacts;
import dev.millwright.capi.machine.object.Marks;
import dev.millwright.capi.machine.object.Ownership;
import dev.millwright.capi.machine.object.Patches;
import dev.millwright.capi.machine.object.Pausing;
import dev.millwright.capi.machine.object.Teardown;
import dev.millwright.capi.machine.object.Template;
import dev.millwright.capi.object.CaptTypes;
import dev.millwright.capi.object.ClusterApi;
import dev.millwright.capi.object.ObjectPatches;
import dev.millwright.capi.object.Owners;
import dev.millwright.capi.object.Pause;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.cache.Change;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.client.ApiAnswer;
import dev.millwright.kube.client.ApiWrite;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.event.KubeEvent;
import dev.millwright.kube.object.RawObject;
import dev.millwright.runtime.log.LogLevel;
import dev.millwright.runtime.step.Controller;
import dev.millwright.runtime.step.Effect;
import dev.millwright.runtime.step.Pace;
import dev.millwright.runtime.step.Step;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/// Keeps CaptMachineSets at their number of machines.
///
/// Its `observedGeneration` is a promise: once it is written, no creation or deletion by an older
/// number is on its way any more. A deployment builds on it.
public final class SetController implements Controller {

    private static final int AT_ONCE = 10;
    private static final int WRITES_AT_ONCE_MAX = 10;

    private final ClusterApi api;

    public SetController(ClusterApi api) {
        this.api = api;
    }

    @Override
    public String name() {
        return "captmachineset";
    }

    @Override
    public List<Watch<?>> watches() {
        var watches = new ArrayList<Watch<?>>(MembershipWatches.of(api, CaptTypes.MACHINE_SET));
        watches.add(Watch.own(CaptTypes.MACHINE_SET));
        watches.add(new Watch<>(CaptTypes.MACHINE, SetController::setsOf));
        return watches;
    }

    /// A machine's set before and after the change; of one that nobody controls, all sets that
    /// might take it.
    private static List<ObjectName> setsOf(View view, Change<RawObject> change) {
        var keys = new ArrayList<ObjectName>();
        for (var machine : new RawObject[] {change.before(), change.after()}) {
            if (machine != null) {
                keys.addAll(Ownership.ownerKey(CaptTypes.MACHINE_SET, machine));
            }
        }
        var after = change.after();
        if (after != null && Ownership.controller(after.meta()) == null) {
            view.cache(CaptTypes.MACHINE_SET).all().stream()
                    .filter(set -> set.name().namespace().equals(after.name().namespace()))
                    .filter(
                            set ->
                                    Template.of(set.spec())
                                            .selector()
                                            .matches(after.meta().labels()))
                    .forEach(set -> keys.add(set.name()));
        }
        return keys.stream().distinct().toList();
    }

    @Override
    public Pace pace() {
        return Pace.of(AT_ONCE);
    }

    @Override
    public Step step(View view, ObjectName key, Instant now) {
        var set = view.cache(CaptTypes.MACHINE_SET).find(key);
        if (set == null) {
            return Step.DONE;
        }
        var membership = ClusterMembership.of(view, api, set);
        if (Pause.holds(set, membership.cluster())) {
            return Step.of(Pausing.paused(CaptTypes.MACHINE_SET, set, now));
        }
        if (set.meta().isDeleting()) {
            return Teardown.of(
                    view, CaptTypes.MACHINE_SET, set, Marks.SET_FINALIZER, CaptTypes.MACHINE);
        }
        if (!set.meta().hasFinalizer(Marks.SET_FINALIZER)) {
            return Step.of(Patches.withFinalizer(CaptTypes.MACHINE_SET, set, Marks.SET_FINALIZER));
        }
        var adoption = ClusterAdoption.of(view, CaptTypes.MACHINE_SET, set, membership);
        if (!adoption.isEmpty()) {
            return Step.of(adoption);
        }
        var reading = SetSpec.of(set);
        return reading.fault().isEmpty()
                ? keep(view, set, reading, now)
                : Step.of(SetStatus.refused(set, reading.fault(), now));
    }

    private static Step keep(View view, RawObject set, SetSpec spec, Instant now) {
        var beside = Ownership.beside(view.cache(CaptTypes.MACHINE).all(), set);
        var claimed =
                Ownership.claim(
                        CaptTypes.MACHINE,
                        beside,
                        Owners.controller(CaptTypes.MACHINE_SET, set),
                        spec.template().selector(),
                        Ownership.Release.BY_LABELS);
        var live =
                claimed.mine().stream().map(MachineFacts::of).filter(MachineFacts::isLive).toList();
        var taken = beside.stream().map(each -> each.name().name()).collect(Collectors.toSet());
        var plan =
                SetPlan.of(
                        new SetPlan.SetName(set.name().name(), set.meta().uid()),
                        new SetPlan.Wish(spec.replicas(), spec.minReady()),
                        live,
                        taken,
                        now);
        var effects = new ArrayList<>(claimed.effects());
        effects.addAll(carriedOut(plan, set, spec, now));
        effects.addAll(SetStatus.of(set, spec, live, now));
        return Step.of(effects).thenAgain(nextAvailable(live, spec.minReady(), now));
    }

    private static @Nullable Duration nextAvailable(
            List<MachineFacts> machines, Duration minReady, Instant now) {
        return machines.stream()
                .map(each -> each.untilAvailable(minReady, now))
                .filter(Objects::nonNull)
                .min(Comparator.naturalOrder())
                .orElse(null);
    }

    private static List<Effect> carriedOut(SetPlan plan, RawObject set, SetSpec spec, Instant now) {
        return switch (plan) {
            case SetPlan.Enough() -> List.of();
            case SetPlan.Make(var names) ->
                    together(
                            "making machines",
                            set,
                            names.size(),
                            names.stream().map(name -> made(set, spec, name, now)).toList());
            case SetPlan.Delete(var machines) ->
                    together(
                            "deleting machines",
                            set,
                            machines.size(),
                            machines.stream()
                                    .map(
                                            each ->
                                                    Step.of(
                                                            ObjectPatches.delete(
                                                                    CaptTypes.MACHINE,
                                                                    each.object())))
                                    .toList());
        };
    }

    private static List<Effect> together(
            String message, RawObject set, int count, List<Step> steps) {
        return List.of(
                new Effect.Say(
                        LogLevel.INFO,
                        message,
                        "CaptMachineSet",
                        set.name().toString(),
                        "machines",
                        count),
                new Effect.Together(steps, WRITES_AT_ONCE_MAX));
    }

    private static Step made(RawObject set, SetSpec spec, String name, Instant now) {
        var labels = Tree.of();
        var cluster = set.meta().label(ClusterApi.CLUSTER_NAME);
        labels.putUnlessEmpty(ClusterApi.CLUSTER_NAME, cluster);
        spec.template().labels().forEach(labels::put);
        var metadata =
                Tree.of("name", name)
                        .put("namespace", set.name().namespace())
                        .put("labels", labels)
                        .putTexts("annotations", spec.template().annotations())
                        .putList(
                                "ownerReferences",
                                List.of(Owners.controller(CaptTypes.MACHINE_SET, set).value()));
        var type = CaptTypes.MACHINE.type();
        var body =
                Tree.of("apiVersion", type.apiVersion())
                        .put("kind", type.kind())
                        .put("metadata", metadata)
                        .put("spec", spec.template().spec());
        return Step.of(
                new Effect.Write(
                        new ApiWrite.Create(type, set.name().namespace(), body.mapping()),
                        answer -> answered(set, name, answer, now)));
    }

    /// A name that is taken is one that the view has yet to show.
    private static Step answered(RawObject set, String name, ApiAnswer answer, Instant now) {
        if (answer.isDone()) {
            return Step.DONE;
        }
        if (answer.isConflict()) {
            return Step.RETRY;
        }
        var message = "CaptMachine %s cannot be made: %s".formatted(name, answer.explain());
        var effects = new ArrayList<Effect>();
        effects.add(
                new Effect.Publish(
                        KubeEvent.warning(
                                KubeEvent.Subject.of(CaptTypes.MACHINE_SET.type(), set),
                                "FailedCreate",
                                message)));
        effects.addAll(SetStatus.failed(set, message, now));
        return Step.of(effects).thenFailed(message);
    }
}
