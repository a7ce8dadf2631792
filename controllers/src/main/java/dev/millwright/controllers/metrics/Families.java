package dev.millwright.controllers.metrics;

import dev.millwright.runtime.metrics.Buckets;
import dev.millwright.runtime.metrics.ClientFamilies;
import dev.millwright.runtime.metrics.MetricFamily;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// The families whose labels do not depend on the provider. Names and labels are Karpenter's, so
/// that dashboards and alerts go on working.
public final class Families {

    /// Filled by the declarations below, so that none can be forgotten in [#all].
    private static final List<MetricFamily> DECLARED = new ArrayList<>();

    public static final MetricFamily BUILD_INFO =
            gauge(
                    "build_info",
                    "Always 1; the labels say which build runs. goversion and goarch tell of the Java runtime.",
                    "version",
                    "goversion",
                    "goarch",
                    "commit");

    public static final MetricFamily NODECLAIMS_CREATED =
            counter(
                    "nodeclaims_created_total",
                    "NodeClaims made, by what for.",
                    "reason",
                    "nodepool",
                    "min_values_relaxed");

    public static final MetricFamily NODECLAIMS_TERMINATED =
            counter(
                    "nodeclaims_terminated_total",
                    "NodeClaims whose machine and finalizer are gone.",
                    "nodepool",
                    "capacity_type",
                    "zone");

    public static final MetricFamily NODECLAIMS_DISRUPTED =
            counter(
                    "nodeclaims_disrupted_total",
                    "NodeClaims deleted by us, by why and in which way.",
                    "reason",
                    "nodepool",
                    "capacity_type",
                    "consolidation_policy",
                    "termination_mode");

    public static final MetricFamily NODECLAIMS_UNHEALTHY_DISRUPTED =
            counter(
                    "nodeclaims_unhealthy_disrupted_total",
                    "NodeClaims deleted because their node stayed unhealthy, by the condition that told.",
                    "condition",
                    "nodepool",
                    "capacity_type",
                    "image_id",
                    "termination_mode");

    public static final MetricFamily NODECLAIMS_INSTANCE_TERMINATION =
            histogram(
                    "nodeclaims_instance_termination_duration_seconds",
                    "From asking the cloud to end a machine until it was gone.",
                    Buckets.exponential(1, 2, 11),
                    "nodepool");

    public static final MetricFamily NODECLAIMS_TERMINATION =
            histogram(
                    "nodeclaims_termination_duration_seconds",
                    "From the deletion of a NodeClaim until its finalizer was removed.",
                    Buckets.exponential(1, 2, 12),
                    "nodepool");

    public static final MetricFamily NODES_CREATED =
            counter("nodes_created_total", "Nodes that registered.", "nodepool", "zone");

    public static final MetricFamily NODES_TERMINATED =
            counter("nodes_terminated_total", "Nodes taken away.", "nodepool", "zone");

    public static final MetricFamily NODES_DRAINED =
            counter("nodes_drained_total", "Nodes whose pods have all left.", "nodepool");

    public static final MetricFamily NODES_TERMINATION =
            summary(
                    "nodes_termination_duration_seconds",
                    "From the deletion of a Node until its finalizer was removed.",
                    "nodepool");

    public static final MetricFamily NODES_LIFETIME =
            histogram(
                    "nodes_lifetime_duration_seconds",
                    "Age of nodes at their end.",
                    FleetBuckets.LIFETIME,
                    "nodepool");

    public static final MetricFamily NODES_REBOOTS =
            counter("nodes_reboots_total", "Reboots that ended, by what they came to.", "result");

    public static final MetricFamily NODES_REBOOT =
            histogram(
                    "nodes_reboot_duration_seconds",
                    "From the decision to reboot a node until that ended, by what it came to.",
                    FleetBuckets.REBOOT,
                    "result");

    public static final MetricFamily NODES_REBOOT_RECOVERY =
            histogram(
                    "nodes_reboot_recovery_duration_seconds",
                    "From asking the cloud for a reboot until the node was back.",
                    FleetBuckets.REBOOT);

    public static final MetricFamily CLUSTER_UTILIZATION =
            gauge(
                    "cluster_utilization_percent",
                    "Part of what nodes can allocate that pods request.",
                    "resource_type");

    public static final MetricFamily NODEPOOLS_LIMIT =
            gauge("nodepools_limit", "Limits of a pool.", "resource_type", "nodepool");

    public static final MetricFamily NODEPOOLS_USAGE =
            gauge(
                    "nodepools_usage",
                    "What a pool's nodes count against its limits.",
                    "resource_type",
                    "nodepool");

    public static final MetricFamily NODEPOOLS_COST =
            gauge(
                    "nodepools_cost_total",
                    "Price of a pool's nodes in dollars an hour, as far as prices are known.",
                    "nodepool");

