package dev.millwright.world.scenario;

import dev.millwright.core.label.LabelKeys;

/// Services that change little.
final class SteadyService implements Scenario {

    @Override
    public String name() {
        return "steady";
    }

    @Override
    public String about() {
        return "services of all sizes that are scaled a little now and then";
    }

    @Override
    public Script script(Plot plot) {
        var draft = new ScriptDraft();
        draft.first(Manifests.nodeClass())
                .first(PoolManifest.named("general").budget("50%").create())
                .first(WorkloadManifest.named("agent", "50m", "64Mi").daemonSet());
        var crew = Crew.of("web", plot.podsShare(0.9), 5, plot.chance()).hired(draft);
        draft.first(Manifests.budget(crew.members().getFirst().name(), "maxUnavailable", "1"))
                .first(
                        WorkloadManifest.named("ledger", "500m", "1Gi")
                                .annotation(LabelKeys.DO_NOT_DISRUPT, "true")
                                .deployment(plot.podsShare(0.1)));
        crew.sway(draft, plot, 8, 0.3);
        return draft.script();
    }
}
