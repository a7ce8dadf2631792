package dev.millwright.providers.aws.network;

import dev.millwright.providers.aws.api.AwsFault;
import dev.millwright.providers.aws.api.EksApi;

import org.jspecify.annotations.Nullable;

/// The addresses of the cluster's services, which nodes of AL2023 must know.
///
/// They never change, so EKS is asked until it has told once.
public final class ServiceCidr {

    private final EksApi eks;
    private final String clusterName;
    private volatile @Nullable String known;

    public ServiceCidr(EksApi eks, String clusterName) {
        this.eks = eks;
        this.clusterName = clusterName;
    }

    /// Null until it was asked for.
    public @Nullable String known() {
        return known;
    }

    /// The range for IPv4, else that for IPv6.
    ///
    /// @throws AwsFault `NoServiceCidr` when the cluster has neither
    public String ask() throws AwsFault {
        var before = known;
        if (before != null) {
            return before;
        }
        var cluster = eks.cluster(clusterName);
        var cidr =
                cluster.serviceIpv4Cidr().isEmpty()
                        ? cluster.serviceIpv6Cidr()
                        : cluster.serviceIpv4Cidr();
        if (cidr.isEmpty()) {
            throw AwsFault.refused(
                    "NoServiceCidr",
                    "cluster %s tells no range of service addresses".formatted(clusterName));
        }
        known = cidr;
        return cidr;
    }
}
