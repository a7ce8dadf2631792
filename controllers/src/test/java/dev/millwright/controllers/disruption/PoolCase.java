package dev.millwright.controllers.disruption;

import dev.millwright.core.cluster.Node;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.cluster.Pod;
import dev.millwright.core.cluster.PodPlacement;
import dev.millwright.core.cluster.PodState;
import dev.millwright.core.cluster.StateNode;
import dev.millwright.core.disruption.Allowances;
import dev.millwright.core.disruption.DisruptionProblem;
import dev.millwright.core.disruption.PoolRules;
import dev.millwright.core.explain.NodeChange;
import dev.millwright.core.explain.PoolChange;
import dev.millwright.core.explain.PoolExplainer;
import dev.millwright.core.explain.PoolExplanation;
import dev.millwright.core.explain.PoolExplanation.Fix;
import dev.millwright.core.explain.PoolExplanation.Verdict;
import dev.millwright.core.explain.PoolFinding;
import dev.millwright.core.label.Effect;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.label.Operator;
import dev.millwright.core.label.Requirement;
import dev.millwright.core.label.Taint;
import dev.millwright.core.label.Toleration;
import dev.millwright.core.policy.Freeze;
import dev.millwright.core.policy.NodePool;
import dev.millwright.core.policy.NodePoolBudgets;
import dev.millwright.core.policy.NodePoolBudgets.Budget;
import dev.millwright.core.policy.NodePoolBudgets.Reason;
import dev.millwright.core.quantity.Quantity;
import dev.millwright.core.quantity.Resources;
import dev.millwright.core.scheduling.Planner;
import dev.millwright.core.scheduling.SchedulingProblem;
import dev.millwright.testing.kit.FakeCatalogue;
import dev.millwright.testing.kit.disruption.DisruptionStage;
import dev.millwright.testing.kit.disruption.FleetNode;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;

