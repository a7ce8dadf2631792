package dev.millwright.testing.kit.optimum;

import static dev.millwright.core.label.LabelKeys.CAPACITY_TYPE;
import static dev.millwright.core.label.LabelKeys.CAPACITY_TYPE_ON_DEMAND;
import static dev.millwright.core.label.LabelKeys.CAPACITY_TYPE_SPOT;
import static dev.millwright.core.label.LabelKeys.HOSTNAME;
import static dev.millwright.core.label.LabelKeys.ZONE;
import static dev.millwright.testing.kit.FakeCatalogue.ZONE_1;
import static dev.millwright.testing.kit.FakeCatalogue.ZONE_2;
import static dev.millwright.testing.kit.FakeCatalogue.ZONE_3;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.catalog.Offering;
import dev.millwright.core.label.Requirement;
import dev.millwright.core.label.Taint;
import dev.millwright.core.policy.SchedulingPolicy.Packing;
import dev.millwright.core.scheduling.SchedulingProblem;
import dev.millwright.testing.kit.ClusterBuilder;
import dev.millwright.testing.kit.ClusterPart;
import dev.millwright.testing.kit.Given;
import dev.millwright.testing.kit.NodePoolBuilder;
import dev.millwright.testing.kit.PodBuilder;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;

/// Problems of a few pods whose optimum [Optimum] can find. The same kind and seed give the same
/// problem on every machine.
public final class SmallProblems {

    /// What makes a problem hard.
    public enum Kind {
        ONE_POOL,
        POOLS,
        WEIGHTS,
        LIMITS,
        TAINTS,
        NODES,
        ZONE_TOPOLOGY,
        HOST_TOPOLOGY;

        public boolean hasTopology() {
            return this == ZONE_TOPOLOGY || this == HOST_TOPOLOGY;
        }
    }

    public static final int PODS_MIN = 5;
    public static final int PODS_MAX = 16;

    private static final List<String> ZONES = List.of(ZONE_1, ZONE_2, ZONE_3);
    private static final List<Integer> CPUS = List.of(2, 4, 8, 16);
    private static final List<Integer> MEMORY_PER_CPU = List.of(2, 4, 8);
    private static final Taint DEDICATED = Given.taint("dedicated", "batch");

    private final Kind kind;
    private final Random random;

    private SmallProblems(Kind kind, long seed) {
        this.kind = kind;
        this.random = new Random(seed * 31 + kind.name().hashCode());
    }

    /// @param podsMax no more than [#PODS_MAX]
    public static SchedulingProblem of(Kind kind, long seed, int podsMax) {
        return new SmallProblems(kind, seed).problem(podsMax);
    }

    private SchedulingProblem problem(int podsMax) {
        var cluster = Given.cluster().packing(Packing.CHEAPEST);
        var isSeveral = kind != Kind.ONE_POOL && (kind != Kind.NODES || random.nextBoolean());
        var pools = isSeveral ? 2 + random.nextInt(3) : 1;
        var catalogue = catalogue();
        for (var number = 0; number < pools; number++) {
            var pool = pool(number);
            cluster = cluster.with(pool).sellingTo(pool.nodePool().name(), ownTypes(catalogue));
        }
        if (kind == Kind.NODES) {
            cluster = cluster.with(nodes(catalogue));
        }
        var count = PODS_MIN + random.nextInt(podsMax - PODS_MIN + 1);
        return withPods(cluster, count).problem();
    }

    private List<InstanceType> catalogue() {
        var types = new ArrayList<InstanceType>();
        for (var cpu : CPUS) {
            for (var perCpu : MEMORY_PER_CPU) {
                types.add(type(cpu, cpu * perCpu));
            }
        }
        return types;
    }

    private InstanceType type(int cpu, int memory) {
        var price = (0.03 * cpu + 0.004 * memory) * (0.85 + 0.3 * random.nextDouble());
        var type =
                Given.instanceType("c%02d-m%03d".formatted(cpu, memory))
                        .cpu(Integer.toString(cpu))
                        .memory(memory + "Gi")
                        .pods(4 + 4 * cpu);
        for (var zone : ZONES) {
            var spot = price * (0.3 + 0.4 * random.nextDouble());
            type =
                    type.offering(zone, CAPACITY_TYPE_SPOT, spot)
                            .offering(zone, CAPACITY_TYPE_ON_DEMAND, price);
        }
        return type.build();
    }

    /// Half of the pools sell only some of the types.
    private List<InstanceType> ownTypes(List<InstanceType> catalogue) {
        if (random.nextBoolean()) {
            return catalogue;
        }
        var some = catalogue.stream().filter(_ -> random.nextInt(3) > 0).toList();
        return some.isEmpty() ? catalogue : withLargest(some, catalogue.getLast());
    }

