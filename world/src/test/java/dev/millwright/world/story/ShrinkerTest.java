package dev.millwright.world.story;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.world.WorldSettings;
import dev.millwright.world.fault.Fault;
import dev.millwright.world.invariant.Breach;
import dev.millwright.world.invariant.EndState;
import dev.millwright.world.scenario.Line;
import dev.millwright.world.scenario.Scenarios;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;

final class ShrinkerTest {

    private static final String BUDGET = "creates PodDisruptionBudget default/web-1";

    private static final Breach BREACH =
            new Breach(WorldSettings.START.plusSeconds(600), "pod-budget", "Pod a: was evicted");

    private static final Scene SCENE =
            Scene.of(
                    new Setting(
                            3,
                            Objects.requireNonNull(Scenarios.find("steady")),
                            EnumSet.allOf(Fault.class),
                            Duration.ofHours(1),
                            40));

    private static boolean has(Scene scene, String words) {
        return scene.script().lines().stream().anyMatch(line -> line.words().equals(words));
    }

    /// A world that fails when there is a budget and the operator crashes.
    private static Ending played(Scene scene) {
        var isBroken = has(scene, BUDGET) && scene.faults().contains(Fault.CRASH);
        return new Ending(
                isBroken ? List.of(BREACH) : List.of(),
                new EndState(new TreeMap<>(), new TreeMap<>(), List.of()),
                "",
                0,
                0,
                0,
                0,
                0,
                0);
    }

    @Test
    void whatAFailureDoesNotNeedIsLeftOut() {
        var shrunk = Shrinker.shrink(ShrinkerTest::played, SCENE, BREACH);

        assertThat(shrunk.scene().faults()).containsExactly(Fault.CRASH);
        assertThat(shrunk.scene().script().lines())
                .extracting(Line::words)
                .containsExactly(
                        "creates KWOKNodeClass default", "creates NodePool general", BUDGET);
        assertThat(shrunk.scene().end()).isEqualTo(Duration.ofSeconds(601));
        assertThat(shrunk.runs()).isLessThan(100);
    }

    @Test
    void aFailureThatDoesNotComeBackIsLeftAsItIs() {
        var shrunk =
                Shrinker.shrink(
                        scene -> played(scene.with(EnumSet.noneOf(Fault.class))), SCENE, BREACH);

        assertThat(shrunk.scene()).isEqualTo(SCENE);
        assertThat(shrunk.breach()).isEqualTo(BREACH);
    }
}
