package dev.millwright.core.forecast;

import static dev.millwright.core.disruption.FleetBuilder.type;
import static dev.millwright.core.disruption.MachineBuilder.machine;
import static dev.millwright.testing.kit.Given.NOON;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.disruption.Machine;
import dev.millwright.core.disruption.MachineBuilder;
import dev.millwright.core.label.Taint;
import dev.millwright.testing.kit.NodeBuilder;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;

final class UnitTest {

    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final InstanceType SMALL = type("small", 4, 1).build();

    private static Unit unit(MachineBuilder built, Unit.Stage stage) {
        var machine = built.build(List.of());
        var purchase = new Purchase("a", "default", "small", "test-zone-1", "on-demand", 1);
        return new Unit(machine.node(), machine.standing(), purchase, stage, NOON);
    }

    private static Unit ready() {
        return unit(machine("a", SMALL), Unit.Stage.READY);
    }

    private static Machine seen(Unit unit, Instant now) {
        return unit.machine(MINUTE, Map.of(), now);
    }

    private static Instant after(int seconds) {
        return NOON.plusSeconds(seconds);
    }

    @Test
    void podEventsLessThanTenSecondsApartAreOne() {
        var unit = ready();

        unit.stir(after(9));

        assertThat(unit.wakesAt(MINUTE, after(9))).isEqualTo(after(60));
    }

    @Test
    void aPodEventTenSecondsLaterIsAnother() {
        var unit = ready();

        unit.stir(after(10));

        assertThat(unit.wakesAt(MINUTE, after(10))).isEqualTo(after(70));
    }

    @Test
    void theFirstPodOfANodeThatCameUpIsAnEventOfItsOwn() {
        var unit = unit(machine("a", SMALL).node(NodeBuilder::inFlight), Unit.Stage.COMING);
        unit.up(Objects.requireNonNull(ready().node().node()), NOON);

        unit.stir(after(5));

        assertThat(unit.wakesAt(MINUTE, after(5))).isEqualTo(after(65));
    }

    @Test
    void aNodeIsACandidateOnceItWasQuietLongEnough() {
        var unit = ready();

        assertThat(seen(unit, after(59)).standing().isConsolidatable()).isFalse();
        assertThat(seen(unit, after(60)).standing().isConsolidatable()).isTrue();
        assertThat(unit.wakesAt(MINUTE, after(60))).isNull();
    }

    @Test
    void aNodeWhosePoolNeverConsolidatesIsNoCandidate() {
        var unit = ready();

        assertThat(unit.machine(null, Map.of(), after(3600)).standing().isConsolidatable())
                .isFalse();
    }

    @Test
    void aNominationHoldsAlsoWhereThePoolNeverConsolidates() {
        var unit = ready();

        unit.nominate(after(30));

        assertThat(unit.wakesAt(null, NOON)).isEqualTo(after(30));
        assertThat(unit.wakesAt(null, after(30))).isNull();
    }

    @Test
    void theLaterNominationHolds() {
        var unit = ready();

        unit.nominate(after(30));
        unit.nominate(after(20));

        assertThat(unit.isNominated(after(29))).isTrue();
        assertThat(unit.isNominated(after(30))).isFalse();
    }

    @Test
    void aNodeWithoutClaimIsNeverACandidate() {
        var unit = unit(machine("a", SMALL).node(NodeBuilder::unmanaged), Unit.Stage.READY);

        assertThat(unit.isManaged()).isFalse();
        assertThat(unit.wakesAt(MINUTE, NOON)).isNull();
        assertThat(seen(unit, after(3600)).standing().isConsolidatable()).isFalse();
    }

    @Test
    void aNodeOnItsWayTakesNoPodsAndIsNoCandidate() {
        var unit = unit(machine("a", SMALL).node(NodeBuilder::registered), Unit.Stage.COMING);

        assertThat(unit.forScheduler()).isNull();
        assertThat(unit.wakesAt(MINUTE, NOON)).isNull();
        assertThat(seen(unit, after(3600)).standing().isReady()).isFalse();
    }

    @Test
    void aNodeThatGoesRepelsNewPods() {
        var unit = ready();

        unit.enter(Unit.Stage.QUEUED);

        var shown = Objects.requireNonNull(unit.forScheduler());
        assertThat(Objects.requireNonNull(shown.node()).taints()).contains(Taint.DISRUPTED);
        assertThat(shown.claim()).isEqualTo(unit.node().claim());
        assertThat(unit.seen().isMarkedForDeletion()).isTrue();
    }

    @Test
    void aNodeThatStaysIsShownAsItIs() {
        var unit = ready();

        assertThat(unit.forScheduler()).isEqualTo(unit.node());
        assertThat(unit.seen().isMarkedForDeletion()).isFalse();
    }

    @Test
    void whatBecomesOfANodeIsSeenInItsStanding() {
        var queued = ready();
        var leaving = ready();

        queued.enter(Unit.Stage.QUEUED);
        leaving.enter(Unit.Stage.LEAVING);

        assertThat(seen(queued, NOON).standing().isQueued()).isTrue();
        assertThat(seen(queued, NOON).standing().isInstanceTerminating()).isFalse();
        assertThat(seen(leaving, NOON).standing().isQueued()).isFalse();
        assertThat(seen(leaving, NOON).standing().isInstanceTerminating()).isTrue();
        assertThat(seen(leaving, NOON).standing().claimUid()).isEqualTo("a-uid");
    }

    @Test
    void aRebootEndsTheSignsAndIsCounted() {
        var unit =
                unit(
                        machine("a", SMALL).sign("Disk", MINUTE).rebooted(1, MINUTE),
                        Unit.Stage.READY);

        unit.reboot(after(5));

        var health = seen(unit, after(5)).standing().health();
        assertThat(health.signs()).isEmpty();
        assertThat(health.reboots()).isEqualTo(2);
        assertThat(health.rebootedAt()).isEqualTo(after(5));
    }
}
