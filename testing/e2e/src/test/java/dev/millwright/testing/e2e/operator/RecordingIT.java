package dev.millwright.testing.e2e.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.testing.e2e.ControlPlane;
import dev.millwright.testing.e2e.ControlPlaneExtension;
import dev.millwright.testing.e2e.Eventually;
import dev.millwright.testing.e2e.Shell;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/// What real processes record of a real API server: an operator that acts, and `millwright record`
/// beside it, which does not.
@ExtendWith(ControlPlaneExtension.class)
final class RecordingIT {

    private static String replayed(Path folder) {
        return Shell.run(
                OperatorProcess.command(List.of("replay", "-q", folder.toString(), "-o", "json")),
                "",
                Duration.ofMinutes(2));
    }

    private static OperatorProcess record(ControlPlane plane, Path folder) {
        return OperatorProcess.start(
                List.of("record", folder.toString(), "--kubeconfig", plane.kubeconfig().toString()),
                Map.of("METRICS_PORT", "0", "HEALTH_PROBE_PORT", "0"));
    }

    @Test
    void whatWasRecordedIsDecidedTheSameAgain(ControlPlane plane, @TempDir Path folder) {
        var acting = folder.resolve("acting");
        var watching = folder.resolve("watching");
        var fleet = Fleet.of(plane, "recorded");
        fleet.pool();
        try (var operator = OperatorProcess.start(plane)) {
            Eventually.see(
                    "the pool is ready",
                    () ->
                            plane.kubectl(
                                    "get",
                                    "nodepool",
                                    "recorded",
                                    "-o=jsonpath={.status.conditions[?(@.type==\"Ready\")].status}"),
                    "True"::equals);
            assertThat(operator.stop()).isZero();
        }
        try (var witness = record(plane, watching).says("started controllers")) {
            fleet.deployment(5);
            witness.says("create nodeclaims");
            try (var operator =
                    OperatorProcess.start(
                            plane, Map.of("MILLWRIGHT_RECORD_DIR", acting.toString()))) {
                fleet.running(5).paired();
                fleet.removed();
                assertThat(operator.stop()).isZero();
            }
            assertThat(witness.stop()).isZero();
        }

        for (var record : List.of(acting, watching)) {
            assertThat(replayed(record))
                    .as("%s", record)
                    .containsPattern("\"decisions\" : [1-9]")
                    .contains("\"different\" : 0,", "\"missed\" : 0,", "\"damages\" : [ ],")
                    .containsPattern("\"launches\" : [1-9]");
        }
    }
}
