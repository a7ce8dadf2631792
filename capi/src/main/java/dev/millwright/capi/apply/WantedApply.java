package dev.millwright.capi.apply;

import dev.millwright.capi.object.CaptTypes;
import dev.millwright.capi.object.ClusterApi;
import dev.millwright.capi.object.Merge;
import dev.millwright.capi.object.ObjectPatches;
import dev.millwright.capi.object.Owners;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.cache.Kind;
import dev.millwright.kube.client.ApiWrite;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;
import dev.millwright.kube.object.OwnerReference;
import dev.millwright.kube.object.RawObject;
import dev.millwright.runtime.step.Effect;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SequencedMap;
import java.util.TreeMap;

/// A WorkspaceTemplateApply as its owner wants it: made when it is missing, corrected when it is
/// otherwise.
public record WantedApply(
        ObjectName name,
        String clusterName,
        ObjectName template,
        SequencedMap<String, String> variables,
        @Nullable ObjectName secret,
        List<String> waitsFor,
        boolean isRetained) {

    public WantedApply {
        variables = Collections.unmodifiableSequencedMap(new TreeMap<>(variables));
        waitsFor = List.copyOf(waitsFor);
    }

    /// What has to be done so that it is there as wanted; nothing when it is, or is being deleted.
    public List<Effect> effects(Kind<?> ownerKind, RawObject owner, @Nullable RawObject found) {
        var reference = Owners.controller(ownerKind, owner);
        if (found == null) {
            return List.of(
                    new Effect.Write(
                            new ApiWrite.Create(
                                    CaptTypes.APPLY.type(), name.namespace(), object(reference))));
        }
        if (found.meta().isDeleting()) {
            return List.of();
        }
        var patch = Tree.of("spec", spec(found));
        var metadata = metadata(found, owner, reference);
        if (!metadata.isEmpty()) {
            patch.put("metadata", metadata);
        }
        return Merge.changes(found.root(), patch.mapping())
                ? List.of(new Effect.Write(ObjectPatches.patch(CaptTypes.APPLY, found, patch)))
                : List.of();
    }

    private Value.Mapping object(OwnerReference reference) {
        var type = CaptTypes.APPLY.type();
        return Tree.of("apiVersion", type.apiVersion())
                .put("kind", type.kind())
                .put(
                        "metadata",
                        Tree.of("name", name.name())
                                .put("labels", Tree.of(ClusterApi.CLUSTER_NAME, clusterName))
                                .putList("ownerReferences", List.of(reference.value())))
                .put("spec", spec(null))
                .mapping();
    }

    private Tree metadata(RawObject found, RawObject owner, OwnerReference reference) {
        var metadata = Tree.of();
        if (!found.meta().label(ClusterApi.CLUSTER_NAME).equals(clusterName)) {
            metadata.put("labels", Tree.of(ClusterApi.CLUSTER_NAME, clusterName));
        }
        if (!Owners.has(found, owner)) {
            var owners = new ArrayList<>(found.meta().owners());
            owners.add(reference);
            metadata.put("resourceVersion", found.meta().resourceVersion())
                    .putList(
                            "ownerReferences", owners.stream().map(OwnerReference::value).toList());
        }
        return metadata;
    }

    /// Fields that we do not know stay, and so do those a server fills in.
    private Tree spec(@Nullable RawObject found) {
        var values = Tree.texts(variables);
        var spec =
                Tree.of("templateRef", reference(template))
                        .put(
                                "variables",
                                found == null
                                        ? values
                                        : Merge.replacement(
                                                found.spec().at("variables").value(), values))
                        .put("retainWorkspaceOnDelete", isRetained);
        if (secret != null) {
            spec.put("writeConnectionSecretToRef", reference(secret));
        }
        if (!waitsFor.isEmpty()) {
            spec.putList(
                    "waitForWorkspaces",
                    waitsFor.stream().map(each -> Tree.of("name", each).mapping()).toList());
        } else if (found != null) {
            spec.putNothing("waitForWorkspaces");
        }
        return spec;
    }

    private static Tree reference(ObjectName name) {
        return Tree.of("name", name.name()).put("namespace", name.namespace());
    }
}
