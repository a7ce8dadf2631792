package dev.millwright.capi.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millwright.capi.machine.roll.Bounds;
import dev.millwright.capi.machine.roll.RollPlan;
import dev.millwright.capi.machine.roll.RollPlan.Make;
import dev.millwright.capi.machine.roll.RollPlan.Resize;
import dev.millwright.capi.machine.roll.RollPlan.Sets;
import dev.millwright.capi.machine.roll.RollPlan.Settled;
import dev.millwright.capi.machine.roll.RollPlan.Size;
import dev.millwright.capi.machine.roll.RollPlan.Strategy;
import dev.millwright.capi.machine.roll.RollPlan.Wait;
import dev.millwright.capi.machine.roll.SetCount;
import dev.millwright.capi.machine.roll.Share;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.util.List;

/// Single decisions of a rollout.
final class RollPlanTest {

    private static final Bounds TEN = new Bounds(10, 3, 2);

    private static SetCount set(String name, int wanted, int available) {
        return set(name, wanted, available, TEN);
    }

    private static SetCount set(String name, int wanted, int available, Bounds told) {
        return new SetCount(
                name, wanted, wanted, available, wanted, true, told.replicas(), told.most());
    }

    private static RollPlan rolling(Bounds bounds, @Nullable SetCount newest, SetCount... old) {
        return RollPlan.of(Strategy.ROLLING_UPDATE, false, bounds, new Sets(newest, List.of(old)));
    }

    private static Share share(String text) {
        var share = Share.parse(text);
        if (share == null) {
            throw new IllegalArgumentException(text);
        }
        return share;
    }

    @Test
    void theFirstSetGetsAllMachinesAtOnce() {
        assertThat(rolling(TEN, null)).isEqualTo(new Make(10));
    }

    @Test
    void aNewTemplateBeginsWithTheSurge() {
        assertThat(rolling(TEN, null, set("old", 10, 10))).isEqualTo(new Make(3));
    }

    @Test
    void oldMachinesGoDownToWhatMustBeAvailable() {
        assertThat(rolling(TEN, set("new", 3, 0), set("old", 10, 10)))
                .isEqualTo(new Resize(List.of(new Size("old", 8))));
    }

    @Test
    void oldMachinesThatAreNotAvailableGoFirst() {
        assertThat(rolling(TEN, set("new", 3, 0), set("older", 4, 1), set("old", 6, 6)))
                .isEqualTo(new Resize(List.of(new Size("older", 2))));
    }

    @Test
    void aFinishedRolloutStaysAsItIs() {
        assertThat(rolling(TEN, set("new", 10, 10), set("old", 0, 0))).isEqualTo(new Settled());
    }

    @Test
    void nothingIsDecidedWhileASetHasNotActed() {
        var told = new SetCount("old", 8, 10, 10, 10, false, 10, 13);

        assertThat(rolling(TEN, set("new", 3, 3), told)).isInstanceOf(Wait.class);
    }

    @Test
    void machinesOnTheirWayOutCountUntilTheyGo() {
        var leaving = new SetCount("old", 8, 10, 10, 10, true, 10, 13);

        assertThat(rolling(TEN, set("new", 3, 3), leaving))
                .isEqualTo(new Resize(List.of(new Size("old", 5))));
    }

    @Test
    void aRolloutThatIsScaledKeepsItsProportion() {
        var fifteen = new Bounds(15, 3, 2);

        assertThat(rolling(fifteen, set("new", 5, 5), set("old", 8, 8)))
                .isEqualTo(new Resize(List.of(new Size("old", 11), new Size("new", 7))));
    }

    @Test
    void aRolloutThatIsScaledDownKeepsWhatMustBeAvailable() {
        var five = new Bounds(5, 1, 0);

        var plan = rolling(five, set("new", 5, 0), set("old", 6, 6));

        assertThat(plan).isEqualTo(new Resize(List.of(new Size("old", 5), new Size("new", 3))));
    }

    @Test
    void aFinishedDeploymentIsScaledByItsOnlySet() {
        var four = new Bounds(4, 1, 0);

        assertThat(rolling(four, set("new", 10, 10), set("old", 0, 0)))
                .isEqualTo(new Resize(List.of(new Size("new", 4))));
    }

    @Test
    void aPausedDeploymentIsScaledButNotRolled() {
        var old = new Sets(null, List.of(set("old", 10, 10)));
        var twelve = new Bounds(12, 3, 2);

        assertThat(RollPlan.of(Strategy.ROLLING_UPDATE, true, TEN, old)).isEqualTo(new Settled());
        assertThat(RollPlan.of(Strategy.ROLLING_UPDATE, true, twelve, old))
                .isEqualTo(new Resize(List.of(new Size("old", 12))));
    }

    @Test
    void aRecreationWaitsForTheLastOldMachine() {
        var going = new SetCount("old", 0, 0, 0, 2, true, 10, 13);

        assertThat(
                        RollPlan.of(
                                Strategy.RECREATE,
                                false,
                                TEN,
                                new Sets(null, List.of(set("old", 10, 10)))))
                .isEqualTo(new Resize(List.of(new Size("old", 0))));
        assertThat(RollPlan.of(Strategy.RECREATE, false, TEN, new Sets(null, List.of(going))))
                .isInstanceOf(Wait.class);
        assertThat(
                        RollPlan.of(
                                Strategy.RECREATE,
                                false,
                                TEN,
                                new Sets(null, List.of(set("old", 0, 0)))))
                .isEqualTo(new Make(10));
    }

    @Test
    void aPartRoundsUpForTheSurgeAndDownForWhatMayBeMissing() {
        assertThat(Bounds.of(10, share("25%"), share("25%"))).isEqualTo(new Bounds(10, 3, 2));
        assertThat(Bounds.of(3, share("0%"), share("10%"))).isEqualTo(new Bounds(3, 0, 1));
        assertThat(Bounds.of(0, share("50%"), share("0"))).isEqualTo(new Bounds(0, 0, 1));
    }

    @Test
    void absurdPartsAreBounded() {
        var most = Bounds.of(Integer.MAX_VALUE, share("999999999%"), share("0"));

        assertThat(most.most()).isEqualTo(Integer.MAX_VALUE);
        assertThat(rolling(most, null, set("old", Integer.MAX_VALUE, 0, most)))
                .isEqualTo(new Make(0));
    }

    @Test
    void whatIsNoNumberAndNoPartIsNone() {
        assertThat(Share.parse("-1")).isNull();
        assertThat(Share.parse("a%")).isNull();
        assertThat(Share.parse("1.5")).isNull();
        assertThat(Share.parse("")).isNull();
    }

    @Test
    void boundsWithoutAWayToMoveCannotBeWritten() {
        assertThatThrownBy(() -> new Bounds(3, 0, 0)).isInstanceOf(IllegalArgumentException.class);
    }
}
