package dev.millwright.runtime.probe;

import dev.millwright.kube.cache.Reflectors;
import dev.millwright.runtime.loop.Loops;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// Whether the threads that never end are still there. One that died leaves a process that answers
/// and does nothing; only a restart helps.
public final class Liveness {

    private final Reflectors reflectors;
    private volatile @Nullable Loops loops;

    public Liveness(Reflectors reflectors) {
        this.reflectors = reflectors;
    }

    /// From now on the loops count too.
    public void watch(Loops started) {
        loops = started;
    }

    public List<Check> checks() {
        return List.of(new Check("watches", this::watches), new Check("loops", this::loops));
    }

    private @Nullable String watches() {
        return reflectors.isWatchdogDead()
                ? "the thread that restarts broken watches has died; restart the process"
                : null;
    }

    private @Nullable String loops() {
        var dead = loops == null ? List.of() : loops.dead();
        return dead.isEmpty()
                ? null
                : "controllers whose thread has died: %s; restart the process".formatted(dead);
    }
}
