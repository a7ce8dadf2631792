package dev.millwright.capi.kubeconfig;

import dev.millwright.capi.object.CaptTypes;
import dev.millwright.capi.object.ClusterApi;
import dev.millwright.capi.object.Owners;
import dev.millwright.capi.port.Secrets.Answer;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.client.ApiWrite;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;
import dev.millwright.kube.object.OwnerReference;
import dev.millwright.kube.object.RawObject;
import dev.millwright.runtime.step.Answers;
import dev.millwright.runtime.step.Effect;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.SequencedMap;
import java.util.TreeMap;

/// A Secret as the contract of Cluster API has it: its type, the label of its Cluster, and an owner
/// with which it moves and goes.
final class WantedSecret {

    private final ObjectName name;
    private final String clusterName;
    private final SequencedMap<String, byte[]> data;

    WantedSecret(ObjectName name, String clusterName, SequencedMap<String, byte[]> data) {
        this.name = name;
        this.clusterName = clusterName;
        this.data = Collections.unmodifiableSequencedMap(new TreeMap<>(data));
    }

    /// Why a Secret of this name is not ours to write; null when it is, or there is none.
    ///
    /// Ours bears the label of its Cluster, or has us as an owner. CAPT's has neither; one that
    /// holds what we would write, and nothing else, loses nothing.
    @Nullable String refusal(RawObject owner, Answer found) {
        if (!(found instanceof Answer.Found there)) {
            return null;
        }
        var label = there.meta().label(ClusterApi.CLUSTER_NAME);
        var isOurs =
                label.equals(clusterName)
                        || there.meta().owners().stream()
                                .anyMatch(each -> each.uid().equals(owner.meta().uid()));
        var isSame =
                label.isEmpty()
                        && there.meta().owners().isEmpty()
                        && data.keySet().containsAll(there.data().keySet())
                        && there.data().entrySet().stream()
                                .allMatch(
                                        entry ->
                                                Arrays.equals(
                                                        entry.getValue(),
                                                        data.get(entry.getKey())));
        return isOurs || isSame
                ? null
                : "Secret %s belongs to somebody else: it has neither the label %s=%s nor CAPTControlPlane %s as an owner; remove or rename it"
                        .formatted(name, ClusterApi.CLUSTER_NAME, clusterName, owner.name().name());
    }

    /// What has to be done so that it is there as wanted.
    List<Effect> effects(RawObject owner, Answer found) {
        var reference = Owners.controller(CaptTypes.CONTROL_PLANE, owner);
        return switch (found) {
            case Answer.Missing() -> List.of(create(List.of(reference)));
            case Answer.Found there when !there.type().equals(ClusterApi.SECRET_TYPE) ->
                    // The type of a Secret cannot be changed; CAPT gave its CA another one.
                    List.of(
                            new Effect.Write(
                                    new ApiWrite.Delete(
                                            ResourceType.SECRET, name, there.meta().uid(), null),
                                    Answers::deleted),
                            create(List.of(reference)));
            case Answer.Found there -> corrected(there, reference);
            case Answer.Failed(_) -> List.of();
        };
    }

    private Effect create(List<OwnerReference> owners) {
        return new Effect.Write(
                new ApiWrite.Create(
                        ResourceType.SECRET,
                        name.namespace(),
                        Tree.of("apiVersion", "v1")
                                .put("kind", "Secret")
                                .put(
                                        "metadata",
                                        Tree.of("name", name.name())
                                                .put("labels", label())
                                                .putList("ownerReferences", values(owners)))
                                .put("type", ClusterApi.SECRET_TYPE)
                                .put("data", packed())
                                .mapping()));
    }

    private Tree label() {
        return Tree.of(ClusterApi.CLUSTER_NAME, clusterName);
    }

    private Tree packed() {
        var packed = new Tree();
        data.forEach((key, bytes) -> packed.put(key, Base64.getEncoder().encodeToString(bytes)));
        return packed;
    }

    private static List<Value.Mapping> values(List<OwnerReference> owners) {
        return owners.stream().map(OwnerReference::value).toList();
    }

    private List<Effect> corrected(Answer.Found there, OwnerReference reference) {
        var hasData =
                data.entrySet().stream()
                        .allMatch(
                                entry ->
                                        Arrays.equals(
                                                entry.getValue(),
                                                there.data().get(entry.getKey())));
        var hasLabel = there.meta().label(ClusterApi.CLUSTER_NAME).equals(clusterName);
        var hasOwner = there.meta().owners().stream().anyMatch(OwnerReference::isController);
        if (hasData && hasLabel && hasOwner) {
            return List.of();
        }
        var metadata = there.meta().locked().put("labels", label());
        if (!hasOwner) {
            var owners = new ArrayList<>(there.meta().owners());
            owners.add(reference);
            metadata.putList("ownerReferences", values(owners));
        }
        return List.of(
                new Effect.Write(
                        new ApiWrite.Patch(
                                ResourceType.SECRET,
                                name,
                                ApiWrite.PatchKind.MERGE,
                                ApiWrite.Subresource.NONE,
                                Tree.of("metadata", metadata).put("data", packed()).mapping())));
    }
}
