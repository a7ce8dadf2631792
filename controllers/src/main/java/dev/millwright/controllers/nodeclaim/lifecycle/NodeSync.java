package dev.millwright.controllers.nodeclaim.lifecycle;

import dev.millwright.controllers.nodeclaim.NewClaims;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.label.Taint;
import dev.millwright.kube.client.ApiWrite;
import dev.millwright.kube.client.ApiWrite.PatchKind;
import dev.millwright.kube.client.ApiWrite.Subresource;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;
import dev.millwright.kube.object.ClaimObject;
import dev.millwright.kube.object.NodeObject;
import dev.millwright.kube.object.OwnerReference;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// What a node takes over from its claim: finalizer, owner, taints, labels, annotations. With
/// `isRegistering` it also loses the mark of a node that nobody knows.
record NodeSync(NodeObject node, ClaimObject claim, boolean isRegistering) {

    /// Null when the node has it all already. The patch fails when somebody else wrote meanwhile,
    /// since it replaces lists.
    @Nullable ApiWrite patch() {
        var meta = node.meta();
        var changes = Tree.of();
        putMissing(changes, "labels", meta.labels(), labels());
        putMissing(changes, "annotations", meta.annotations(), claim.meta().annotations());
        if (!meta.hasFinalizer(LabelKeys.TERMINATION_FINALIZER)) {
            var finalizers = new ArrayList<>(meta.finalizers());
            finalizers.add(LabelKeys.TERMINATION_FINALIZER);
            changes.putTextList("finalizers", finalizers);
        }
        if (meta.owners().stream().noneMatch(owner -> owner.uid().equals(claim.meta().uid()))) {
            var owners = new ArrayList<>(meta.owners());
            owners.add(owner());
            changes.putList("ownerReferences", owners.stream().map(OwnerReference::value).toList());
        }
        var taints = taints();
        var hasNewTaints = !taints.equals(node.taintValues());
        if (changes.isEmpty() && !hasNewTaints) {
            return null;
        }
        changes.put("resourceVersion", meta.resourceVersion());
        var body = Tree.of("metadata", changes);
        if (hasNewTaints) {
            body.put("spec", Tree.of().putList("taints", taints));
        }
        return new ApiWrite.Patch(
                ResourceType.NODE, node.name(), PatchKind.MERGE, Subresource.NONE, body.mapping());
    }

    private Map<String, String> labels() {
        if (!isRegistering) {
            return claim.meta().labels();
        }
        var labels = new TreeMap<>(claim.meta().labels());
        labels.put(LabelKeys.REGISTERED, "true");
        return labels;
    }

    private static void putMissing(
            Tree changes, String field, Map<String, String> has, Map<String, String> wanted) {
        var missing = Tree.of();
        wanted.forEach(
                (key, value) -> {
                    if (!value.equals(has.get(key))) {
                        missing.put(key, value);
                    }
                });
        if (!missing.isEmpty()) {
            changes.put(field, missing);
        }
    }

    private OwnerReference owner() {
        return new OwnerReference(
                ResourceType.NODE_CLAIM.apiVersion(),
                ResourceType.NODE_CLAIM.kind(),
                claim.name().name(),
                claim.meta().uid(),
                false,
                true);
    }

    /// Written as they were, so that fields nobody here reads survive.
    private List<Value.Mapping> taints() {
        var taints = new ArrayList<>(node.taintValues());
        if (!"true".equals(node.meta().label(LabelKeys.DO_NOT_SYNC_TAINTS))) {
            addMissing(taints, claim.spec().taints());
            addMissing(taints, claim.spec().startupTaints());
        }
        if (isRegistering) {
            taints.removeIf(value -> isMark(value, Taint.UNREGISTERED));
        }
        return taints;
    }

    private static void addMissing(List<Value.Mapping> taints, List<Taint> wanted) {
        for (var taint : wanted) {
            if (taints.stream().noneMatch(value -> isMark(value, taint))) {
                taints.add(NewClaims.value(taint));
            }
        }
    }

    static boolean isMark(Value.Mapping value, Taint taint) {
        return text(value, "key").equals(taint.key())
                && text(value, "effect").equals(taint.effect().text());
    }

    private static String text(Value.Mapping value, String field) {
        return value.fields().get(field) instanceof Value.Text(_, var text) ? text : "";
    }
}
