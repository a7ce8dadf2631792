package dev.millwright.providers.aws.launch;

import org.jspecify.annotations.Nullable;

/// The cluster that nodes join, as they must know it.
///
/// @param certificateAuthority in base 64
/// @param dnsAddress of the cluster's DNS service; null when it was not found
public record ClusterFacts(
        String name,
        String region,
        String endpoint,
        String certificateAuthority,
        @Nullable String dnsAddress) {

    public boolean isIpv6() {
        return dnsAddress != null && dnsAddress.indexOf(':') >= 0;
    }
}
