package dev.millwright.providers.aws.api;

/// What we ask of EKS.
public interface EksApi {

    /// What is not known is empty.
    ///
    /// @param certificateAuthority in base 64
    record Cluster(
            String arn,
            String endpoint,
            String certificateAuthority,
            String version,
            String serviceIpv4Cidr,
            String serviceIpv6Cidr) {}

    /// @throws AwsFault `ResourceNotFoundException` when there is none
    Cluster cluster(String name) throws AwsFault;
}
