package dev.millwright.addons.manager;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.addons.object.ReleaseProxy;
import dev.millwright.addons.port.HelmRuns;
import dev.millwright.addons.port.HelmRuns.Result;
import dev.millwright.addons.port.HelmRuns.Run;
import dev.millwright.addons.port.Trouble;
import dev.millwright.kube.document.DocumentReader;
import dev.millwright.kube.document.Source;
import dev.millwright.kube.document.Value;
import dev.millwright.kube.object.RawObject;
import dev.millwright.runtime.metrics.Metrics;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.time.Instant;
import java.util.List;

final class MeteredRunsTest {

    private static final ReleaseProxy PROXY =
            ReleaseProxy.of(
                    RawObject.of(
                            (Value.Mapping)
                                    DocumentReader.readAll(
                                                    Source.text(
                                                            "proxy",
                                                            "metadata: {name: web, namespace: a, uid: u}"))
                                            .getFirst()));
    private static final HelmRuns.Key KEY = HelmRuns.Key.of(PROXY);
    private static final Run UNINSTALL = new Run.Uninstall(PROXY);

    private final Metrics metrics = new Metrics(AddonsFamilies.all());
    private final Scripted scripted = new Scripted();
    private Instant now = Instant.EPOCH;
    private final MeteredRuns runs = new MeteredRuns(scripted, metrics, () -> now);

    private void ended(Run run, Result result, int seconds) {
        runs.begin(KEY, run);
        now = now.plusSeconds(seconds);
        scripted.result = result;
        runs.take(KEY);
    }

    private double active() {
        return metrics.value(AddonsFamilies.RUNS_ACTIVE, List.of());
    }

    @Test
    void aRunIsCountedAndTimedByWhatItDidAndCameTo() {
        ended(UNINSTALL, new Result.Done(UNINSTALL), 90);
        ended(UNINSTALL, new Result.Done(UNINSTALL), 10);
        ended(
                new Run.GiveUp(PROXY, 3),
                new Result.Broken(new Trouble(Trouble.Cause.HELM, "it was ended")),
                1);
        assertThat(metrics.value(AddonsFamilies.RUNS, List.of("uninstall", "done"))).isEqualTo(2);
        assertThat(metrics.value(AddonsFamilies.RUNS, List.of("give-up", "broken"))).isEqualTo(1);
        assertThat(metrics.distribution(AddonsFamilies.RUN_TIME, List.of("uninstall")))
                .isEqualTo(new Metrics.Distribution(2, 100));
    }

    @Test
    void aRunIsActiveUntilItsOutcomeIsTakenOrItIsCancelled() {
        assertThat(active()).isZero();
        runs.begin(KEY, UNINSTALL);
        assertThat(runs.take(KEY)).isNull();
        assertThat(active()).isEqualTo(1);
        runs.cancel(KEY);
        assertThat(active()).isZero();
    }

    /// Ends as it is told.
    private static final class Scripted implements HelmRuns {
        private @Nullable Result result;

        @Override
        public boolean isUnderWay(Key key) {
            return false;
        }

        @Override
        public void begin(Key key, Run run) {
            result = null;
        }

        @Override
        public @Nullable Result take(Key key) {
            return result;
        }

        @Override
        public void cancel(Key key) {
            result = null;
        }
    }
}
