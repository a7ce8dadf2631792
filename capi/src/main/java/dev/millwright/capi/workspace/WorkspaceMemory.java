package dev.millwright.capi.workspace;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// When each Workspace was last run and how often in a row that failed. A restart forgets it, and
/// looks at every Workspace again.
public final class WorkspaceMemory {

    /// @param isDestroy whether it was a run for the deletion
    record Last(long generation, boolean isDestroy, Instant at, int failures) {}

    private final Map<String, Last> byUid = new ConcurrentHashMap<>();

    @Nullable Last last(String uid) {
        return byUid.get(uid);
    }

    void note(String uid, Last last) {
        byUid.put(uid, last);
    }

    /// Failures in a row, this one included; those of another generation do not count.
    int failuresAfter(String uid, long generation, boolean isDestroy) {
        var last = byUid.get(uid);
        return last != null && last.generation() == generation && last.isDestroy() == isDestroy
                ? last.failures() + 1
                : 1;
    }

    void keepOnly(Set<String> uids) {
        byUid.keySet().retainAll(uids);
    }
}
