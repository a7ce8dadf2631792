package dev.millwright.addons.release;

import dev.millwright.addons.port.HelmRuns;

import org.jspecify.annotations.Nullable;

/// Where a proxy's run of Helm is.
sealed interface RunProgress {

    record Idle() implements RunProgress {}

    record UnderWay() implements RunProgress {}

    record Over(HelmRuns.Result result) implements RunProgress {}

    static RunProgress of(HelmRuns.@Nullable Result result) {
        return result == null ? new Idle() : new Over(result);
    }
}
