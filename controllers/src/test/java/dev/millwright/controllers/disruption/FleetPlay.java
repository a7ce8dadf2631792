package dev.millwright.controllers.disruption;

import dev.millwright.controllers.settings.Settings;
import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.disruption.Allowances;
import dev.millwright.core.disruption.Command;
import dev.millwright.core.disruption.Command.Replacement;
import dev.millwright.core.disruption.DisruptionMethod;
import dev.millwright.core.disruption.DisruptionProblem;
import dev.millwright.core.disruption.Emptiness;
import dev.millwright.core.disruption.MultiNode;
import dev.millwright.core.disruption.SingleNode;
import dev.millwright.core.disruption.WholeFleet;
import dev.millwright.core.policy.NodePoolBudgets.Reason;
import dev.millwright.core.scheduling.PlannedClaim;
import dev.millwright.testing.kit.Given;
import dev.millwright.testing.kit.disruption.DisruptionStage;
import dev.millwright.testing.kit.disruption.FleetNode;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;

/// A fleet in numbers, consolidated until nothing more is found. Where pods go is worked out here,
/// by nothing but their size: a plan that counts on room that is not there fails.
final class FleetPlay {

    private static final int COMMANDS_MAX = 100;
    private static final double ROUNDING = 1e-9;
    private static final int PODS_PER_NODE_MAX = 10;

    private static final List<InstanceType> TYPES =
            IntStream.rangeClosed(1, 20)
                    .mapToObj(
                            cpus ->
                                    Given.instanceType("fake-it-" + (cpus - 1))
                                            .cpu(Integer.toString(cpus))
                                            .memory(2 * cpus + "Gi")
                                            .pods(PODS_PER_NODE_MAX)
                                            .build())
                    .toList();

    private record Host(String type, int millis, String pool, String zone, double price) {}

    private record Load(String host, int millis, boolean isGuarded) {}

    private final Settings.Consolidation consolidation;
    private final Map<String, String> budgets = new TreeMap<>();
    private final TreeMap<String, Host> hosts = new TreeMap<>();
    private final TreeMap<String, Load> pods = new TreeMap<>();
    private boolean isDearest;
    private int bought;
    private int evictions;

    private FleetPlay(Settings.Consolidation consolidation) {
        this.consolidation = consolidation;
    }

    private FleetPlay(FleetPlay other) {
        this(other.consolidation);
        budgets.putAll(other.budgets);
        hosts.putAll(other.hosts);
        pods.putAll(other.pods);
        isDearest = other.isDearest;
        bought = other.bought;
    }

    /// Two pools, up to fourteen nodes, up to six pods on each.
    static FleetPlay of(long seed, Settings.Consolidation consolidation) {
        var chance = new Random(seed);
        var play = new FleetPlay(consolidation);
        var some = List.of("1", "2", "50%", "100%", "100%", "100%");
        for (var pool : List.of("default", "other")) {
            play.budgets.put(pool, some.get(chance.nextInt(some.size())));
        }
        var prices = prices();
        var count = 1 + chance.nextInt(14);
        for (var index = 0; index < count; index++) {
            var cpus = 1 + chance.nextInt(16);
            var name = "n" + index;
            var type = "fake-it-" + (cpus - 1);
            play.hosts.put(
                    name,
                    new Host(
                            type,
                            cpus * 1_000,
                            chance.nextBoolean() ? "default" : "other",
                            "test-zone-" + (1 + chance.nextInt(3)),
                            prices.getOrDefault(type, 0.0)));
            var left = cpus * 1_000 - 100;
            var wanted = chance.nextInt(7);
            for (var pod = 0; pod < wanted; pod++) {
                var millis = 100 + chance.nextInt(1_500);
                if (millis <= left) {
                    left -= millis;
                    play.pods.put(
                            name + "-" + pod, new Load(name, millis, chance.nextInt(15) == 0));
                }
            }
        }
        return play;
    }

    private static Map<String, Double> prices() {
        var prices = new HashMap<String, Double>();
        for (var type : TYPES) {
            prices.put(type.name(), type.offerings().getFirst().pricePerHour());
        }
        return prices;
    }

    /// The cloud gives the dearest of the types that it may, instead of the cheapest.
    FleetPlay atTheDearest() {
        isDearest = true;
        return this;
    }

    double price() {
        return hosts.values().stream().mapToDouble(Host::price).sum();
    }

    int evictions() {
        return evictions;
    }

    DisruptionProblem problem() {
        var stage = new DisruptionStage(consolidation);
        stage.rig.cloud().types(TYPES);
        budgets.forEach(
                (pool, nodes) ->
                        stage.rig.apply(
                                DisruptionStage.pool(
                                        pool, DisruptionStage.disruption(nodes).mapping())));
        hosts.forEach(
                (name, host) ->
                        stage.add(
                                new FleetNode(name)
                                        .type(host.type(), host.millis() + "m")
                                        .pool(host.pool())
                                        .label("topology.kubernetes.io/zone", host.zone())));
        pods.forEach(
                (name, load) -> {
                    var pod =
                            DisruptionStage.pod(name, load.host())
                                    .requests("cpu", load.millis() + "m");
                    stage.rig.apply(
                            load.isGuarded()
                                    ? pod.annotation("karpenter.sh/do-not-disrupt", "true")
                                    : pod);
                });
        return stage.problem();
    }

