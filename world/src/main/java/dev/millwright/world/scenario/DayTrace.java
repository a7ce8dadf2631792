package dev.millwright.world.scenario;

import dev.millwright.core.label.LabelKeys;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.world.chance.Chance;

import java.time.Duration;
import java.util.List;

/// A trace with the shape of clusters one meets: a day's curve, a few big Deployments and many
/// small ones, pods of heavy-tailed size, Jobs of heavy-tailed length, versions rolled by day.
final class DayTrace implements Scenario {

    private static final double NIGHT = 0.45;
    private static final Duration STEP = Duration.ofMinutes(30);
    private static final int PODS_PER_DEPLOYMENT = 40;
    private static final int DEPLOYMENTS_MIN = 6;
    private static final int DEPLOYMENTS_MAX = 150;
    private static final double JOBS_PER_HOUR_AND_PODS = 1.0 / 250;
    private static final double ROLLS_PER_HOUR = 2;

    @Override
    public String name() {
        return "trace";
    }

    @Override
    public String about() {
        return "a day with the shape of real clusters: curve, Jobs, new versions, all sizes";
    }

    @Override
    public Script script(Plot plot) {
        var chance = plot.chance();
        var draft = new ScriptDraft();
        draft.first(Manifests.nodeClass())
                .first(
                        PoolManifest.named("general")
                                .weight(10)
                                .cpus(8, 16)
                                .budget("5%")
                                .consolidateAfter("2m")
                                .create())
                .first(PoolManifest.named("steady").boughtAs("on-demand").cpus(4, 16).create())
                .first(WorkloadManifest.named("agent", "50m", "100Mi").daemonSet());
        var deployments =
                Math.clamp(plot.pods() / PODS_PER_DEPLOYMENT, DEPLOYMENTS_MIN, DEPLOYMENTS_MAX);
        var services = Crew.of("svc", plot.podsShare(0.85), deployments, chance);
        hire(draft, services, chance);
        day(draft, services, plot);
        jobs(draft, plot);
        rolls(draft, services, plot);
        return draft.script();
    }

    private static void hire(ScriptDraft draft, Crew services, Chance chance) {
        for (var member : services.members()) {
            var workload =
                    Sizes.workload(
                            member.name(), chance, chance.pick(List.of(250, 500, 500, 1_000)));
            if (chance.happens(0.2)) {
                workload.spreadOverZones();
            }
            if (chance.happens(0.05)) {
                workload.annotation(LabelKeys.DO_NOT_DISRUPT, "true");
            }
            draft.first(workload.deployment(Math.max(1, (int) (member.replicas() * NIGHT))));
            if (chance.happens(0.5)) {
                draft.first(Manifests.budget(member.name(), "maxUnavailable", "10%"));
            }
        }
    }

    private static void day(ScriptDraft draft, Crew services, Plot plot) {
        for (var at = STEP; at.compareTo(plot.length()) < 0; at = at.plus(STEP)) {
            var share = (double) at.toMillis() / plot.length().toMillis();
            var curve = Math.pow(Math.sin(Math.PI * share), 2);
            services.scaleAll(draft, at, NIGHT + (1 - NIGHT) * curve);
        }
    }

    private static void jobs(ScriptDraft draft, Plot plot) {
        var chance = plot.chance();
        var perHour = Math.max(1, plot.pods() * JOBS_PER_HOUR_AND_PODS);
        var at = chance.until(perHour);
        for (var number = 1; at.compareTo(plot.length()) < 0; number++) {
            var minutes = Math.min(240, (int) (3 / Math.sqrt(1 - chance.share())));
            var pods = Math.min(plot.podsShare(0.05), (int) (1 / (1 - chance.share())));
            draft.create(
                    at,
                    Sizes.workload("job-" + number, chance)
                            .annotation(Manifests.RUNS_FOR, minutes + "m")
                            .job(Math.max(1, pods)));
            at = at.plus(chance.until(perHour));
        }
    }

    private static void rolls(ScriptDraft draft, Crew services, Plot plot) {
        var at = plot.chance().until(ROLLS_PER_HOUR);
        for (var number = 1; at.compareTo(plot.length()) < 0; number++) {
            draft.roll(at, ResourceType.DEPLOYMENT, services.any().name(), "v" + number);
            at = at.plus(plot.chance().until(ROLLS_PER_HOUR));
        }
    }
}
