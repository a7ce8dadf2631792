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
import dev.millwright.kube.document.Value;
import dev.millwright.kube.object.Condition.Status;
import dev.millwright.kube.object.RawObject;
import dev.millwright.runtime.step.Controller;
import dev.millwright.runtime.step.Effect;
import dev.millwright.runtime.step.Pace;
import dev.millwright.runtime.step.Step;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// Makes a CaptMachinePool, an EKS managed node group, by an apply and follows it.
public final class PoolController implements Controller {

    private static final Kind<RawObject> KIND = CaptTypes.MACHINE_POOL;
    private static final String APPLY_SUFFIX = "-pool";
    private static final int AT_ONCE = 10;
    private static final Duration RECHECK = Duration.ofSeconds(10);

    /// On a MachinePool whose size somebody else sets, an autoscaler say.
    private static final String MANAGED_BY = "cluster.x-k8s.io/replicas-managed-by";

    /// The contract's bound.
    private static final int INSTANCES_MAX = 10_000;

    private final ClusterApi api;

    public PoolController(ClusterApi api) {
        this.api = api;
    }

    @Override
    public String name() {
        return "captmachinepool";
    }

    @Override
    public List<Watch<?>> watches() {
        return InfrastructureWatches.of(api, KIND, api.machinePool());
    }

    @Override
    public Pace pace() {
        return Pace.of(AT_ONCE);
    }

    @Override
    public Step step(View view, ObjectName key, Instant now) {
        var pool = view.cache(KIND).find(key);
        if (pool == null) {
            return Step.DONE;
        }
        var employer = Employer.of(view, api.machinePool(), KIND, pool);
        var membership = employer.membership(view, api, pool);
        if (Pause.holds(pool, membership.cluster())) {
            return Step.of(Pausing.paused(KIND, pool, now));
        }
        if (pool.meta().isDeleting()) {
            return Teardown.of(view, KIND, pool, Marks.POOL_FINALIZER, CaptTypes.APPLY);
        }
        if (employer instanceof Employer.NotYet) {
            return Step.DONE;
        }
        if (!pool.meta().hasFinalizer(Marks.POOL_FINALIZER)) {
            return Step.of(Patches.withFinalizer(KIND, pool, Marks.POOL_FINALIZER));
        }
        if (employer instanceof Employer.Nobody) {
            var adoption = ClusterAdoption.of(view, KIND, pool, membership);
            if (!adoption.isEmpty()) {
                return Step.of(adoption);
            }
        }
        var isBegun = ApplyUpkeep.isBegun(view, pool, APPLY_SUFFIX);
        var held = Standing.held(view, employer, membership, isBegun);
        return held == null
                ? make(view, pool, employer, Place.of(view, membership), now)
                : Step.of(status(pool, held, pool.spec().at("providerIDList").textList(), now));
    }

    private Step make(View view, RawObject pool, Employer employer, Place place, Instant now) {
        var listed = pool.spec().at("providerIDList").textList();
        var upkeep =
                ApplyUpkeep.of(
                        view,
                        KIND,
                        pool,
                        APPLY_SUFFIX,
                        Variables.pool(pool, employer, place, size(employer, listed.size())));
        var effects = new ArrayList<>(upkeep.effects());
        var apply = upkeep.apply();
        if (apply != null) {
            var outputs = Outputs.of(view, apply);
            var ids =
                    outputs.at("provider_ids").textList().stream()
                            .filter(id -> !id.isEmpty())
                            .sorted()
                            .distinct()
                            .limit(INSTANCES_MAX)
                            .toList();
            var isTold = outputs.at("provider_ids").isPresent();
            var group = outputs.at("node_group_name").text("");
            if (isTold && isNews(pool, listed, ids, group)) {
                effects.add(identity(pool, ids, group));
                return Step.of(effects); // The change wakes the next step, which tells the rest.
            }
        }
        effects.addAll(status(pool, Standing.of(upkeep), listed, now));
        effects.addAll(writtenBack(employer, listed.size()));
        return Step.of(effects).thenAgain(upkeep.problem().isEmpty() ? null : RECHECK);
    }

    private static boolean isNews(
            RawObject pool, List<String> listed, List<String> ids, String group) {
        return !listed.equals(ids)
                || (!group.isEmpty() && pool.spec().at("providerID").text("").isEmpty());
    }

    private static Effect identity(RawObject pool, List<String> ids, String group) {
        var isNamed = !pool.spec().at("providerID").text("").isEmpty();
        return Patches.merged(
                KIND,
                pool,
                Tree.of(),
                Tree.of(
                        "spec",
                        Tree.of()
                                .putUnlessEmpty("providerID", isNamed ? "" : group)
                                .putTextList("providerIDList", ids)));
    }

    /// What the MachinePool wants; of one that is sized from outside, what there is.
    private static @Nullable Integer size(Employer employer, int there) {
        if (!(employer instanceof Employer.Core(var owner))) {
            return null;
        }
        if (owner.meta().annotation(MANAGED_BY) != null) {
            return there == 0 ? null : there;
        }
        var replicas = owner.spec().at("replicas").whole(0, (long) Integer.MAX_VALUE);
        return replicas == null ? null : Math.toIntExact(replicas);
    }

    /// A MachinePool that is sized from outside shows the size that came of it.
    private List<Effect> writtenBack(Employer employer, int there) {
        if (!(employer instanceof Employer.Core(var owner))
                || owner.meta().annotation(MANAGED_BY) == null
                || there == 0
                || owner.spec().at("replicas").whole(0, Integer.MAX_VALUE, 0) == there) {
            return List.of();
        }
        return List.of(
                Patches.merged(
                        api.machinePool(),
                        owner,
                        Tree.of(),
                        Tree.of("spec", Tree.of().put("replicas", there))));
    }

    private static List<Effect> status(
            RawObject pool, Standing standing, List<String> ids, Instant now) {
        var conditions =
                Pausing.running(pool)
                        .with(
                                "Ready",
                                standing.isReady() ? Status.TRUE : Status.FALSE,
                                standing.reason(),
                                standing.message(),
                                pool.meta().generation(),
                                now);
        var isProvisioned =
                standing.isReady() || pool.status().at("initialization").at("provisioned").isTrue();
        var instances = new ArrayList<Value.Mapping>();
        for (var id : ids) {
            var instance = id.substring(id.lastIndexOf('/') + 1);
            instances.add(
                    Tree.of("instanceName", instance)
                            .put("instanceID", instance)
                            .put("providerID", id)
                            .mapping());
        }
        return ObjectPatches.statusIfChanged(
                KIND,
                pool,
                Tree.of()
                        .put("ready", standing.isReady())
                        .put("initialization", Tree.of().put("provisioned", isProvisioned))
                        .put("replicas", ids.size())
                        .putList("instances", instances)
                        .put("conditions", conditions.value())
                        .put("observedGeneration", pool.meta().generation()));
    }
}
