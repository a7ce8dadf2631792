package dev.millwright.capi.manager;

import dev.millwright.capi.workspace.RunOrder;
import dev.millwright.capi.workspace.RunOutcome;
import dev.millwright.capi.workspace.RunOutcome.Result;
import dev.millwright.capi.workspace.TerraformRuns;
import dev.millwright.runtime.metrics.GaugeSample;
import dev.millwright.runtime.metrics.Meter;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// Counts and times runs of Terraform on their way.
final class MeteredRuns implements TerraformRuns {

    private final TerraformRuns runs;
    private final Meter meter;
    private final InstantSource clock;

    /// When each run was ordered, by the Workspace's uid; as many as there are Workspaces at most.
    private final Map<String, Instant> orderedAt = new ConcurrentHashMap<>();

    MeteredRuns(TerraformRuns runs, Meter meter, InstantSource clock) {
        this.runs = runs;
        this.meter = meter;
        this.clock = clock;
        tellActive();
    }

    @Override
    public Look look(String uid) {
        return runs.look(uid);
    }

    @Override
    public void start(RunOrder order) {
        orderedAt.putIfAbsent(order.target().uid(), clock.instant());
        runs.start(order);
        tellActive();
    }

    @Override
    public void interrupt(String uid) {
        runs.interrupt(uid);
    }

    @Override
    public void settle(String uid) {
        if (runs.look(uid) instanceof Look.Ended(var outcome)) {
            tell(outcome, orderedAt.remove(uid));
        }
        runs.settle(uid);
        tellActive();
    }

    private void tell(RunOutcome outcome, @Nullable Instant began) {
        var labels = List.of(word(outcome.result()));
        meter.count(CaptFamilies.TERRAFORM_RUNS, 1, labels);
        if (began != null) {
            var took = Duration.between(began, outcome.endedAt());
            meter.observe(
                    CaptFamilies.TERRAFORM_RUN_TIME, Math.max(0, took.toMillis()) / 1e3, labels);
        }
    }

    private static String word(Result result) {
        return switch (result) {
            case Result.Settled settled ->
                    switch (settled.change()) {
                        case NONE -> "unchanged";
                        case CREATED -> "created";
                        case UPDATED -> "updated";
                    };
            case Result.Destroyed _ -> "destroyed";
            case Result.Failed _ -> "failed";
            case Result.Held _ -> "held";
            case Result.Interrupted _ -> "interrupted";
        };
    }

    private void tellActive() {
        meter.replace(
                "terraform",
                List.of(
                        new GaugeSample(
                                CaptFamilies.TERRAFORM_RUNS_ACTIVE, orderedAt.size(), List.of())));
    }

    @Override
    public void collect(Set<String> uids) {
        orderedAt.keySet().retainAll(uids);
        runs.collect(uids);
        tellActive();
    }
}
