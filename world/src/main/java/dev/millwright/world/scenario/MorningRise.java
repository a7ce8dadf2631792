package dev.millwright.world.scenario;

/// A day in one play: quiet at first, full at noon, quiet again.
final class MorningRise implements Scenario {

    private static final int STEPS = 12;
    private static final double NIGHT = 0.2;

    @Override
    public String name() {
        return "morning-rise";
    }

    @Override
    public String about() {
        return "services that grow fivefold and shrink again, as from night to noon to night";
    }

    @Override
    public Script script(Plot plot) {
        var draft = new ScriptDraft();
        draft.first(Manifests.nodeClass())
                .first(PoolManifest.named("general").consolidateAfter("1m").create());
        var crew = Crew.of("web", plot.pods(), 4, plot.chance()).hired(draft);
        for (var step = 0; step < STEPS; step++) {
            var share = (double) step / STEPS;
            var level = NIGHT + (1 - NIGHT) * Math.sin(Math.PI * share);
            crew.scaleAll(draft, plot.share(share).plusSeconds(1), level);
        }
        return draft.script();
    }
}
