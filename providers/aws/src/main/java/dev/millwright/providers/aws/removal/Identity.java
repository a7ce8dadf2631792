package dev.millwright.providers.aws.removal;

import dev.millwright.providers.aws.api.Asked;
import dev.millwright.providers.aws.api.EksApi;

import org.jspecify.annotations.Nullable;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Locale;

/// Whether the API server that we reach is that of the cluster whose name was given. Tags know a
/// cluster by its name, the kubeconfig by its address: nothing is deleted before both are known to
/// mean the same.
public sealed interface Identity {

    /// @param how for a person
    record Proven(String how) implements Identity {}

    /// @param why with the way out
    record Refused(String why) implements Identity {}

    /// Neither EKS nor an API server knows the cluster any more: what is left of it is in EC2.
    record Gone(String why) implements Identity {}

    /// The API server as we reach it.
    ///
    /// @param url empty for one we know by an address that says nothing, as a pod does
    /// @param certificateAuthority in base 64; empty when the system's own do
    record Server(String url, String certificateAuthority) {}

    /// @param server null when none answers
    /// @param endpoint what the person says of the cluster's address; empty when nothing
    static Identity of(
            String cluster, Asked<EksApi.Cluster> eks, @Nullable Server server, String endpoint) {
        return switch (eks) {
            case Asked.Told<EksApi.Cluster>(var known) -> known(cluster, known, server);
            case Asked.Refused<EksApi.Cluster>(var fault) -> {
                var isUnknown = fault.code().equals("ResourceNotFoundException");
                if (server != null) {
                    yield asserted(cluster, server, endpoint, isUnknown ? "" : fault.text());
                }
                yield isUnknown
                        ? new Gone(
                                "EKS knows no cluster %s, and no API server answers"
                                        .formatted(cluster))
                        : new Refused(
                                "EKS does not tell of cluster %s (%s), and no API server answers; %s"
                                        .formatted(cluster, fault.text(), CLOUD_ONLY));
            }
        };
    }

    String CLOUD_ONLY =
            "if it is gone for good, say --cloud-only to remove what bears its tags in EC2 and IAM";

    private static Identity known(String cluster, EksApi.Cluster known, @Nullable Server server) {
        if (server == null) {
            return new Refused(
                    "cluster %s is at %s, and no API server answers; see --kubeconfig and --context, or %s"
                            .formatted(cluster, known.endpoint(), CLOUD_ONLY));
        }
        if (!server.url().isEmpty() && isSame(server.url(), known.endpoint())) {
            return new Proven("EKS says that it is at " + known.endpoint());
        }
        var authority = text(server.certificateAuthority());
        if (!authority.isEmpty() && authority.equals(text(known.certificateAuthority()))) {
            return new Proven("its certificate authority is the one that EKS tells");
        }
        return new Refused(
                "the API server that answers%s is not that of cluster %s, which is at %s; see --kubeconfig and --context"
                        .formatted(at(server), cluster, known.endpoint()));
    }

    private static Identity asserted(String cluster, Server server, String endpoint, String fault) {
        if (!endpoint.isEmpty()) {
            return isSame(server.url(), endpoint)
                    ? new Proven("it is at %s, as was said".formatted(endpoint))
                    : new Refused(
                            "the API server that answers%s is not at %s; see --kubeconfig and --context"
                                    .formatted(at(server), endpoint));
        }
        var eks =
                fault.isEmpty() ? "EKS knows no cluster " + cluster : "EKS does not tell: " + fault;
        return new Refused(
                "whether the API server%s is that of cluster %s is not known (%s); say --cluster-endpoint with its address"
                        .formatted(at(server), cluster, eks));
    }

    private static String at(Server server) {
        return server.url().isEmpty() ? "" : " at " + server.url();
    }

    /// The port belongs to it: one machine may serve many clusters.
    private static boolean isSame(String one, String other) {
        var first = address(one);
        return !first.isEmpty() && first.equals(address(other));
    }

    private static String address(String url) {
        try {
            var uri = URI.create(url.contains("://") ? url : "https://" + url);
            var host = uri.getHost();
            return host == null
                    ? ""
                    : host.toLowerCase(Locale.ROOT)
                            + ":"
                            + (uri.getPort() < 0 ? 443 : uri.getPort());
        } catch (IllegalArgumentException notAnAddress) {
            return "";
        }
    }

    /// Line breaks say nothing.
    private static String text(String base64) {
        try {
            var bytes = Base64.getMimeDecoder().decode(base64);
            return new String(bytes, StandardCharsets.UTF_8).strip();
        } catch (IllegalArgumentException notBase64) {
            return "";
        }
    }
}
