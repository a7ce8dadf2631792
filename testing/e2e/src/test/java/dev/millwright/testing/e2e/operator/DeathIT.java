package dev.millwright.testing.e2e.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.testing.e2e.ControlPlane;
import dev.millwright.testing.e2e.ControlPlaneExtension;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import java.util.Map;
import java.util.Random;

/// The operator dies at random moments of a scale-up: nothing is leaked, nothing launched twice.
///
/// `-Dmillwright.kills=50` kills it more often, `-Dmillwright.seed=N` at other moments.
@Tag("long")
@ExtendWith(ControlPlaneExtension.class)
final class DeathIT {

    private static final int PODS = 200;
    private static final int MILLIS_MAX = 6_000;

    @Test
    void allPodsRunWhateverMomentItDies(ControlPlane plane) throws InterruptedException {
        var kills = Integer.getInteger("millwright.kills", 6);
        var seed = Long.getLong("millwright.seed", 1L);
        var random = new Random(seed);
        var fleet = Fleet.of(plane, "dying").pool();
        fleet.deployment(PODS);
        for (var kill = 0; kill < kills; kill++) {
            // Without an election a new process acts at once: the worst case for launching twice.
            try (var operator = unelected(plane)) {
                Thread.sleep(random.nextInt(MILLIS_MAX));
                operator.kill();
            }
        }
        try (var operator = unelected(plane)) {
            fleet.running(PODS).paired();
            assertThat(fleet.claims()).as("claims, seed %d", seed).hasSameSizeAs(fleet.nodes());
            fleet.removed();
            assertThat(operator.stop()).isZero();
        }
    }

    private static OperatorProcess unelected(ControlPlane plane) {
        return OperatorProcess.start(plane, Map.of("DISABLE_LEADER_ELECTION", "true"));
    }
}
