package dev.millwright.kube.conversion;

import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;
import java.util.TreeMap;

/// A node that runs, and the NodeClaim by which v1 knows it: as if it had been launched for it,
/// with all that a claim is told on its way, so that nothing is launched or started anew.
///
/// @param claim to be created; its pool's uid is in it
/// @param status to be written right after it
public record Adoption(String node, Value.Mapping claim, Value.Mapping status) {

    /// On a claim: the name of the node it was made for.
    public static final String ADOPTED = "millwright.dev/adopted";

    private static final String FINALIZER = "karpenter.sh/termination";
    private static final int NAME_HASH_BYTES = 5;

    /// Labels that say what a machine is.
    private static final Set<String> MACHINE_KEYS =
            Set.of(
                    "karpenter.sh/capacity-type",
                    "kubernetes.io/arch",
                    "kubernetes.io/os",
                    "node.kubernetes.io/instance-type",
                    "node.kubernetes.io/windows-build",
                    "topology.kubernetes.io/region",
                    "topology.kubernetes.io/zone");

    private static final List<String> PROVIDER_DOMAINS =
            List.of("karpenter.k8s.aws/", "karpenter.kwok.sh/", "topology.k8s.aws/");

    /// @param machine the old claim of the node; null when there was none
    /// @param pool of v1, as the API server holds it
    public static Adoption of(
            Value.Mapping node, Value.@Nullable Mapping machine, Value.Mapping pool, Instant now) {
        var nodeName = orEmpty(Nested.text(node, "metadata", "name"));
        var poolName = orEmpty(Nested.text(pool, "metadata", "name"));
        var labels = labels(node, pool, poolName);
        var annotations = new TreeMap<String, String>();
        annotations.put(ADOPTED, nodeName);
        texts(Nested.mapping(pool, "spec", "template", "metadata", "annotations"))
                .forEach(annotations::put);
        if (Nested.text(node, "metadata", "annotations", OldKeys.DO_NOT_CONSOLIDATE) != null) {
            annotations.put(OldKeys.DO_NOT_DISRUPT, "true");
        }
        var metadata =
                Tree.of("name", name(nodeName, poolName, machine))
                        .putTexts("labels", labels)
                        .putTexts("annotations", annotations)
                        .putTextList("finalizers", List.of(FINALIZER))
                        .putList(
                                "ownerReferences",
                                List.of(
                                        owner(
                                                OldKeys.CURRENT,
                                                "NodePool",
                                                poolName,
                                                orEmpty(Nested.text(pool, "metadata", "uid")))));
        var claim =
                Tree.of("apiVersion", OldKeys.CURRENT)
                        .put("kind", "NodeClaim")
                        .put("metadata", metadata)
                        .put("spec", spec(labels, machine, pool));
        return new Adoption(nodeName, claim.mapping(), status(node, nodeName, now));
    }

    public String name() {
        return orEmpty(Nested.text(claim, "metadata", "name"));
    }

    public String providerId() {
        return orEmpty(Nested.text(status, "status", "providerID"));
    }

    static Value.Mapping owner(String apiVersion, String kind, String name, String uid) {
        return Tree.of("apiVersion", apiVersion)
                .put("kind", kind)
                .put("name", name)
                .put("uid", uid)
                .put("blockOwnerDeletion", true)
                .mapping();
    }

    /// The same for the same node, so that a second run meets the claim of the first.
    private static String name(String nodeName, String poolName, Value.@Nullable Mapping machine) {
        if (machine != null) {
            return orEmpty(Nested.text(machine, "metadata", "name"));
        }
        try {
            var digest =
                    MessageDigest.getInstance("SHA-256")
                            .digest(nodeName.getBytes(StandardCharsets.UTF_8));
            return poolName + "-" + HexFormat.of().formatHex(digest, 0, NAME_HASH_BYTES);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every JDK has SHA-256", impossible);
        }
    }

    private static SequencedMap<String, String> labels(
            Value.Mapping node, Value.Mapping pool, String poolName) {
        var wanted = texts(Nested.mapping(pool, "spec", "template", "metadata", "labels"));
        var required =
                Nested.list(pool, "spec", "template", "spec", "requirements").stream()
                        .map(each -> each instanceof Value.Mapping one ? one.text("key") : null)
                        .toList();
        var labels = new TreeMap<String, String>();
        texts(Nested.mapping(node, "metadata", "labels"))
                .forEach(
                        (key, value) -> {
                            if (MACHINE_KEYS.contains(key)
                                    || wanted.containsKey(key)
                                    || required.contains(key)
                                    || PROVIDER_DOMAINS.stream().anyMatch(key::startsWith)) {
                                labels.put(key, value);
                            }
                        });
        labels.remove(OldKeys.INSTANCE_PODS);
        labels.remove(OldKeys.PROVISIONER_NAME);
        labels.put(OldKeys.NODE_POOL, poolName);
        var reference = Nested.mapping(pool, "spec", "template", "spec", "nodeClassRef");
        labels.put(classLabel(reference), orEmpty(reference.text("name")));
        return labels;
    }

