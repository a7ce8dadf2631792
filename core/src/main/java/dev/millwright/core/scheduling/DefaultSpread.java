package dev.millwright.core.scheduling;

import dev.millwright.core.cluster.Pod;
import dev.millwright.core.cluster.PodState.Owner;
import dev.millwright.core.cluster.Snapshot;
import dev.millwright.core.cluster.SpreadConstraint;
import dev.millwright.core.cluster.Workload;
import dev.millwright.core.cluster.Workload.Kind;
import dev.millwright.core.label.Selector;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.TreeMap;

/// Gives pods without spread constraints the cluster's default ones, as kube-scheduler does. Which
/// pods belong together is told by the Services that select the pod and by its controller.
record DefaultSpread(List<SpreadConstraint> constraints, List<Workload> workloads) {

    DefaultSpread(List<SpreadConstraint> constraints, Snapshot snapshot) {
        this(constraints, snapshot.workloads());
    }

    Pod apply(Pod pod) {
        if (constraints.isEmpty() || !pod.placement().spread().isEmpty()) {
            return pod;
        }
        var selector = selector(pod);
        if (selector.isEmpty()) {
            return pod;
        }
        var spread =
                constraints.stream().map(constraint -> constraint.withSelector(selector)).toList();
        return pod.withPlacement(pod.placement().withSpread(spread));
    }

    private Selector selector(Pod pod) {
        var labels = new TreeMap<String, String>();
        for (var workload : workloads) {
            if (workload.kind() == Kind.SERVICE
                    && workload.selector() != null
                    && workload.name().namespace().equals(pod.name().namespace())
                    && workload.selector().matches(pod.labels())) {
                labels.putAll(workload.selector().matchLabels());
            }
        }
        var controller = controller(pod);
        if (controller == null || controller.selector() == null) {
            return Selector.ofLabels(labels);
        }
        return switch (controller.kind()) {
            case REPLICATION_CONTROLLER -> {
                labels.putAll(controller.selector().matchLabels());
                yield Selector.ofLabels(labels);
            }
            case REPLICA_SET, STATEFUL_SET -> joined(labels, controller.selector());
            case SERVICE -> Selector.ofLabels(labels);
        };
    }

    /// Both must hold, so that labels of the controller become expressions beside those of the
    /// Services.
    private static Selector joined(TreeMap<String, String> labels, Selector controller) {
        var selector = Selector.ofLabels(labels);
        for (var entry : controller.matchLabels().entrySet()) {
            selector =
                    selector.and(
                            new Selector.Expression(
                                    entry.getKey(),
                                    dev.millwright.core.label.Operator.IN,
                                    List.of(entry.getValue())));
        }
        for (var expression : controller.expressions()) {
            selector = selector.and(expression);
        }
        return selector;
    }

    private @Nullable Workload controller(Pod pod) {
        var owner = pod.state().controller();
        if (owner == null) {
            return null;
        }
        return workloads.stream()
                .filter(workload -> isOwner(workload, owner))
                .filter(workload -> workload.name().namespace().equals(pod.name().namespace()))
                .filter(workload -> workload.name().name().equals(owner.name()))
                .findFirst()
                .orElse(null);
    }

    private static boolean isOwner(Workload workload, Owner owner) {
        return switch (workload.kind()) {
            case REPLICATION_CONTROLLER ->
                    owner.apiVersion().equals("v1") && owner.kind().equals("ReplicationController");
            case REPLICA_SET ->
                    owner.apiVersion().equals("apps/v1") && owner.kind().equals("ReplicaSet");
            case STATEFUL_SET ->
                    owner.apiVersion().equals("apps/v1") && owner.kind().equals("StatefulSet");
            case SERVICE -> false;
        };
    }
}
