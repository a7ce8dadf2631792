package dev.millwright.world.invariant.seen;

import dev.millwright.core.cluster.DisruptionBudget;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.label.LabelVocabulary;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Value;
import dev.millwright.kube.object.ClaimObject;
import dev.millwright.kube.object.Kept;
import dev.millwright.kube.object.KubeObject;
import dev.millwright.kube.object.NodeObject;
import dev.millwright.kube.object.ObjectReader;
import dev.millwright.kube.object.PoolObject;
import dev.millwright.world.happening.Happening;

import org.jspecify.annotations.Nullable;

import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Function;

/// The cluster and its machines now. It grows with them and forgets what is gone.
public final class SeenCluster {

    private final ObjectReader reader;
    private final Workloads workloads = new Workloads();
    private final TreeMap<ObjectName, SeenPod> pods = new TreeMap<>();
    private final Map<String, TreeMap<ObjectName, SeenPod>> podsByNode = new HashMap<>();
    private final TreeMap<ObjectName, NodeObject> nodes = new TreeMap<>();
    private final Map<String, NavigableMap<ObjectName, NodeObject>> nodesByMachine =
            new HashMap<>();
    private final TreeMap<ObjectName, ClaimObject> claims = new TreeMap<>();
    private final Map<String, ClaimObject> claimsByUid = new HashMap<>();
    private final Map<String, ClaimObject> claimsByMachine = new HashMap<>();
    private final TreeMap<ObjectName, PoolObject> pools = new TreeMap<>();
    private final TreeMap<ObjectName, Kept<DisruptionBudget>> budgets = new TreeMap<>();
    private final TreeMap<String, SeenMachine> machines = new TreeMap<>();

    public SeenCluster(LabelVocabulary vocabulary) {
        this.reader = new ObjectReader(vocabulary);
    }

    /// Takes the happening in, and reads its object.
    public Sight saw(Happening happening) {
        return switch (happening) {
            case Happening.Changed changed -> changed(changed);
            case Happening.Started(var at, var machine, var claim) -> {
                machines.put(machine.providerId(), new SeenMachine(machine, claim, at));
                yield new Sight.Of(happening);
            }
            case Happening.Stopped(_, var providerId, _) -> {
                machines.remove(providerId);
                yield new Sight.Of(happening);
            }
            case Happening.Evicted _,
                    Happening.Asked _,
                    Happening.Noticed _,
                    Happening.Led _,
                    Happening.Acted _,
                    Happening.Said _,
                    Happening.Decided _,
                    Happening.Published _,
                    Happening.Struck _ ->
                    new Sight.Of(happening);
        };
    }

    private Sight changed(Happening.Changed changed) {
        var type = changed.type();
        var after = changed.after();
        if (type.equals(ResourceType.POD)) {
            var pod = after == null ? null : SeenPod.of(after);
            return new Sight.OfPod(changed.at(), changed.by(), podChanged(changed, pod), pod);
        }
        if (type.equals(ResourceType.NODE)) {
            var node = read(after, reader::node);
            var before = kept(nodes, changed, node);
            reindex(nodesByMachine, before, node, NodeObject::providerId);
            return new Sight.OfNode(changed.at(), changed.by(), before, node);
        }
        if (type.equals(ResourceType.NODE_CLAIM)) {
            var claim = read(after, reader::claim);
            var before = kept(claims, changed, claim);
            claimChanged(before, claim);
            return new Sight.OfClaim(changed.at(), changed.by(), before, claim);
        }
        if (type.equals(ResourceType.NODE_POOL)) {
            var pool = read(after, reader::pool);
            return new Sight.OfPool(changed.at(), changed.by(), kept(pools, changed, pool), pool);
        }
        if (type.equals(ResourceType.POD_DISRUPTION_BUDGET)) {
            var budget = read(after, reader::disruptionBudget);
            return new Sight.OfBudget(
                    changed.at(), changed.by(), kept(budgets, changed, budget), budget);
        }
        workloads.saw(changed);
        return new Sight.Of(changed);
    }

