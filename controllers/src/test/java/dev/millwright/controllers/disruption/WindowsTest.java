package dev.millwright.controllers.disruption;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.disruption.Allowances;
import dev.millwright.core.disruption.Emptiness;
import dev.millwright.core.disruption.KeepReason;
import dev.millwright.core.label.ControlKeys;
import dev.millwright.core.policy.NodePoolBudgets.Reason;
import dev.millwright.testing.kit.Given;
import dev.millwright.testing.kit.disruption.DisruptionStage;
import dev.millwright.testing.kit.disruption.FleetNode;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.time.Duration;
import java.time.ZoneOffset;

/// Nodes go by choice only inside the pool's windows, and not while what it says is unreadable.
final class WindowsTest {

    private final DisruptionStage stage = new DisruptionStage();

    private void pool(String name, String key, String value) {
        stage.rig.apply(
                DisruptionStage.pool(name, DisruptionStage.disruption("100%").mapping())
                        .annotation(key, value));
    }

    private void windows(String windows) {
        pool("default", ControlKeys.MAINTENANCE_WINDOWS, windows);
    }

    private Allowances allowances(Reason reason) {
        return Allowances.of(stage.problem(), reason);
    }

    private int allowed(Reason reason) {
        return allowances(reason).byPool().get("default").allowed();
    }

    /// A window each day that opens so many minutes from now and stays open for an hour.
    private String window(int minutes) {
        var opens = stage.now().plusSeconds(minutes * 60L).atOffset(ZoneOffset.UTC).toLocalTime();
        return "daily %s-%s".formatted(opens, opens.plusHours(1));
    }

    @Test
    void nodesGoInsideAWindowAndNotOutside() {
        windows(window(30));
        stage.add(new FleetNode("a"), new FleetNode("b"));
        stage.passes();
        assertThat(stage.queue.entries()).isEmpty();

        stage.rig.advance(Duration.ofMinutes(30));
        stage.passes();
        assertThat(stage.queue.entries())
                .singleElement()
                .satisfies(entry -> assertThat(entry.command().nodes()).hasSize(2));
    }

    @Test
    void aChoiceWhoseWindowEndsBeforeItsTimeIsDropped() {
        windows(window(-59));
        stage.add(new FleetNode("a"));
        stage.rig.advance(Duration.ofSeconds(50));
        stage.passes();

        assertThat(stage.queue.entries()).isEmpty();
    }

    @Test
    void aNodeThatWaitsForAWindowSaysWhenItOpens() {
        windows(window(30));
        stage.add(new FleetNode("a"));
        var problem = stage.problem();

        var kept = Emptiness.decide(Emptiness.candidacy(problem), allowances(Reason.EMPTY)).kept();

        assertThat(kept)
                .containsEntry(
                        "a",
                        new KeepReason.OutsideWindows(
                                "default", Reason.EMPTY, Given.NOON.plusSeconds(1_800)));
        assertThat(kept.get("a").explain())
                .isEqualTo(
                        "NodePool default is outside its maintenance windows for reason Empty; the next opens at "
                                + Given.NOON.plusSeconds(1_800));
    }

    @Test
    void thePoolTellsWhatItWaitsFor() {
        windows(window(30));
        stage.add(new FleetNode("a"));
        stage.pass();

        assertThat(stage.told("DisruptionBlocked", "default"))
                .anyMatch(text -> text.contains("the next opens at"));
    }

    @Test
    void windowsForOneReasonLeaveTheOthers() {
        windows("Drifted: " + window(30));
        stage.add(new FleetNode("a"));

        assertThat(allowed(Reason.DRIFTED)).isZero();
        assertThat(allowed(Reason.EMPTY)).isEqualTo(1);
        assertThat(allowed(Reason.UNHEALTHY)).isEqualTo(1);
    }

    @Test
    void ofWindowsAndBudgetsTheLeastCounts() {
        stage.rig.apply(
                DisruptionStage.pool("default", DisruptionStage.disruption("1").mapping())
                        .annotation(ControlKeys.MAINTENANCE_WINDOWS, window(-10)));
        stage.add(new FleetNode("a"), new FleetNode("b"));

        assertThat(allowed(Reason.EMPTY)).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    millwright.dev/maintenance-windows | weekends
                    millwright.dev/expire-softly-after | 7d
                    """)
    void aPoolThatCannotBeReadLetsNothingGoAndOthersGoOn(String key, String value) {
        pool("default", key, value);
        stage.rig.apply(
                DisruptionStage.pool("other", DisruptionStage.disruption("100%").mapping()));
        stage.add(
                new FleetNode("a"), new FleetNode("b").drifted(), new FleetNode("z").pool("other"));
        stage.passes();

        assertThat(stage.queue.entries())
                .singleElement()
                .satisfies(entry -> assertThat(entry.command().nodes()).containsExactly("z"));
        assertThat(allowances(Reason.EMPTY).closed("default"))
                .isInstanceOf(KeepReason.PoolUnreadable.class)
                .extracting(KeepReason::explain)
                .asString()
                .contains("NodePool default", key, value);
        assertThat(stage.rig.lines())
                .filteredOn(line -> line.message().contains("cannot be read"))
                .singleElement()
                .satisfies(line -> assertThat(line.keyValues().toString()).contains(key));
    }
}
