package dev.millwright.addons.manager;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.testing.kit.addons.ManyClusters;
import dev.millwright.testing.kit.addons.PatientHelm;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.time.Duration;

final class AddonsScaleTest {

    private static final int CLUSTERS = 1_000;
    private static final int CHARTS = 10;

    /// A bound for a machine that has something else to do; nothing is said about speed.
    private static final Duration TIME_MAX = Duration.ofMinutes(10);

    @Test
    @Tag("long")
    void tenChartsReachAThousandClustersAndOneThatIsSilentDelaysNoOther()
            throws InterruptedException {
        try (var fleet = new ManyClusters(CLUSTERS, CHARTS)) {
            fleet.start();

            assertThat(fleet.othersAreReady(TIME_MAX)).isTrue();
            assertThat(fleet.readyCount()).isEqualTo((CLUSTERS - 1) * CHARTS);

            fleet.helm().answer();
            assertThat(fleet.allAreReady(TIME_MAX)).isTrue();
            assertThat(fleet.errors()).isEmpty();
            assertThat(fleet.helm().installs()).isEqualTo(CLUSTERS * CHARTS);
            assertThat(fleet.helm().otherRuns()).isZero();
            assertThat(fleet.helm().runsAtOnceMost()).isLessThanOrEqualTo(PatientHelm.RUNS_MAX);
            assertThat(fleet.helm().runsOnOneClusterMost())
                    .isLessThanOrEqualTo(PatientHelm.CLUSTER_RUNS_MAX);
        }
    }
}
