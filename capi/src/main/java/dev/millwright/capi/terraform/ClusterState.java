package dev.millwright.capi.terraform;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.client.ApiAnswer;
import dev.millwright.kube.client.ApiWrite;
import dev.millwright.kube.client.KubeApi;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;
import dev.millwright.kube.object.RawObject;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Base64;
import java.util.List;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/// States and their locks in the cluster: a Secret and a Lease each, as Terraform's backend
/// `kubernetes` has them. Ours is written after every resource, which Terraform's is not.
final class ClusterState {

    /// What a Secret can hold, less what base64 and the rest of it take.
    private static final int BYTES_MAX = 1_000_000;

    /// States are small texts of JSON; one that unpacks to more than this is not one.
    private static final int UNPACKED_BYTES_MAX = 64 << 20;

    private static final String LOCK_INFO = "app.terraform.io/lock-info";
    private static final String MOVED = "clusterctl.cluster.x-k8s.io/move";

    private final KubeApi api;

    ClusterState(KubeApi api) {
        this.api = api;
    }

    sealed interface Read {
        /// @param isThere whether there is a Secret
        record Found(StateFile state, boolean isThere) implements Read {}

        record Failed(String message) implements Read {}
    }

    /// No state is an empty one. Somebody else's is a failure.
    Read read(StatePlace place, StateOwner owner) {
        var answer = api.read(ResourceType.SECRET, place.secret());
        if (!(answer instanceof ApiAnswer.Done(var object))) {
            return absent(place, answer);
        }
        var secret = RawObject.of(object);
        var refusal = owner.refusal(place, secret.meta());
        return refusal == null ? unpacked(place, secret) : new Read.Failed(refusal);
    }

    /// What an earlier version kept under a name that others may share: none where its labels or
    /// its owner say that it is another's.
    Read readEarlier(StatePlace place) {
        var answer = api.read(ResourceType.SECRET, place.secret());
        if (!(answer instanceof ApiAnswer.Done(var object))) {
            return absent(place, answer);
        }
        var secret = RawObject.of(object);
        return StateOwner.isNamed(secret.meta()) || !place.isNamedBy(secret.meta())
                ? new Read.Found(StateFile.NONE, false)
                : unpacked(place, secret);
    }

    private static Read absent(StatePlace place, ApiAnswer answer) {
        return answer.isNotFound()
                ? new Read.Found(StateFile.NONE, false)
                : new Read.Failed(
                        "state %s cannot be read: %s".formatted(place.secret(), answer.explain()));
    }

    private static Read unpacked(StatePlace place, RawObject secret) {
        var packed = secret.root().at("data").at("tfstate").text("");
        try (var stream =
                new GZIPInputStream(
                        new ByteArrayInputStream(Base64.getMimeDecoder().decode(packed)))) {
            var bytes = stream.readNBytes(UNPACKED_BYTES_MAX);
            var state = StateFile.of(bytes);
            if (state != null) {
                return new Read.Found(state, true);
            }
        } catch (IOException broken) {
            // Told below, like a state that is no JSON.
        }
        return new Read.Failed(
                "state %s is not one that Terraform writes; restore it from a copy"
                        .formatted(place.secret()));
    }

    /// Empty when it is written, else why not.
    String write(StatePlace place, StateOwner owner, StateFile state) {
        var packed = packed(state.bytes());
        if (packed.length > BYTES_MAX) {
            return "state %s has %d bytes packed, and a Secret holds %d; name a backend in the ProviderConfig"
                    .formatted(place.secret(), packed.length, BYTES_MAX);
        }
        var body =
                Tree.of(
                                "metadata",
                                Tree.of("name", place.secret().name())
                                        .put("namespace", place.namespace())
                                        .put("labels", labels(place).put(MOVED, ""))
                                        .put(
                                                "annotations",
                                                owner.annotations().put("encoding", "gzip")))
                        .put(
                                "data",
                                Tree.of("tfstate", Base64.getEncoder().encodeToString(packed)));
        var answer = patch(ResourceType.SECRET, place, body);
        if (answer.isNotFound()) {
            body.put("apiVersion", "v1").put("kind", "Secret").put("type", "Opaque");
            answer =
                    api.write(
                            new ApiWrite.Create(
                                    ResourceType.SECRET, place.namespace(), body.mapping()));
        }
        return answer.isDone()
                ? ""
                : "state %s cannot be written: %s".formatted(place.secret(), answer.explain());
    }

    private ApiAnswer patch(ResourceType type, StatePlace place, Tree body) {
        return api.write(
                new ApiWrite.Patch(
                        type,
                        type.equals(ResourceType.LEASE) ? place.lease() : place.secret(),
                        ApiWrite.PatchKind.MERGE,
                        ApiWrite.Subresource.NONE,
                        body.mapping()));
    }

