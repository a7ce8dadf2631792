package dev.millwright.cli.demo;

import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.quantity.Quantity;
import dev.millwright.core.quantity.Resources;
import dev.millwright.dashboard.picture.Picture.CapacityType;
import dev.millwright.dashboard.picture.Picture.Deployment;
import dev.millwright.dashboard.picture.Picture.Machine;
import dev.millwright.dashboard.picture.Picture.Node;
import dev.millwright.dashboard.picture.Picture.Phase;
import dev.millwright.dashboard.picture.Picture.Pod;
import dev.millwright.dashboard.picture.Picture.Share;
import dev.millwright.dashboard.picture.Picture.WaitingPod;
import dev.millwright.dashboard.picture.Picture.Workload;
import dev.millwright.kube.object.ClaimObject;
import dev.millwright.kube.object.NodeObject;
import dev.millwright.kube.object.PodObject;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Nodes, deployments and waiting pods as a picture has them, from what was seen of a world.
final class FleetPicture {

    private static final long MILLIS = 1_000;
    private static final long NANOS_PER_MILLI = 1_000_000;

    private final FleetWatch watch;
    private final Map<String, List<PodObject>> podsByNode = new HashMap<>();

    FleetPicture(FleetWatch watch) {
        this.watch = watch;
        for (var pod : watch.stage().pods().values()) {
            if (!pod.isTerminal() && !pod.nodeName().isEmpty()) {
                podsByNode.computeIfAbsent(pod.nodeName(), _ -> new ArrayList<>()).add(pod);
            }
        }
    }

    List<Node> nodes() {
        return watch.stage().claims().values().stream().map(this::node).toList();
    }

    private Node node(ClaimObject claim) {
        var node = watch.stage().nodeOf(claim);
        var pods = node == null ? List.<Pod>of() : pods(node.name().name());
        var machine = watch.machine(claim.providerId());
        var labels = machine == null ? claim.meta().labels() : machine.labels();
        var whole = whole(claim, node);
        return new Node(
                claim.name().name(),
                new Machine(
                        claim.nodePool(),
                        labels.getOrDefault(LabelKeys.INSTANCE_TYPE, "asked for"),
                        labels.getOrDefault(LabelKeys.ZONE, "any zone"),
                        CapacityType.of(labels.getOrDefault(LabelKeys.CAPACITY_TYPE, "")),
                        watch.prices().perHour(labels)),
                phase(claim, node),
                watch.endsAt(claim.providerId()),
                new Share(
                        pods.stream().mapToLong(Pod::cpuMillis).sum(),
                        millis(whole.amount(Resources.CPU))),
                new Share(
                        pods.stream().mapToLong(Pod::memoryBytes).sum(),
                        whole.amount(Resources.MEMORY).units()),
                pods,
                claim.isDeleting() ? "" : watch.kept(claim.name()));
    }

    /// What pods get of it; before that is known, what they will ask for.
    private static Resources whole(ClaimObject claim, @Nullable NodeObject node) {
        if (node != null && !node.node().allocatable().isEmpty()) {
            return node.node().allocatable();
        }
        var known = claim.status().allocatable();
        return known.isEmpty() ? claim.spec().requests() : known;
    }

    private Phase phase(ClaimObject claim, @Nullable NodeObject node) {
        if (watch.endsAt(claim.providerId()) != null) {
            return Phase.INTERRUPTED;
        }
        if (claim.isDeleting()) {
            return Phase.DRAINING;
        }
        if (claim.providerId().isEmpty()) {
            return Phase.LAUNCHING;
        }
        return node != null && node.isInitialized() ? Phase.READY : Phase.STARTING;
    }

    private List<Pod> pods(String node) {
        return podsByNode.getOrDefault(node, List.of()).stream().map(FleetPicture::pod).toList();
    }

    private static Pod pod(PodObject pod) {
        return new Pod(
                pod.name().toString(),
                Owners.of(pod.pod()),
                millis(pod.pod().requests().amount(Resources.CPU)),
                pod.pod().requests().amount(Resources.MEMORY).units());
    }

    private static long millis(Quantity cpu) {
        return cpu.units() * MILLIS + cpu.nanos() / NANOS_PER_MILLI;
    }

    int podsRunning() {
        return podsByNode.values().stream().mapToInt(List::size).sum();
    }

    Workload workload() {
        return new Workload(deployments(), waiting());
    }

    private List<Deployment> deployments() {
        return watch.stage().deployments().values().stream().map(FleetPicture::deployment).toList();
    }

    private static Deployment deployment(Stage.Sized sized) {
        var wanted = sized.object().replicas();
        var template = sized.object().template();
        var requests = template == null ? Resources.NONE : template.requests();
        return new Deployment(
                sized.object().name().name(),
                wanted == null ? 1 : wanted,
                sized.ready(),
                millis(requests.amount(Resources.CPU)),
                requests.amount(Resources.MEMORY).units());
    }

    private List<WaitingPod> waiting() {
        return watch.stage().pods().values().stream()
                .filter(pod -> pod.isActive() && pod.nodeName().isEmpty())
                .map(
                        pod ->
                                new WaitingPod(
                                        pod(pod), pod.meta().createdAt(), watch.reason(pod.name())))
                .sorted(Comparator.comparing(WaitingPod::since))
                .toList();
    }
}
