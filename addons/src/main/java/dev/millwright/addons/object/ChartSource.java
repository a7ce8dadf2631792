package dev.millwright.addons.object;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.document.Field;

import org.jspecify.annotations.Nullable;

import java.util.regex.Pattern;

/// Where a chart comes from, and what it takes to get at it.
///
/// @param version an exact one, a range, or empty for the newest
/// @param credentials null where the registry asks for none
/// @param authority the Secret whose `ca.crt` is trusted; null trusts what the system does
public record ChartSource(
        String repository,
        String chart,
        String version,
        @Nullable Credentials credentials,
        @Nullable ObjectName authority,
        boolean skipsVerification) {

    /// A file of Docker's in a Secret.
    public record Credentials(ObjectName secret, String key) {}

    public static final String AUTHORITY_KEY = "ca.crt";
    private static final String CREDENTIALS_KEY = "config.json";
    private static final Pattern EXACT_VERSION =
            Pattern.compile("v?[0-9]+\\.[0-9]+\\.[0-9]+([-+][0-9A-Za-z.+-]*)?");

    /// Of the spec of either proxy.
    static ChartSource of(Field spec, String namespace) {
        var credentials = spec.at("credentials");
        var secret = name(credentials.at("secret"), namespace);
        var key = credentials.at("key").text("");
        return new ChartSource(
                spec.at("repoURL").text(""),
                spec.at("chartName").text(""),
                spec.at("version").text(""),
                secret == null
                        ? null
                        : new Credentials(secret, key.isEmpty() ? CREDENTIALS_KEY : key),
                name(spec.at("tlsConfig").at("caSecret"), namespace),
                spec.at("tlsConfig").at("insecureSkipTLSVerify").isTrue());
    }

    private static @Nullable ObjectName name(Field reference, String own) {
        var name = reference.at("name").text("");
        var namespace = reference.at("namespace").text("");
        return name.isEmpty() ? null : new ObjectName(namespace.isEmpty() ? own : namespace, name);
    }

    public boolean isOci() {
        return repository.startsWith("oci://");
    }

    /// Whether the version is one alone, so that nobody need be asked which it means.
    public boolean isExact() {
        return EXACT_VERSION.matcher(version).matches();
    }
}
