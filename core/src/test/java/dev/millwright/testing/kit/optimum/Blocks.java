package dev.millwright.testing.kit.optimum;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.catalog.Offering;
import dev.millwright.core.cluster.Pod;
import dev.millwright.core.cluster.StateNode;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.label.Requirements;
import dev.millwright.core.label.Taint;
import dev.millwright.core.policy.NodePool;
import dev.millwright.core.quantity.Quantity;
import dev.millwright.core.quantity.Resources;
import dev.millwright.core.scheduling.SchedulingProblem;
import dev.millwright.testing.kit.optimum.Optimum.Choice;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/// What each set of pods costs on one machine. Sets are bit masks over the pods.
final class Blocks {

    private static final List<String> AMOUNTS =
            List.of(Resources.CPU, Resources.MEMORY, Resources.PODS);

    /// One way to buy one machine, and the pods that could use it one at a time.
    private record Machine(
            int pool, String zone, double price, long[] room, long limited, int allowed) {}

    /// A machine for a set of pods. `limited` is what it takes of its pool's limit, in thousandths
    /// of a cpu.
    record Option(int pool, double price, long limited) {}

    private final SchedulingProblem problem;
    private final List<Pod> pods;
    private final List<NodePool> pools;
    private final List<Machine> machines = new ArrayList<>();
    private final List<String> zones;
    private final List<StateNode> nodes;
    private final long[][] requests;
    private final long[][] asked;
    private final boolean[] hostMet;
    private final List<long[]> nodeRooms = new ArrayList<>();
    private final List<Integer> nodeAllowed = new ArrayList<>();
    private final Map<Long, List<Option>> known = new HashMap<>();

    Blocks(SchedulingProblem problem, List<Pod> pods, Choice choice) {
        this.problem = problem;
        this.pods = pods;
        this.pools = problem.nodePools();
        this.nodes = problem.snapshot().nodes();
        this.requests = pods.stream().map(pod -> amounts(pod.requests())).toArray(long[][]::new);
        this.asked = new long[1 << pods.size()][AMOUNTS.size()];
        this.hostMet = new boolean[asked.length];
        for (var mask = 0; mask < asked.length; mask++) {
            sum(mask);
        }
        for (var pool = 0; pool < pools.size(); pool++) {
            for (var type : problem.catalogs().getOrDefault(pools.get(pool).name(), List.of())) {
                for (var offering : type.offerings()) {
                    addMachine(pool, type, offering);
                }
            }
        }
        if (choice == Choice.HEAVIEST_POOL) {
            keepHeaviest();
        }
        var names = new TreeSet<String>();
        machines.forEach(machine -> names.add(machine.zone()));
        this.zones = List.copyOf(names);
        nodes.forEach(this::addNode);
    }

    private static long[] amounts(Resources resources) {
        return AMOUNTS.stream().mapToLong(name -> thousandths(resources.amount(name))).toArray();
    }

    private static long thousandths(Quantity quantity) {
        return quantity.units() * 1_000 + quantity.nanos() / 1_000_000;
    }

    private void addMachine(int pool, InstanceType type, Offering offering) {
        var vocabulary = problem.policy().vocabulary();
        var promised = pools.get(pool).nodeRequirements(vocabulary);
        if (!type.requirements().intersects(promised)
                || !promised.isCompatible(offering.requirements(), vocabulary.wellKnown())) {
            return;
        }
        var labels = promised.and(offering.requirements());
        var taints = pools.get(pool).template().taints();
        var allowed = allowed(labels, taints, vocabulary.wellKnown());
        machines.add(
                new Machine(
                        pool,
                        offering.zone(),
                        offering.pricePerHour(),
                        amounts(type.allocatable()),
                        thousandths(type.capacity().amount(Resources.CPU)),
                        allowed));
    }

    private int allowed(Requirements labels, List<Taint> taints, Set<String> undefined) {
        var allowed = 0;
        for (var pod = 0; pod < pods.size(); pod++) {
            var placement = pods.get(pod).placement();
            var wanted = Requirements.ofLabels(placement.nodeSelector());
            for (var term : placement.nodeAffinity().required()) {
                wanted = wanted.and(term.expressions());
            }
            if (labels.isCompatible(wanted, undefined)
                    && Taint.firstUntolerated(taints, placement.tolerations()) == null) {
                allowed |= 1 << pod;
            }
        }
        return allowed;
    }

