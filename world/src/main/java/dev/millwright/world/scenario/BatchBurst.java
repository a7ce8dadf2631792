package dev.millwright.world.scenario;

import java.time.Duration;

/// Jobs that come in bursts beside a service that stays.
final class BatchBurst implements Scenario {

    private static final int BURSTS = 6;

    @Override
    public String name() {
        return "batch-burst";
    }

    @Override
    public String about() {
        return "Jobs of many pods that come at once, run for minutes and leave empty nodes";
    }

    @Override
    public Script script(Plot plot) {
        var chance = plot.chance();
        var draft = new ScriptDraft();
        draft.first(Manifests.nodeClass())
                .first(PoolManifest.named("service").boughtAs("on-demand").create())
                .first(
                        PoolManifest.named("batch")
                                .weight(10)
                                .label("example.com/kind", "batch")
                                .taint("example.com/batch", "true")
                                .consolidateAfter("15s")
                                .budget("100%")
                                .create());
        Crew.of("web", plot.podsShare(0.3), 3, chance).hired(draft);
        for (var burst = 1; burst <= BURSTS; burst++) {
            var minutes = chance.between(2, 15);
            draft.create(
                    chance.between(Duration.ofMinutes(1), plot.share(0.8)),
                    Sizes.workload("burst-" + burst, chance)
                            .onNodesWith("example.com/kind", "batch")
                            .tolerating("example.com/batch")
                            .annotation(Manifests.RUNS_FOR, minutes + "m")
                            .job(plot.podsShare(0.4)));
        }
        return draft.script();
    }
}
