package dev.millwright.capi.controlplane;

import java.util.regex.Pattern;

/// Kubernetes versions as EKS knows them: major and minor alone.
final class KubernetesVersion {

    private static final Pattern VERSION = Pattern.compile("v?([0-9]+)\\.([0-9]+)([.+-].*)?");

    private KubernetesVersion() {}

    /// `1.31` of `v1.31.4`; a text that is no version stays as it is, for EKS to refuse.
    static String minor(String version) {
        var match = VERSION.matcher(version);
        return match.matches() ? match.group(1) + "." + match.group(2) : version;
    }
}
