package dev.millwright.providers.sim.kwok;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.policy.NodePool;
import dev.millwright.core.policy.RepairPolicy;
import dev.millwright.core.policy.SchedulingPolicy.UnsupportedStorage;
import dev.millwright.kube.client.ApiAnswer;
import dev.millwright.kube.client.ApiWrite;
import dev.millwright.kube.client.KubeApi;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.time.Sleeper;
import dev.millwright.providers.sim.KwokNodeClass;
import dev.millwright.providers.sim.KwokTypes;
import dev.millwright.providers.sim.NodeClassState;
import dev.millwright.spi.CatalogAnswer;
import dev.millwright.spi.CloudProvider;
import dev.millwright.spi.CloudTraits;
import dev.millwright.spi.DriftAnswer;
import dev.millwright.spi.FindAnswer;
import dev.millwright.spi.LaunchAnswer;
import dev.millwright.spi.ListAnswer;
import dev.millwright.spi.Machine;
import dev.millwright.spi.MachineClaim;
import dev.millwright.spi.MachineOption;
import dev.millwright.spi.MachineOptions;
import dev.millwright.spi.RebootAnswer;
import dev.millwright.spi.TerminateAnswer;

import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.TreeMap;

/// Karpenter's kwok provider: a machine is a Node object, and kwok plays its kubelet.
///
/// A launch is remembered by the Node itself, whose name follows from the claim's uid: a controller
/// that dies between launching and writing it down finds the machine again.
public final class KwokCloud implements CloudProvider, AutoCloseable {

    private static final Duration UNHEALTHY = Duration.ofMinutes(10);

    private static final String ANY = ".*";

    private static final List<RepairPolicy> REPAIR_POLICIES =
            List.of(
                    new RepairPolicy("Ready", "False", UNHEALTHY).drainedWithin(Duration.ZERO),
                    new RepairPolicy("Ready", "Unknown", UNHEALTHY)
                            .forReason(ANY)
                            .drainedWithin(Duration.ZERO),
                    // Kwok heals the condition Ready by itself; tests of repair use two of their
                    // own.
                    new RepairPolicy("KWOKUnhealthy", "True", Duration.ofSeconds(30))
                            .forReason(ANY)
                            .drainedWithin(Duration.ofSeconds(45)),
                    new RepairPolicy("KWOKRebootRequired", "True", Duration.ofSeconds(30))
                            .forReason(ANY)
                            .drainedWithin(Duration.ofMinutes(1))
                            .by(RepairPolicy.Action.REBOOT));

    /// Hears of what happens on threads nobody waits for.
    @FunctionalInterface
    public interface Listener {
        /// `what` is `create` or `delete`.
        void gaveUp(String what, String node, String why);
    }

    /// All that a cloud of kwok's reaches.
    public record Outside(
            KubeApi api,
            NodeLookup nodes,
            NodeClassState.Lookup classes,
            InstantSource clock,
            Sleeper sleeper,
            Listener listener) {}

    private final Outside outside;
    private final CloudTraits traits;
    private final CatalogAnswer catalog;
    private final KwokTypes types;
    private final Registrations registrations;

    public KwokCloud(KwokTypes types, Outside outside) {
        this.outside = outside;
        this.types = types;
        this.catalog = new CatalogAnswer.Types(types.types());
        this.registrations =
                new Registrations(
                        outside.api(), outside.nodes(), outside.sleeper(), outside.listener());
        this.traits = traits(types);
    }

    /// What is fixed about the cloud, before there is a cluster to open it for.
    public static CloudTraits traits(KwokTypes types) {
        return new CloudTraits(
                "kwok",
                List.of(KwokNodeClass.KIND),
                types.vocabulary(),
                UnsupportedStorage.NONE,
                REPAIR_POLICIES,
                CloudTraits.LAUNCH_TIMEOUT_DEFAULT,
                null);
    }

    @Override
    public CloudTraits traits() {
        return traits;
    }

