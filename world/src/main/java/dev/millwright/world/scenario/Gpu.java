package dev.millwright.world.scenario;

import dev.millwright.core.label.LabelKeys;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.spi.ec2.Ec2Labels;

/// Training and serving on GPUs beside ordinary pods.
final class Gpu implements Scenario {

    private static final String DEVICE = "nvidia.com/gpu";
    private static final int RUNS = 4;

    @Override
    public String name() {
        return "gpu";
    }

    @Override
    public String about() {
        return "pods with GPUs on tainted machines, which come as a service and as Jobs";
    }

    @Override
    public Script script(Plot plot) {
        var chance = plot.chance();
        var draft = new ScriptDraft();
        draft.first(Manifests.nodeClass())
                .first(PoolManifest.named("general").create())
                .first(
                        PoolManifest.named("gpu")
                                .ofAnyFamily()
                                .requiring(Ec2Labels.CATEGORY, "In", "g")
                                .requiring(Ec2Labels.GPU_MANUFACTURER, "In", "nvidia")
                                .requiring(LabelKeys.ARCH, "In", "amd64")
                                .taint(DEVICE, "true")
                                .consolidateAfter("2m")
                                .create());
        Crew.of("web", plot.podsShare(0.6), 3, chance).hired(draft);
        draft.first(
                Sizes.workload("serving", chance, 1_000)
                        .device(DEVICE, 1)
                        .tolerating(DEVICE)
                        .deployment(plot.podsShare(0.1)));
        draft.scale(plot.share(0.5), ResourceType.DEPLOYMENT, "serving", plot.podsShare(0.2));
        for (var run = 1; run <= RUNS; run++) {
            draft.create(
                    plot.sometime(),
                    Sizes.workload("training-" + run, chance, 2_000)
                            .device(DEVICE, 1)
                            .tolerating(DEVICE)
                            .annotation(LabelKeys.DO_NOT_DISRUPT, "true")
                            .annotation(Manifests.RUNS_FOR, chance.between(5, 20) + "m")
                            .job(plot.podsShare(0.05)));
        }
        return draft.script();
    }
}
