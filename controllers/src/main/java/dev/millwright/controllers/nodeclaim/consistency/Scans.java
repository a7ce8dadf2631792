package dev.millwright.controllers.nodeclaim.consistency;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.concurrent.ConcurrentHashMap;

/// When each claim was last looked at, by its name. A restart looks at all of them once more.
public final class Scans {

    private record Scan(String uid, Instant at) {}

    private final ConcurrentHashMap<String, Scan> byClaim = new ConcurrentHashMap<>();

    public void record(String claim, String uid, Instant now) {
        byClaim.put(claim, new Scan(uid, now));
    }

    public @Nullable Instant last(String claim, String uid) {
        var scan = byClaim.get(claim);
        return scan == null || !scan.uid().equals(uid) ? null : scan.at();
    }

    /// The claim is gone.
    public void forget(String claim) {
        byClaim.remove(claim);
    }
}
