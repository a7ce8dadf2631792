package dev.millwright.world.scenario;

import dev.millwright.kube.client.ResourceType;

/// Databases whose disks stay in their zones.
final class StatefulZonal implements Scenario {

    private static final int NODES_DELETED = 4;

    @Override
    public String name() {
        return "stateful";
    }

    @Override
    public String about() {
        return "StatefulSets with disks that stay in one zone, and nodes that are deleted";
    }

    @Override
    public Script script(Plot plot) {
        var chance = plot.chance();
        var draft = new ScriptDraft();
        draft.first(Manifests.nodeClass())
                .first(Manifests.zonalDisks())
                .first(
                        PoolManifest.named("data")
                                .in("us-east-1a", "us-east-1b", "us-east-1c")
                                .boughtAs("on-demand")
                                .cpus(2, 8)
                                .create())
                .first(
                        Sizes.workload("db", chance, 1_000)
                                .withDisk()
                                .spreadOverZonesIfPossible()
                                .statefulSet(plot.podsShare(0.2)))
                .first(Manifests.budget("db", "maxUnavailable", "1"))
                .first(
                        Sizes.workload("queue", chance, 500)
                                .withDisk()
                                .apartFromEachOther()
                                .statefulSet(Math.min(7, plot.podsShare(0.1))))
                .first(Sizes.workload("web", chance, 250).deployment(plot.podsShare(0.7)));
        for (var deletion = 0; deletion < NODES_DELETED; deletion++) {
            draft.deleteNode(plot.sometime(), chance.index(100));
        }
        draft.scale(plot.share(0.4), ResourceType.STATEFUL_SET, "db", plot.podsShare(0.3))
                .scale(plot.share(0.7), ResourceType.STATEFUL_SET, "db", plot.podsShare(0.15))
                .roll(plot.sometime(), ResourceType.STATEFUL_SET, "queue", "v2");
        return draft.script();
    }
}
