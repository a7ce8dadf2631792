package dev.millwright.controllers.state.pod;

import dev.millwright.controllers.state.PodTimes;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.cache.Change;
import dev.millwright.kube.cache.Kind;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.object.PodObject;
import dev.millwright.runtime.step.Controller;
import dev.millwright.runtime.step.Pace;
import dev.millwright.runtime.step.Step;

import java.time.Instant;
import java.util.List;

/// Drops the times of a pod that went, so that the next one of its name begins anew.
///
/// While pods are measured, whoever measures reads the times of a pod that got ready or ended and
/// drops them itself; else it is done here.
public final class PodForgetting implements Controller {

    private final PodTimes times;
    private final boolean isMeasured;
    private final Pace pace;

    public PodForgetting(PodTimes times, boolean isMeasured, Pace pace) {
        this.times = times;
        this.isMeasured = isMeasured;
        this.pace = pace;
    }

    @Override
    public String name() {
        return "state.pod";
    }

    @Override
    public List<Watch<?>> watches() {
        return List.of(
                new Watch<>(
                        Kind.POD,
                        (_, change) -> isOver(change) ? List.of(change.name()) : List.of()));
    }

    private boolean isOver(Change<PodObject> change) {
        var before = change.before();
        var after = change.after();
        if (before == null) {
            return false;
        }
        if (after == null || !before.meta().uid().equals(after.meta().uid())) {
            return true;
        }
        return !isMeasured && (after.isReady() || after.isTerminal()) && !before.isReady();
    }

    @Override
    public Pace pace() {
        return pace;
    }

    @Override
    public Step step(View view, ObjectName key, Instant now) {
        times.forget(key);
        return Step.DONE;
    }
}
