package dev.millwright.controllers.status;

import dev.millwright.controllers.metrics.ConditionFamilies;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.kube.cache.Kind;
import dev.millwright.kube.object.BufferObject;
import dev.millwright.kube.object.ClaimObject;
import dev.millwright.kube.object.Condition;
import dev.millwright.kube.object.KubeObject;
import dev.millwright.kube.object.NodeClassObject;
import dev.millwright.kube.object.NodeObject;
import dev.millwright.kube.object.PoolObject;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/// A kind whose conditions are watched. `extraKeys` are labels of the object that its metrics show;
/// `isAlsoDeprecated` says that it is told under the families of all kinds together, too.
public record StatusKind<T extends KubeObject>(
        Kind<T> kind,
        Function<T, List<Condition>> conditions,
        List<String> extraKeys,
        boolean isAlsoDeprecated) {

    public StatusKind {
        extraKeys = List.copyOf(extraKeys);
    }

    /// `classKeys` are the labels that name a node's class, one for each kind of class.
    public static StatusKind<ClaimObject> claims(List<String> classKeys) {
        return new StatusKind<>(
                Kind.NODE_CLAIM,
                claim -> claim.conditions().all(),
                plus(classKeys, LabelKeys.NODE_POOL),
                true);
    }

    public static StatusKind<PoolObject> pools() {
        return new StatusKind<>(Kind.NODE_POOL, pool -> pool.conditions().all(), List.of(), true);
    }

    public static StatusKind<NodeObject> nodes(List<String> classKeys) {
        return new StatusKind<>(
                Kind.NODE,
                NodeObject::conditions,
                plus(classKeys, LabelKeys.NODE_POOL, LabelKeys.INITIALIZED),
                false);
    }

    public static StatusKind<BufferObject> buffers() {
        return new StatusKind<>(
                Kind.CAPACITY_BUFFER, buffer -> buffer.status().conditions(), List.of(), true);
    }

    /// Of a provider that keeps conditions on its classes.
    public static StatusKind<NodeClassObject> classes(Kind<NodeClassObject> kind) {
        return new StatusKind<>(kind, NodeClassObject::conditions, List.of(), true);
    }

    private static List<String> plus(List<String> keys, String... more) {
        var all = new ArrayList<>(keys);
        all.addAll(List.of(more));
        return all;
    }

    /// To be registered where the kind is watched.
    public ConditionFamilies families() {
        return ConditionFamilies.of(kind.type().kind(), extraKeys);
    }
}