    @Override
    public LaunchAnswer launch(MachineClaim claim) {
        var name = KwokNode.nameFor(claim);
        var pending = registrations.find(name);
        if (pending != null) {
            return new LaunchAnswer.Launched(pending);
        }
        return switch (outside.nodes().find(name)) {
            case NodeLookup.Found.There(var node) ->
                    new LaunchAnswer.Launched(KwokNode.machineOf(node));
            case NodeLookup.Found.Failed(var message) -> new LaunchAnswer.Failed(message);
            case NodeLookup.Found.Missing() -> launchAnew(claim);
        };
    }

    private LaunchAnswer launchAnew(MachineClaim claim) {
        return switch (MachineOptions.of(claim, types.types(), types.vocabulary())) {
            case MachineOptions.UnknownTypes unknown ->
                    new LaunchAnswer.Failed(unknown.explain(claim));
            case MachineOptions.Known known -> launchOneOf(known.launchable(), claim);
        };
    }

    private LaunchAnswer launchOneOf(List<MachineOption> options, MachineClaim claim) {
        return switch (outside.classes().find(claim.nodeClassRef())) {
            case NodeClassState.Missing(var message) ->
                    new LaunchAnswer.InsufficientCapacity(message);
            case NodeClassState.NotReady(var message) ->
                    new LaunchAnswer.NodeClassNotReady(message);
            case NodeClassState.Unknown(var message) -> new LaunchAnswer.Failed(message);
            case NodeClassState.Ready(var delay) ->
                    options.isEmpty()
                            ? new LaunchAnswer.InsufficientCapacity(
                                    "NodeClaim %s: no offering that would do is available"
                                            .formatted(claim.name()))
                            : new LaunchAnswer.Launched(
                                    registrations.begin(
                                            node(claim, cheapest(options, claim)), delay));
        };
    }

    private KwokNode node(MachineClaim claim, MachineOption option) {
        return KwokNode.of(claim, option, types.vocabulary(), outside.clock().instant());
    }

    /// Of the cheapest type's equally cheap offerings one by lot, so that machines spread over
    /// zones.
    private static MachineOption cheapest(List<MachineOption> options, MachineClaim claim) {
        var first = options.getFirst();
        var equal =
                options.stream()
                        .filter(option -> option.type().name().equals(first.type().name()))
                        .filter(
                                option ->
                                        option.offering().pricePerHour()
                                                == first.offering().pricePerHour())
                        .toList();
        return equal.get(KwokNode.lot(claim, equal.size()));
    }

    /// Takes up again what a controller that died left behind: a claim that was launched and whose
    /// Node was not created yet. Its labels say which machine it was.
    public void resume(MachineClaim claim) {
        var name = KwokNode.nameFor(claim);
        var isOurs = claim.providerId().equals(KwokNode.PROVIDER_PREFIX + name);
        if (isOurs
                && outside.nodes().find(name) instanceof NodeLookup.Found.Missing
                && MachineOptions.of(claim, types.types(), types.vocabulary())
                        instanceof MachineOptions.Known known) {
            known.options().stream()
                    .filter(option -> isLaunchedAs(option, claim))
                    .findFirst()
                    .ifPresent(option -> registrations.begin(node(claim, option), Duration.ZERO));
        }
    }

    private static boolean isLaunchedAs(MachineOption option, MachineClaim claim) {
        var labels = claim.labels();
        return option.type().name().equals(labels.get(LabelKeys.INSTANCE_TYPE))
                && option.offering().zone().equals(labels.get(LabelKeys.ZONE))
                && option.offering().capacityType().equals(labels.get(LabelKeys.CAPACITY_TYPE));
    }

    /// Gone with its objects: the claim's, as Karpenter's kwok provider does, and the Node's, which
    /// nobody else deletes where it was never registered.
    @Override
    public TerminateAnswer terminate(MachineClaim claim) {
        var name = nodeName(claim);
        if (!name.isEmpty()) {
            registrations.cancel(name);
        }
        if (!claim.uid().isEmpty()) {
            var answer =
                    outside.api()
                            .write(
                                    new ApiWrite.Delete(
                                            ResourceType.NODE_CLAIM,
                                            new ObjectName("", claim.name()),
                                            claim.uid(),
                                            null));
            if (!answer.isDone() && !answer.isNotFound() && !answer.isConflict()) {
                return new TerminateAnswer.Failed(
                        "NodeClaim %s could not be deleted: %s"
                                .formatted(claim.name(), answer.explain()));
            }
        }
        return name.isEmpty() ? new TerminateAnswer.Gone() : deleteNode(name);
    }

