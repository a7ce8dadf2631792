package dev.millwright.providers.aws.nodeclass;

import org.jspecify.annotations.Nullable;

/// How an instance may ask the metadata service. The API server fills in what the class leaves out.
public record MetadataOptions(
        @Nullable String httpEndpoint,
        @Nullable String httpProtocolIpv6,
        @Nullable Long httpPutResponseHopLimit,
        @Nullable String httpTokens) {

    public static final String ENABLED = "enabled";
    public static final String DISABLED = "disabled";

    /// Of a class that has none at all, which never came by the API server.
    public static MetadataOptions fallback(boolean isClusterIpv6) {
        return new MetadataOptions(DISABLED, isClusterIpv6 ? ENABLED : DISABLED, 2L, "required");
    }
}