/// A random cluster with one pool that may be wrong in any way, and what is said of it. What is
/// said is checked here in ways of the test's own.
record PoolCase(
        long seed,
        SchedulingProblem scheduling,
        DisruptionProblem disruption,
        PoolExplanation explanation) {

    private static final String POOL = "default";
    private static final List<Reason> VOLUNTARY =
            List.of(Reason.UNDERUTILIZED, Reason.EMPTY, Reason.DRIFTED);
    private static final Quantity PLENTY = Quantity.ofUnits(1_000_000_000_000L);

    @Override
    public String toString() {
        return "seed %d: %s %s %s"
                .formatted(
                        seed,
                        explanation.verdict(),
                        explanation.findings().stream().map(PoolFinding::explain).toList(),
                        explanation.fix());
    }

    // ---- how it is made

    static PoolCase of(long seed) {
        var chance = new Random(seed);
        var stage = new DisruptionStage();
        stage.rig.cloud().types(FakeCatalogue.linear(12));
        stage.rig.apply(DisruptionStage.pool(POOL, DisruptionStage.disruption("100%").mapping()));
        for (var index = 0; index < chance.nextInt(4); index++) {
            stage.add(new FleetNode("n" + index).type("fake-it-3", "4").consolidatable(true));
        }
        var plain = stage.problem();
        var pool = pool(plain.scheduling().nodePools().getFirst(), chance);
        var pods = new ArrayList<>(plain.scheduling().snapshot().pods());
        for (var index = 0; index < chance.nextInt(3); index++) {
            pods.add(pod("w" + index, chance));
        }
        var scheduling =
                plain.scheduling()
                        .withNodePools(List.of(pool))
                        .withSnapshot(plain.scheduling().snapshot().withPods(pods));
        var rules = new TreeMap<String, PoolRules>();
        plain.pools().forEach((name, each) -> rules.put(name, rules(each, chance)));
        var disruption =
                new DisruptionProblem(scheduling, plain.machines(), rules, plain.isSpotToSpot());
        var explanation = new PoolExplainer(scheduling, disruption).explain(POOL, "");
        if (explanation == null) {
            throw new IllegalStateException("seed %d has no pool".formatted(seed));
        }
        return new PoolCase(seed, scheduling, disruption, explanation);
    }

    private static NodePool pool(NodePool plain, Random chance) {
        var requirements = new ArrayList<Requirement>();
        maybe(requirements, chance, LabelKeys.ARCH, "amd64", "amd46", "arm64");
        maybe(requirements, chance, LabelKeys.ZONE, "test-zone-1", "test-zone-3", "test-zne-1");
        maybe(requirements, chance, LabelKeys.CAPACITY_TYPE, "spot", "on-demand", "on-demnd");
        maybe(requirements, chance, LabelKeys.INSTANCE_TYPE, "fake-it-2", "fake-it-9", "m5.large");
        maybe(requirements, chance, "karpenter.sh/capacity-typ", "spot", "spot", "spot");
        if (chance.nextInt(4) == 0) {
            requirements.add(
                    Requirement.of(
                            FakeCatalogue.INTEGER,
                            Operator.GT,
                            chance.nextBoolean() ? 2 : null,
                            List.of(Integer.toString(chance.nextInt(14)))));
        }
        var limited = plain.withRequirements(requirements);
        if (chance.nextInt(3) == 0) {
            limited = limited.withLimits(Resources.parse("cpu", "" + chance.nextInt(16)));
        } else if (chance.nextInt(4) == 0) {
            limited = limited.withLimits(Resources.parse("nodes", "" + chance.nextInt(4)));
        }
        return chance.nextInt(3) == 0
                ? limited.withTaints(List.of(new Taint("team", "shop", Effect.NO_SCHEDULE)))
                : limited;
    }

    /// A requirement of one or two of the values, rarely of too many.
    private static void maybe(
            List<Requirement> requirements, Random chance, String key, String... values) {
        var isRare = key.equals("karpenter.sh/capacity-typ");
        if (chance.nextInt(isRare ? 12 : 3) == 0) {
            var chosen = new LinkedHashSet<String>();
            chosen.add(values[chance.nextInt(values.length)]);
            chosen.add(values[chance.nextInt(values.length)]);
            var minValues = chance.nextInt(8) == 0 ? Integer.valueOf(3) : null;
            requirements.add(Requirement.of(key, Operator.IN, minValues, chosen));
        }
    }

    private static PoolRules rules(PoolRules plain, Random chance) {
        var amounts = List.of("0", "1", "100%", "0", "some");
        var budgets = new ArrayList<Budget>();
        for (var index = 0; index < chance.nextInt(4); index++) {
            budgets.add(
                    Budget.of(
                            amounts.get(chance.nextInt(amounts.size())),
                            chance.nextBoolean()
                                    ? null
                                    : List.of(
                                            VOLUNTARY.get(chance.nextInt(VOLUNTARY.size())).text()),
                            null,
                            null));
        }
        var changed = plain.withBudgets(new NodePoolBudgets(budgets));
        return chance.nextInt(4) == 0
                ? changed.withControls(
                        changed.controls().within(new Freeze("NodePool " + POOL, "sale")))
                : changed;
    }

    private static Pod pod(String name, Random chance) {
        var selector = new TreeMap<String, String>();
        switch (chance.nextInt(5)) {
            case 0 -> selector.put(LabelKeys.ZONE, "test-zone-2");
            case 1 -> selector.put(LabelKeys.CAPACITY_TYPE, "spot");
            case 2 -> selector.put("team", "shop");
            default -> {}
        }
        return pod(
                name,
                Resources.parse("cpu", "" + (1 + chance.nextInt(10)), "pods", "1"),
                PodPlacement.ANYWHERE.withNodeSelector(selector));
    }

    private static Pod pod(String name, Resources requests, PodPlacement placement) {
        return new Pod(
                new ObjectName("shop", name),
                name,
                Instant.EPOCH,
                new TreeMap<>(),
                new TreeMap<>(),
                requests,
                placement,
                List.of(),
                List.of(),
                false,
                PodState.WAITING);
    }

    // ---- what was proposed

    int changes() {
        return switch (explanation.fix()) {
            case null -> 0;
            case Fix.None _ -> 0;
            case Fix.Buying(var changes) -> changes.size();
            case Fix.Leaving(var changes) -> changes.size();
        };
    }

    boolean works() {
        return switch (explanation.fix()) {
            case null -> true;
            case Fix.None _ -> true;
            case Fix.Buying(var changes) -> mends(changes);
            case Fix.Leaving(var changes) -> opens(changes);
        };
    }

    /// Whether fewer changes than proposed would do, of all there are; one, where none was found.
    boolean hasFewer() {
        var most = explanation.fix() instanceof Fix.None ? 1 : changes() - 1;
        if (most < 1) {
            return false;
        }
        return explanation.verdict() == Verdict.KEEPS_NODES
                ? hasNodeSet(allNodeChanges(), List.of(), most)
                : hasPoolSet(allPoolChanges(), List.of(), most);
    }

    private boolean hasPoolSet(List<PoolChange> all, List<PoolChange> chosen, int more) {
        for (var at = 0; more > 0 && at < all.size(); at++) {
            var next = new ArrayList<>(chosen);
            next.add(all.get(at));
            if (mends(next) || hasPoolSet(all.subList(at + 1, all.size()), next, more - 1)) {
                return true;
            }
        }
        return false;
    }

    private boolean hasNodeSet(List<NodeChange> all, List<NodeChange> chosen, int more) {
        for (var at = 0; more > 0 && at < all.size(); at++) {
            var next = new ArrayList<>(chosen);
            next.add(all.get(at));
            if (opens(next) || hasNodeSet(all.subList(at + 1, all.size()), next, more - 1)) {
                return true;
            }
        }
        return false;
    }

    // ---- whether it is so

    private boolean mends(List<PoolChange> changes) {
        var pool = scheduling.nodePools().getFirst();
        for (var change : changes) {
            pool = change.on(pool);
        }
        return explanation.verdict() == Verdict.REFUSES_PODS ? hasPlace(pool) : buys(pool);
    }

    private boolean hasPlace(NodePool pool) {
        var refused =
                explanation.findings().stream()
                        .filter(PoolFinding.Refuses.class::isInstance)
                        .map(each -> ((PoolFinding.Refuses) each).example())
                        .findFirst()
                        .orElseThrow();
        return Planner.plan(scheduling.withNodePools(List.of(pool))).waiting().stream()
                .noneMatch(each -> each.pod().equals(refused));
    }

    /// Whether a node is bought for a pod that asks for nothing, when no node that is there has
    /// room.
    private boolean buys(NodePool pool) {
        var vocabulary = scheduling.policy().vocabulary();
        if (pool.template().requirements().stream()
                .anyMatch(each -> vocabulary.problem(each) != null)) {
            return false;
        }
        var tolerant =
                PodPlacement.ANYWHERE.withTolerations(
                        List.of(new Toleration("", Toleration.Match.EXISTS, "", null)));
        var nothing = pod("nothing", Resources.parse("pods", "1"), tolerant);
        var nodes = scheduling.snapshot().nodes().stream().map(PoolCase::full).toList();
        var snapshot = scheduling.snapshot().withNodes(nodes).withPods(List.of(nothing));
        var plan = Planner.plan(scheduling.withNodePools(List.of(pool)).withSnapshot(snapshot));
        return plan.claims().size() == 1;
    }

    private static StateNode full(StateNode node) {
        return StateNode.of(
                new Node(
                        node.name(),
                        "",
                        node.labels(),
                        new TreeMap<>(),
                        List.of(),
                        node.capacity(),
                        Resources.NONE,
                        new TreeMap<>(),
                        false),
                null);
    }

    private boolean opens(List<NodeChange> changes) {
        var changed = disruption;
        for (var change : changes) {
            changed = change.applied(changed);
        }
        for (var reason : VOLUNTARY) {
            if (Allowances.of(changed, reason).left(POOL) <= 0) {
                return false;
            }
        }
        return true;
    }

    // ---- everything that could be changed

    private List<PoolChange> allPoolChanges() {
        var pool = scheduling.nodePools().getFirst();
        var all = new LinkedHashSet<PoolChange>();
        for (var requirement : pool.template().requirements()) {
            all.add(new PoolChange.DropRequirement(POOL, requirement.key()));
            all.add(new PoolChange.LowerMinValues(POOL, requirement.key(), 0));
        }
        if (!pool.limits().isEmpty()) {
            var most = new TreeMap<String, Quantity>();
            pool.limits().names().forEach(name -> most.put(name, PLENTY));
            all.add(new PoolChange.RaiseLimits(POOL, new Resources(most)));
        }
        for (var pod : scheduling.snapshot().pods()) {
            pod.placement()
                    .nodeSelector()
                    .forEach((key, value) -> all.add(new PoolChange.AddLabel(POOL, key, value)));
        }
        return List.copyOf(all);
    }

    private List<NodeChange> allNodeChanges() {
        var all = new ArrayList<NodeChange>();
        all.add(new NodeChange.Unfreeze(POOL, "NodePool " + POOL));
        var rules = disruption.pools().get(POOL);
        for (var index = 0; rules != null && index < rules.budgets().budgets().size(); index++) {
            all.add(new NodeChange.RaiseBudget(POOL, index, 100));
            all.add(new NodeChange.DropBudget(POOL, index));
        }
        return all;
    }
}
