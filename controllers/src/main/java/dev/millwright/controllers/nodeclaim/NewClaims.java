package dev.millwright.controllers.nodeclaim;

import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.label.SelectorRequirement;
import dev.millwright.core.label.Taint;
import dev.millwright.core.quantity.Resources;
import dev.millwright.core.scheduling.NodeClaimDraft;
import dev.millwright.kube.client.ApiWrite;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;
import dev.millwright.kube.object.Durations;
import dev.millwright.kube.object.OwnerReference;
import dev.millwright.kube.object.PoolObject;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;

/// NodeClaims to be made, as writes.
public final class NewClaims {

    private NewClaims() {}

    /// The pool owns its claims: they go when it goes. `graceDefault` is the provider's, for a pool
    /// that has none.
    public static ApiWrite.Create of(
            NodeClaimDraft draft, PoolObject pool, @Nullable Duration graceDefault) {
        var owner =
                new OwnerReference(
                        ResourceType.NODE_POOL.apiVersion(),
                        ResourceType.NODE_POOL.kind(),
                        pool.name().name(),
                        pool.meta().uid(),
                        false,
                        true);
        var metadata =
                Tree.of("generateName", draft.generateName())
                        .putTexts("labels", draft.labels())
                        .putTexts("annotations", draft.annotations())
                        .putList("ownerReferences", List.of(owner.value()))
                        // Nothing is launched before the finalizer is stored; this spares a write.
                        .putTextList("finalizers", List.of(LabelKeys.TERMINATION_FINALIZER));
        var body =
                Tree.of("apiVersion", ResourceType.NODE_CLAIM.apiVersion())
                        .put("kind", ResourceType.NODE_CLAIM.kind())
                        .put("metadata", metadata)
                        .put("spec", spec(draft, pool, graceDefault));
        return new ApiWrite.Create(ResourceType.NODE_CLAIM, "", body.mapping());
    }

    private static Tree spec(
            NodeClaimDraft draft, PoolObject pool, @Nullable Duration graceDefault) {
        var reference = draft.nodeClassRef();
        var spec =
                Tree.of()
                        .putList(
                                "requirements",
                                draft.requirements().stream().map(NewClaims::value).toList())
                        .put(
                                "nodeClassRef",
                                Tree.of("group", reference.group())
                                        .put("kind", reference.kind())
                                        .put("name", reference.name()))
                        .put("expireAfter", Durations.write(pool.expireAfter()));
        if (!draft.taints().isEmpty()) {
            spec.putList("taints", draft.taints().stream().map(NewClaims::value).toList());
        }
        if (!draft.startupTaints().isEmpty()) {
            spec.putList(
                    "startupTaints", draft.startupTaints().stream().map(NewClaims::value).toList());
        }
        if (!draft.requests().isEmpty()) {
            spec.put("resources", Tree.of("requests", value(draft.requests())));
        }
        var grace = pool.terminationGracePeriod();
        var effective = grace != null ? grace : graceDefault;
        if (effective != null) {
            spec.put("terminationGracePeriod", Durations.write(effective));
        }
        return spec;
    }

    private static Value.Mapping value(SelectorRequirement requirement) {
        var tree = Tree.of("key", requirement.key()).put("operator", requirement.operator().text());
        if (!requirement.values().isEmpty()) {
            tree.putTextList("values", requirement.values());
        }
        var minValues = requirement.minValues();
        if (minValues != null) {
            tree.put("minValues", minValues);
        }
        return tree.mapping();
    }

    /// A taint without a value leaves it out: the API refuses an empty one.
    public static Value.Mapping value(Taint taint) {
        return Tree.of("key", taint.key())
                .putUnlessEmpty("value", taint.value())
                .put("effect", taint.effect().text())
                .mapping();
    }

    public static Tree value(Resources resources) {
        var tree = Tree.of();
        resources.amounts().forEach((name, amount) -> tree.put(name, amount.toString()));
        return tree;
    }
}
