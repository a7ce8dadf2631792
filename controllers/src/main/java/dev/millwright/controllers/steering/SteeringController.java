package dev.millwright.controllers.steering;

import dev.millwright.controllers.state.Marks;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.disruption.Steering;
import dev.millwright.core.disruption.Steering.Fill;
import dev.millwright.core.quantity.Resources;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.client.ApiWrite;
import dev.millwright.kube.object.NodeObject;
import dev.millwright.kube.object.PodObject;
import dev.millwright.kube.object.PoolObject.Policy;
import dev.millwright.runtime.step.Answers;
import dev.millwright.runtime.step.Effect;
import dev.millwright.runtime.step.Singleton;
import dev.millwright.runtime.step.Step;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/// Puts the marks of [Steering] on nodes and pods, and takes them back.
///
/// Switched off, it takes back what it once put on nodes. Its pods keep their cost until they go:
/// who does not steer has no right to write to pods.
public final class SteeringController implements Singleton {

    private static final Duration PERIOD = Duration.ofSeconds(20);

    /// An object's marks are worth one write, not a storm of them: what is left has its turn in the
    /// next pass.
    private static final int WRITES_MAX = 100;

    private static final int WRITES_AT_ONCE = 10;

    private final Marks marks;
    private final boolean isOn;

    public SteeringController(Marks marks, boolean isOn) {
        this.marks = marks;
        this.isOn = isOn;
    }

    @Override
    public String name() {
        return "disruption.steering";
    }

    @Override
    public Step step(View view, ObjectName key, Instant now) {
        var away = isOn ? Steering.away(fleet(view)) : new TreeSet<String>();
        var writes =
                view.nodes().stream()
                        .flatMap(
                                node ->
                                        changes(view, node, away.contains(node.name().name()))
                                                .stream())
                        .limit(WRITES_MAX)
                        .map(change -> Step.of(new Effect.Write(change, Answers::deleted)))
                        .toList();
        return writes.isEmpty()
                ? Step.again(PERIOD)
                : Step.of(new Effect.Together(writes, WRITES_AT_ONCE)).thenAgain(PERIOD);
    }

    private List<Fill> fleet(View view) {
        var fleet = new ArrayList<Fill>();
        for (var node : view.nodes()) {
            if (mayGo(view, node)) {
                fleet.add(new Fill(node.name().name(), fill(view, node), SteeringMarks.isOn(node)));
            }
        }
        return fleet;
    }

    /// Whether consolidation may take the node although pods run on it.
    private boolean mayGo(View view, NodeObject node) {
        var claim = view.claimOf(node);
        var pool = claim == null ? null : view.pool(claim.nodePool());
        return claim != null
                && pool != null
                && !pool.pool().isStatic()
                && pool.disruption().policy() != Policy.WHEN_EMPTY
                && pool.disruption().consolidateAfter() != null
                && node.isInitialized()
                && !node.isDeleting()
                && !claim.isDeleting()
                && !marks.isMarked(claim.providerId());
    }

    private static double fill(View view, NodeObject node) {
        var pods = view.podsOn(node.name().name());
        var asked =
                Resources.sum(
                        pods.stream()
                                .filter(PodObject::isActive)
                                .map(pod -> pod.pod().requests())
                                .toList());
        return Math.max(
                share(asked, node.node().allocatable(), Resources.CPU),
                share(asked, node.node().allocatable(), Resources.MEMORY));
    }

    private static double share(Resources asked, Resources room, String name) {
        var whole = room.amount(name).toDouble();
        return whole == 0 ? 1 : asked.amount(name).toDouble() / whole;
    }

    /// What has to be written to the node and its pods.
    private List<ApiWrite.Patch> changes(View view, NodeObject node, boolean isAway) {
        var changes = new ArrayList<ApiWrite.Patch>();
        if (node.isDeleting()) {
            return changes;
        }
        if (isAway != SteeringMarks.isOn(node)) {
            changes.add(SteeringMarks.onNode(node, isAway));
        }
        for (var pod : isOn ? view.podsOn(node.name().name()) : List.<PodObject>of()) {
            if (SteeringMarks.heedsCost(pod) && isAway != SteeringMarks.isOn(pod)) {
                changes.add(SteeringMarks.onPod(pod, isAway));
            }
        }
        return changes;
    }
}
