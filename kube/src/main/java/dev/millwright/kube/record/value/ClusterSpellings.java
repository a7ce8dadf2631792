package dev.millwright.kube.record.value;

import dev.millwright.core.cluster.DaemonSet;
import dev.millwright.core.cluster.DisruptionBudget;
import dev.millwright.core.cluster.Node;
import dev.millwright.core.cluster.NodeClaim;
import dev.millwright.core.cluster.StateNode;
import dev.millwright.core.cluster.Storage;
import dev.millwright.core.cluster.Workload;

import java.util.Map;
import java.util.SequencedMap;
import java.util.TreeMap;

/// What of a cluster is no pod.
final class ClusterSpellings {

    /// A namespace with its labels.
    record Namespace(String name, SequencedMap<String, String> labels) {
        static Namespace of(String name, Map<String, String> labels) {
            return new Namespace(name, new TreeMap<>(labels));
        }
    }

    private static final Spelling<Node> NODE =
            Spelling.of(
                    "node",
                    (out, node) -> {
                        out.text(node.name());
                        out.text(node.providerId());
                        out.value(LabelSpellings.LABELS, node.labels());
                        out.value(LabelSpellings.LABELS, Annotations.read(node.annotations()));
                        out.list(LabelSpellings.TAINT, node.taints());
                        out.value(LabelSpellings.RESOURCES, node.capacity());
                        out.value(LabelSpellings.RESOURCES, node.allocatable());
                        out.value(CatalogSpellings.COUNTS, node.volumeLimits());
                        out.flag(node.isTerminating());
                    },
                    in ->
                            new Node(
                                    in.text(),
                                    in.text(),
                                    in.value(LabelSpellings.LABELS),
                                    in.value(LabelSpellings.LABELS),
                                    in.list(LabelSpellings.TAINT),
                                    in.value(LabelSpellings.RESOURCES),
                                    in.value(LabelSpellings.RESOURCES),
                                    in.value(CatalogSpellings.COUNTS),
                                    in.flag()));

    private static final Spelling<NodeClaim> CLAIM =
            Spelling.of(
                    "node claim",
                    (out, claim) -> {
                        out.text(claim.name());
                        out.text(claim.providerId());
                        out.value(LabelSpellings.LABELS, claim.labels());
                        out.value(LabelSpellings.LABELS, Annotations.read(claim.annotations()));
                        out.list(LabelSpellings.TAINT, claim.taints());
                        out.list(LabelSpellings.TAINT, claim.startupTaints());
                        out.value(LabelSpellings.RESOURCES, claim.capacity());
                        out.value(LabelSpellings.RESOURCES, claim.allocatable());
                        out.flag(claim.isTerminating());
                    },
                    in ->
                            new NodeClaim(
                                    in.text(),
                                    in.text(),
                                    in.value(LabelSpellings.LABELS),
                                    in.value(LabelSpellings.LABELS),
                                    in.list(LabelSpellings.TAINT),
                                    in.list(LabelSpellings.TAINT),
                                    in.value(LabelSpellings.RESOURCES),
                                    in.value(LabelSpellings.RESOURCES),
                                    in.flag()));

    static final Spelling<StateNode> STATE_NODE =
            Spelling.of(
                    "state node",
                    (out, node) -> {
                        out.valueOrNone(NODE, node.node());
                        out.valueOrNone(CLAIM, node.claim());
                        out.flag(node.isMarkedForDeletion());
                        out.flag(node.isInsideConsolidateAfter());
                    },
                    in ->
                            new StateNode(
                                    in.valueOrNone(NODE),
                                    in.valueOrNone(CLAIM),
                                    in.flag(),
                                    in.flag()));

    static final Spelling<DaemonSet> DAEMON_SET =
            Spelling.of(
                    "daemon set",
                    (out, set) -> {
                        out.inline(PodSpellings.OBJECT_NAME, set.name());
                        out.text(set.uid());
                        out.value(PodSpellings.POD, set.template());
                    },
                    in ->
                            new DaemonSet(
                                    in.inline(PodSpellings.OBJECT_NAME),
                                    in.text(),
                                    in.value(PodSpellings.POD)));

