package dev.millwright.runtime.process;

import dev.millwright.kube.lease.LeaderElection;
import dev.millwright.runtime.log.Log;

import org.jspecify.annotations.Nullable;

import java.time.Duration;

/// Keeps the lease, and waits for the end of leading: told to stop, or the lease lost.
final class LeaderWatch {

    private static final Duration RECHECK = Duration.ofMillis(100);

    /// A renewal that is under way when we stop.
    private static final Duration RENEWAL_MAX = Duration.ofSeconds(5);

    private final StopSignal stop;
    private final @Nullable Thread leading;

    /// On a thread of the system's own: virtual ones may wait behind work, and a lease must not.
    LeaderWatch(@Nullable LeaderElection election, StopSignal stop, Log log) {
        this.stop = stop;
        this.leading =
                election == null
                        ? null
                        : Thread.ofPlatform()
                                .daemon()
                                .name("lease")
                                .start(() -> lead(election, log));
    }

    private static void lead(LeaderElection election, Log log) {
        try {
            log.error("lost the lease, so this process ends", "reason", election.lead());
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    boolean isToldTo() {
        return stop.isRequested();
    }

    boolean isOver() {
        return isToldTo() || (leading != null && !leading.isAlive());
    }

    void await() throws InterruptedException {
        while (!isOver()) {
            Thread.sleep(RECHECK);
        }
    }

    /// No renewal comes after this: the lease may be given back.
    void end() throws InterruptedException {
        if (leading != null) {
            leading.interrupt();
            leading.join(RENEWAL_MAX);
        }
    }
}
