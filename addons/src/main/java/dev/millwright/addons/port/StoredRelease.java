package dev.millwright.addons.port;

import java.time.Instant;
import java.util.Collections;
import java.util.SequencedMap;
import java.util.TreeMap;

/// The latest revision of a release, as the labels of Helm's storage tell of it.
///
/// @param status Helm's word: deployed, failed, pending-install …
/// @param changedAt when Helm last wrote it
public record StoredRelease(
        ReleaseId id,
        long revision,
        String status,
        Instant changedAt,
        SequencedMap<String, String> labels) {

    public static final String DEPLOYED = "deployed";

    public StoredRelease {
        labels = Collections.unmodifiableSequencedMap(new TreeMap<>(labels));
    }

    public boolean isDeployed() {
        return status.equals(DEPLOYED);
    }

    public boolean isPending() {
        return status.startsWith("pending-");
    }

    public boolean isFailed() {
        return status.equals("failed");
    }

    /// Gone, though its history was kept.
    public boolean isUninstalled() {
        return status.equals("uninstalled");
    }

    public boolean isUninstalling() {
        return status.equals("uninstalling");
    }

    public String label(String key) {
        return labels.getOrDefault(key, "");
    }
}
