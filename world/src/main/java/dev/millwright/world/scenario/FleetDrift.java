package dev.millwright.world.scenario;

import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Tree;

/// Every machine is of yesterday.
final class FleetDrift implements Scenario {

    @Override
    public String name() {
        return "fleet-drift";
    }

    @Override
    public String about() {
        return "a whole fleet that drifts: a new image, then a new template of the pool";
    }

    @Override
    public Script script(Plot plot) {
        var draft = new ScriptDraft();
        draft.first(Manifests.nodeClass())
                .first(PoolManifest.named("general").cpus(2, 8).budget("20%").create());
        var crew = Crew.of("web", plot.pods(), 4, plot.chance()).hired(draft);
        draft.first(Manifests.budget(crew.members().getFirst().name(), "maxUnavailable", "1"))
                .publish(plot.share(0.25), "sim-image-2")
                .change(
                        plot.share(0.55),
                        ResourceType.NODE_POOL,
                        "general",
                        Tree.of("spec", Tree.of("template", template())).mapping(),
                        "gives pool general another label");
        crew.sway(draft, plot, 4, 0.3);
        return draft.script();
    }

    private static Tree template() {
        return Tree.of("metadata", Tree.of("labels", Tree.of("example.com/fleet", "second")));
    }
}