    private static Tree labels(StatePlace place) {
        return Tree.of("tfstate", "true")
                .put(StatePlace.SUFFIX_LABEL, StatePlace.label(place.suffix()))
                .put(StatePlace.WORKSPACE_LABEL, StatePlace.label(place.workspace()))
                .put("app.kubernetes.io/managed-by", "terraform");
    }

    private static byte[] packed(byte[] bytes) {
        var out = new ByteArrayOutputStream();
        try (var zip = new GZIPOutputStream(out)) {
            zip.write(bytes);
        } catch (IOException never) {
            throw new IllegalStateException(never);
        }
        return out.toByteArray();
    }

    /// Nothing is left of the workspace.
    String delete(StatePlace place) {
        for (var write :
                List.of(
                        new ApiWrite.Delete(ResourceType.SECRET, place.secret(), null, null),
                        new ApiWrite.Delete(ResourceType.LEASE, place.lease(), null, null))) {
            var answer = api.write(write);
            if (!answer.isDone() && !answer.isNotFound()) {
                return "%s cannot be deleted: %s".formatted(write.name(), answer.explain());
            }
        }
        return "";
    }

    sealed interface Lock {
        record Taken() implements Lock {}

        /// @param resourceVersion of the Lease that says so
        record Held(String id, LockInfo info, String resourceVersion) implements Lock {}

        record Failed(String message) implements Lock {}
    }

    /// Takes the lock when it is free, or is held as this one says.
    Lock lock(StatePlace place, LockInfo info, String insteadOf) {
        var found = api.read(ResourceType.LEASE, place.lease());
        if (found.isNotFound()) {
            return taken(
                    place,
                    api.write(
                            new ApiWrite.Create(
                                    ResourceType.LEASE,
                                    place.namespace(),
                                    lease(place, info)
                                            .put("apiVersion", "coordination.k8s.io/v1")
                                            .put("kind", "Lease")
                                            .mapping())));
        }
        if (!(found instanceof ApiAnswer.Done(var object))) {
            return new Lock.Failed(
                    "lock %s cannot be read: %s".formatted(place.lease(), found.explain()));
        }
        var lease = RawObject.of(object);
        var holder = lease.spec().at("holderIdentity").text("");
        if (!holder.isEmpty() && !holder.equals(insteadOf) && !holder.equals(info.id())) {
            return new Lock.Held(
                    holder,
                    LockInfo.of(String.valueOf(lease.meta().annotation(LOCK_INFO))),
                    lease.meta().resourceVersion());
        }
        var body = lease(place, info);
        return taken(place, patch(ResourceType.LEASE, place, locked(body, lease)));
    }

    private static Tree locked(Tree body, RawObject lease) {
        var metadata =
                body.mapping().fields().get("metadata") instanceof Value.Mapping(_, var fields)
                        ? fields
                        : Tree.of().mapping().fields();
        var tree = Tree.of("resourceVersion", lease.meta().resourceVersion());
        metadata.forEach(tree::put);
        return body.put("metadata", tree);
    }

    private static Tree lease(StatePlace place, LockInfo info) {
        return Tree.of(
                        "metadata",
                        Tree.of("name", place.lease().name())
                                .put("namespace", place.namespace())
                                .put("labels", labels(place))
                                .put("annotations", Tree.of(LOCK_INFO, info.json())))
                .put("spec", Tree.of("holderIdentity", info.id()));
    }

    private static Lock taken(StatePlace place, ApiAnswer answer) {
        return answer.isDone()
                ? new Lock.Taken()
                : new Lock.Failed(
                        "lock %s cannot be taken: %s".formatted(place.lease(), answer.explain()));
    }

    /// Frees the lock if it is held so; of anybody else it is left.
    String unlock(StatePlace place, String id) {
        var found = api.read(ResourceType.LEASE, place.lease());
        if (found.isNotFound()) {
            return "";
        }
        if (!(found instanceof ApiAnswer.Done(var object))) {
            return found.explain();
        }
        var lease = RawObject.of(object);
        if (!lease.spec().at("holderIdentity").text("").equals(id)) {
            return "";
        }
        var answer =
                patch(
                        ResourceType.LEASE,
                        place,
                        Tree.of(
                                        "metadata",
                                        Tree.of("resourceVersion", lease.meta().resourceVersion())
                                                .put(
                                                        "annotations",
                                                        Tree.of().putNothing(LOCK_INFO)))
                                .put("spec", Tree.of().putNothing("holderIdentity")));
        return answer.isDone() ? "" : answer.explain();
    }

    /// Whether there is no such Pod; false where that cannot be told.
    boolean isPodGone(String namespace, String pod) {
        return api.read(ResourceType.POD, new ObjectName(namespace, pod)).isNotFound();
    }
}
