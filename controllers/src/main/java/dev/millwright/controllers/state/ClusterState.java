package dev.millwright.controllers.state;

import dev.millwright.core.cluster.DaemonSet;
import dev.millwright.core.cluster.Node;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.cluster.Pod;
import dev.millwright.core.cluster.Snapshot;
import dev.millwright.core.cluster.StateNode;
import dev.millwright.core.cluster.Storage;
import dev.millwright.core.cluster.Workload;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.kube.cache.Kind;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.object.ClaimObject;
import dev.millwright.kube.object.Kept;
import dev.millwright.kube.object.NodeObject;
import dev.millwright.kube.object.PodObject;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.TreeMap;

/// The cluster as a plan sees it, made from the caches anew each time: there is no second copy that
/// could fall behind.
public final class ClusterState {

    private static final String NAMESPACE_NAME = "kubernetes.io/metadata.name";

    private final Marks marks;

    public ClusterState(Marks marks) {
        this.marks = marks;
    }

    /// Claims the cloud has not answered yet. While there are any, nobody knows what capacity is on
    /// its way, and neither launching nor removing is safe.
    public static List<ClaimObject> unanswered(View view) {
        return view.claims().stream()
                .filter(claim -> view.isManaged(claim.spec().nodeClassRef()))
                .filter(claim -> claim.providerId().isEmpty())
                .toList();
    }

    public static boolean isSynced(View view) {
        return unanswered(view).isEmpty();
    }

    /// A node that Karpenter's label claims but that its cloud has not identified yet tells nothing
    /// one could count on.
    public static boolean isIgnored(NodeObject node) {
        var labels = node.meta().labels();
        return labels.containsKey(LabelKeys.NODE_POOL)
                && (node.providerId().isEmpty()
                        || (!labels.containsKey(LabelKeys.INSTANCE_TYPE) && !node.isInitialized()));
    }

    public Snapshot snapshot(View view, Instant now) {
        return new Snapshot(
                nodes(view),
                pods(view),
                daemonSets(view),
                namespaces(view),
                storage(view),
                kept(view, Kind.POD_DISRUPTION_BUDGET),
                workloads(view),
                now);
    }

    /// Every machine once: a node with its claim, a node of somebody else, a claim whose node is
    /// not there yet.
    public List<StateNode> nodes(View view) {
        var nodes = new ArrayList<StateNode>();
        var joined = new HashSet<ObjectName>();
        for (var node : view.nodes()) {
            if (isIgnored(node)) {
                continue;
            }
            var claim = managedClaim(view, node);
            if (claim != null) {
                joined.add(claim.name());
            }
            nodes.add(stateNode(view, node, claim));
        }
        for (var claim : view.claims()) {
            if (!claim.providerId().isEmpty()
                    && !joined.contains(claim.name())
                    && view.isManaged(claim.spec().nodeClassRef())) {
                nodes.add(stateNode(view, null, claim));
            }
        }
        return nodes;
    }

    /// As many as [#nodes] has.
    public static int machines(View view) {
        var count = 0;
        for (var node : view.nodes()) {
            if (!isIgnored(node)) {
                count++;
            }
        }
        for (var claim : view.claims()) {
            if (!claim.providerId().isEmpty()
                    && view.isManaged(claim.spec().nodeClassRef())
                    && !hasJoined(view, claim)) {
                count++;
            }
        }
        return count;
    }

    private static boolean hasJoined(View view, ClaimObject claim) {
        return view.nodesOf(claim.providerId()).stream()
                .anyMatch(
                        node ->
                                !isIgnored(node)
                                        && Objects.equals(managedClaim(view, node), claim));
    }

    private static @Nullable ClaimObject managedClaim(View view, NodeObject node) {
        var claim = node.providerId().isEmpty() ? null : view.claimOf(node);
        return claim != null && view.isManaged(claim.spec().nodeClassRef()) ? claim : null;
    }

    private StateNode stateNode(View view, @Nullable NodeObject node, @Nullable ClaimObject claim) {
        return new StateNode(
                node == null ? null : withVolumeLimits(view, node.node()),
                claim == null ? null : claim.claim(),
                isMarkedForDeletion(node, claim),
                false);
    }

    public boolean isMarkedForDeletion(@Nullable NodeObject node, @Nullable ClaimObject claim) {
        if (claim == null) {
            return node != null && (node.isDeleting() || marks.isMarked(node.providerId()));
        }
        return claim.isDeleting()
                || claim.conditions().isTrue(ClaimObject.INSTANCE_TERMINATING)
                || marks.isMarked(claim.providerId());
    }

    private static Node withVolumeLimits(View view, Node node) {
        if (!view.keeps(Kind.CSI_NODE)) {
            return node;
        }
        var limits = view.cache(Kind.CSI_NODE).find(node.name());
        return limits == null || limits.value().isEmpty()
                ? node
                : new Node(
                        node.name(),
                        node.providerId(),
                        node.labels(),
                        node.annotations(),
                        node.taints(),
                        node.capacity(),
                        node.allocatable(),
                        limits.value(),
                        node.isTerminating());
    }

    private static List<Pod> pods(View view) {
        return view.pods().stream().map(PodObject::pod).toList();
    }

    private static List<DaemonSet> daemonSets(View view) {
        return kept(view, Kind.DAEMON_SET);
    }

    private static <T> List<T> kept(View view, Kind<Kept<T>> kind) {
        return view.keeps(kind)
                ? view.cache(kind).all().stream().map(Kept::value).toList()
                : List.of();
    }

    private static SequencedMap<String, Map<String, String>> namespaces(View view) {
        var namespaces = new TreeMap<String, Map<String, String>>();
        if (view.keeps(Kind.NAMESPACE)) {
            for (var namespace : view.cache(Kind.NAMESPACE).all()) {
                var labels = new TreeMap<>(namespace.meta().labels());
                labels.putIfAbsent(NAMESPACE_NAME, namespace.value());
                namespaces.put(namespace.value(), labels);
            }
        }
        return namespaces;
    }

    private static Storage storage(View view) {
        var claims = new TreeMap<ObjectName, Storage.VolumeClaim>();
        kept(view, Kind.PERSISTENT_VOLUME_CLAIM).forEach(each -> claims.put(each.name(), each));
        var volumes = new TreeMap<String, Storage.Volume>();
        kept(view, Kind.PERSISTENT_VOLUME).forEach(each -> volumes.put(each.name(), each));
        var classes = new TreeMap<String, Storage.StorageClass>();
        kept(view, Kind.STORAGE_CLASS).forEach(each -> classes.put(each.name(), each));
        return new Storage(claims, volumes, classes);
    }

    private static List<Workload> workloads(View view) {
        var workloads = new ArrayList<Workload>();
        workloads.addAll(kept(view, Kind.SERVICE));
        workloads.addAll(kept(view, Kind.REPLICATION_CONTROLLER_SELECTOR));
        workloads.addAll(kept(view, Kind.REPLICA_SET_SELECTOR));
        workloads.addAll(kept(view, Kind.STATEFUL_SET_SELECTOR));
        return workloads;
    }
}