    private static <T> @Nullable T read(
            Value.@Nullable Mapping object, Function<Value.Mapping, T> reading) {
        return object == null ? null : reading.apply(object);
    }

    private static ObjectName nameOf(Happening.Changed changed) {
        var object = changed.after() == null ? changed.before() : changed.after();
        var metadata = Paths.at(object, "metadata");
        return new ObjectName(Paths.text(metadata, "namespace"), Paths.text(metadata, "name"));
    }

    /// Keeps the new state and returns the one before.
    private static <T> @Nullable T kept(
            Map<ObjectName, T> all, Happening.Changed changed, @Nullable T after) {
        var name = nameOf(changed);
        return after == null ? all.remove(name) : all.put(name, after);
    }

    private @Nullable SeenPod podChanged(Happening.Changed changed, @Nullable SeenPod after) {
        var before = kept(pods, changed, after);
        if (before != null && before.isBound()) {
            var onNode = podsByNode.get(before.nodeName());
            if (onNode != null) {
                onNode.remove(before.name());
                if (onNode.isEmpty()) {
                    podsByNode.remove(before.nodeName());
                }
            }
        }
        if (after != null && after.isBound()) {
            podsByNode
                    .computeIfAbsent(after.nodeName(), _ -> new TreeMap<>())
                    .put(after.name(), after);
        }
        return before;
    }

    private void claimChanged(@Nullable ClaimObject before, @Nullable ClaimObject after) {
        if (before != null) {
            claimsByUid.remove(before.meta().uid());
            claimsByMachine.remove(before.providerId());
        }
        if (after != null) {
            claimsByUid.put(after.meta().uid(), after);
            if (!after.providerId().isEmpty()) {
                claimsByMachine.put(after.providerId(), after);
            }
        }
    }

    private static <T extends KubeObject> void reindex(
            Map<String, NavigableMap<ObjectName, T>> index,
            @Nullable T before,
            @Nullable T after,
            Function<T, String> key) {
        if (before != null) {
            var group = index.get(key.apply(before));
            if (group != null) {
                group.remove(before.name());
                if (group.isEmpty()) {
                    index.remove(key.apply(before));
                }
            }
        }
        if (after != null && !key.apply(after).isEmpty()) {
            index.computeIfAbsent(key.apply(after), _ -> new TreeMap<>()).put(after.name(), after);
        }
    }

    public Workloads workloads() {
        return workloads;
    }

    public Collection<SeenPod> pods() {
        return Collections.unmodifiableCollection(pods.values());
    }

    public @Nullable SeenPod pod(ObjectName name) {
        return pods.get(name);
    }

    public Collection<SeenPod> podsOn(String nodeName) {
        var onNode = podsByNode.get(nodeName);
        return onNode == null
                ? Collections.emptyList()
                : Collections.unmodifiableCollection(onNode.values());
    }

    public Collection<NodeObject> nodes() {
        return Collections.unmodifiableCollection(nodes.values());
    }

    public @Nullable NodeObject node(String name) {
        return nodes.get(new ObjectName("", name));
    }

    public Collection<NodeObject> nodesOf(String providerId) {
        var group = nodesByMachine.get(providerId);
        return group == null
                ? Collections.emptyList()
                : Collections.unmodifiableCollection(group.values());
    }

    public Collection<ClaimObject> claims() {
        return Collections.unmodifiableCollection(claims.values());
    }

    public @Nullable ClaimObject claimByUid(String uid) {
        return claimsByUid.get(uid);
    }

    public @Nullable ClaimObject claimOf(String providerId) {
        return claimsByMachine.get(providerId);
    }

    public Collection<PoolObject> pools() {
        return Collections.unmodifiableCollection(pools.values());
    }

    public @Nullable PoolObject pool(String name) {
        return pools.get(new ObjectName("", name));
    }

    public Collection<Kept<DisruptionBudget>> budgets() {
        return Collections.unmodifiableCollection(budgets.values());
    }

    /// Machines that run, whoever knows of them.
    public Collection<SeenMachine> machines() {
        return Collections.unmodifiableCollection(machines.values());
    }

    public @Nullable SeenMachine machine(String providerId) {
        return machines.get(providerId);
    }
}
