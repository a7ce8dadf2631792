package dev.millwright.core.forecast;

import dev.millwright.core.cluster.Node;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.cluster.Pod;
import dev.millwright.core.cluster.StateNode;
import dev.millwright.core.disruption.Machine;
import dev.millwright.core.disruption.Machine.MovedPod;
import dev.millwright.core.disruption.Machine.Standing;
import dev.millwright.core.disruption.NodeHealth;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.label.Taint;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// A machine as the forecast goes on: where it is in its life, and which pods are on it.
final class Unit {

    enum Stage {
        COMING,
        READY,
        /// A command takes it away, once its replacements are there.
        QUEUED,
        DRAINING,
        LEAVING
    }

    /// Nearer events are one event.
    private static final Duration APART = Duration.ofSeconds(10);

    private final Purchase purchase;
    private final Standing standing;
    private final TreeMap<ObjectName, Pod> pods = new TreeMap<>();
    private StateNode node;
    private NodeHealth health;
    private Stage stage;

    /// When a pod last came or went, or the node came up.
    private Instant quietSince;

    private boolean hasPodEvent;
    private boolean isReady;
    private Instant nominatedUntil = Instant.MIN;

    Unit(StateNode node, Standing standing, Purchase purchase, Stage stage, Instant quietSince) {
        this.node = node;
        this.standing = standing;
        this.health = standing.health();
        this.purchase = purchase;
        this.stage = stage;
        this.quietSince = quietSince;
        this.hasPodEvent = stage != Stage.COMING;
        this.isReady = stage != Stage.COMING && standing.isReady();
    }

    String name() {
        return node.name();
    }

    Purchase purchase() {
        return purchase;
    }

    Standing standing() {
        return standing;
    }

    boolean isManaged() {
        return node.isManaged();
    }

    Stage stage() {
        return stage;
    }

    void enter(Stage next) {
        stage = next;
    }

    boolean isGoing() {
        return switch (stage) {
            case COMING, READY -> false;
            case QUEUED, DRAINING, LEAVING -> true;
        };
    }

    Collection<Pod> pods() {
        return pods.values();
    }

    void put(Pod pod) {
        pods.put(pod.name(), pod);
    }

    void remove(Pod pod) {
        pods.remove(pod.name());
    }

    /// The claim's node is up.
    void up(Node up, Instant now) {
        node = new StateNode(up, node.claim(), false, false);
        stage = Stage.READY;
        isReady = true;
        quietSince = now;
    }

    StateNode node() {
        return node;
    }

    /// It is started anew, which is assumed to help.
    void reboot(Instant now) {
        health = new NodeHealth(List.of(), health.createdAt(), false, now, health.reboots() + 1);
    }

    /// A pod came or went.
    void stir(Instant now) {
        if (!hasPodEvent || !now.isBefore(quietSince.plus(APART))) {
            quietSince = now;
            hasPodEvent = true;
        }
    }

    void nominate(Instant until) {
        if (until.isAfter(nominatedUntil)) {
            nominatedUntil = until;
        }
    }

    boolean isNominated(Instant now) {
        return now.isBefore(nominatedUntil);
    }

    /// When time alone makes it a candidate; null when it does not.
    @Nullable Instant wakesAt(@Nullable Duration consolidateAfter, Instant now) {
        if (stage != Stage.READY || !isManaged()) {
            return null;
        }
        var quietAt = consolidateAfter == null ? now : quietSince.plus(consolidateAfter);
        var at = quietAt.isAfter(nominatedUntil) ? quietAt : nominatedUntil;
        return at.isAfter(now) ? at : null;
    }

    private boolean isConsolidatable(@Nullable Duration after, Instant now) {
        return stage != Stage.COMING
                && isManaged()
                && after != null
                && !now.isBefore(quietSince.plus(after));
    }

    /// As a plan and a decision about nodes see it.
    StateNode seen() {
        return isGoing() ? node.markedForDeletion() : node;
    }

    /// As kube-scheduler sees it; null while it takes no pods at all.
    @Nullable StateNode forScheduler() {
        var up = node.node();
        if (stage == Stage.COMING || up == null) {
            return null;
        }
        if (!isGoing()) {
            return node;
        }
        var taints = new ArrayList<>(up.taints());
        taints.add(Taint.DISRUPTED);
        var tainted =
                new Node(
                        up.name(),
                        up.providerId(),
                        up.labels(),
                        up.annotations(),
                        taints,
                        up.capacity(),
                        up.allocatable(),
                        up.volumeLimits(),
                        false);
        return new StateNode(tainted, node.claim(), false, false);
    }

    Machine machine(
            @Nullable Duration consolidateAfter, Map<ObjectName, Double> costs, Instant now) {
        var seen =
                new Standing(
                        standing.claimUid(),
                        isReady,
                        stage == Stage.LEAVING,
                        stage == Stage.QUEUED,
                        isNominated(now),
                        standing.virtualPods(),
                        standing.driftedAt(),
                        standing.isReturning(),
                        isConsolidatable(consolidateAfter, now),
                        standing.terminationGracePeriod(),
                        health);
        var moved = new ArrayList<MovedPod>();
        pods.values()
                .forEach(pod -> moved.add(new MovedPod(pod, costs.getOrDefault(pod.name(), 1.0))));
        return new Machine(seen(), seen, moved);
    }

    String pool() {
        return node.labels().getOrDefault(LabelKeys.NODE_POOL, "");
    }
}
