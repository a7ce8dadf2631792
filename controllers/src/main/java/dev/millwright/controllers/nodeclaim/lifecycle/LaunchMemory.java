package dev.millwright.controllers.nodeclaim.lifecycle;

import dev.millwright.spi.Machine;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.ConcurrentHashMap;

/// Machines the cloud has launched, by the uid of their claim, until the claim says so itself. When
/// that write is lost, the machine is found here instead of being launched again.
///
/// A restart empties it; then the cloud, asked with the same uid, answers with the same machine.
public final class LaunchMemory {

    private static final Duration KEPT = Duration.ofHours(1);

    /// Old machines are swept when there are more. Claims that are written forget theirs at once.
    private static final int SWEPT_AT = 10_000;

    private record Entry(Machine machine, Instant until) {}

    private final ConcurrentHashMap<String, Entry> byClaimUid = new ConcurrentHashMap<>();

    public void remember(String claimUid, Machine machine, Instant now) {
        byClaimUid.put(claimUid, new Entry(machine, now.plus(KEPT)));
        if (byClaimUid.size() > SWEPT_AT) {
            byClaimUid.values().removeIf(entry -> !now.isBefore(entry.until()));
        }
    }

    public @Nullable Machine find(String claimUid, Instant now) {
        var entry = byClaimUid.get(claimUid);
        return entry == null || !now.isBefore(entry.until()) ? null : entry.machine();
    }

    public void forget(String claimUid) {
        byClaimUid.remove(claimUid);
    }
}
