package dev.millwright.dashboard.ledger;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.cluster.Pod;
import dev.millwright.core.cluster.StateNode;
import dev.millwright.core.label.AnnotationKeys;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.quantity.Quantity;
import dev.millwright.core.quantity.Resources;
import dev.millwright.core.scheduling.Plan;
import dev.millwright.core.scheduling.SchedulingProblem;
import dev.millwright.dashboard.picture.Picture;
import dev.millwright.dashboard.picture.Picture.CapacityType;
import dev.millwright.dashboard.picture.Picture.Deployment;
import dev.millwright.dashboard.picture.Picture.Machine;
import dev.millwright.dashboard.picture.Picture.Node;
import dev.millwright.dashboard.picture.Picture.Phase;
import dev.millwright.dashboard.picture.Picture.Share;
import dev.millwright.dashboard.picture.Picture.WaitingPod;
import dev.millwright.dashboard.picture.Picture.Workload;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/// Nodes, makers of pods and waiting pods as a picture has them, from what a plan is made from.
final class FleetReading {

    /// Makers of pods that are shown: those that ask for most.
    static final int MAKERS_MAX = 50;

    private static final long MILLIS = 1_000;
    private static final long NANOS_PER_MILLI = 1_000_000;
    private static final String TEMPLATE_HASH = "pod-template-hash";

    private record PriceKey(String pool, String type, String zone, String capacityType) {}

    /// What one maker has, while it is counted.
    private record Made(int wanted, int ready, long cpuMillis, long memoryBytes) {
        Made plus(boolean isReady, Picture.Pod pod) {
            return new Made(
                    wanted + 1,
                    ready + (isReady ? 1 : 0),
                    Math.max(cpuMillis, pod.cpuMillis()),
                    Math.max(memoryBytes, pod.memoryBytes()));
        }

        long weight() {
            return wanted * cpuMillis;
        }
    }

    private final SchedulingProblem problem;
    private final @Nullable Plan plan;
    private final UnaryOperator<String> kept;
    private final Map<String, List<Picture.Pod>> podsByNode = new HashMap<>();
    private final List<Pod> waiting = new ArrayList<>();
    private final Map<String, Made> makers = new TreeMap<>();
    private final Map<PriceKey, Double> prices = new HashMap<>();
    private int podsRunning;

    /// @param plan the last one, which may be older than the problem
    /// @param kept why a node stays; empty when nobody said
    FleetReading(SchedulingProblem problem, @Nullable Plan plan, UnaryOperator<String> kept) {
        this.problem = problem;
        this.plan = plan;
        this.kept = kept;
        for (var pod : problem.snapshot().pods()) {
            if (!pod.state().isTerminal()
                    && !pod.annotations().containsKey(AnnotationKeys.BUFFER_POD)) {
                sort(pod);
            }
        }
    }

    private void sort(Pod pod) {
        var shown = shown(pod);
        var node = pod.state().nodeName();
        if (node != null) {
            podsByNode.computeIfAbsent(node, _ -> new ArrayList<>()).add(shown);
            podsRunning++;
        } else if (pod.state().isProvisionable() && pod.state().isActive()) {
            waiting.add(pod);
        }
        if (!pod.state().isOwnedByDaemonSet() && !pod.state().isMirror()) {
            makers.put(
                    shown.owner(),
                    makers.getOrDefault(shown.owner(), new Made(0, 0, 0, 0))
                            .plus(node != null, shown));
        }
    }

    private static Picture.Pod shown(Pod pod) {
        return new Picture.Pod(
                pod.name().toString(),
                maker(pod),
                millis(pod.requests().amount(Resources.CPU)),
                pod.requests().amount(Resources.MEMORY).units());
    }

    /// A ReplicaSet is known by its Deployment's name: its own has a hash at the end.
    static String maker(Pod pod) {
        var controller = pod.state().controller();
        var name = controller == null ? pod.name().name() : controller.name();
        var hash = pod.labels().get(TEMPLATE_HASH);
        var known =
                hash != null && name.endsWith("-" + hash)
                        ? name.substring(0, name.length() - hash.length() - 1)
                        : name;
        return pod.name().namespace() + "/" + known;
    }

