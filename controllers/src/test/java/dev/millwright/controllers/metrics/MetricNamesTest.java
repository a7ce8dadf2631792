package dev.millwright.controllers.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.label.LabelVocabulary;
import dev.millwright.runtime.metrics.BuildInfo;
import dev.millwright.runtime.metrics.MetricFamily;
import dev.millwright.runtime.metrics.ProcessFigures;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;

/// What dashboards and alerts name, written down a second time.
final class MetricNamesTest {

    private static final String NODE_LABELS =
            "node_name,phase,managed,arch,capacity_type,instance_type,nodepool,os,region,windows_build,zone";

    private static Stream<String> lines(List<MetricFamily> families) {
        return families.stream()
                .map(
                        family ->
                                "%s %s %s"
                                        .formatted(
                                                family.name(),
                                                family.type().name().charAt(0),
                                                String.join(",", family.labels()))
                                        .strip());
    }

    @Test
    @Tag("M54")
    void theBuildIsTold() {
        var metrics =
                AutoscalerMetrics.of(
                        new BuildInfo("v1", "abc", "java25", "amd64"),
                        ProcessFigures.ofProcess(),
                        List.of());
        assertThat(new String(metrics.expose(null).body(), StandardCharsets.UTF_8))
                .contains(
                        "karpenter_build_info{commit=\"abc\",goarch=\"amd64\",goversion=\"java25\",version=\"v1\"} 1.0");
    }

    @Test
    @Tag("M59")
    void everyFamilyHasKarpentersNameTypeAndLabels() {
        assertThat(lines(Families.all()))
                .containsExactlyInAnyOrder(
                        """
                        karpenter_build_info G version,goversion,goarch,commit
                        karpenter_nodeclaims_created_total C reason,nodepool,min_values_relaxed
                        karpenter_nodeclaims_terminated_total C nodepool,capacity_type,zone
                        karpenter_nodeclaims_disrupted_total C reason,nodepool,capacity_type,consolidation_policy,termination_mode
                        karpenter_nodeclaims_unhealthy_disrupted_total C condition,nodepool,capacity_type,image_id,termination_mode
                        karpenter_nodeclaims_instance_termination_duration_seconds H nodepool
                        karpenter_nodeclaims_termination_duration_seconds H nodepool
                        karpenter_nodes_created_total C nodepool,zone
                        karpenter_nodes_terminated_total C nodepool,zone
                        karpenter_nodes_drained_total C nodepool
                        karpenter_nodes_termination_duration_seconds S nodepool
                        karpenter_nodes_lifetime_duration_seconds H nodepool
                        karpenter_nodes_reboots_total C result
                        karpenter_nodes_reboot_duration_seconds H result
                        karpenter_nodes_reboot_recovery_duration_seconds H
                        karpenter_cluster_utilization_percent G resource_type
                        karpenter_nodepools_limit G resource_type,nodepool
                        karpenter_nodepools_usage G resource_type,nodepool
                        karpenter_nodepools_cost_total G nodepool
                        karpenter_nodepools_cost_tracker_errors_total C nodepool
                        karpenter_nodepools_allowed_disruptions G nodepool,reason
                        karpenter_nodepools_nodes_consuming_budgets G nodepool,reason
                        karpenter_pods_state G name,namespace,owner,node,scheduled,nodepool,zone,arch,capacity_type,instance_type,phase,ready,managed
                        karpenter_pods_startup_duration_seconds S
                        karpenter_pods_bound_duration_seconds H
                        karpenter_pods_provisioning_bound_duration_seconds H
                        karpenter_pods_provisioning_startup_duration_seconds H
                        karpenter_pods_scheduling_decision_duration_seconds H
                        karpenter_pods_unstarted_time_seconds G name,namespace
                        karpenter_pods_unbound_time_seconds G name,namespace
                        karpenter_pods_provisioning_unbound_time_seconds G name,namespace
                        karpenter_pods_provisioning_unstarted_time_seconds G name,namespace
                        karpenter_pods_provisioning_scheduling_undecided_time_seconds G name,namespace
                        karpenter_pods_eviction_requests_total C code
                        karpenter_pods_drained_total C reason
                        karpenter_pods_disruption_initiated_total C reason,nodepool,capacity_type,consolidation_policy,termination_mode
                        karpenter_scheduler_scheduling_duration_seconds H controller
                        karpenter_scheduler_queue_depth G controller,scheduling_id
                        karpenter_scheduler_unfinished_work_seconds G controller,scheduling_id
                        karpenter_scheduler_ignored_pods_count G
                        karpenter_scheduler_unschedulable_pods_count G controller
                        karpenter_scheduler_pending_pods_by_effective_zone_count G controller,zone
                        karpenter_cluster_state_node_count G
                        karpenter_cluster_state_synced G
                        karpenter_cluster_state_unsynced_time_seconds G
                        karpenter_voluntary_disruption_decision_evaluation_duration_seconds H reason,consolidation_type
                        karpenter_voluntary_disruption_decisions_total C decision,reason,consolidation_type
                        karpenter_voluntary_disruption_decisions_by_nodepool_total C nodepool,decision,reason,consolidation_type
                        karpenter_voluntary_disruption_eligible_nodes G reason
                        karpenter_voluntary_disruption_consolidation_timeouts_total C consolidation_type
                        karpenter_voluntary_disruption_failed_validations_total C consolidation_type
                        karpenter_voluntary_disruption_queue_failures_total C decision,reason,consolidation_type
                        karpenter_consolidation_score H decision,nodepool,policy
                        karpenter_consolidation_moves_total C decision,nodepool,policy
                        karpenter_cloudprovider_duration_seconds H controller,method,provider
                        karpenter_cloudprovider_errors_total C controller,method,provider,error
                        client_go_request_duration_seconds H verb,group,version,kind,subresource
                        client_go_request_total C code,method
                        """
                                .split("\n"));
    }

