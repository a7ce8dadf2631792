package dev.millwright.addons.rollout;

import dev.millwright.addons.rollout.RolloutPlan.Advice;
import dev.millwright.addons.rollout.RolloutPlan.Progress;
import dev.millwright.addons.rollout.RolloutPlan.Target;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;

/// Decides which clusters get a change now.
public final class Waves {

    private Waves() {}

    public static Advice advise(RolloutPlan plan, List<Target> targets) {
        var ordered =
                targets.stream()
                        .sorted(
                                Comparator.comparingInt(Target::wave)
                                        .thenComparing(Target::cluster))
                        .toList();
        var untouched =
                ordered.stream()
                        .filter(each -> each.progress() instanceof Progress.Untouched)
                        .toList();
        if (untouched.isEmpty()) {
            return new Advice.Go(List.of());
        }
        for (var target : ordered) {
            if (target.progress() instanceof Progress.Failed(var message)) {
                return new Advice.Stopped(target.cluster(), message, untouched.size());
            }
        }
        return next(plan, ordered, untouched);
    }

    private static Advice next(RolloutPlan plan, List<Target> ordered, List<Target> untouched) {
        var wave = untouched.getFirst().wave();
        var unproven = unprovenFor(plan, ordered, wave);
        if (unproven != null) {
            return unproven;
        }
        var underWay =
                ordered.stream()
                        .filter(each -> each.wave() == wave)
                        .filter(each -> each.progress() instanceof Progress.UnderWay)
                        .count();
        var room = Math.max(0, plan.atOnce() - underWay);
        return new Advice.Go(
                untouched.stream()
                        .filter(each -> each.wave() == wave)
                        .limit(room)
                        .map(Target::cluster)
                        .toList());
    }

    /// What the waves before this one still owe; null when they have proven the change.
    private static Advice.@Nullable Wait unprovenFor(
            RolloutPlan plan, List<Target> ordered, int wave) {
        Advice.Wait longest = null;
        for (var target : ordered) {
            if (target.wave() >= wave) {
                break;
            }
            var owed =
                    switch (target.progress()) {
                        case Progress.Proven(var readyFor) -> plan.healthyFor().minus(readyFor);
                        case Progress.UnderWay(), Progress.Untouched(), Progress.Failed(_) ->
                                plan.healthyFor().plusSeconds(1);
                    };
            var isLonger = longest == null || owed.compareTo(longest.atMost()) > 0;
            if (owed.compareTo(Duration.ZERO) > 0 && isLonger) {
                longest = new Advice.Wait(target.wave(), owed);
            }
        }
        return longest;
    }
}