    private static String nodeName(MachineClaim claim) {
        if (claim.providerId().isEmpty()) {
            return KwokNode.nameFor(claim);
        }
        return KwokNode.isOurs(claim.providerId())
                ? claim.providerId().substring(KwokNode.PROVIDER_PREFIX.length())
                : "";
    }

    private TerminateAnswer deleteNode(String name) {
        var answer =
                outside.api()
                        .write(
                                new ApiWrite.Delete(
                                        ResourceType.NODE, new ObjectName("", name), null, null));
        return answer.isDone() || answer.isNotFound()
                ? new TerminateAnswer.Gone()
                : new TerminateAnswer.Failed(
                        "Node %s could not be deleted: %s".formatted(name, answer.explain()));
    }

    /// There is no machine to restart: the Node gets another boot id, which is what a restart is
    /// known by. The id follows from the operation, so that asking again changes nothing.
    @Override
    public RebootAnswer reboot(MachineClaim claim, String operation) {
        var name = nodeName(claim);
        if (name.isEmpty()) {
            return new RebootAnswer.Gone();
        }
        var status = Tree.of("nodeInfo", Tree.of("bootID", "kwok-" + operation));
        var answer =
                outside.api()
                        .write(
                                new ApiWrite.Patch(
                                        ResourceType.NODE,
                                        new ObjectName("", name),
                                        ApiWrite.PatchKind.MERGE,
                                        ApiWrite.Subresource.STATUS,
                                        Tree.of("status", status).mapping()));
        if (answer instanceof ApiAnswer.Done(var node)) {
            outside.nodes().learn(node);
            return new RebootAnswer.Accepted();
        }
        return answer.isNotFound()
                ? new RebootAnswer.Gone()
                : new RebootAnswer.Failed(
                        "Node %s could not be given a new boot id: %s"
                                .formatted(name, answer.explain()));
    }

    @Override
    public FindAnswer find(String providerId) {
        if (!KwokNode.isOurs(providerId)) {
            return new FindAnswer.Gone();
        }
        var name = providerId.substring(KwokNode.PROVIDER_PREFIX.length());
        var pending = registrations.find(name);
        if (pending != null) {
            return new FindAnswer.Found(pending);
        }
        return switch (outside.nodes().find(name)) {
            case NodeLookup.Found.There(var node) ->
                    node.isDeleting()
                            ? new FindAnswer.Gone()
                            : new FindAnswer.Found(KwokNode.machineOf(node));
            case NodeLookup.Found.Missing() -> new FindAnswer.Gone();
            case NodeLookup.Found.Failed(var message) -> new FindAnswer.Failed(message);
        };
    }

    /// Every Node of kwok's, whether a claim knows it or not, and those under way.
    @Override
    public ListAnswer list() {
        var pending = registrations.all();
        return switch (outside.nodes().all()) {
            case NodeLookup.Listed.Failed(var message) -> new ListAnswer.Failed(message);
            case NodeLookup.Listed.Nodes(var nodes) -> {
                var machines = new TreeMap<String, Machine>();
                pending.forEach(machine -> machines.put(machine.providerId(), machine));
                nodes.stream()
                        .filter(node -> KwokNode.isOurs(node.providerId()))
                        .map(KwokNode::machineOf)
                        .forEach(machine -> machines.put(machine.providerId(), machine));
                yield new ListAnswer.Machines(List.copyOf(machines.values()));
            }
        };
    }

    @Override
    public CatalogAnswer catalog(NodePool nodePool) {
        return catalog;
    }

    /// Nothing of kwok's nodes changes.
    @Override
    public DriftAnswer drift(MachineClaim claim) {
        return new DriftAnswer.InPlace();
    }

    /// Waits until every Node under way is there or given up.
    public void awaitRegistrations() throws InterruptedException {
        registrations.await();
    }

    /// Ends all registrations that are under way.
    @Override
    public void close() {
        registrations.close();
    }
}
