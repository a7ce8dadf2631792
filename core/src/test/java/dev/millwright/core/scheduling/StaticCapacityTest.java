package dev.millwright.core.scheduling;

import static dev.millwright.testing.kit.Given.nodePool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.millwright.core.scheduling.StaticCapacity.Candidate;
import dev.millwright.core.scheduling.StaticCapacity.Counts;
import dev.millwright.core.scheduling.StaticCapacity.Growth;
import dev.millwright.testing.kit.NodePoolBuilder;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.time.Duration;
import java.util.List;

/// A static pool keeps its number of nodes.
@Tag("K-static")
final class StaticCapacityTest {

    private static final NodePoolBuilder FIVE = nodePool("five").replicas(5);

    // Too few ----------------------------------------------------------------------------------

    @Test
    void anEmptyPoolIsFilled() {
        assertThat(growth(FIVE, active(0))).isEqualTo(new Growth.Create(5));
    }

    @Test
    void aShortPoolIsToppedUp() {
        assertThat(growth(FIVE, active(3))).isEqualTo(new Growth.Create(2));
    }

    @Test
    void aLargePoolIsFilledAtOnce() {
        assertThat(growth(nodePool("large").replicas(1_000), active(0)))
                .isEqualTo(new Growth.Create(1_000));
    }

    @Test
    void aFullPoolWaitsAMinute() {
        var growth = growth(FIVE, active(5));

        assertThat(growth).isEqualTo(new Growth.Enough(5, 5));
        assertThat(growth.recheckAfter()).isEqualTo(Duration.ofMinutes(1));
    }

    @Test
    void aPoolWithTooManyNodesDoesNotGrow() {
        assertThat(growth(FIVE, active(7))).isEqualTo(new Growth.Enough(7, 5));
    }

    @Test
    void aPoolOfNoReplicasDoesNotGrow() {
        assertThat(growth(nodePool("none").replicas(0), active(0)))
                .isEqualTo(new Growth.Enough(0, 0));
    }

    @Test
    void nodesPendingDisruptionCountAsLongAsTheyMakeTheNumber() {
        assertThat(growth(FIVE, new Counts(4, 1, 0, 0))).isEqualTo(new Growth.Enough(5, 5));
    }

    @Test
    void nodesPendingDisruptionAreReplacedOnceThePoolIsShort() {
        assertThat(growth(FIVE, new Counts(3, 1, 0, 0))).isEqualTo(new Growth.Create(2));
    }

    @Test
    void deletingNodesAreReplaced() {
        assertThat(growth(FIVE, new Counts(3, 0, 2, 0))).isEqualTo(new Growth.Create(2));
    }

    @Test
    void aLimitOnNodesBoundsThePool() {
        assertThat(growth(FIVE.limit("nodes", "4"), active(1))).isEqualTo(new Growth.Create(3));
    }

    @Test
    void deletingAndPendingNodesTakeUpTheLimit() {
        assertThat(growth(FIVE.limit("nodes", "6"), new Counts(1, 1, 2, 0)))
                .isEqualTo(new Growth.Create(2));
    }

    @Test
    void claimsAboutToBeMadeTakeUpTheLimit() {
        assertThat(growth(FIVE.limit("nodes", "4"), new Counts(1, 0, 0, 2)))
                .isEqualTo(new Growth.Create(1));
    }

    @Test
    void atItsLimitThePoolWaitsHalfAMinute() {
        var growth = growth(FIVE.limit("nodes", "3"), new Counts(2, 0, 1, 0));

        assertThat(growth).isEqualTo(new Growth.AtLimit(3, 3, 0));
        assertThat(growth.recheckAfter()).isEqualTo(Duration.ofSeconds(30));
        assertThat(growth.explain()).contains("limits.nodes 3");
    }

    @Test
    void aPoolThatIsNotReadyWaitsForItself() {
        var growth = growth(FIVE.notReady(), active(0));

        assertThat(growth).isEqualTo(new Growth.NotReady());
        assertThat(growth.recheckAfter()).isNull();
    }

    @Test
    void aPoolBeingDeletedDoesNotGrow() {
        assertThat(growth(FIVE.deleting(), active(0))).isEqualTo(new Growth.Deleting());
    }