    public static final MetricFamily NODEPOOLS_COST_TRACKER_ERRORS =
            counter(
                    "nodepools_cost_tracker_errors_total",
                    "Nodes whose price could not be told.",
                    "nodepool");

    public static final MetricFamily NODEPOOLS_ALLOWED_DISRUPTIONS =
            gauge(
                    "nodepools_allowed_disruptions",
                    "Nodes that the pool's budgets let go now.",
                    "nodepool",
                    "reason");

    public static final MetricFamily NODEPOOLS_NODES_CONSUMING_BUDGETS =
            gauge(
                    "nodepools_nodes_consuming_budgets",
                    "Nodes that count against the pool's budgets now.",
                    "nodepool",
                    "reason");

    public static final MetricFamily PODS_STATE =
            gauge(
                    "pods_state",
                    "Always 1, once for each pod; the labels say how and where it is.",
                    "name",
                    "namespace",
                    "owner",
                    "node",
                    "scheduled",
                    "nodepool",
                    "zone",
                    "arch",
                    "capacity_type",
                    "instance_type",
                    "phase",
                    "ready",
                    "managed");

    public static final MetricFamily PODS_STARTUP =
            summary(
                    "pods_startup_duration_seconds",
                    "From the creation of a pod until it was ready.");

    public static final MetricFamily PODS_BOUND =
            histogram(
                    "pods_bound_duration_seconds",
                    "From the creation of a pod until it had a node.",
                    Buckets.DURATION);

    public static final MetricFamily PODS_PROVISIONING_BOUND =
            histogram(
                    "pods_provisioning_bound_duration_seconds",
                    "From the first plan that had a place for a pod until it had a node.",
                    Buckets.DURATION);

    public static final MetricFamily PODS_PROVISIONING_STARTUP =
            histogram(
                    "pods_provisioning_startup_duration_seconds",
                    "From the first plan that had a place for a pod until it was ready.",
                    Buckets.DURATION);

    public static final MetricFamily PODS_SCHEDULING_DECISION =
            histogram(
                    "pods_scheduling_decision_duration_seconds",
                    "From the first sight of a pod until a plan had decided about it.",
                    Buckets.DURATION);

    public static final MetricFamily PODS_UNSTARTED =
            gauge(
                    "pods_unstarted_time_seconds",
                    "Age of a pod that is not ready yet.",
                    "name",
                    "namespace");

    public static final MetricFamily PODS_UNBOUND =
            gauge(
                    "pods_unbound_time_seconds",
                    "Age of a pod that has no node yet.",
                    "name",
                    "namespace");

    public static final MetricFamily PODS_PROVISIONING_UNBOUND =
            gauge(
                    "pods_provisioning_unbound_time_seconds",
                    "Time since the first plan that had a place for a pod, while it has no node.",
                    "name",
                    "namespace");

    public static final MetricFamily PODS_PROVISIONING_UNSTARTED =
            gauge(
                    "pods_provisioning_unstarted_time_seconds",
                    "Time since the first plan that had a place for a pod, while it is not ready.",
                    "name",
                    "namespace");

    public static final MetricFamily PODS_PROVISIONING_UNDECIDED =
            gauge(
                    "pods_provisioning_scheduling_undecided_time_seconds",
                    "Time since the first sight of a pod, while no plan has decided about it.",
                    "name",
                    "namespace");

    public static final MetricFamily PODS_EVICTION_REQUESTS =
            counter(
                    "pods_eviction_requests_total",
                    "Evictions asked for, by the API server's answer.",
                    "code");

    public static final MetricFamily PODS_DRAINED =
            counter("pods_drained_total", "Pods made to leave a node, by why.", "reason");

    public static final MetricFamily PODS_DISRUPTION_INITIATED =
            counter(
                    "pods_disruption_initiated_total",
                    "Pods that had to find another place because their NodeClaim was deleted by us.",
                    "reason",
                    "nodepool",
                    "capacity_type",
                    "consolidation_policy",
                    "termination_mode");

    public static final MetricFamily SCHEDULER_DURATION =
            histogram(
                    "scheduler_scheduling_duration_seconds",
                    "Time a plan took.",
                    Buckets.DURATION,
                    "controller");

    public static final MetricFamily SCHEDULER_QUEUE_DEPTH =
            gauge(
                    "scheduler_queue_depth",
                    "Pods a plan in the making has still to place.",
                    "controller",
                    "scheduling_id");

    public static final MetricFamily SCHEDULER_UNFINISHED_WORK =
            gauge(
                    "scheduler_unfinished_work_seconds",
                    "Time a plan in the making has taken so far.",
                    "controller",
                    "scheduling_id");

    public static final MetricFamily SCHEDULER_IGNORED_PODS =
            gauge(
                    "scheduler_ignored_pods_count",
                    "Pods no plan is made for because of what they ask.");

