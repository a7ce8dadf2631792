package dev.millwright.cli.demo;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.label.LabelVocabulary;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Faults;
import dev.millwright.kube.document.Field;
import dev.millwright.kube.document.Value;
import dev.millwright.kube.object.ClaimObject;
import dev.millwright.kube.object.KubeObject;
import dev.millwright.kube.object.NodeObject;
import dev.millwright.kube.object.ObjectReader;
import dev.millwright.kube.object.PodObject;
import dev.millwright.kube.object.PoolObject;
import dev.millwright.kube.object.ScalableObject;
import dev.millwright.world.happening.Happening;

import org.jspecify.annotations.Nullable;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.function.Function;

/// The objects of a world that a picture is made of, each read once when it changes.
final class Stage {

    /// A Deployment and how many of its pods are ready.
    record Sized(ScalableObject object, int ready) {}

    private final ObjectReader reader;
    private final SequencedMap<ObjectName, ClaimObject> claims = new LinkedHashMap<>();
    private final Map<String, NodeObject> nodesByProviderId = new TreeMap<>();
    private final SequencedMap<ObjectName, PodObject> pods = new TreeMap<>();
    private final SequencedMap<ObjectName, Sized> deployments = new TreeMap<>();
    private final SequencedMap<ObjectName, PoolObject> pools = new TreeMap<>();
    private final SequencedMap<ObjectName, Value.Mapping> daemonSets = new TreeMap<>();
    private long podChanges;

    Stage(LabelVocabulary vocabulary) {
        reader = new ObjectReader(vocabulary);
    }

    void saw(Happening.Changed change) {
        var type = change.type();
        var before = change.before();
        var after = change.after();
        if (type.equals(ResourceType.POD)) {
            podChanges++;
            keep(pods, before, after, reader::pod);
        } else if (type.equals(ResourceType.NODE_CLAIM)) {
            keep(claims, before, after, reader::claim);
        } else if (type.equals(ResourceType.NODE)) {
            keepNode(before, after);
        } else if (type.equals(ResourceType.DEPLOYMENT)) {
            keep(deployments, before, after, this::sized, sized -> sized.object().name());
        } else if (type.equals(ResourceType.NODE_POOL)) {
            keep(pools, before, after, reader::pool);
        } else if (type.equals(ResourceType.DAEMON_SET)) {
            keep(daemonSets, before, after, each -> each, each -> reader.daemonSet(each).name());
        }
    }

    private Sized sized(Value.Mapping object) {
        var ready =
                Field.root("", object, new Faults())
                        .at("status")
                        .at("readyReplicas")
                        .whole(0, Integer.MAX_VALUE);
        return new Sized(
                reader.scalable(object, ResourceType.DEPLOYMENT.kind()),
                ready == null ? 0 : Math.toIntExact(ready));
    }

    private static <T extends KubeObject> void keep(
            Map<ObjectName, T> kept,
            Value.@Nullable Mapping before,
            Value.@Nullable Mapping after,
            Function<Value.Mapping, T> read) {
        keep(kept, before, after, read, KubeObject::name);
    }

    private static <T> void keep(
            Map<ObjectName, T> kept,
            Value.@Nullable Mapping before,
            Value.@Nullable Mapping after,
            Function<Value.Mapping, T> read,
            Function<T, ObjectName> name) {
        if (after != null) {
            var object = read.apply(after);
            kept.put(name.apply(object), object);
        } else if (before != null) {
            kept.remove(name.apply(read.apply(before)));
        }
    }

    private void keepNode(Value.@Nullable Mapping before, Value.@Nullable Mapping after) {
        if (before != null) {
            nodesByProviderId.remove(reader.node(before).providerId());
        }
        if (after != null) {
            var node = reader.node(after);
            nodesByProviderId.put(node.providerId(), node);
        }
    }

    /// In the order in which they came.
    SequencedMap<ObjectName, ClaimObject> claims() {
        return claims;
    }

    @Nullable ClaimObject claimOf(String providerId) {
        for (var claim : claims.values()) {
            if (claim.providerId().equals(providerId)) {
                return claim;
            }
        }
        return null;
    }

    @Nullable NodeObject nodeOf(ClaimObject claim) {
        return claim.providerId().isEmpty() ? null : nodesByProviderId.get(claim.providerId());
    }

    SequencedMap<ObjectName, PodObject> pods() {
        return pods;
    }

    /// Grows whenever a pod changes.
    long podChanges() {
        return podChanges;
    }

    SequencedMap<ObjectName, Sized> deployments() {
        return deployments;
    }

    SequencedMap<ObjectName, PoolObject> pools() {
        return pools;
    }

    SequencedMap<ObjectName, Value.Mapping> daemonSets() {
        return daemonSets;
    }

    ObjectReader reader() {
        return reader;
    }
}
