package dev.millwright.world.scenario;

import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Tree;

/// A pool for each team.
final class ManyPools implements Scenario {

    private static final int TEAMS = 8;
    private static final int CHANGES = 8;

    @Override
    public String name() {
        return "many-pools";
    }

    @Override
    public String about() {
        return "small pools of many teams, with limits, weights and taints that change";
    }

    @Override
    public Script script(Plot plot) {
        var chance = plot.chance();
        var draft = new ScriptDraft();
        draft.first(Manifests.nodeClass());
        var podsEach = Math.max(1, plot.pods() / TEAMS);
        for (var number = 1; number <= TEAMS; number++) {
            var team = "team-" + number;
            draft.first(
                            PoolManifest.named(team)
                                    .cpus(2, chance.between(4, 16))
                                    .weight(chance.between(1, 100))
                                    .label("example.com/team", team)
                                    .taint("example.com/team", team)
                                    .limit("cpu", Integer.toString(cpuLimit(podsEach)))
                                    .budget(Integer.toString(chance.between(1, 3)))
                                    .consolidateAfter(chance.between(0, 5) + "m")
                                    .create())
                    .first(
                            Sizes.workload(team, chance, 500)
                                    .onNodesWith("example.com/team", team)
                                    .tolerating("example.com/team")
                                    .deployment(podsEach));
        }
        for (var change = 0; change < CHANGES; change++) {
            var team = "team-" + chance.between(1, TEAMS);
            if (chance.happens(0.5)) {
                draft.scale(
                        plot.sometime(),
                        ResourceType.DEPLOYMENT,
                        team,
                        chance.between(0, podsEach));
            } else {
                var limit = cpuLimit(podsEach) + chance.between(0, 16);
                draft.change(
                        plot.sometime(),
                        ResourceType.NODE_POOL,
                        team,
                        Tree.of("spec", Tree.of("limits", Tree.of("cpu", Integer.toString(limit))))
                                .mapping(),
                        "limits pool %s to %d CPUs".formatted(team, limit));
            }
        }
        return draft.script();
    }

    /// Room for all pods of half a CPU on small machines with their overhead, and for the largest
    /// machine, which counts until one is chosen.
    private static int cpuLimit(int pods) {
        return pods * 2 + 32;
    }
}
