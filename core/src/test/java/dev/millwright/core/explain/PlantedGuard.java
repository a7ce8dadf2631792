package dev.millwright.core.explain;

import static dev.millwright.core.disruption.FleetBuilder.fleet;
import static dev.millwright.core.disruption.FleetBuilder.running;
import static dev.millwright.core.disruption.FleetBuilder.type;
import static dev.millwright.core.disruption.MachineBuilder.machine;
import static dev.millwright.testing.kit.Given.disruptionBudget;

import dev.millwright.core.disruption.DisruptionProblem;
import dev.millwright.core.disruption.PoolRules;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.policy.Freeze;
import dev.millwright.core.policy.PoolControls;

import java.util.Map;
import java.util.SplittableRandom;

/// One thing that keeps the node `a`, which would otherwise be replaced by a cheaper one.
enum PlantedGuard {
    POD_BUDGET(NodeChange.LoosenBudget.class),
    POOL_BUDGET(NodeChange.OpenBudgets.class),
    GUARDED_POD(NodeChange.UnguardPod.class),
    GUARDED_NODE(NodeChange.UnguardNode.class),
    FREEZE(NodeChange.Unfreeze.class),
    NEVER_CONSOLIDATED(NodeChange.ConsolidateSoon.class),
    CONSOLIDATED_WHEN_EMPTY(NodeChange.ConsolidateUnderutilized.class);

    private static final Map<String, String> WEB = Map.of("app", "web");

    private final Class<? extends NodeChange> mend;

    PlantedGuard(Class<? extends NodeChange> mend) {
        this.mend = mend;
    }

    /// The change that takes it away, and no other.
    Class<? extends NodeChange> mend() {
        return mend;
    }

    DisruptionProblem planted(long seed) {
        var chance = new SplittableRandom(seed);
        var small = type("small", 4, 1).build();
        var large = type("large", 16, 4 + chance.nextInt(4)).build();
        var fleet = fleet().selling(small, large);
        var node = machine("a", large);
        var pods = 1 + chance.nextInt(3);
        for (var number = 0; number < pods; number++) {
            var pod = running("web-" + number, "a", "1").label("app", "web");
            fleet.with(
                    this == GUARDED_POD && number == pods - 1
                            ? pod.annotation(LabelKeys.DO_NOT_DISRUPT, "true")
                            : pod);
        }
        switch (this) {
            case POD_BUDGET -> fleet.with(disruptionBudget("web", WEB).maxUnavailable("0"));
            case POOL_BUDGET -> fleet.budget("0");
            case GUARDED_NODE -> node = node.annotation(LabelKeys.DO_NOT_DISRUPT, "true");
            case FREEZE ->
                    fleet.pool(
                            each ->
                                    each.withControls(
                                            PoolControls.NONE.within(
                                                    new Freeze("NodePool default", "sale"))));
            case NEVER_CONSOLIDATED ->
                    fleet.pool(
                            each ->
                                    new PoolRules(
                                            each.pool(), each.budgets(), null, each.policy()));
            case CONSOLIDATED_WHEN_EMPTY ->
                    fleet.pool(each -> each.withPolicy(PoolRules.Consolidation.WHEN_EMPTY));
            case GUARDED_POD -> {
                // The pod has it.
            }
        }
        if (chance.nextBoolean()) {
            fleet.with(machine("b", small)).with(running("other", "b", "3"));
        }
        return fleet.with(node).problem();
    }
}
