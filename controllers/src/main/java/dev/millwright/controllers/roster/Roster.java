package dev.millwright.controllers.roster;

import dev.millwright.controllers.capacitybuffer.BufferController;
import dev.millwright.controllers.capacitybuffer.BufferVerdicts;
import dev.millwright.controllers.capacitybuffer.Buffers;
import dev.millwright.controllers.disruption.CommandStart;
import dev.millwright.controllers.disruption.DisruptionController;
import dev.millwright.controllers.disruption.DisruptionQueue;
import dev.millwright.controllers.disruption.PassQuestions;
import dev.millwright.controllers.disruption.QueueController;
import dev.millwright.controllers.disruption.Survey;
import dev.millwright.controllers.interruption.InterruptionController;
import dev.millwright.controllers.machine.garbagecollection.MachineCollectionController;
import dev.millwright.controllers.metrics.ConditionFamilies;
import dev.millwright.controllers.metrics.NodeFamilies;
import dev.millwright.controllers.metrics.node.NodeMetrics;
import dev.millwright.controllers.metrics.nodepool.PoolMetrics;
import dev.millwright.controllers.metrics.pod.PodMetrics;
import dev.millwright.controllers.metrics.sync.SyncMetrics;
import dev.millwright.controllers.node.eviction.EvictionController;
import dev.millwright.controllers.node.eviction.EvictionQueue;
import dev.millwright.controllers.node.health.HealthController;
import dev.millwright.controllers.node.hydration.NodeHydrationController;
import dev.millwright.controllers.node.termination.TerminationController;
import dev.millwright.controllers.nodeclaim.consistency.ConsistencyController;
import dev.millwright.controllers.nodeclaim.consistency.Scans;
import dev.millwright.controllers.nodeclaim.disruption.ClaimDisruptionController;
import dev.millwright.controllers.nodeclaim.disruption.DriftMemory;
import dev.millwright.controllers.nodeclaim.expiration.ExpirationController;
import dev.millwright.controllers.nodeclaim.garbagecollection.GarbageCollectionController;
import dev.millwright.controllers.nodeclaim.hydration.ClaimHydrationController;
import dev.millwright.controllers.nodeclaim.lifecycle.LaunchMemory;
import dev.millwright.controllers.nodeclaim.lifecycle.LifecycleController;
import dev.millwright.controllers.nodeclaim.podevents.PodEventsController;
import dev.millwright.controllers.nodeclaim.reboot.IssuanceMemory;
import dev.millwright.controllers.nodeclaim.reboot.RebootController;
import dev.millwright.controllers.nodeoverlay.OverlayController;
import dev.millwright.controllers.nodepool.counter.CounterController;
import dev.millwright.controllers.nodepool.hash.HashController;
import dev.millwright.controllers.nodepool.health.PoolHealth;
import dev.millwright.controllers.nodepool.health.PoolHealthController;
import dev.millwright.controllers.nodepool.readiness.ReadinessController;
import dev.millwright.controllers.nodepool.validation.ValidationController;
import dev.millwright.controllers.pricing.BoundController;
import dev.millwright.controllers.pricing.PricingController;
import dev.millwright.controllers.pricing.ToldPrices;
import dev.millwright.controllers.provisioning.Batch;
import dev.millwright.controllers.provisioning.NodeTrigger;
import dev.millwright.controllers.provisioning.PlanEffects;
import dev.millwright.controllers.provisioning.PodTrigger;
import dev.millwright.controllers.provisioning.Provisioner;
import dev.millwright.controllers.settings.Concurrency;
import dev.millwright.controllers.settings.FeatureGates.Gate;
import dev.millwright.controllers.settings.Settings;
import dev.millwright.controllers.shadow.ShadowController;
import dev.millwright.controllers.shadow.ShadowLedger;
import dev.millwright.controllers.state.ClusterState;
import dev.millwright.controllers.state.Marks;
import dev.millwright.controllers.state.NodeReservations;
import dev.millwright.controllers.state.PodTimes;
import dev.millwright.controllers.state.pod.PodForgetting;
import dev.millwright.controllers.staticpool.StaticDeprovisioning;
import dev.millwright.controllers.staticpool.StaticProvisioning;
import dev.millwright.controllers.status.StatusController;
import dev.millwright.controllers.status.StatusKind;
import dev.millwright.controllers.steering.SteeringController;
import dev.millwright.core.disruption.DisruptionOptions;
import dev.millwright.core.disruption.RepairRules;
import dev.millwright.core.policy.SchedulingPolicy;
import dev.millwright.kube.cache.Kind;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.object.KubeObject;
import dev.millwright.kube.object.NodeClassObject;
import dev.millwright.runtime.metrics.MetricFamily;
import dev.millwright.runtime.step.Controller;
import dev.millwright.runtime.step.Pace;
import dev.millwright.spi.CloudTraits;
import dev.millwright.spi.NodeClassKind;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/// Who works, by what the settings say.
public final class Roster {

    private static final Duration NOMINATION_MIN = Duration.ofSeconds(10);
    private static final int TRIGGERS_MIN = 10;
    private static final int TRIGGERS_MAX = 1_000;
    private static final int STATE_MIN = 10;
    private static final int STATE_MAX = 3_000;

