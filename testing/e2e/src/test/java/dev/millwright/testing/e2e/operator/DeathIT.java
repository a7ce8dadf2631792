package dev.millwright.testing.e2e.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.testing.e2e.ControlPlane;
import dev.millwright.testing.e2e.ControlPlaneExtension;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;

/// The operator dies at random moments while a Deployment grows and shrinks: nothing is leaked,
/// nothing launched twice.
///
/// A moment is up to a second after a step of its work, as its log tells them, so that on a busy
/// machine it dies in the midst of work too. `-Dmillwright.kills=50` kills it more often,
/// `-Dmillwright.seed=N` at other moments, `-Dmillwright.packing=FIRST_FIT` with the other packing.
@Tag("long")
@ExtendWith(ControlPlaneExtension.class)
final class DeathIT {

    private static final int PODS = 200;
    private static final int MILLIS_MAX = 1_000;

    /// Said on the way from the start to the end of a node.
    private static final List<String> STEPS =
            List.of(
                    "caches are filled",
                    "started controllers",
                    "computed new nodeclaim",
                    "created nodeclaim",
                    "launched a machine",
                    "registered a node",
                    "initialized a node",
                    "tainted node",
                    "deleted node");

    /// As long as this it has nothing to say: its work is done.
    private static final Duration SILENCE = Duration.ofSeconds(5);

    private static final long LOOK_MILLIS = 50;

    @Test
    void allPodsRunWhateverMomentItDies(ControlPlane plane) throws InterruptedException {
        var kills = Integer.getInteger("millwright.kills", 6);
        var seed = Long.getLong("millwright.seed", 1L);
        var random = new Random(seed);
        var fleet = Fleet.of(plane, "dying").pool();
        for (var kill = 0; kill < kills; kill++) {
            fleet.deployment(PODS / 2 + random.nextInt(PODS / 2));
            // Without an election a new process acts at once: the worst case for launching twice.
            try (var operator = unelected(plane)) {
                reaches(operator, STEPS.get(random.nextInt(STEPS.size())));
                Thread.sleep(random.nextInt(MILLIS_MAX));
                operator.kill();
            }
        }
        fleet.deployment(PODS);
        try (var operator = unelected(plane)) {
            fleet.running(PODS).paired();
            assertThat(fleet.claims()).as("claims, seed %d", seed).hasSameSizeAs(fleet.nodes());
            fleet.removed();
            assertThat(operator.stop()).isZero();
        }
    }

    /// Returns when it has said so, or all that it has to say.
    private static void reaches(OperatorProcess operator, String step) throws InterruptedException {
        var said = 0;
        var since = System.nanoTime();
        for (var log = operator.log();
                !log.contains(step) && !isSilent(log, since);
                log = operator.log()) {
            if (log.length() > said) {
                said = log.length();
                since = System.nanoTime();
            }
            Thread.sleep(LOOK_MILLIS);
        }
    }

    /// A process that has not begun yet is not silent, however long its machine takes.
    private static boolean isSilent(String log, long sinceNanos) {
        return System.nanoTime() - sinceNanos > SILENCE.toNanos()
                && log.contains("started controllers");
    }

    private static OperatorProcess unelected(ControlPlane plane) {
        return OperatorProcess.start(plane, Map.of("DISABLE_LEADER_ELECTION", "true"));
    }
}
