package dev.millwright.controllers.metrics;

import java.util.Locale;
import java.util.regex.Pattern;

/// Kubernetes' names as metrics write them: `NetworkingReady` is `networking_ready`, `GPUReady` is
/// `gpu_ready`.
public final class SnakeCase {

    /// Where a word begins: a capital after a small letter or a digit, or the last capital of
    /// several.
    private static final Pattern BEGINNING =
            Pattern.compile("(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])");

    private SnakeCase() {}

    public static String of(String text) {
        return BEGINNING.matcher(text).replaceAll("_").toLowerCase(Locale.ROOT);
    }
}
