package dev.millwright.providers.aws.doctor;

import org.jspecify.annotations.Nullable;

/// What is to be looked at.
///
/// @param clusterName empty when it is not known; then what takes it is skipped
/// @param region the one we would run in
/// @param queue empty when none is read
/// @param nodeRole empty when classes name their own and none is to be looked for
/// @param server where the kubeconfig says the API server is; null when it is not looked at
public record Examination(
        String clusterName, String region, String queue, String nodeRole, @Nullable String server) {

    /// The tag by which subnets and security groups are usually found.
    static final String DISCOVERY = "karpenter.sh/discovery";
}
