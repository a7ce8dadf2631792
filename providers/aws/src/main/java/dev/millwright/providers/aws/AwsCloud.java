package dev.millwright.providers.aws;

import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.policy.NodePool;
import dev.millwright.core.policy.NodePool.NodeClassRef;
import dev.millwright.core.policy.RepairPolicy;
import dev.millwright.core.policy.SchedulingPolicy.UnsupportedStorage;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.event.KubeEvent;
import dev.millwright.kube.object.Condition;
import dev.millwright.kube.object.KubeObject;
import dev.millwright.kube.object.NodeClassObject;
import dev.millwright.providers.aws.api.InstanceInfo;
import dev.millwright.providers.aws.api.PlacementGroupInfo;
import dev.millwright.providers.aws.instancetype.ClassFacts;
import dev.millwright.providers.aws.launch.Instances;
import dev.millwright.providers.aws.launch.LaunchFamilies;
import dev.millwright.providers.aws.launch.LaunchReason;
import dev.millwright.providers.aws.launch.Launcher;
import dev.millwright.providers.aws.launch.Machines;
import dev.millwright.providers.aws.launch.Wish;
import dev.millwright.providers.aws.network.CapacityReservations;
import dev.millwright.providers.aws.network.PlacementGroups;
import dev.millwright.providers.aws.network.Subnets;
import dev.millwright.providers.aws.nodeclass.Ec2NodeClass;
import dev.millwright.providers.aws.nodeclass.NodeClassKeys;
import dev.millwright.providers.aws.nodeclass.ResourceTags;
import dev.millwright.providers.aws.offering.Overlays;
import dev.millwright.providers.aws.offering.TypeCatalogue;
import dev.millwright.runtime.metrics.Meter;
import dev.millwright.spi.CatalogAnswer;
import dev.millwright.spi.CloudProvider;
import dev.millwright.spi.CloudTraits;
import dev.millwright.spi.DriftAnswer;
import dev.millwright.spi.FindAnswer;
import dev.millwright.spi.LaunchAnswer;
import dev.millwright.spi.ListAnswer;
import dev.millwright.spi.Machine;
import dev.millwright.spi.MachineClaim;
import dev.millwright.spi.RebootAnswer;
import dev.millwright.spi.RegistrationHook;
import dev.millwright.spi.TerminateAnswer;
import dev.millwright.spi.ec2.Ec2Labels;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/// EC2 as a cloud: what the other parts of this module know, put together as answers.
public final class AwsCloud implements CloudProvider {

    private static final Duration UNHEALTHY = Duration.ofMinutes(30);

    private static final CloudTraits TRAITS =
            new CloudTraits(
                    "aws",
                    List.of(Ec2NodeClass.KIND),
                    Ec2Labels.VOCABULARY,
                    UnsupportedStorage.NONE,
                    List.of(
                            new RepairPolicy("Ready", "False", UNHEALTHY),
                            new RepairPolicy("Ready", "Unknown", UNHEALTHY),
                            new RepairPolicy(
                                    "AcceleratedHardwareReady", "False", Duration.ofMinutes(10)),
                            new RepairPolicy("StorageReady", "False", UNHEALTHY),
                            new RepairPolicy("NetworkingReady", "False", UNHEALTHY),
                            new RepairPolicy("KernelReady", "False", UNHEALTHY),
                            new RepairPolicy("ContainerRuntimeReady", "False", UNHEALTHY)),
                    CloudTraits.LAUNCH_TIMEOUT_DEFAULT,
                    null);

    /// What the cloud is put together from.
    public record Parts(
            String clusterName,
            Launcher launcher,
            Instances instances,
            Machines machines,
            TypeCatalogue catalogue,
            PlacementGroups placementGroups,
            CapacityReservations reservations,
            Subnets subnets,
            Overlays overlays,
            DriftCheck driftCheck,
            SpotCheck spotCheck) {}

    private final Parts parts;
    private final View view;
    private final Consumer<KubeEvent> events;
    private final Meter meter;
    private final InstantSource clock;

    /// Machines by the uid of the claim they were launched for, as long as this process knows: a
    /// claim that asks twice gets one machine. What a process before this one launched and did not
    /// write down has no claim, and is collected.
    private final ConcurrentHashMap<String, String> instanceByClaim = new ConcurrentHashMap<>();

    /// Launches under way by the uid of their claim: who asks meanwhile gets the same answer.
    private final ConcurrentHashMap<String, CompletableFuture<LaunchAnswer>> underWay =
            new ConcurrentHashMap<>();

