package dev.millwright.world.scenario;

import dev.millwright.kube.client.ResourceType;

/// New versions all day.
final class RollingDeploys implements Scenario {

    private static final int ROLLS = 10;

    @Override
    public String name() {
        return "rolling-deploys";
    }

    @Override
    public String about() {
        return "Deployments that are rolled to new versions again and again";
    }

    @Override
    public Script script(Plot plot) {
        var draft = new ScriptDraft();
        draft.first(Manifests.nodeClass())
                .first(PoolManifest.named("general").consolidateAfter("0s").create());
        var crew = Crew.of("web", plot.pods(), 5, plot.chance()).hired(draft);
        draft.first(Manifests.budget(crew.members().getFirst().name(), "maxUnavailable", "25%"));
        for (var roll = 1; roll <= ROLLS; roll++) {
            draft.roll(plot.sometime(), ResourceType.DEPLOYMENT, crew.any().name(), "v" + roll);
        }
        return draft.script();
    }
}
