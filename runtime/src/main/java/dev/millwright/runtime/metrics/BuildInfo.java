package dev.millwright.runtime.metrics;

import java.util.List;

/// Which build runs, and on what.
public record BuildInfo(String version, String commit, String runtime, String architecture) {

    /// Of this process; the version and commit are those its jar was made of.
    public static BuildInfo ofProcess(String version, String commit) {
        return new BuildInfo(
                version,
                commit,
                "java" + Runtime.version().feature(),
                architecture(System.getProperty("os.arch", "unknown")));
    }

    /// As Go and Kubernetes call it.
    private static String architecture(String javaName) {
        return switch (javaName) {
            case "x86_64" -> "amd64";
            case "aarch64" -> "arm64";
            default -> javaName;
        };
    }

    /// In the order of the family's labels: version, runtime, architecture, commit.
    public List<String> labels() {
        return List.of(version, runtime, architecture, commit);
    }
}