    /// @param events hears what a user should know about a claim or a pool
    public AwsCloud(
            Parts parts, View view, Consumer<KubeEvent> events, Meter meter, InstantSource clock) {
        this.parts = parts;
        this.view = view;
        this.events = events;
        this.meter = meter;
        this.clock = clock;
    }

    /// What is fixed about the cloud, before there is a cluster to open it for.
    public static CloudTraits fixedTraits() {
        return TRAITS;
    }

    @Override
    public CloudTraits traits() {
        return TRAITS;
    }

    @Override
    public LaunchAnswer launch(MachineClaim claim) {
        var mine = new CompletableFuture<LaunchAnswer>();
        var other = underWay.putIfAbsent(claim.uid(), mine);
        if (other != null) {
            return other.join();
        }
        try {
            var answer = labelled(launchAlone(claim), claim);
            mine.complete(answer);
            return answer;
        } finally {
            underWay.remove(claim.uid());
            // Without effect unless something was thrown: then those who wait are not left waiting.
            mine.complete(
                    new LaunchAnswer.Failed(
                            "NodeClaim %s: its launch broke off".formatted(claim.name())));
        }
    }

    /// With what the claim says of its node under what the machine is.
    private static LaunchAnswer labelled(LaunchAnswer answer, MachineClaim claim) {
        if (!(answer instanceof LaunchAnswer.Launched(var machine))) {
            return answer;
        }
        var labels = new TreeMap<>(claim.labels());
        for (var wish : Wish.of(claim, TRAITS.vocabulary()).requirements().all()) {
            if (!wish.isComplement() && wish.size() == 1) {
                labels.put(wish.key(), wish.anyValue());
            }
        }
        labels.putAll(machine.labels());
        return new LaunchAnswer.Launched(
                new Machine(
                        machine.providerId(),
                        machine.imageId(),
                        labels,
                        machine.annotations(),
                        machine.capacity(),
                        machine.allocatable(),
                        machine.launchedAt(),
                        machine.isTerminating()));
    }

    private LaunchAnswer launchAlone(MachineClaim claim) {
        var nodeClass = nodeClass(claim.nodeClassRef());
        var launched = instanceByClaim.get(claim.uid());
        if (launched != null
                && parts.instances().find(launched) instanceof Instances.Lookup.Found(var found)
                && !found.isGoing()) {
            return new LaunchAnswer.Launched(
                    machine(found, nodeClass == null ? new TreeMap<>() : annotations(nodeClass)));
        }
        if (nodeClass == null) {
            var message = unresolved(claim.nodeClassRef());
            var object = view.claim(claim.name());
            if (object != null) {
                warn(ResourceType.NODE_CLAIM, object, message);
            }
            return new LaunchAnswer.InsufficientCapacity(message);
        }
        var refusal = notReady(nodeClass);
        if (refusal != null) {
            return refusal;
        }
        return switch (parts.placementGroups().of(nodeClass)) {
            case PlacementGroups.Answer.NotWanted() -> launch(claim, nodeClass, null);
            case PlacementGroups.Answer.Found(var group) -> launch(claim, nodeClass, group);
            case PlacementGroups.Answer.NotFound(var selector) ->
                    new LaunchAnswer.NodeClassNotReady(
                            "EC2NodeClass %s: there is no placement group with %s"
                                    .formatted(nodeClass.name(), selector));
            case PlacementGroups.Answer.Failed(var fault, _) ->
                    new LaunchAnswer.Refused(LaunchReason.of(fault.text()).reason(), fault.text());
        };
    }

    private LaunchAnswer launch(
            MachineClaim claim, Ec2NodeClass nodeClass, @Nullable PlacementGroupInfo group) {
        return switch (parts.catalogue().types(ClassFacts.of(nodeClass, group), clock.instant())) {
            case CatalogAnswer.Failed(var message) ->
                    new LaunchAnswer.Refused("InstanceTypeResolutionFailed", message);
            case CatalogAnswer.Unevaluated() ->
                    new LaunchAnswer.Refused(
                            "InstanceTypeResolutionFailed", "overlays are not evaluated yet");
            case CatalogAnswer.Types(var plain) ->
                    launch(
                            new Launcher.Order(
                                    Wish.of(claim, TRAITS.vocabulary()),
                                    nodeClass,
                                    ResourceTags.of(
                                            nodeClass,
                                            parts.clusterName(),
                                            claim.labels().getOrDefault(LabelKeys.NODE_POOL, "")),
                                    parts.overlays()
                                            .lay(claim.labels().get(LabelKeys.NODE_POOL), plain),
                                    group));
        };
    }

