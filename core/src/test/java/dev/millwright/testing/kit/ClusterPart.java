package dev.millwright.testing.kit;

/// Anything a test can put into a cluster with [ClusterBuilder#with(ClusterPart...)].
public sealed interface ClusterPart
        permits PodBuilder,
                NodePoolBuilder,
                NodeBuilder,
                DaemonSetBuilder,
                VolumeClaimBuilder,
                VolumeBuilder,
                StorageClassBuilder,
                WorkloadBuilder,
                BudgetBuilder {}
