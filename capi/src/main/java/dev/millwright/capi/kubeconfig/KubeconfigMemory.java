package dev.millwright.capi.kubeconfig;

import dev.millwright.core.cluster.ObjectName;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/// When which control plane's Secrets were found to be right, so that they are not read again while
/// nothing has happened. One entry a control plane; a restart forgets all and reads once.
public final class KubeconfigMemory {

    private record Seen(String sign, Instant nextAt) {}

    private final ConcurrentMap<ObjectName, Seen> seen = new ConcurrentHashMap<>();

    /// How long nothing needs to be looked at; null when something has to be now.
    @Nullable Duration rest(ObjectName key, String sign, Instant now) {
        var last = seen.get(key);
        return last == null || !last.sign().equals(sign) || !now.isBefore(last.nextAt())
                ? null
                : Duration.between(now, last.nextAt());
    }

    void note(ObjectName key, String sign, Instant nextAt) {
        seen.put(key, new Seen(sign, nextAt));
    }

    void forget(ObjectName key) {
        seen.remove(key);
    }
}
