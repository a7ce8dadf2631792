package dev.millwright.controllers.provisioning;

import dev.millwright.controllers.state.PodTimes;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.cache.Change;
import dev.millwright.kube.cache.Kind;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.object.PodObject;
import dev.millwright.runtime.step.Controller;
import dev.millwright.runtime.step.Effect;
import dev.millwright.runtime.step.Pace;
import dev.millwright.runtime.step.Step;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/// Calls for a pass as long as a pod waits for a node.
public final class PodTrigger implements Controller {

    private static final Duration RECHECK = Duration.ofSeconds(10);

    private final Batch batch;
    private final PodTimes times;
    private final Pace pace;

    public PodTrigger(Batch batch, PodTimes times, Pace pace) {
        this.batch = batch;
        this.times = times;
        this.pace = pace;
    }

    @Override
    public String name() {
        return "provisioner.trigger.pod";
    }

    /// Pods that run are most of a cluster and none of our business.
    @Override
    public List<Watch<?>> watches() {
        return List.of(
                new Watch<>(
                        Kind.POD,
                        (_, change) -> isConcerned(change) ? List.of(change.name()) : List.of()));
    }

    private static boolean isConcerned(Change<PodObject> change) {
        return change.after() != null && change.after().pod().state().isProvisionable();
    }

    @Override
    public Pace pace() {
        return pace;
    }

    @Override
    public Step step(View view, ObjectName key, Instant now) {
        var pod = view.pod(key);
        if (pod == null || !pod.pod().state().isProvisionable()) {
            return Step.DONE;
        }
        times.ack(key, now);
        batch.trigger(pod.meta().uid(), now);
        return Step.of(new Effect.Enqueue(Provisioner.NAME, SINGLETON)).thenAgain(RECHECK);
    }
}