    /// A class that is not what its status says is not launched from. Null when it is ready.
    private static @Nullable LaunchAnswer notReady(Ec2NodeClass nodeClass) {
        var ready = ready(nodeClass);
        var name = "EC2NodeClass " + nodeClass.name();
        if (ready == null || ready.status() == Condition.Status.UNKNOWN) {
            return new LaunchAnswer.Refused(
                    "NodeClassReadinessUnknown",
                    "%s: it is not known yet whether it is ready".formatted(name));
        }
        if (ready.status() == Condition.Status.FALSE) {
            return new LaunchAnswer.NodeClassNotReady(
                    "%s is not ready: %s".formatted(name, ready.message()));
        }
        if (ready.observedGeneration() != nodeClass.meta().generation()) {
            return new LaunchAnswer.NodeClassNotReady(
                    "%s has changed (generation %d) and was last looked at in generation %d"
                            .formatted(
                                    name,
                                    nodeClass.meta().generation(),
                                    ready.observedGeneration()));
        }
        var restricted = ResourceTags.restricted(nodeClass.spec());
        return restricted == null
                ? null
                : new LaunchAnswer.NodeClassNotReady(
                        "%s: tag \"%s\" is not yours to set".formatted(name, restricted));
    }

    private static @Nullable Condition ready(Ec2NodeClass nodeClass) {
        for (var condition : nodeClass.conditions()) {
            if (condition.type().equals(NodeClassObject.READY)) {
                return condition;
            }
        }
        return null;
    }

    private LaunchAnswer launch(Launcher.Order order) {
        return switch (parts.launcher().launch(order)) {
            case Launcher.Launched.None(var answer) -> answer;
            case Launcher.Launched.Machine(var instance, var type) -> {
                parts.instances().launched(instance);
                instanceByClaim.put(order.wish().claim().uid(), instance.id());
                if (!instance.reservationId().isEmpty()) {
                    parts.reservations().launched(instance.reservationId(), instance.launchedAt());
                }
                yield new LaunchAnswer.Launched(
                        parts.machines()
                                .machine(
                                        instance,
                                        type,
                                        order.nodeClass(),
                                        annotations(order.nodeClass())));
            }
        };
    }

    /// By which it is known later that the class has changed, and which profile is in use.
    private static SequencedMap<String, String> annotations(Ec2NodeClass nodeClass) {
        var annotations = new TreeMap<String, String>();
        for (var key : List.of(NodeClassKeys.HASH, NodeClassKeys.HASH_VERSION)) {
            var value = nodeClass.meta().annotations().get(key);
            if (value != null) {
                annotations.put(key, value);
            }
        }
        var profile = nodeClass.status().instanceProfile();
        if (profile != null) {
            annotations.put(NodeClassKeys.INSTANCE_PROFILE, profile);
        }
        return annotations;
    }

    @Override
    public FindAnswer find(String providerId) {
        var id = Machines.instanceId(providerId);
        if (id == null) {
            return new FindAnswer.Failed(foreign(providerId));
        }
        return switch (parts.instances().find(id)) {
            case Instances.Lookup.Found(var instance) ->
                    new FindAnswer.Found(machine(instance, new TreeMap<>()));
            case Instances.Lookup.Gone() -> new FindAnswer.Gone();
            case Instances.Lookup.Failed(var fault) -> new FindAnswer.Failed(fault.text());
        };
    }

    @Override
    public ListAnswer list() {
        return switch (parts.instances().list()) {
            case Instances.Listing.All(var instances) ->
                    new ListAnswer.Machines(machines(instances));
            case Instances.Listing.Failed(var fault) -> new ListAnswer.Failed(fault.text());
        };
    }

    /// A class as far as its machines are told by it.
    private record Model(Ec2NodeClass nodeClass, ClassFacts facts) {}

    /// The class the instance is tagged with; null when it is not known any more.
    private @Nullable Model model(String className) {
        var nodeClass =
                nodeClass(
                        new NodeClassRef(
                                Ec2NodeClass.KIND.group(), Ec2NodeClass.KIND.kind(), className));
        return nodeClass == null
                ? null
                : new Model(
                        nodeClass,
                        ClassFacts.of(nodeClass, parts.placementGroups().known(nodeClass)));
    }

    private static String className(InstanceInfo instance) {
        return instance.tags().getOrDefault(ResourceTags.NODE_CLASS, "");
    }

    private Machine machine(InstanceInfo instance, SequencedMap<String, String> annotations) {
        return machine(instance, model(className(instance)), annotations);
    }

    private Machine machine(
            InstanceInfo instance,
            @Nullable Model model,
            SequencedMap<String, String> annotations) {
        return parts.machines()
                .machine(
                        instance,
                        model == null
                                ? null
                                : parts.catalogue()
                                        .find(model.facts(), instance.type(), clock.instant()),
                        model == null ? null : model.nodeClass(),
                        annotations);
    }

