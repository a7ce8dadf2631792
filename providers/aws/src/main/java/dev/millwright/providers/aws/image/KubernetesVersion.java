package dev.millwright.providers.aws.image;

import org.jspecify.annotations.Nullable;

import java.util.regex.Pattern;

/// The control plane's version as far as images are published by it, e.g. `1.31`.
public record KubernetesVersion(int major, int minor) {

    private static final int SUPPORTED_MINOR_MIN = 26;
    private static final int SUPPORTED_MINOR_MAX = 36;

    /// API servers of vendors say `31+`.
    private static final Pattern TEXT = Pattern.compile("v?(\\d{1,4})\\.(\\d{1,4})\\+?(\\..*)?");

    /// Null when the text is none.
    public static @Nullable KubernetesVersion parse(String text) {
        var matcher = TEXT.matcher(text);
        return matcher.matches()
                ? new KubernetesVersion(
                        Integer.parseInt(matcher.group(1)), Integer.parseInt(matcher.group(2)))
                : null;
    }

    /// Why we were not made for it, or null when we were.
    public @Nullable String unsupported() {
        return major == 1 && minor >= SUPPORTED_MINOR_MIN && minor <= SUPPORTED_MINOR_MAX
                ? null
                : "Kubernetes %s is none that this release is made for; wanted 1.%d to 1.%d"
                        .formatted(this, SUPPORTED_MINOR_MIN, SUPPORTED_MINOR_MAX);
    }

    @Override
    public String toString() {
        return major + "." + minor;
    }
}