    /// Until nothing more is found. What each command leaves is checked.
    FleetPlay toQuiet() {
        for (var count = 0; count < COMMANDS_MAX; count++) {
            var commands = next(problem());
            if (commands.isEmpty()) {
                return this;
            }
            carryOut(commands);
        }
        throw new IllegalStateException("no end after %d passes".formatted(COMMANDS_MAX));
    }

    static List<Command> next(DisruptionProblem problem) {
        var empty =
                Emptiness.decide(Emptiness.candidacy(problem), Allowances.of(problem, Reason.EMPTY))
                        .commands();
        if (!empty.isEmpty()) {
            return empty;
        }
        for (var method :
                List.of(
                        DisruptionMethod.WHOLE_FLEET,
                        DisruptionMethod.MULTI_NODE,
                        DisruptionMethod.SINGLE_NODE)) {
            var allowed = Allowances.of(problem, Reason.UNDERUTILIZED);
            var decision =
                    switch (method) {
                        case WHOLE_FLEET ->
                                WholeFleet.decide(
                                        problem, WholeFleet.candidacy(problem), allowed, Set.of());
                        case MULTI_NODE ->
                                MultiNode.decide(problem, MultiNode.candidacy(problem), allowed);
                        default ->
                                SingleNode.decide(
                                        problem, SingleNode.candidacy(problem), allowed, Set.of());
                    };
            if (!decision.commands().isEmpty()) {
                return decision.commands();
            }
        }
        return List.of();
    }

    /// However many of the commands are carried out, there must be a place for each pod.
    ///
    /// @throws IllegalStateException when a pod has no place, or the price rises
    void carryOut(List<Command> commands) {
        for (var count = 1; count <= commands.size(); count++) {
            var some = new FleetPlay(this);
            some.carryOutAtOnce(commands.subList(0, count));
            if (some.price() > price() + ROUNDING) {
                throw new IllegalStateException(
                        "%s: the price was %s and is %s"
                                .formatted(
                                        commands.get(count - 1).summary(), price(), some.price()));
            }
        }
        carryOutAtOnce(commands);
    }

    private void carryOutAtOnce(List<Command> commands) {
        commands.forEach(command -> command.nodes().forEach(hosts::remove));
        var homeless = new TreeMap<String, Load>();
        pods.forEach(
                (name, load) -> {
                    if (!hosts.containsKey(load.host())) {
                        homeless.put(name, load);
                    }
                });
        evictions += homeless.size();
        for (var command : commands) {
            for (var replacement : command.replacements()) {
                if (replacement instanceof Replacement.Planned(var claim)) {
                    buy(claim, homeless);
                }
            }
        }
        homeless.entrySet().stream()
                .sorted(
                        Comparator.comparingInt(
                                        (Map.Entry<String, Load> each) -> -each.getValue().millis())
                                .thenComparing(Map.Entry::getKey))
                .map(Map.Entry::getKey)
                .toList()
                .forEach(pod -> settle(homeless, pod, first(homeless.get(pod))));
    }

    private void buy(PlannedClaim claim, Map<String, Load> homeless) {
        bought++;
        var type = isDearest ? claim.types().getLast() : claim.types().getFirst();
        var name = "r" + bought;
        hosts.put(
                name,
                new Host(
                        type.name(),
                        cpus(type.name()) * 1_000,
                        claim.nodePool(),
                        type.zone(),
                        type.pricePerHour()));
        claim.pods().forEach(pod -> settle(homeless, pod.name(), name));
    }

    private void settle(Map<String, Load> homeless, String pod, String host) {
        var load = homeless.remove(pod);
        if (load == null || load.millis() > left(host)) {
            throw new IllegalStateException("pod %s does not fit %s".formatted(pod, host));
        }
        pods.put(pod, new Load(host, load.millis(), load.isGuarded()));
    }

    private String first(Load load) {
        return hosts.keySet().stream()
                .filter(host -> load.millis() <= left(host))
                .findFirst()
                .orElseThrow(
                        () -> new IllegalStateException("no room for a pod of " + load.millis()));
    }

    private int left(String name) {
        var own = pods.values().stream().filter(each -> each.host().equals(name)).toList();
        var host = hosts.get(name);
        return host == null || own.size() >= PODS_PER_NODE_MAX
                ? 0
                : host.millis() - own.stream().mapToInt(Load::millis).sum();
    }

    private static int cpus(String type) {
        return Integer.parseInt(type.substring("fake-it-".length())) + 1;
    }
}
