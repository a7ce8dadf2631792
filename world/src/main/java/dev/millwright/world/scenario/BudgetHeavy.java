package dev.millwright.world.scenario;

import dev.millwright.core.label.LabelKeys;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Tree;

import java.util.List;

/// Pods that may hardly be moved, on nodes that must go.
final class BudgetHeavy implements Scenario {

    private static final List<String> UNAVAILABLE = List.of("0", "1", "1", "25%", "50%");
    private static final int NODES_DELETED = 6;
    private static final int WORKLOADS = 6;

    @Override
    public String name() {
        return "pdb-heavy";
    }

    @Override
    public String about() {
        return "a PodDisruptionBudget on everything, and nodes that expire or are deleted";
    }

    @Override
    public Script script(Plot plot) {
        var chance = plot.chance();
        var draft = new ScriptDraft();
        draft.first(Manifests.nodeClass())
                .first(
                        PoolManifest.named("patient")
                                .weight(10)
                                .cpus(2, 4)
                                .limit("cpu", Integer.toString(Math.max(8, plot.pods() / 2)))
                                .create())
                .first(
                        PoolManifest.named("strict")
                                .cpus(2, 8)
                                .expireAfter("40m")
                                .terminationGrace("5m")
                                .create());
        for (var member : Crew.of("web", plot.pods(), WORKLOADS, chance).members()) {
            draft.first(
                            Sizes.workload(member.name(), chance, chance.pick(List.of(250, 500)))
                                    .graceSeconds(chance.between(1, 60))
                                    .deployment(member.replicas()))
                    .first(
                            Manifests.budget(
                                    member.name(), "maxUnavailable", chance.pick(UNAVAILABLE)));
        }
        draft.first(
                WorkloadManifest.named("guarded", "250m", "256Mi")
                        .annotation(LabelKeys.DO_NOT_DISRUPT, "20m")
                        .deployment(2));
        for (var deletion = 0; deletion < NODES_DELETED; deletion++) {
            draft.deleteNode(plot.sometime(), chance.index(100));
        }
        draft.change(
                plot.sometime(),
                ResourceType.POD_DISRUPTION_BUDGET,
                "web-1",
                Tree.of("spec", Tree.of().put("maxUnavailable", 1)).mapping(),
                "sets the budget of web-1 to one unavailable");
        return draft.script();
    }
}