    @ParameterizedTest
    @CsvSource({"-1, 0, 0, 0", "0, -1, 0, 0", "0, 0, -1, 0", "0, 0, 0, -1"})
    void aNumberOfNodesIsNeverNegative(long active, long pending, long deleting, long reserved) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Counts(active, pending, deleting, reserved))
                .withMessageContaining("must not be negative");
    }

    @Test
    void aPoolThatWasAskedForMoreIsLookedAtAgainAfterAMinute() {
        assertThat(growth(FIVE, active(3)).recheckAfter()).isEqualTo(Duration.ofMinutes(1));
    }

    @Test
    void aDynamicPoolIsLeftToPods() {
        assertThat(growth(nodePool("dynamic"), active(0))).isEqualTo(new Growth.NotStatic());
    }

    // Too many ---------------------------------------------------------------------------------

    @Test
    void noClaimGoesFromAShortPool() {
        assertThat(surplus(2, idle("a"))).isEmpty();
    }

    @Test
    void noClaimGoesFromAPoolWithoutAny() {
        assertThat(surplus(0)).isEmpty();
    }

    @Test
    void allClaimsGoFromAPoolOfNoReplicas() {
        assertThat(surplus(0, busy("b", 1), idle("a"))).containsExactly("a", "b");
    }

    @Test
    void claimsWithoutAMachineGoFirst() {
        assertThat(surplus(2, idle("a"), busy("b", 0), unlaunched("c"), unlaunched("d")))
                .containsExactly("c", "d");
    }

    @Test
    void emptyNodesGoBeforeOthers() {
        assertThat(surplus(1, busy("a", 0), idle("c"), idle("b"))).containsExactly("b", "c");
    }

    @Test
    void whatItCostsToMoveDaemonsDoesNotCount() {
        assertThat(surplus(1, emptyBut("b", 0), emptyBut("a", 7))).containsExactly("a");
    }

    @Test
    void ofNodesInUseTheCheapestToMoveGoFirst() {
        assertThat(surplus(1, busy("a", 6), busy("b", 4), busy("c", 2), busy("d", 0)))
                .containsExactly("d", "c", "b");
    }

    @Test
    void nodesWithPodsNotToBeDisturbedGoLast() {
        assertThat(surplus(1, guarded("a", 0), busy("b", 9), guarded("c", 1)))
                .containsExactly("b", "a");
    }

    @Test
    void equalNodesGoByName() {
        assertThat(surplus(1, busy("c", 1), busy("a", 1), busy("b", 1))).containsExactly("a", "b");
    }

    @Test
    void claimsGoEvenFromAPoolThatIsNotReady() {
        var pool = nodePool("small").replicas(0).notReady().nodePool();

        assertThat(StaticCapacity.surplus(pool, List.of(idle("a")))).containsExactly("a");
    }

    @Test
    void noClaimGoesFromADynamicPoolOrOneBeingDeleted() {
        var dynamic = nodePool("dynamic").nodePool();
        var deleting = nodePool("deleting").replicas(0).deleting().nodePool();

        assertThat(StaticCapacity.surplus(dynamic, List.of(idle("a")))).isEmpty();
        assertThat(StaticCapacity.surplus(deleting, List.of(idle("a")))).isEmpty();
    }

    private static Counts active(long count) {
        return new Counts(count, 0, 0, 0);
    }

    private static Growth growth(NodePoolBuilder pool, Counts counts) {
        return StaticCapacity.growth(pool.nodePool(), counts);
    }

    private static List<String> surplus(long replicas, Candidate... active) {
        var pool = nodePool("small").replicas(replicas).nodePool();
        return StaticCapacity.surplus(pool, List.of(active));
    }

    private static Candidate unlaunched(String claim) {
        return new Candidate(claim, false, true, false, 0);
    }

    private static Candidate idle(String claim) {
        return new Candidate(claim, true, true, false, 0);
    }

    private static Candidate emptyBut(String claim, double cost) {
        return new Candidate(claim, true, true, false, cost);
    }

    private static Candidate busy(String claim, double cost) {
        return new Candidate(claim, true, false, false, cost);
    }

    private static Candidate guarded(String claim, double cost) {
        return new Candidate(claim, true, false, true, cost);
    }
}
