package dev.millwright.addons.helm;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/// Where Helm is and what it may use.
///
/// @param binary a path, or a name to be looked for on the PATH
/// @param directory for the files of runs and for charts
/// @param environment what Helm sees of ours, when it talks to others: proxies and certificates.
///   Templates see nothing of it
/// @param atOnce runs of Helm at once
/// @param memoryBytesMax memory that one run may hold
/// @param lookKept how long one look at a cluster's releases serves all of them
public record HelmSettings(
        String binary,
        Path directory,
        Map<String, String> environment,
        int atOnce,
        long memoryBytesMax,
        Duration lookKept) {

    private static final long MEMORY_DEFAULT = 1L << 30;
    private static final int AT_ONCE_DEFAULT = 10;

    /// Together with the time between two looks of one release, less than a minute.
    private static final Duration LOOK_KEPT_DEFAULT = Duration.ofSeconds(15);

    public HelmSettings {
        environment = Map.copyOf(environment);
    }

    /// @param ours the manager's whole environment, of which little is handed on
    public static HelmSettings of(String binary, Path directory, Map<String, String> ours) {
        return new HelmSettings(
                binary,
                directory,
                handedOn(ours),
                AT_ONCE_DEFAULT,
                MEMORY_DEFAULT,
                LOOK_KEPT_DEFAULT);
    }

    public HelmSettings withAtOnce(int most) {
        return new HelmSettings(binary, directory, environment, most, memoryBytesMax, lookKept);
    }

    public HelmSettings withMemoryBytesMax(long most) {
        return new HelmSettings(binary, directory, environment, atOnce, most, lookKept);
    }

    public HelmSettings withLookKept(Duration kept) {
        return new HelmSettings(binary, directory, environment, atOnce, memoryBytesMax, kept);
    }

    private static Map<String, String> handedOn(Map<String, String> ours) {
        var kept = new TreeMap<String, String>();
        ours.forEach(
                (name, value) -> {
                    var upper = name.toUpperCase(Locale.ROOT);
                    if (upper.endsWith("_PROXY")
                            || name.equals("PATH")
                            || name.startsWith("SSL_CERT_")) {
                        kept.put(name, value);
                    }
                });
        return kept;
    }
}