    static final Spelling<Namespace> NAMESPACE =
            Spelling.of(
                    "namespace",
                    (out, namespace) -> {
                        out.text(namespace.name());
                        out.value(LabelSpellings.LABELS, namespace.labels());
                    },
                    in -> new Namespace(in.text(), in.value(LabelSpellings.LABELS)));

    static final Spelling<Storage.VolumeClaim> VOLUME_CLAIM =
            Spelling.of(
                    "volume claim",
                    (out, claim) -> {
                        out.inline(PodSpellings.OBJECT_NAME, claim.name());
                        out.textOrNone(claim.volumeName());
                        out.textOrNone(claim.storageClassName());
                        out.flag(claim.isLost());
                        out.flag(claim.isTerminating());
                        out.flag(claim.isBindCompleted());
                    },
                    in ->
                            new Storage.VolumeClaim(
                                    in.inline(PodSpellings.OBJECT_NAME),
                                    in.textOrNone(),
                                    in.textOrNone(),
                                    in.flag(),
                                    in.flag(),
                                    in.flag()));

    static final Spelling<Storage.Volume> VOLUME =
            Spelling.of(
                    "volume",
                    (out, volume) -> {
                        out.text(volume.name());
                        out.textOrNone(volume.driver());
                        out.flag(volume.isLocal());
                        out.flag(volume.isTerminating());
                        out.list(LabelSpellings.REQUIREMENT_LIST, volume.nodeAffinity());
                    },
                    in ->
                            new Storage.Volume(
                                    in.text(),
                                    in.textOrNone(),
                                    in.flag(),
                                    in.flag(),
                                    in.list(LabelSpellings.REQUIREMENT_LIST)));

    static final Spelling<Storage.StorageClass> STORAGE_CLASS =
            Spelling.of(
                    "storage class",
                    (out, each) -> {
                        out.text(each.name());
                        out.text(each.driver());
                        out.flag(each.isImmediate());
                        out.flag(each.isDefault());
                        out.instant(each.createdAt());
                        out.list(LabelSpellings.REQUIREMENT_LIST, each.allowedTopologies());
                    },
                    in ->
                            new Storage.StorageClass(
                                    in.text(),
                                    in.text(),
                                    in.flag(),
                                    in.flag(),
                                    in.instant(),
                                    in.list(LabelSpellings.REQUIREMENT_LIST)));

    static final Spelling<DisruptionBudget> BUDGET =
            Spelling.of(
                    "disruption budget",
                    (out, budget) -> {
                        out.inline(PodSpellings.OBJECT_NAME, budget.name());
                        out.valueOrNone(LabelSpellings.SELECTOR, budget.selector());
                        out.textOrNone(budget.maxUnavailable());
                        out.textOrNone(budget.minAvailable());
                        out.flag(budget.alwaysAllowsUnhealthy());
                        out.number(budget.disruptionsAllowed());
                    },
                    in ->
                            new DisruptionBudget(
                                    in.inline(PodSpellings.OBJECT_NAME),
                                    in.valueOrNone(LabelSpellings.SELECTOR),
                                    in.textOrNone(),
                                    in.textOrNone(),
                                    in.flag(),
                                    in.whole()));

    static final Spelling<Workload> WORKLOAD =
            Spelling.of(
                    "workload",
                    (out, workload) -> {
                        out.constant(workload.kind());
                        out.inline(PodSpellings.OBJECT_NAME, workload.name());
                        out.valueOrNone(LabelSpellings.SELECTOR, workload.selector());
                    },
                    in ->
                            new Workload(
                                    in.constant(Workload.Kind.class),
                                    in.inline(PodSpellings.OBJECT_NAME),
                                    in.valueOrNone(LabelSpellings.SELECTOR)));

    private ClusterSpellings() {}
}