    private final Settings settings;
    private final CloudTraits traits;
    private final Offers offers;
    private final List<Kind<NodeClassObject>> classKinds;
    private final LongSupplier nanos;
    private final Marks marks = new Marks();
    private final PodTimes times = new PodTimes();
    private final PoolHealth health = new PoolHealth();
    private final NodeReservations reservations = new NodeReservations();
    private final EvictionQueue evictions = new EvictionQueue();

    /// `nanos` measures how long planning takes.
    public Roster(
            Settings settings,
            CloudTraits traits,
            Offers offers,
            List<Kind<NodeClassObject>> classKinds,
            LongSupplier nanos) {
        this.settings = settings;
        this.traits = traits;
        this.offers = offers;
        this.classKinds = List.copyOf(classKinds);
        this.nanos = nanos;
    }

    /// The classes that a cloud's pools may name. One call a process: a kind is a key.
    public static List<Kind<NodeClassObject>> classKinds(CloudTraits traits) {
        return traits.nodeClassKinds().stream()
                .map(
                        kind ->
                                Kind.nodeClass(
                                        new ResourceType(
                                                kind.group(),
                                                kind.version(),
                                                kind.plural(),
                                                kind.kind(),
                                                false)))
                .toList();
    }

    /// The kinds to be kept besides those that every view has. What a switched-off feature alone
    /// would read is not: caches are most of what the operator weighs.
    public static List<Kind<? extends KubeObject>> kinds(Settings settings) {
        var kinds =
                new ArrayList<Kind<? extends KubeObject>>(
                        List.of(
                                Kind.NAMESPACE,
                                Kind.DAEMON_SET,
                                Kind.POD_DISRUPTION_BUDGET,
                                Kind.PERSISTENT_VOLUME_CLAIM,
                                Kind.PERSISTENT_VOLUME,
                                Kind.STORAGE_CLASS,
                                Kind.CSI_NODE));
        if (settings.gates().isOn(Gate.NODE_OVERLAY)) {
            kinds.add(Kind.NODE_OVERLAY);
        }
        if (settings.gates().isOn(Gate.CAPACITY_BUFFER)) {
            kinds.addAll(Buffers.KINDS);
        }
        if (!settings.policies().defaultSpread().isEmpty()) {
            kinds.addAll(
                    List.of(
                            Kind.SERVICE,
                            Kind.REPLICATION_CONTROLLER_SELECTOR,
                            Kind.REPLICA_SET_SELECTOR,
                            Kind.STATEFUL_SET_SELECTOR));
        }
        return kinds;
    }

    public List<Controller> controllers() {
        var all = new ArrayList<Controller>();
        all.addAll(provisioning());
        all.addAll(claims());
        all.addAll(nodes());
        all.addAll(pools());
        all.addAll(staticPools());
        all.addAll(disruption());
        all.addAll(overlays());
        all.addAll(bookkeeping());
        if (settings.isObservingClusterState()) {
            all.addAll(observation());
        }
        return List.copyOf(all);
    }

    /// Those that look at a cluster which somebody else looks after. They ask the API server and
    /// the cloud for nothing but what there is.
    public List<Controller> shadow(ShadowLedger ledger) {
        var queue = new DisruptionQueue();
        return List.of(
                new ShadowController(survey(queue), offers.catalogs(), policy(), options(), ledger),
                new PricingController(offers.catalogs(), new ToldPrices()),
                bound());
    }

    /// The families that controllers tell by and that depend on the provider; to be registered
    /// besides those that every operator has.
    public static List<MetricFamily> families(CloudTraits traits) {
        var families = new ArrayList<>(NodeFamilies.of(traits.vocabulary()).all());
        families.addAll(ConditionFamilies.DEPRECATED.all());
        for (var kind : statusKinds(traits)) {
            families.addAll(kind.families().all());
        }
        return List.copyOf(families);
    }

    private static List<StatusKind<?>> statusKinds(CloudTraits traits) {
        var classKeys = traits.nodeClassKinds().stream().map(NodeClassKind::labelKey).toList();
        return List.of(
                StatusKind.claims(classKeys),
                StatusKind.pools(),
                StatusKind.nodes(classKeys),
                StatusKind.buffers());
    }

    private double cores() {
        return settings.replica().cores();
    }

    private List<Controller> provisioning() {
        var batching = settings.batching();
        var batch = new Batch(batching.idleDuration(), batching.maxDuration());
        var hasBuffers = settings.gates().isOn(Gate.CAPACITY_BUFFER);
        var effects =
                new PlanEffects(
                        marks,
                        times,
                        traits.terminationGracePeriodDefault(),
                        nomination(),
                        hasBuffers ? BufferVerdicts::of : (_, _, _, _) -> List.of());
        var pace = Pace.of(Concurrency.scale(TRIGGERS_MIN, TRIGGERS_MAX, cores()));
        var controllers = new ArrayList<Controller>();
        controllers.add(new PodTrigger(batch, times, pace));
        controllers.add(new NodeTrigger(batch, pace));
        controllers.add(
                new Provisioner(
                        batch,
                        new ClusterState(marks),
                        offers.catalogs(),
                        hasBuffers ? Buffers::all : _ -> List.of(),
                        policy(),
                        effects,
                        nanos));
        if (hasBuffers) {
            controllers.add(new BufferController(batch::trigger));
        }
        return controllers;
    }

