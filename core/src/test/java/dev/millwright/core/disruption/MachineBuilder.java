package dev.millwright.core.disruption;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.catalog.Offering;
import dev.millwright.core.cluster.StateNode;
import dev.millwright.core.disruption.Machine.MovedPod;
import dev.millwright.core.disruption.Machine.Standing;
import dev.millwright.core.disruption.NodeHealth.Sign;
import dev.millwright.testing.kit.FakeCatalogue;
import dev.millwright.testing.kit.Given;
import dev.millwright.testing.kit.NodeBuilder;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/// A machine in the making: on-demand in the first zone, initialised, ready, consolidatable, and
/// with nothing said against taking it away.
public final class MachineBuilder {

    private final TreeMap<String, String> annotations = new TreeMap<>();
    private final List<Sign> signs = new ArrayList<>();
    private NodeBuilder node;
    private String uid;
    private boolean isReady = true;
    private boolean isInstanceTerminating;
    private boolean isQueued;
    private boolean isNominated;
    private int virtualPods;
    private @Nullable Instant driftedAt;
    private boolean isReturning;
    private boolean isConsolidatable = true;
    private @Nullable Duration grace;
    private boolean isRebooting;
    private @Nullable Instant rebootedAt;
    private int reboots;
    private Instant createdAt = Given.NOON.minus(Duration.ofDays(1));

    public MachineBuilder(String name) {
        node = Given.node(name);
        uid = name + "-uid";
    }

    public static MachineBuilder machine(String name, InstanceType type) {
        return new MachineBuilder(name).bought(type, "on-demand");
    }

    public static MachineBuilder spotMachine(String name, InstanceType type) {
        return new MachineBuilder(name).bought(type, "spot");
    }

    public MachineBuilder bought(InstanceType type, String capacityType) {
        return node(each -> each.bought(type, Offering.of(FakeCatalogue.ZONE_1, capacityType, 0)));
    }

    public MachineBuilder node(UnaryOperator<NodeBuilder> change) {
        node = change.apply(node);
        return this;
    }

    public MachineBuilder uid(String other) {
        uid = other;
        return this;
    }

    public MachineBuilder pool(String pool) {
        return node(each -> each.pool(pool));
    }

    public MachineBuilder without(String label) {
        return node(each -> each.withoutLabel(label));
    }

    public MachineBuilder annotation(String key, String value) {
        annotations.put(key, value);
        return this;
    }

    public MachineBuilder notReady() {
        isReady = false;
        return this;
    }

    public MachineBuilder instanceTerminating() {
        isInstanceTerminating = true;
        return this;
    }

    public MachineBuilder queued() {
        isQueued = true;
        return this;
    }

    public MachineBuilder nominated() {
        isNominated = true;
        return this;
    }

    public MachineBuilder virtualPods(int count) {
        virtualPods = count;
        return this;
    }

    public MachineBuilder drifted() {
        return driftedAt(Given.NOON);
    }

    public MachineBuilder driftedAt(Instant at) {
        driftedAt = at;
        return this;
    }

    public MachineBuilder returning() {
        isReturning = true;
        return drifted();
    }

    public MachineBuilder notConsolidatable() {
        isConsolidatable = false;
        return this;
    }

    public MachineBuilder grace(Duration duration) {
        grace = duration;
        return this;
    }

    /// A condition that began so long ago.
    public MachineBuilder sign(String type, Duration age) {
        return sign(type, "", age);
    }

    public MachineBuilder sign(String type, String reason, Duration age) {
        signs.add(new Sign(type, "True", reason, Given.NOON.minus(age)));
        return this;
    }

    public MachineBuilder rebooting() {
        isRebooting = true;
        return this;
    }

    public MachineBuilder rebooted(int times, Duration age) {
        reboots = times;
        rebootedAt = Given.NOON.minus(age);
        return this;
    }

    public MachineBuilder createdAt(Instant at) {
        createdAt = at;
        return this;
    }

    public String name() {
        return node.name();
    }

    public StateNode stateNode() {
        var built = node.build();
        return built.node() == null || annotations.isEmpty()
                ? built
                : new StateNode(
                        built.node().withAnnotations(annotations),
                        built.claim(),
                        built.isMarkedForDeletion(),
                        built.isInsideConsolidateAfter());
    }

    public Machine build(List<MovedPod> pods) {
        return new Machine(
                stateNode(),
                new Standing(
                        uid,
                        isReady,
                        isInstanceTerminating,
                        isQueued,
                        isNominated,
                        virtualPods,
                        driftedAt,
                        isReturning,
                        isConsolidatable,
                        grace,
                        new NodeHealth(signs, createdAt, isRebooting, rebootedAt, reboots)),
                pods);
    }
}
