package dev.millwright.world.scenario;

import dev.millwright.world.fault.Fault;

import java.util.EnumSet;
import java.util.Set;

/// Everything on machines that are taken back.
final class SpotStorm implements Scenario {

    @Override
    public String name() {
        return "spot-storm";
    }

    @Override
    public String about() {
        return "spot machines that are taken back singly and by the zone";
    }

    @Override
    public Set<Fault> faults() {
        return EnumSet.of(Fault.SPOT, Fault.SPOT_WAVE);
    }

    @Override
    public Script script(Plot plot) {
        var draft = new ScriptDraft();
        draft.first(Manifests.nodeClass())
                .first(PoolManifest.named("spot").weight(50).boughtAs("spot").create())
                .first(PoolManifest.named("fallback").weight(10).boughtAs("on-demand").create());
        var crew = Crew.of("web", plot.podsShare(0.8), 4, plot.chance()).hired(draft);
        draft.first(Manifests.budget(crew.members().getFirst().name(), "minAvailable", "50%"))
                .first(
                        Sizes.workload("spread", plot.chance(), 250)
                                .spreadOverZones()
                                .deployment(plot.podsShare(0.2)));
        crew.sway(draft, plot, 4, 0.5);
        return draft.script();
    }
}
