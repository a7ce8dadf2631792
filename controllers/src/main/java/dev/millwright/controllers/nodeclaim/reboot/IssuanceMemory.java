package dev.millwright.controllers.nodeclaim.reboot;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/// Since when the cloud is asked for reboots, by the claims' uids. A process that dies begins to
/// count anew.
public final class IssuanceMemory {

    private final Map<String, Instant> begun = new HashMap<>();

    synchronized void begin(String claimUid, Instant now) {
        begun.putIfAbsent(claimUid, now);
    }

    synchronized @Nullable Instant begun(String claimUid) {
        return begun.get(claimUid);
    }

    synchronized void forget(String claimUid) {
        begun.remove(claimUid);
    }
}