    private static String classLabel(Value.Mapping reference) {
        return "%s/%s"
                .formatted(
                        reference.text("group"),
                        orEmpty(reference.text("kind")).toLowerCase(Locale.ROOT));
    }

    private static Tree spec(
            Map<String, String> labels, Value.@Nullable Mapping machine, Value.Mapping pool) {
        var template = Nested.mapping(pool, "spec", "template", "spec");
        var spec = Tree.of();
        for (var name :
                List.of(
                        "taints",
                        "startupTaints",
                        "nodeClassRef",
                        "expireAfter",
                        "terminationGracePeriod")) {
            var value = template.fields().get(name);
            if (value != null) {
                spec.put(name, value);
            }
        }
        var resources = machine == null ? null : Nested.find(machine, "spec", "resources");
        if (resources != null) {
            spec.put("resources", resources);
        }
        var requirements = new ArrayList<Value>();
        labels.forEach(
                (key, value) -> {
                    if (MACHINE_KEYS.contains(key) || key.equals(OldKeys.NODE_POOL)) {
                        requirements.add(
                                Tree.of("key", key)
                                        .put("operator", "In")
                                        .putTextList("values", List.of(value))
                                        .mapping());
                    }
                });
        return spec.putList("requirements", requirements);
    }

    private static Value.Mapping status(Value.Mapping node, String nodeName, Instant now) {
        var time = now.truncatedTo(ChronoUnit.SECONDS).toString();
        var conditions = new ArrayList<Value>();
        conditions.add(condition("Launched", time));
        conditions.add(condition("Registered", time));
        if (isReady(node)) {
            conditions.add(condition("Initialized", time));
            conditions.add(condition("Ready", time));
        }
        var status =
                Tree.of("nodeName", nodeName)
                        .put("providerID", orEmpty(Nested.text(node, "spec", "providerID")))
                        .put("capacity", Nested.mapping(node, "status", "capacity"))
                        .put("allocatable", Nested.mapping(node, "status", "allocatable"))
                        .putList("conditions", conditions);
        return Tree.of("status", status).mapping();
    }

    /// A node that is not ready yet is watched on by the controller.
    private static boolean isReady(Value.Mapping node) {
        return "true".equals(Nested.text(node, "metadata", "labels", "karpenter.sh/initialized"))
                || Nested.list(node, "status", "conditions").stream()
                        .anyMatch(
                                each ->
                                        each instanceof Value.Mapping condition
                                                && "Ready".equals(condition.text("type"))
                                                && "True".equals(condition.text("status")));
    }

    private static Value.Mapping condition(String type, String time) {
        return Tree.of("type", type)
                .put("status", "True")
                .put("reason", type)
                .put("message", "")
                .put("lastTransitionTime", time)
                .put("observedGeneration", 1)
                .mapping();
    }

    /// Requirements of the pool that the claim's labels do not meet: such a node counts as drifted.
    public List<String> unmet(Value.Mapping pool) {
        var labels = texts(Nested.mapping(claim, "metadata", "labels"));
        return Nested.list(pool, "spec", "template", "spec", "requirements").stream()
                .filter(each -> each instanceof Value.Mapping one && !isMet(one, labels))
                .map(each -> orEmpty(((Value.Mapping) each).text("key")))
                .toList();
    }

    private static boolean isMet(Value.Mapping requirement, Map<String, String> labels) {
        var value = labels.get(orEmpty(requirement.text("key")));
        var wanted =
                Nested.list(requirement, "values").stream()
                        .map(each -> each instanceof Value.Text(_, var text) ? text : "")
                        .toList();
        return switch (orEmpty(requirement.text("operator"))) {
            case "In" -> value != null && wanted.contains(value);
            case "NotIn" -> value == null || !wanted.contains(value);
            case "DoesNotExist" -> value == null;
            default -> value != null;
        };
    }

    static SequencedMap<String, String> texts(Value.Mapping map) {
        var texts = new TreeMap<String, String>();
        map.fields()
                .forEach(
                        (key, value) -> {
                            if (value instanceof Value.Text(_, var text)) {
                                texts.put(key, text);
                            }
                        });
        return texts;
    }

    static String orEmpty(@Nullable String text) {
        return ClassReferences.orEmpty(text);
    }
}
