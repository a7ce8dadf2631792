package dev.millwright.addons.manager;

import dev.millwright.addons.port.HelmRuns;
import dev.millwright.runtime.metrics.GaugeSample;
import dev.millwright.runtime.metrics.Meter;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// Counts and times runs of Helm on their way.
final class MeteredRuns implements HelmRuns {

    /// What a run is called, and when it was ordered.
    private record Begun(String action, Instant at) {}

    private final HelmRuns runs;
    private final Meter meter;
    private final InstantSource clock;

    /// One for each release proxy at most.
    private final Map<Key, Begun> begun = new ConcurrentHashMap<>();

    MeteredRuns(HelmRuns runs, Meter meter, InstantSource clock) {
        this.runs = runs;
        this.meter = meter;
        this.clock = clock;
        tellActive();
    }

    @Override
    public boolean isUnderWay(Key key) {
        return runs.isUnderWay(key);
    }

    @Override
    public void begin(Key key, Run run) {
        begun.putIfAbsent(key, new Begun(action(run), clock.instant()));
        runs.begin(key, run);
        tellActive();
    }

    private static String action(Run run) {
        return switch (run) {
            case Run.Install _ -> "install";
            case Run.Upgrade _ -> "upgrade";
            case Run.Uninstall _ -> "uninstall";
            case Run.Inspect _ -> "inspect";
            case Run.GiveUp _ -> "give-up";
        };
    }

    @Override
    public @Nullable Result take(Key key) {
        var result = runs.take(key);
        if (result != null) {
            tell(result, begun.remove(key));
            tellActive();
        }
        return result;
    }

    private void tell(Result result, @Nullable Begun order) {
        if (order == null) {
            return; // It was cancelled, and ended before it heard of it.
        }
        meter.count(AddonsFamilies.RUNS, 1, List.of(order.action(), outcome(result)));
        var took = Duration.between(order.at(), clock.instant());
        meter.observe(
                AddonsFamilies.RUN_TIME,
                Math.max(0, took.toMillis()) / 1e3,
                List.of(order.action()));
    }

    private static String outcome(Result result) {
        return switch (result) {
            case Result.Done _, Result.Inspected _ -> "done";
            case Result.Failed _ -> "failed";
            case Result.Broken _ -> "broken";
        };
    }

    @Override
    public void cancel(Key key) {
        runs.cancel(key);
        if (!runs.isUnderWay(key)) {
            begun.remove(key);
            tellActive();
        }
    }

    private void tellActive() {
        meter.replace(
                "helm",
                List.of(new GaugeSample(AddonsFamilies.RUNS_ACTIVE, begun.size(), List.of())));
    }
}
