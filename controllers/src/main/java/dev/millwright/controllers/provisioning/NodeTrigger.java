package dev.millwright.controllers.provisioning;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.label.Taint;
import dev.millwright.kube.cache.Kind;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.object.NodeObject;
import dev.millwright.runtime.step.Controller;
import dev.millwright.runtime.step.Effect;
import dev.millwright.runtime.step.Pace;
import dev.millwright.runtime.step.Step;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/// Calls for a pass as long as a node is on its way out: its pods will need another place.
public final class NodeTrigger implements Controller {

    private static final Duration RECHECK = Duration.ofSeconds(10);

    private final Batch batch;
    private final Pace pace;

    public NodeTrigger(Batch batch, Pace pace) {
        this.batch = batch;
        this.pace = pace;
    }

    @Override
    public String name() {
        return "provisioner.trigger.node";
    }

    @Override
    public List<Watch<?>> watches() {
        return List.of(
                new Watch<>(
                        Kind.NODE,
                        (_, change) ->
                                change.after() != null && isGoing(change.after())
                                        ? List.of(change.name())
                                        : List.of()));
    }

    private static boolean isGoing(NodeObject node) {
        return node.node().taints().stream().anyMatch(Taint.DISRUPTED::matches);
    }

    @Override
    public Pace pace() {
        return pace;
    }

    @Override
    public Step step(View view, ObjectName key, Instant now) {
        var node = view.node(key.name());
        if (node == null || !isGoing(node)) {
            return Step.DONE;
        }
        batch.trigger(node.meta().uid(), now);
        return Step.of(new Effect.Enqueue(Provisioner.NAME, SINGLETON)).thenAgain(RECHECK);
    }
}
