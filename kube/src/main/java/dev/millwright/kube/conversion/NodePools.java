package dev.millwright.kube.conversion;

import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;

import org.jspecify.annotations.Nullable;

import java.util.LinkedHashMap;
import java.util.List;

/// NodePools of v1beta1 and v1, both ways.
final class NodePools {

    private static final String UNDERUTILIZED = "WhenUnderutilized";
    private static final String EMPTY_OR_UNDERUTILIZED = "WhenEmptyOrUnderutilized";
    private static final String EMPTY = "WhenEmpty";

    private NodePools() {}

    static Value.Mapping toCurrent(Value.Mapping pool) {
        var made = Nested.with(pool, OldKeys.CURRENT, "apiVersion");
        var expiry = Nested.find(pool, "spec", "disruption", "expireAfter");
        made = Nested.without(made, "spec", "disruption", "expireAfter");
        if (expiry != null) {
            made = Nested.with(made, expiry, "spec", "template", "spec", "expireAfter");
        }
        made = consolidated(made);
        var reference = Nested.mapping(pool, "spec", "template", "spec", "nodeClassRef");
        made =
                Nested.with(
                        made,
                        ClassReferences.toCurrent(reference),
                        "spec",
                        "template",
                        "spec",
                        "nodeClassRef");
        made = ClassReferences.stored(made, reference);
        var kubelet = Nested.find(pool, "spec", "template", "spec", "kubelet");
        made = Nested.without(made, "spec", "template", "spec", "kubelet");
        // Nobody reads it: v1beta1 forbids it since 0.34.
        made = Nested.without(made, "spec", "template", "spec", "resources");
        return kubelet == null ? made : Kubelets.stored(made, kubelet);
    }

    private static Value.Mapping consolidated(Value.Mapping pool) {
        var policy = Nested.text(pool, "spec", "disruption", "consolidationPolicy");
        if (policy != null && !policy.equals(UNDERUTILIZED)) {
            return pool;
        }
        return Nested.with(
                Nested.with(
                        pool, EMPTY_OR_UNDERUTILIZED, "spec", "disruption", "consolidationPolicy"),
                "0s",
                "spec",
                "disruption",
                "consolidateAfter");
    }

    static Value.Mapping toBeta(Value.Mapping pool) {
        var made = Nested.with(pool, OldKeys.BETA, "apiVersion");
        var expiry = Nested.find(pool, "spec", "template", "spec", "expireAfter");
        made = Nested.without(made, "spec", "template", "spec", "expireAfter");
        made = Nested.without(made, "spec", "template", "spec", "terminationGracePeriod");
        made = Nested.without(made, "spec", "replicas");
        if (expiry != null) {
            made = Nested.with(made, expiry, "spec", "disruption", "expireAfter");
        }
        var policy = Nested.text(pool, "spec", "disruption", "consolidationPolicy");
        if (policy != null && !policy.equals(EMPTY)) {
            made = Nested.with(made, UNDERUTILIZED, "spec", "disruption", "consolidationPolicy");
            made = Nested.without(made, "spec", "disruption", "consolidateAfter");
        }
        made = withoutReasons(made);
        made =
                Nested.with(
                        made,
                        ClassReferences.toBeta(
                                Nested.mapping(pool, "spec", "template", "spec", "nodeClassRef"),
                                annotation(pool, OldKeys.CLASS_REFERENCE)),
                        "spec",
                        "template",
                        "spec",
                        "nodeClassRef");
        var kubelet = Kubelets.kept(pool);
        if (kubelet != null) {
            made = Nested.with(made, kubelet, "spec", "template", "spec", "kubelet");
        }
        return withoutMarks(made);
    }

    /// Budgets had no reasons.
    private static Value.Mapping withoutReasons(Value.Mapping pool) {
        var budgets = Nested.list(pool, "spec", "disruption", "budgets");
        if (budgets.isEmpty()) {
            return pool;
        }
        List<Value> plain = budgets.stream().map(NodePools::withoutReasons).toList();
        return Nested.with(pool, Tree.list(plain), "spec", "disruption", "budgets");
    }

    private static Value withoutReasons(Value budget) {
        if (!(budget instanceof Value.Mapping(var at, var fields))) {
            return budget;
        }
        var less = new LinkedHashMap<>(fields);
        less.remove("reasons");
        return new Value.Mapping(at, less);
    }

    static @Nullable String annotation(Value.Mapping object, String key) {
        return Nested.text(object, "metadata", "annotations", key);
    }

    /// Without what only v1 needs to remember.
    static Value.Mapping withoutMarks(Value.Mapping object) {
        var less = Nested.withoutAnnotation(object, OldKeys.CLASS_REFERENCE);
        less = Nested.withoutAnnotation(less, OldKeys.KUBELET);
        return Nested.withoutAnnotation(less, OldKeys.STORED_VERSION_MIGRATED);
    }
}