    public static final MetricFamily SCHEDULER_UNSCHEDULABLE_PODS =
            gauge(
                    "scheduler_unschedulable_pods_count",
                    "Pods the last plan had no place for.",
                    "controller");

    public static final MetricFamily SCHEDULER_PENDING_PODS_BY_ZONE =
            gauge(
                    "scheduler_pending_pods_by_effective_zone_count",
                    "Pods that wait, by the zone they can run in.",
                    "controller",
                    "zone");

    public static final MetricFamily CLUSTER_STATE_NODES =
            gauge("cluster_state_node_count", "Nodes and NodeClaims we know of.");

    public static final MetricFamily CLUSTER_STATE_SYNCED =
            gauge("cluster_state_synced", "1 while what we know is what the API server has.");

    public static final MetricFamily CLUSTER_STATE_UNSYNCED_TIME =
            gauge(
                    "cluster_state_unsynced_time_seconds",
                    "Time since what we know was last what the API server has.");

    public static final MetricFamily DISRUPTION_EVALUATION =
            histogram(
                    "voluntary_disruption_decision_evaluation_duration_seconds",
                    "Time it took to decide about disruption.",
                    Buckets.DURATION,
                    "reason",
                    "consolidation_type");

    public static final MetricFamily DISRUPTION_DECISIONS =
            counter(
                    "voluntary_disruption_decisions_total",
                    "Decisions to disrupt nodes.",
                    "decision",
                    "reason",
                    "consolidation_type");

    public static final MetricFamily DISRUPTION_DECISIONS_BY_NODEPOOL =
            counter(
                    "voluntary_disruption_decisions_by_nodepool_total",
                    "Decisions to disrupt nodes, once for each pool concerned.",
                    "nodepool",
                    "decision",
                    "reason",
                    "consolidation_type");

    public static final MetricFamily DISRUPTION_ELIGIBLE_NODES =
            gauge(
                    "voluntary_disruption_eligible_nodes",
                    "Nodes that could be disrupted, before budgets.",
                    "reason");

    public static final MetricFamily DISRUPTION_CONSOLIDATION_TIMEOUTS =
            counter(
                    "voluntary_disruption_consolidation_timeouts_total",
                    "Searches for a consolidation that ran out of time.",
                    "consolidation_type");

    public static final MetricFamily DISRUPTION_FAILED_VALIDATIONS =
            counter(
                    "voluntary_disruption_failed_validations_total",
                    "Decisions that no longer held when looked at again.",
                    "consolidation_type");

    public static final MetricFamily DISRUPTION_QUEUE_FAILURES =
            counter(
                    "voluntary_disruption_queue_failures_total",
                    "Decisions that could not be carried out.",
                    "decision",
                    "reason",
                    "consolidation_type");

    public static final MetricFamily CONSOLIDATION_SCORE =
            histogram(
                    "consolidation_score",
                    "What a consolidation saves against what it disturbs.",
                    FleetBuckets.SCORE,
                    "decision",
                    "nodepool",
                    "policy");

    public static final MetricFamily CONSOLIDATION_MOVES =
            counter(
                    "consolidation_moves_total",
                    "Consolidations weighed, by what became of them.",
                    "decision",
                    "nodepool",
                    "policy");

    public static final MetricFamily CLOUD_PROVIDER_DURATION =
            histogram(
                    "cloudprovider_duration_seconds",
                    "Time the provider took to answer.",
                    Buckets.CLIENT_DEFAULT,
                    "controller",
                    "method",
                    "provider");

    public static final MetricFamily CLOUD_PROVIDER_ERRORS =
            counter(
                    "cloudprovider_errors_total",
                    "Answers of the provider that were errors; error is empty for those without a name.",
                    "controller",
                    "method",
                    "provider",
                    "error");

    private static final List<MetricFamily> ALL =
            Stream.concat(DECLARED.stream(), ClientFamilies.all().stream()).toList();

    private Families() {}

    public static List<MetricFamily> all() {
        return ALL;
    }

    private static MetricFamily counter(String name, String help, String... labels) {
        return declared(MetricFamily.counter("karpenter_" + name, help, labels));
    }

    private static MetricFamily gauge(String name, String help, String... labels) {
        return declared(MetricFamily.gauge("karpenter_" + name, help, labels));
    }

    private static MetricFamily histogram(
            String name, String help, List<Double> bounds, String... labels) {
        return declared(MetricFamily.histogram("karpenter_" + name, help, bounds, labels));
    }

    private static MetricFamily summary(String name, String help, String... labels) {
        return declared(MetricFamily.summary("karpenter_" + name, help, labels));
    }

    private static MetricFamily declared(MetricFamily family) {
        DECLARED.add(family);
        return family;
    }
}