    private List<Controller> disruption() {
        var queue = new DisruptionQueue();
        var start = new CommandStart(queue, marks, reservations, traits, nomination());
        return List.of(
                new DisruptionController(
                        new PassQuestions(survey(queue), marks, queue, reservations, options()),
                        start,
                        queue,
                        marks,
                        nanos),
                new QueueController(queue, marks, offers.catalogs(), cores()),
                new SteeringController(marks, settings.consolidation().isSteering()));
    }

    private Survey survey(DisruptionQueue queue) {
        return new Survey(
                marks,
                queue,
                offers.catalogs(),
                settings.gates().isOn(Gate.CAPACITY_BUFFER) ? Buffers::all : _ -> List.of(),
                policy(),
                settings.gates().isOn(Gate.SPOT_TO_SPOT_CONSOLIDATION),
                settings.consolidation());
    }

    private SchedulingPolicy policy() {
        return settings.schedulingPolicy(traits.vocabulary(), traits.unsupportedStorage());
    }

    private DisruptionOptions options() {
        var gates = settings.gates();
        var isRepairing = gates.isOn(Gate.NODE_REPAIR) && !settings.isLegacyRepair();
        return new DisruptionOptions(
                isRepairing ? new RepairRules(traits.repairPolicies()) : RepairRules.NONE,
                gates.isOn(Gate.TERMINATE_FIRST_DRIFT),
                gates.isOn(Gate.TERMINATE_FIRST_REPAIR));
    }

    /// How long a node is kept for a pod that is about to be bound to it.
    private Duration nomination() {
        var twice = settings.batching().maxDuration().multipliedBy(2);
        return twice.compareTo(NOMINATION_MIN) > 0 ? twice : NOMINATION_MIN;
    }

    private List<Controller> claims() {
        return List.of(
                new LifecycleController(traits, new LaunchMemory(), health, cores()),
                new ExpirationController(),
                new GarbageCollectionController(),
                new MachineCollectionController(),
                new InterruptionController(),
                new ConsistencyController(new Scans(), cores()),
                new ClaimHydrationController(cores()),
                new PodEventsController(),
                new RebootController(evictions, new IssuanceMemory()),
                new ClaimDisruptionController(
                        traits.vocabulary(),
                        offers.catalogs(),
                        new DriftMemory(),
                        classKinds,
                        cores()));
    }

    private List<Controller> nodes() {
        var nodes = new ArrayList<Controller>();
        nodes.add(new TerminationController(evictions, cores()));
        nodes.add(new EvictionController(evictions, cores()));
        nodes.add(new NodeHydrationController(cores()));
        if (HealthController.isWanted(settings, traits)) {
            nodes.add(new HealthController(traits.repairPolicies(), cores()));
        }
        return nodes;
    }

    private List<Controller> pools() {
        return List.of(
                new HashController(cores()),
                new ReadinessController(classKinds, cores()),
                new ValidationController(traits.vocabulary()),
                new CounterController(marks, cores()),
                new PoolHealthController(classKinds, health, cores()),
                new PricingController(offers.catalogs(), new ToldPrices()));
    }

    /// What somebody must know or forget whether or not the cluster is observed.
    private List<Controller> bookkeeping() {
        var pace = Pace.of(Concurrency.scale(STATE_MIN, STATE_MAX, cores()));
        return List.of(
                new SyncMetrics(),
                new PodForgetting(times, settings.isObservingClusterState(), pace));
    }

    private List<Controller> observation() {
        var all = new ArrayList<Controller>();
        all.add(new NodeMetrics(NodeFamilies.of(traits.vocabulary()), new ClusterState(marks)));
        all.add(new PoolMetrics());
        all.add(bound());
        all.add(new PodMetrics(times));
        for (var kind : statusKinds(traits)) {
            if (kind.kind() != Kind.CAPACITY_BUFFER
                    || settings.gates().isOn(Gate.CAPACITY_BUFFER)) {
                all.add(new StatusController<>(kind));
            }
        }
        return all;
    }

    private Controller bound() {
        return new BoundController(new ClusterState(marks), offers.catalogs(), policy(), nanos);
    }

    private List<Controller> staticPools() {
        if (!settings.gates().isOn(Gate.STATIC_CAPACITY)) {
            return List.of();
        }
        return List.of(
                new StaticProvisioning(traits, marks, reservations),
                new StaticDeprovisioning(marks));
    }

    /// Nobody looks for cheaper nodes yet who would have to hear of new prices.
    private List<Controller> overlays() {
        if (!settings.gates().isOn(Gate.NODE_OVERLAY)) {
            return List.of();
        }
        return List.of(
                new OverlayController(
                        classKinds, offers.plain(), traits.vocabulary(), offers.store(), () -> {}));
    }
}
