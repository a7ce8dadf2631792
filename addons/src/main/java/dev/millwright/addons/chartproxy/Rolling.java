package dev.millwright.addons.chartproxy;

import dev.millwright.addons.object.AddonConditions;
import dev.millwright.addons.object.ChartProxy;
import dev.millwright.addons.rollout.RolloutPlan;
import dev.millwright.addons.rollout.RolloutPlan.Advice;
import dev.millwright.addons.rollout.RolloutPlan.Progress;
import dev.millwright.addons.rollout.RolloutPlan.Target;
import dev.millwright.addons.rollout.Waves;
import dev.millwright.kube.document.Tree;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// Lets a change go to the clusters that the rollout allows.
final class Rolling {

    private static final Duration LOOK_AGAIN = Duration.ofSeconds(5);

    private final ChartProxy chart;
    private final Neighbours neighbours;
    private final Instant now;
    private @Nullable Tree status;
    private @Nullable Duration lookAgain;

    Rolling(ChartProxy chart, Neighbours neighbours, Instant now) {
        this.chart = chart;
        this.neighbours = neighbours;
        this.now = now;
    }

    /// @param clusters null allows all
    /// @param message why the others wait
    record Allowed(@Nullable Set<String> clusters, String message) {
        boolean contains(String cluster) {
            return clusters == null || clusters.contains(cluster);
        }
    }

    Allowed allowed(List<ChartProxyPass.Planned> planned) {
        var rollout = chart.rollout();
        if (rollout == null) {
            return new Allowed(null, "");
        }
        var targets = new ArrayList<Target>();
        for (var each : planned) {
            var wave = rollout.waveOf(each.spec().cluster().meta().labels());
            targets.add(new Target(each.cluster(), wave, progress(each)));
        }
        var plan = new RolloutPlan(rollout.atOnce(), rollout.healthyFor());
        var advice = Waves.advise(plan, targets);
        var updated = targets.stream().filter(each -> !isUntouched(each)).count();
        var told = Tree.of().put("updated", updated).put("total", (long) targets.size());
        status = told;
        targets.stream()
                .filter(Rolling::isUntouched)
                .mapToInt(Target::wave)
                .min()
                .ifPresent(wave -> told.put("wave", rollout.nameOf(wave)));
        return switch (advice) {
            case Advice.Go(var clusters) ->
                    new Allowed(Set.copyOf(clusters), "waits for its turn in the rollout");
            case Advice.Wait(var wave, var atMost) -> {
                lookAgain = atMost.compareTo(LOOK_AGAIN) < 0 ? atMost : LOOK_AGAIN;
                yield new Allowed(
                        Set.of(),
                        "waits until wave %s has been ready for %s"
                                .formatted(rollout.nameOf(wave), rollout.healthyFor()));
            }
            case Advice.Stopped(var cluster, var message, _) -> {
                told.put("stoppedBy", cluster);
                yield new Allowed(
                        Set.of(),
                        "the rollout stopped at Cluster %s: %s".formatted(cluster, message));
            }
        };
    }

    private static boolean isUntouched(Target target) {
        return target.progress() instanceof Progress.Untouched;
    }

    /// A cluster that failed with what it was given before does not stop what would mend it.
    private Progress progress(ChartProxyPass.Planned planned) {
        if (planned.isChange()) {
            return new Progress.Untouched();
        }
        var own = neighbours.own(planned.cluster());
        if (own.isEmpty() || !own.getFirst().isObserved()) {
            return new Progress.UnderWay();
        }
        var release = own.getFirst().conditions().find(AddonConditions.RELEASE_READY);
        var ready = own.getFirst().conditions().find(AddonConditions.READY);
        if (release != null && release.reason().equals(AddonConditions.RUN_FAILED)) {
            return new Progress.Failed(release.message());
        }
        return ready != null && ready.isTrue()
                ? new Progress.Proven(Duration.between(ready.changedAt(), now))
                : new Progress.UnderWay();
    }

    @Nullable Tree status() {
        return status;
    }

    @Nullable Duration lookAgain() {
        return lookAgain;
    }
}
