package dev.millwright.testing.kit.disruption;

import dev.millwright.core.label.LabelKeys;
import dev.millwright.kube.document.Position;
import dev.millwright.kube.document.Value;
import dev.millwright.testing.kit.Given;
import dev.millwright.testing.kit.cluster.Manifest;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/// A machine that works, as claim and node of the same name, unless something else is said.
public final class FleetNode {

    private final String name;
    private final TreeMap<String, String> labels = new TreeMap<>();
    private final TreeMap<String, String> annotations = new TreeMap<>();
    private String pool = "default";
    private String uid;
    private String cpu = "4";
    private boolean isInitialized = true;
    private boolean isReady = true;
    private String consolidatable = "True";
    private @Nullable Instant driftedAt;
    private String drifted = "True";
    private @Nullable String grace;

    private record Sign(String type, String status, String reason, Instant since) {}

    private final List<Sign> signs = new ArrayList<>();
    private boolean isRegistered;
    private boolean isTainted;
    private boolean isTerminating;
    private @Nullable Instant deletedAt;

    public FleetNode(String name) {
        this.name = name;
        this.uid = name + "-uid";
        labels.put(LabelKeys.INSTANCE_TYPE, "default-instance-type");
        labels.put(LabelKeys.ZONE, "test-zone-1");
        labels.put(LabelKeys.CAPACITY_TYPE, "on-demand");
    }

    public String name() {
        return name;
    }

    public FleetNode pool(String other) {
        pool = other;
        return this;
    }

    public FleetNode uid(String other) {
        uid = other;
        return this;
    }

    public FleetNode type(String type, String cores) {
        labels.put(LabelKeys.INSTANCE_TYPE, type);
        cpu = cores;
        return this;
    }

    public FleetNode label(String key, String value) {
        labels.put(key, value);
        return this;
    }

    public FleetNode without(String label) {
        labels.remove(label);
        return this;
    }

    /// On the node only.
    public FleetNode annotation(String key, String value) {
        annotations.put(key, value);
        return this;
    }

    public FleetNode spot() {
        return label(LabelKeys.CAPACITY_TYPE, "spot");
    }

    public FleetNode initialized(boolean is) {
        isInitialized = is;
        return this;
    }

    public FleetNode notReady() {
        isReady = false;
        return this;
    }

    public FleetNode consolidatable(boolean is) {
        consolidatable = is ? "True" : "";
        return this;
    }

    public FleetNode consolidatable(String status) {
        consolidatable = status;
        return this;
    }

    public FleetNode drifted() {
        return drifted(Given.NOON);
    }

    public FleetNode drifted(Instant at) {
        driftedAt = at;
        return this;
    }

    public FleetNode drifted(String status) {
        drifted = status;
        return drifted();
    }

    public FleetNode grace(String duration) {
        grace = duration;
        return this;
    }

    /// A condition of the node, for as long as the time says.
    public FleetNode condition(String type, String status, String reason, Instant since) {
        signs.add(new Sign(type, status, reason, since));
        return this;
    }

    public FleetNode registered() {
        isRegistered = true;
        return initialized(false);
    }

    public FleetNode tainted() {
        isTainted = true;
        return this;
    }

    public FleetNode instanceTerminating() {
        isTerminating = true;
        return this;
    }

    public FleetNode deletedAt(Instant at) {
        deletedAt = at;
        return this;
    }

    public Manifest claim() {
        var claim =
                Manifest.claim(name)
                        .nodePool(pool)
                        .uid(uid)
                        .providerId("fake://" + name)
                        .finalizer("karpenter.sh/termination")
                        .capacity("cpu", cpu, "memory", "4Gi", "pods", "10")
                        .allocatable("cpu", cpu, "memory", "4Gi", "pods", "10")
                        .condition("Launched", "True", Given.NOON);
        labels.forEach(claim::label);
        if (isInitialized) {
            claim.condition("Registered", "True", Given.NOON)
                    .condition("Initialized", "True", Given.NOON);
        }
        if (!consolidatable.isEmpty()) {
            claim.condition("Consolidatable", consolidatable, Given.NOON);
        }
        if (driftedAt != null) {
            claim.condition("Drifted", drifted, driftedAt);
        }
        if (isTerminating) {
            claim.condition("InstanceTerminating", "True", Given.NOON);
        }
        if (grace != null) {
            claim.spec("terminationGracePeriod", new Value.Text(Position.NOWHERE, grace));
        }
        if (deletedAt != null) {
            claim.deletedAt(deletedAt);
        }
        return claim;
    }

    public Manifest node() {
        var node =
                Manifest.node(name)
                        .providerId("fake://" + name)
                        .label(LabelKeys.NODE_POOL, pool)
                        .label(LabelKeys.HOSTNAME, name)
                        .label("karpenter.test.sh/testnodeclass", "default")
                        .capacity("cpu", cpu, "memory", "4Gi", "pods", "10")
                        .allocatable("cpu", cpu, "memory", "4Gi", "pods", "10")
                        .condition("Ready", isReady ? "True" : "False", Given.NOON);
        labels.forEach(node::label);
        annotations.forEach(node::annotation);
        if (isInitialized) {
            node.initialized();
        }
        if (isRegistered) {
            node.label(LabelKeys.REGISTERED, "true");
        }
        signs.forEach(
                sign ->
                        node.condition(
                                sign.type(), sign.status(), sign.reason(), "", sign.since()));
        if (isTainted) {
            node.taint("karpenter.sh/disrupted", "NoSchedule");
        }
        return node;
    }
}