    private static List<InstanceType> withLargest(List<InstanceType> some, InstanceType largest) {
        var types = new ArrayList<>(some);
        if (!types.contains(largest)) {
            types.add(largest);
        }
        return types;
    }

    private NodePoolBuilder pool(int number) {
        var pool = Given.nodePool("pool-" + (char) ('a' + number));
        if (kind == Kind.WEIGHTS) {
            pool = pool.weight(10 * random.nextInt(3));
        }
        if (kind == Kind.LIMITS && number > 0) {
            pool = pool.limit("cpu", Integer.toString(4 + 4 * random.nextInt(6)));
        }
        if (kind == Kind.TAINTS && number > 0 && random.nextBoolean()) {
            pool = pool.taint(DEDICATED);
        }
        return switch (random.nextInt(4)) {
            case 0 -> pool.requirement(onlyOnDemand());
            case 1 ->
                    kind == Kind.ZONE_TOPOLOGY
                            ? pool
                            : pool.requirement(Given.in(ZONE, any(ZONES), any(ZONES)));
            default -> pool;
        };
    }

    private static Requirement onlyOnDemand() {
        return Given.in(CAPACITY_TYPE, CAPACITY_TYPE_ON_DEMAND);
    }

    private List<ClusterPart> nodes(List<InstanceType> catalogue) {
        var parts = new ArrayList<ClusterPart>();
        var count = 1 + random.nextInt(3);
        for (var number = 0; number < count; number++) {
            var type = catalogue.get(random.nextInt(catalogue.size() / 2));
            var node =
                    Given.node("node-" + number)
                            .pool("pool-a")
                            .bought(type, Offering.of(any(ZONES), CAPACITY_TYPE_ON_DEMAND, 0));
            parts.add(random.nextInt(3) == 0 ? node.inFlight() : node);
            parts.add(
                    Given.pod("bound-" + number, "500m")
                            .memory("512Mi")
                            .ownedBy("ReplicaSet", "bound")
                            .onNode("node-" + number));
        }
        return parts;
    }

    /// Half of the problems are a few workloads, half are pods that differ all.
    private ClusterBuilder withPods(ClusterBuilder cluster, int count) {
        var isAlike = random.nextBoolean();
        var pods = new ArrayList<PodBuilder>();
        while (pods.size() < count) {
            var copies = isAlike ? Math.min(count - pods.size(), 1 + random.nextInt(5)) : 1;
            var workload = "w" + pods.size();
            var model = pod(workload, copies, pods.size());
            IntStream.range(0, copies)
                    .mapToObj(copy -> model.renamed(workload + "-" + copy))
                    .forEach(pods::add);
        }
        return cluster.with(pods);
    }

    private PodBuilder pod(String workload, int copies, int before) {
        var cpu = 100 + 50 * random.nextInt(random.nextInt(4) == 0 ? 120 : 50);
        var memory = cpu * (1 + random.nextInt(8));
        var pod = Given.pod(workload).cpu(cpu + "m").memory(memory + "Mi");
        if (kind == Kind.TAINTS && random.nextBoolean()) {
            pod = pod.tolerates(DEDICATED);
        }
        if (!kind.hasTopology() && random.nextInt(6) == 0) {
            pod =
                    random.nextBoolean()
                            ? pod.nodeSelector(ZONE, any(ZONES))
                            : pod.requires(onlyOnDemand());
        }
        return kind.hasTopology() ? related(pod, workload, copies, before) : pod;
    }

    /// The first workloads keep apart or together; those that differ all share one label.
    private PodBuilder related(PodBuilder pod, String workload, int copies, int before) {
        if (random.nextInt(3) == 0) {
            return pod;
        }
        var labels = Map.of("app", copies > 1 ? workload : "shared");
        var labelled = pod.labels(labels);
        if (kind == Kind.HOST_TOPOLOGY) {
            return copies > 1 && before % 2 == 0
                    ? labelled.spread(HOSTNAME, 1 + copies / 3, labels)
                    : labelled.podAntiAffinity(HOSTNAME, labels);
        }
        if (copies == 1) {
            return labelled.spread(ZONE, 1, labels);
        }
        return switch (before % 3) {
            case 0 -> labelled.spread(ZONE, 1, labels);
            case 1 -> labelled.podAffinity(ZONE, labels);
            default -> labelled.spread(ZONE, 2, labels);
        };
    }

    private <T> T any(List<T> values) {
        return values.get(random.nextInt(values.size()));
    }
}
