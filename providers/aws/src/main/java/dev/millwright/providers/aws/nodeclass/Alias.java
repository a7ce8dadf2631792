package dev.millwright.providers.aws.nodeclass;

import org.jspecify.annotations.Nullable;

/// A family of images and which version of it, e.g. `al2023@v20240807`.
public record Alias(AmiFamily family, String version) {

    public static final String LATEST = "latest";

    /// The alias, or null when the text is none.
    ///
    /// A second `@` passes the definition's rules; it is refused here rather than guessed at.
    public static @Nullable Alias parse(String text) {
        var at = text.indexOf('@');
        if (at < 0 || at == text.length() - 1 || text.indexOf('@', at + 1) >= 0) {
            return null;
        }
        var version = text.substring(at + 1);
        for (var family : AmiFamily.values()) {
            if (family != AmiFamily.CUSTOM && text.substring(0, at).equals(family.aliasName())) {
                return family.isWindows() && !version.equals(LATEST)
                        ? null
                        : new Alias(family, version);
            }
        }
        return null;
    }

    public boolean isLatest() {
        return version.equals(LATEST);
    }

    @Override
    public String toString() {
        return family.aliasName() + "@" + version;
    }
}