    private void keepHeaviest() {
        var heaviest = new int[pods.size()];
        Arrays.fill(heaviest, Integer.MIN_VALUE);
        for (var machine : machines) {
            for (var pod = 0; pod < heaviest.length; pod++) {
                if (holds(machine.room(), machine.allowed(), 1 << pod)) {
                    heaviest[pod] = Math.max(heaviest[pod], pools.get(machine.pool()).weight());
                }
            }
        }
        machines.replaceAll(
                machine -> {
                    var allowed = machine.allowed();
                    for (var pod = 0; pod < heaviest.length; pod++) {
                        if (pools.get(machine.pool()).weight() < heaviest[pod]) {
                            allowed &= ~(1 << pod);
                        }
                    }
                    return new Machine(
                            machine.pool(),
                            machine.zone(),
                            machine.price(),
                            machine.room(),
                            machine.limited(),
                            allowed);
                });
    }

    private void addNode(StateNode node) {
        var vocabulary = problem.policy().vocabulary();
        var used = Resources.NONE;
        for (var pod : problem.snapshot().pods()) {
            if (node.name().equals(pod.state().nodeName())) {
                used = used.plus(pod.requests());
            }
        }
        nodeRooms.add(amounts(node.allocatable().minus(used)));
        nodeAllowed.add(allowed(vocabulary.labels(node.labels()), node.taints(), Set.of()));
    }

    private boolean holds(long[] room, int allowed, int mask) {
        if ((mask & ~allowed) != 0 || !hostMet[mask]) {
            return false;
        }
        for (var amount = 0; amount < room.length; amount++) {
            if (asked[mask][amount] > room[amount]) {
                return false;
            }
        }
        return true;
    }

    private void sum(int mask) {
        for (var pod = 0; pod < requests.length; pod++) {
            for (var amount = 0; amount < requests[pod].length; amount++) {
                asked[mask][amount] += (mask >> pod & 1) * requests[pod][amount];
            }
        }
        hostMet[mask] = isHostMet(mask);
    }

    private boolean isHostMet(int mask) {
        for (var pod = 0; pod < requests.length; pod++) {
            var placement = pods.get(pod).placement();
            if ((mask >> pod & 1) == 0) {
                continue;
            }
            var together = Integer.bitCount(mask & alike(pod));
            var isApart =
                    placement.podAntiAffinity().required().stream()
                            .anyMatch(term -> term.topologyKey().equals(LabelKeys.HOSTNAME));
            var isTooMany =
                    placement.spread().stream()
                            .anyMatch(
                                    spread ->
                                            spread.topologyKey().equals(LabelKeys.HOSTNAME)
                                                    && together > spread.maxSkew());
            if (isTooMany || (isApart && together > 1)) {
                return false;
            }
        }
        return true;
    }

    /// The pods with the same label `app`.
    int alike(int pod) {
        var app = pods.get(pod).labels().get("app");
        var alike = 0;
        for (var other = 0; other < pods.size(); other++) {
            if (app != null && app.equals(pods.get(other).labels().get("app"))) {
                alike |= 1 << other;
            }
        }
        return alike;
    }

    List<String> zones() {
        return zones;
    }

    int nodes() {
        return nodes.size();
    }

    /// Whether the node that is there holds these pods.
    boolean holds(int node, int mask) {
        return holds(nodeRooms.get(node), nodeAllowed.get(node), mask);
    }

    String zoneOf(int node) {
        return nodes.get(node).labels().getOrDefault(LabelKeys.ZONE, "");
    }

    /// What is left of each pool's limit.
    long[] limits() {
        return pools.stream()
                .mapToLong(
                        pool ->
                                pool.limits().has(Resources.CPU)
                                        ? thousandths(pool.limits().amount(Resources.CPU))
                                        : Long.MAX_VALUE)
                .toArray();
    }

    /// The machines of the zone worth buying for these pods, the cheapest first. Without limits one
    /// is enough.
    List<Option> options(int zone, int mask) {
        return known.computeIfAbsent(
                (long) zone << Integer.SIZE | mask, _ -> compute(zones.get(zone), mask));
    }

    private List<Option> compute(String zone, int mask) {
        var fitting = new ArrayList<Option>();
        for (var machine : machines) {
            if (machine.zone().equals(zone) && holds(machine.room(), machine.allowed(), mask)) {
                var isLimited = pools.get(machine.pool()).limits().has(Resources.CPU);
                var limited = isLimited ? machine.limited() : 0;
                fitting.add(new Option(machine.pool(), machine.price(), limited));
            }
        }
        fitting.sort(Comparator.comparingDouble(Option::price));
        var kept = new ArrayList<Option>();
        for (var option : fitting) {
            if (kept.stream().noneMatch(cheaper -> isAsGood(cheaper, option))) {
                kept.add(option);
            }
        }
        return List.copyOf(kept);
    }

    private static boolean isAsGood(Option cheaper, Option option) {
        return cheaper.limited() == 0
                || (cheaper.pool() == option.pool() && cheaper.limited() <= option.limited());
    }
}
