package dev.millwright.addons.chartproxy;

import dev.millwright.addons.object.AddonTypes;
import dev.millwright.addons.object.Canonical;
import dev.millwright.addons.object.ReleaseProxy;

import org.jspecify.annotations.Nullable;

/// The values of one cluster's release.
sealed interface Values {

    /// They stand where they were.
    record Unchanged() implements Values {}

    /// @param mark what they were rendered from, and what came of it
    record Plain(String text, String mark) implements Values {}

    /// Made from a sensitive output: they go to a Secret.
    record Secret(String text, String mark) implements Values {
        @Override
        public String toString() {
            return "Secret values";
        }
    }

    record Failed(String message) implements Values {}

    /// @param source the digest of all that they are rendered from
    static String mark(String source, String text) {
        return source + "." + Canonical.digest(text);
    }

    /// Whether the proxy's values were rendered from this, and nobody has changed them since.
    static boolean areOf(@Nullable ReleaseProxy proxy, String source) {
        if (proxy == null) {
            return false;
        }
        var mark = proxy.meta().annotation(AddonTypes.RENDERED);
        if (mark == null || !mark.startsWith(source + ".")) {
            return false;
        }
        return proxy.valuesSecret() != null || mark.equals(mark(source, proxy.values()));
    }
}
