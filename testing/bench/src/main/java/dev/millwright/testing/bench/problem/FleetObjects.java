package dev.millwright.testing.bench.problem;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.quantity.Resources;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;

/// The objects of a fleet as an API server would show them: all is well with each, and each may be
/// consolidated at once.
public final class FleetObjects {

    public static final String NODE_CLASS_GROUP = "karpenter.k8s.aws";
    public static final String NODE_CLASS_KIND = "EC2NodeClass";
    public static final String APP = "app";

    private static final String POOL = "default";
    private static final String NAMESPACE = "default";

    /// Older than anything that waits for an age; see the peer's default.
    private static final String BORN = "2026-01-01T00:00:00Z";

    private static final long BYTES_PER_MEBIBYTE = 1L << 20;

    private static final Map<String, Object> NODE_CLASS =
            ProblemText.map("group", NODE_CLASS_GROUP, "kind", NODE_CLASS_KIND, "name", "default");

    /// Said by the pool, because the peer replaces a node that may be either by a spot one, which
    /// the catalogue does not have.
    private static final Map<String, Object> ON_DEMAND =
            ProblemText.map(
                    "key",
                    LabelKeys.CAPACITY_TYPE,
                    "operator",
                    "In",
                    "values",
                    List.of(LabelKeys.CAPACITY_TYPE_ON_DEMAND));

    private FleetObjects() {}

    /// Where and as what a machine runs.
    public record Bought(InstanceType type, String zone, String capacityType) {}

    /// Budgets that let all nodes go at once, so that no decision is held back.
    static Map<String, Object> pool() {
        return object(
                "karpenter.sh/v1",
                "NodePool",
                meta(POOL, Map.of()),
                ProblemText.map(
                        "disruption",
                        ProblemText.map(
                                "consolidateAfter",
                                "0s",
                                "consolidationPolicy",
                                "WhenEmptyOrUnderutilized",
                                "budgets",
                                List.of(ProblemText.map("nodes", "100%"))),
                        "template",
                        ProblemText.map(
                                "spec",
                                ProblemText.map(
                                        "nodeClassRef",
                                        NODE_CLASS,
                                        "requirements",
                                        List.of(ON_DEMAND)))),
                ProblemText.map(
                        "conditions",
                        conditions("ValidationSucceeded", "NodeClassReady", "Ready")));
    }

    public static Map<String, Object> node(String name, Bought bought) {
        var status = sizes(bought.type());
        status.put("conditions", conditions("Ready"));
        return object(
                "v1",
                "Node",
                meta(name, labels(name, bought)),
                ProblemText.map("providerID", providerId(name)),
                status);
    }

    public static Map<String, Object> claim(String name, Bought bought) {
        var status = sizes(bought.type());
        status.put("nodeName", name);
        status.put("providerID", providerId(name));
        status.put(
                "conditions",
                conditions("Launched", "Registered", "Initialized", "Consolidatable", "Ready"));
        return object(
                "karpenter.sh/v1",
                "NodeClaim",
                meta(name, labels(name, bought)),
                ProblemText.map(
                        "nodeClassRef",
                        NODE_CLASS,
                        "requirements",
                        List.of(),
                        "expireAfter",
                        "Never"),
                status);
    }

    /// A pod of the ReplicaSet `app`, on the node.
    public static Map<String, Object> pod(
            String name, String app, long cpuMilli, long memoryBytes, String node) {
        var meta = meta(name, Map.of(APP, app));
        meta.put("namespace", NAMESPACE);
        meta.put(
                "ownerReferences",
                List.of(
                        ProblemText.map(
                                "apiVersion",
                                "apps/v1",
                                "kind",
                                "ReplicaSet",
                                "name",
                                app,
                                "uid",
                                uid(app),
                                "controller",
                                true)));
        return object(
                "v1",
                "Pod",
                meta,
                ProblemText.map(
                        "nodeName",
                        node,
                        "containers",
                        List.of(
                                ProblemText.map(
                                        "name",
                                        "main",
                                        "image",
                                        "none",
                                        "resources",
                                        ProblemText.map(
                                                "requests",
                                                ProblemText.map(
                                                        "cpu",
                                                        cpuMilli + "m",
                                                        "memory",
                                                        memoryBytes / BYTES_PER_MEBIBYTE
                                                                + "Mi"))))),
                ProblemText.map("phase", "Running"));
    }

    private static Map<String, String> labels(String name, Bought bought) {
        var labels = new TreeMap<String, String>();
        labels.put(LabelKeys.NODE_POOL, POOL);
        labels.put(LabelKeys.INSTANCE_TYPE, bought.type().name());
        labels.put(LabelKeys.ZONE, bought.zone());
        labels.put(LabelKeys.CAPACITY_TYPE, bought.capacityType());
        labels.put(
                LabelKeys.ARCH,
                bought.type().requirements().on(LabelKeys.ARCH).values().getFirst());
        labels.put(LabelKeys.OS, "linux");
        labels.put(LabelKeys.HOSTNAME, name);
        labels.put(LabelKeys.REGISTERED, "true");
        labels.put(LabelKeys.INITIALIZED, "true");
        labels.put(NODE_CLASS_GROUP + "/ec2nodeclass", "default");
        return labels;
    }

    private static Map<String, Object> sizes(InstanceType type) {
        var sizes = new LinkedHashMap<String, Object>();
        sizes.put("capacity", size(type.capacity()));
        sizes.put("allocatable", size(type.allocatable()));
        return sizes;
    }

    private static Map<String, Object> size(Resources resources) {
        return ProblemText.map(
                "cpu", ProblemText.millis(resources) + "m",
                "memory", Long.toString(resources.amount(Resources.MEMORY).units()),
                "pods", Long.toString(resources.amount(Resources.PODS).units()));
    }

    private static String providerId(String name) {
        return "bench:///" + name;
    }

    private static Map<String, Object> meta(String name, Map<String, String> labels) {
        var meta = new LinkedHashMap<String, Object>();
        meta.put("name", name);
        meta.put("uid", uid(name));
        meta.put("creationTimestamp", BORN);
        meta.put("labels", labels);
        return meta;
    }

    /// Without order, as an API server gives them: ties between pods go by it.
    private static String uid(String name) {
        return UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8)).toString();
    }

    private static List<Map<String, Object>> conditions(String... kinds) {
        return List.of(kinds).stream()
                .map(
                        kind ->
                                ProblemText.map(
                                        "type",
                                        kind,
                                        "status",
                                        "True",
                                        "reason",
                                        kind,
                                        "lastTransitionTime",
                                        BORN))
                .collect(Collectors.toList());
    }

    private static Map<String, Object> object(
            String version,
            String kind,
            Map<String, Object> meta,
            Map<String, Object> spec,
            Map<String, Object> status) {
        return ProblemText.map(
                "apiVersion",
                version,
                "kind",
                kind,
                "metadata",
                meta,
                "spec",
                spec,
                "status",
                status);
    }
}