    @Test
    void familiesOfOurOwnHaveTheirOwnWordAndNoLabelThatGrowsWithNodesOrPods() {
        assertThat(lines(OwnFamilies.all()))
                .containsExactlyInAnyOrder(
                        """
                        millwright_nodepools_price_dollars_per_hour G nodepool,capacity_type
                        millwright_fleet_price_dollars_per_hour G
                        millwright_fleet_lower_bound_dollars_per_hour G
                        millwright_fleet_gap_ratio G
                        millwright_fleet_lower_bound_duration_seconds H
                        millwright_consolidation_saved_dollars_per_hour_total C reason,consolidation_type
                        millwright_shadow_decisions_total C kind,verdict
                        millwright_shadow_launched_dollars_per_hour_total C side
                        millwright_shadow_removed_dollars_per_hour_total C side
                        millwright_shadow_evictions_total C side
                        millwright_record_missed_decisions_total C
                        """
                                .split("\n"));
    }

    @Test
    @Tag("M60")
    void familiesOfNodesHaveTheWellKnownLabels() {
        assertThat(lines(NodeFamilies.of(LabelVocabulary.CORE).all()))
                .containsExactlyInAnyOrder(
                        "karpenter_nodes_allocatable G " + NODE_LABELS + ",resource_type",
                        "karpenter_nodes_total_pod_requests G " + NODE_LABELS + ",resource_type",
                        "karpenter_nodes_total_pod_limits G " + NODE_LABELS + ",resource_type",
                        "karpenter_nodes_total_daemon_requests G " + NODE_LABELS + ",resource_type",
                        "karpenter_nodes_total_daemon_limits G " + NODE_LABELS + ",resource_type",
                        "karpenter_nodes_system_overhead G " + NODE_LABELS + ",resource_type",
                        "karpenter_nodes_current_lifetime_seconds G " + NODE_LABELS);
    }

    @Test
    @Tag("M61")
    void familiesOfConditionsAreNamedByKind() {
        assertThat(lines(ConditionFamilies.of("NodeClaim", List.of("karpenter.sh/nodepool")).all()))
                .containsExactlyInAnyOrder(
                        """
                        operator_nodeclaim_status_condition_transition_seconds H type,status,karpenter_sh_nodepool
                        operator_nodeclaim_status_condition_count G namespace,name,type,status,reason,karpenter_sh_nodepool
                        operator_nodeclaim_status_condition_current_status_seconds G namespace,name,type,status,reason,karpenter_sh_nodepool
                        operator_nodeclaim_status_condition_transitions_total C type,status,reason,karpenter_sh_nodepool
                        operator_nodeclaim_termination_current_time_seconds G namespace,name,karpenter_sh_nodepool
                        operator_nodeclaim_termination_duration_seconds H karpenter_sh_nodepool
                        """
                                .split("\n"));
    }

    @Test
    @Tag("M62")
    void theOlderFamiliesOfConditionsAreTherePlusGroupAndKind() {
        assertThat(lines(ConditionFamilies.DEPRECATED.all()))
                .containsExactlyInAnyOrder(
                        """
                        operator_status_condition_transition_seconds H type,status,group,kind
                        operator_status_condition_count G namespace,name,type,status,reason,group,kind
                        operator_status_condition_current_status_seconds G namespace,name,type,status,reason,group,kind
                        operator_status_condition_transitions_total C type,status,reason,group,kind
                        operator_termination_current_time_seconds G namespace,name,group,kind
                        operator_termination_duration_seconds H group,kind
                        """
                                .split("\n"));
    }
}
