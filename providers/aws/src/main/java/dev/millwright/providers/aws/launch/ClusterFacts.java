package dev.millwright.providers.aws.launch;

import org.jspecify.annotations.Nullable;

/// The cluster that nodes join, as they must know it.
///
/// @param certificateAuthority in base 64
/// @param dnsAddress of the cluster's DNS service; null when it was not found
/// @param serviceCidr null when it is not known yet
public record ClusterFacts(
        String name,
        String region,
        String endpoint,
        String certificateAuthority,
        @Nullable String dnsAddress,
        @Nullable String serviceCidr) {

    public ClusterFacts withServiceCidr(String cidr) {
        return new ClusterFacts(name, region, endpoint, certificateAuthority, dnsAddress, cidr);
    }

    public boolean isIpv6() {
        return dnsAddress != null && dnsAddress.indexOf(':') >= 0;
    }
}