    /// Each class is read once, however many machines it has.
    private List<Machine> machines(List<InstanceInfo> instances) {
        var models = new HashMap<String, Optional<Model>>();
        var machines = new ArrayList<Machine>();
        for (var instance : instances) {
            var model =
                    models.computeIfAbsent(
                            className(instance), name -> Optional.ofNullable(model(name)));
            machines.add(machine(instance, model.orElse(null), new TreeMap<>()));
        }
        return machines;
    }

    /// Asked of EC2 first: a machine that has gone by itself frees its place in a reservation.
    @Override
    public TerminateAnswer terminate(MachineClaim claim) {
        if (claim.providerId().isEmpty()) {
            var launched = instanceByClaim.get(claim.uid());
            return launched == null ? new TerminateAnswer.Gone() : terminate(claim, launched);
        }
        var id = Machines.instanceId(claim.providerId());
        return id == null
                ? new TerminateAnswer.Failed(foreign(claim.providerId()))
                : terminate(claim, id);
    }

    private TerminateAnswer terminate(MachineClaim claim, String id) {
        return switch (parts.instances().findFresh(id)) {
            case Instances.Lookup.Gone() -> {
                instanceByClaim.remove(claim.uid());
                var reservation = claim.labels().get(Ec2Labels.RESERVATION_ID);
                if (reservation != null) {
                    parts.reservations().terminated(reservation);
                }
                yield new TerminateAnswer.Gone();
            }
            case Instances.Lookup.Failed(var fault) -> new TerminateAnswer.Failed(fault.text());
            case Instances.Lookup.Found(var instance) -> terminate(instance);
        };
    }

    private TerminateAnswer terminate(InstanceInfo instance) {
        if (instance.isGoing()) {
            return new TerminateAnswer.Started();
        }
        return switch (parts.instances().terminate(instance)) {
            case Instances.Ending.Begun() -> new TerminateAnswer.Started();
            case Instances.Ending.Gone() -> new TerminateAnswer.Gone();
            case Instances.Ending.Failed(var fault) -> {
                var zoneId = parts.subnets().zoneId(instance.zone());
                meter.count(
                        LaunchFamilies.TERMINATION_FAILURES,
                        1,
                        List.of(instance.zone(), zoneId == null ? "" : zoneId));
                yield new TerminateAnswer.Failed(fault.text());
            }
        };
    }

    @Override
    public CatalogAnswer catalog(NodePool nodePool) {
        var reference = nodePool.template().nodeClassRef();
        var nodeClass = nodeClass(reference);
        if (nodeClass == null) {
            var pool = view.pool(nodePool.name());
            if (pool != null) {
                warn(ResourceType.NODE_POOL, pool, unresolved(reference));
            }
            return new CatalogAnswer.Types(List.of());
        }
        return parts.catalogue()
                .types(
                        ClassFacts.of(nodeClass, parts.placementGroups().known(nodeClass)),
                        clock.instant());
    }

    @Override
    public DriftAnswer drift(MachineClaim claim) {
        var name = claim.labels().get(LabelKeys.NODE_POOL);
        var pool = name == null ? null : view.pool(name);
        var nodeClass = nodeClass(claim.nodeClassRef());
        if (pool == null || nodeClass == null) {
            return new DriftAnswer.InPlace();
        }
        var answer = parts.driftCheck().check(claim, nodeClass);
        return answer instanceof DriftAnswer.InPlace
                ? parts.spotCheck().check(claim, pool, nodeClass)
                : answer;
    }

    @Override
    public RebootAnswer reboot(MachineClaim claim, String operation) {
        return new RebootAnswer.Unsupported();
    }

    @Override
    public List<RegistrationHook> registrationHooks() {
        return List.of(
                new PartitionHook(parts.instances(), parts.placementGroups(), this::nodeClass));
    }

    /// The class, unless it is not there or going: then nothing is made from it any more.
    private @Nullable Ec2NodeClass nodeClass(NodeClassRef reference) {
        var object = view.nodeClass(reference);
        return object == null || object.meta().isDeleting() ? null : Ec2NodeClass.of(object);
    }

    private void warn(ResourceType type, KubeObject object, String message) {
        events.accept(KubeEvent.warning(KubeEvent.Subject.of(type, object), "", message));
    }

    private static String unresolved(NodeClassRef reference) {
        return "NodeClass %s cannot be resolved: it is not there, or is being deleted"
                .formatted(reference.name());
    }

    private static String foreign(String providerId) {
        return "provider id \"%s\" is not one of ours; wanted aws:///<zone>/<instance id>"
                .formatted(providerId);
    }
}
