package dev.millwright.capi.manager;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.capi.workspace.RunOrder;
import dev.millwright.capi.workspace.RunOutcome;
import dev.millwright.capi.workspace.RunOutcome.Result;
import dev.millwright.capi.workspace.TerraformRuns;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.grant.ReferencePolicy.From;
import dev.millwright.runtime.metrics.Metrics;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;

final class MeteredRunsTest {

    private final Metrics metrics = new Metrics(CaptFamilies.all());
    private final Scripted scripted = new Scripted();
    private Instant now = Instant.EPOCH;
    private final MeteredRuns runs = new MeteredRuns(scripted, metrics, () -> now);

    private static RunOrder order() {
        return new RunOrder(
                new RunOrder.Target(
                        "u", "workspace", new ObjectName("", "x"), new From("", "", ""), "x", 1),
                RunOrder.Aim.DESTROY,
                new RunOrder.Module.Inline(),
                new TreeMap<>(),
                new RunOrder.Arguments(List.of(), List.of(), List.of(), List.of(), List.of()),
                new TreeMap<>(),
                new RunOrder.Options("", "", true, false, false, ""),
                List.of());
    }

    private void ended(Result result, int seconds) {
        runs.start(order());
        now = now.plusSeconds(seconds);
        scripted.outcome = new RunOutcome(result, 1, now, List.of());
        runs.settle("u");
        scripted.outcome = null;
    }

    @Test
    void aRunIsCountedAndTimedByItsOutcome() {
        ended(new Result.Destroyed(), 90);
        ended(new Result.Held("somebody"), 1);
        ended(new Result.Destroyed(), 10);
        assertThat(metrics.value(CaptFamilies.TERRAFORM_RUNS, List.of("destroyed"))).isEqualTo(2);
        assertThat(metrics.value(CaptFamilies.TERRAFORM_RUNS, List.of("held"))).isEqualTo(1);
        assertThat(metrics.distribution(CaptFamilies.TERRAFORM_RUN_TIME, List.of("destroyed")))
                .isEqualTo(new Metrics.Distribution(2, 100));
    }

    @Test
    void runsThatGoOnAreShown() {
        assertThat(metrics.value(CaptFamilies.TERRAFORM_RUNS_ACTIVE, List.of())).isZero();
        runs.start(order());
        assertThat(metrics.value(CaptFamilies.TERRAFORM_RUNS_ACTIVE, List.of())).isEqualTo(1);
        runs.collect(Set.of());
        assertThat(metrics.value(CaptFamilies.TERRAFORM_RUNS_ACTIVE, List.of())).isZero();
    }

    /// Ends as it is told.
    private static final class Scripted implements TerraformRuns {
        private @Nullable RunOutcome outcome;

        @Override
        public Look look(String uid) {
            return outcome == null ? new Look.Idle() : new Look.Ended(outcome);
        }

        @Override
        public void start(RunOrder order) {}

        @Override
        public void interrupt(String uid) {}

        @Override
        public void settle(String uid) {}

        @Override
        public void collect(Set<String> uids) {}
    }
}