    static long millis(Quantity cpu) {
        return cpu.units() * MILLIS + cpu.nanos() / NANOS_PER_MILLI;
    }

    int podsRunning() {
        return podsRunning;
    }

    List<Node> nodes() {
        return problem.snapshot().nodes().stream().map(this::node).toList();
    }

    private Node node(StateNode state) {
        var labels = state.labels();
        var pods = podsByNode.getOrDefault(state.name(), List.of());
        var pool = labels.getOrDefault(LabelKeys.NODE_POOL, "");
        var type = labels.getOrDefault(LabelKeys.INSTANCE_TYPE, "");
        var zone = labels.getOrDefault(LabelKeys.ZONE, "");
        var capacityType = labels.getOrDefault(LabelKeys.CAPACITY_TYPE, "");
        var room = state.allocatable();
        return new Node(
                state.name(),
                new Machine(
                        state.isManaged() ? pool : "not managed",
                        type.isEmpty() ? "asked for" : type,
                        zone.isEmpty() ? "any zone" : zone,
                        CapacityType.of(capacityType),
                        price(new PriceKey(pool, type, zone, capacityType))),
                phase(state),
                null,
                new Share(
                        pods.stream().mapToLong(Picture.Pod::cpuMillis).sum(),
                        millis(room.amount(Resources.CPU))),
                new Share(
                        pods.stream().mapToLong(Picture.Pod::memoryBytes).sum(),
                        room.amount(Resources.MEMORY).units()),
                pods,
                state.isMarkedForDeletion() ? "" : kept.apply(state.name()));
    }

    private static Phase phase(StateNode state) {
        if (state.isMarkedForDeletion()) {
            return Phase.DRAINING;
        }
        if (state.isInitialized()) {
            return Phase.READY;
        }
        var claim = state.claim();
        return claim != null && claim.providerId().isEmpty() ? Phase.LAUNCHING : Phase.STARTING;
    }

    /// What the first offering costs that the node could have been bought as; 0 when nobody sells
    /// it.
    private double price(PriceKey key) {
        return prices.computeIfAbsent(
                key,
                wanted ->
                        problem.catalogs().getOrDefault(wanted.pool(), List.of()).stream()
                                .filter(type -> type.name().equals(wanted.type()))
                                .flatMap(type -> type.offerings().stream())
                                .filter(
                                        offering ->
                                                offering.zone().equals(wanted.zone())
                                                        && offering.capacityType()
                                                                .equals(wanted.capacityType()))
                                .mapToDouble(offering -> offering.pricePerHour())
                                .findFirst()
                                .orElse(0));
    }

    Workload workload() {
        var reasons = reasons();
        return new Workload(
                makers.entrySet().stream()
                        .sorted(
                                Comparator.<Map.Entry<String, Made>>comparingLong(
                                                each -> -each.getValue().weight())
                                        .thenComparing(Map.Entry::getKey))
                        .limit(MAKERS_MAX)
                        .map(each -> deployment(each.getKey(), each.getValue()))
                        .toList(),
                waiting.stream()
                        .map(
                                pod ->
                                        new WaitingPod(
                                                shown(pod),
                                                pod.createdAt(),
                                                reasons.getOrDefault(
                                                        pod.name(),
                                                        "it has just come; nothing is decided yet")))
                        .sorted(
                                Comparator.comparing(WaitingPod::since)
                                        .thenComparing(each -> each.pod().name()))
                        .toList());
    }

    private static Deployment deployment(String name, Made made) {
        return new Deployment(
                name, made.wanted(), made.ready(), made.cpuMillis(), made.memoryBytes());
    }

    private Map<ObjectName, String> reasons() {
        var reasons = new HashMap<ObjectName, String>();
        var made = plan;
        if (made == null) {
            return reasons;
        }
        for (var claim : made.claims()) {
            var words = "a node is on its way: " + Telling.claim(claim);
            claim.pods().forEach(pod -> reasons.put(pod, words));
        }
        for (var existing : made.existing()) {
            var words = "node %s has room for it".formatted(existing.node());
            existing.pods().forEach(pod -> reasons.put(pod, words));
        }
        for (var left : made.waiting()) {
            reasons.put(left.pod(), left.reason().explain());
        }
        return reasons;
    }
}
