package dev.millwright.kube.conversion;

import dev.millwright.kube.document.Value;

import org.jspecify.annotations.Nullable;

/// NodeClaims of v1beta1 and v1, both ways.
final class NodeClaims {

    private NodeClaims() {}

    /// @param expireAfter that of the claim's pool; null leaves it to the API server
    static Value.Mapping toCurrent(Value.Mapping claim, @Nullable String expireAfter) {
        var made = Nested.with(claim, OldKeys.CURRENT, "apiVersion");
        var reference = Nested.mapping(claim, "spec", "nodeClassRef");
        made = Nested.with(made, ClassReferences.toCurrent(reference), "spec", "nodeClassRef");
        made = ClassReferences.stored(made, reference);
        if (expireAfter != null) {
            made = Nested.with(made, expireAfter, "spec", "expireAfter");
        }
        var kubelet = Nested.find(claim, "spec", "kubelet");
        made = Nested.without(made, "spec", "kubelet");
        return kubelet == null ? made : Kubelets.stored(made, kubelet);
    }

    static Value.Mapping toBeta(Value.Mapping claim) {
        var made = Nested.with(claim, OldKeys.BETA, "apiVersion");
        made = Nested.without(made, "spec", "expireAfter");
        made = Nested.without(made, "spec", "terminationGracePeriod");
        made =
                Nested.with(
                        made,
                        ClassReferences.toBeta(
                                Nested.mapping(claim, "spec", "nodeClassRef"),
                                NodePools.annotation(claim, OldKeys.CLASS_REFERENCE)),
                        "spec",
                        "nodeClassRef");
        var kubelet = Kubelets.kept(claim);
        if (kubelet != null) {
            made = Nested.with(made, kubelet, "spec", "kubelet");
        }
        return NodePools.withoutMarks(made);
    }

    /// The pool a claim was made for; empty when it stands alone.
    static String nodePool(Value.Mapping claim) {
        return ClassReferences.orEmpty(Nested.text(claim, "metadata", "labels", OldKeys.NODE_POOL));
    }
}
