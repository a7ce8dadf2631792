package dev.millwright.cli.migrate;

import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Value;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;

/// Makes sure that no controller acts while claims are made or taken away: it would launch what has
/// no status yet, and end what has no claim.
final class QuietCluster {

    private static final String LEASE = "karpenter-leader-election";
    private static final int SECONDS_DEFAULT = 15;

    private final LiveObjects objects;
    private final InstantSource clock;

    QuietCluster(LiveObjects objects, InstantSource clock) {
        this.objects = objects;
        this.clock = clock;
    }

    /// @throws IOException when a lease of Karpenter's or ours is held
    void require() throws IOException {
        for (var lease : objects.list(ResourceType.LEASE)) {
            if (Trees.name(lease).equals(LEASE) && isHeld(lease, clock.instant())) {
                throw new IOException(
                        "a controller runs: %s holds the lease %s/%s; scale its Deployment to 0, wait %d s, and run this again"
                                .formatted(
                                        Trees.text(lease, "spec", "holderIdentity"),
                                        Trees.text(lease, "metadata", "namespace"),
                                        LEASE,
                                        seconds(lease)));
            }
        }
    }

    private static boolean isHeld(Value.Mapping lease, Instant now) {
        if (Trees.text(lease, "spec", "holderIdentity").isEmpty()) {
            return false;
        }
        try {
            var renewed = OffsetDateTime.parse(Trees.text(lease, "spec", "renewTime")).toInstant();
            return renewed.plus(Duration.ofSeconds(seconds(lease))).isAfter(now);
        } catch (DateTimeParseException never) {
            return false;
        }
    }

    private static long seconds(Value.Mapping lease) {
        return Trees.number(lease, SECONDS_DEFAULT, "spec", "leaseDurationSeconds");
    }
}
