package dev.millwright.core.policy;

import static dev.millwright.core.policy.NodePoolBudgets.UNLIMITED;
import static dev.millwright.testing.kit.Given.NOON;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.policy.NodePoolBudgets.Budget;
import dev.millwright.core.policy.NodePoolBudgets.Reason;
import dev.millwright.core.quantity.GoDuration;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/// Budgets of a pool of a hundred nodes, at noon.
final class NodePoolBudgetsTest {

    private static final int NODES = 100;
    private static final Duration HOUR = Duration.ofHours(1);

    private static Budget always(String nodes, Reason... reasons) {
        return Budget.of(nodes, texts(reasons), null, null);
    }

    private static Budget scheduled(String nodes, String schedule, Duration length) {
        return Budget.of(nodes, null, schedule, length);
    }

    private static List<String> texts(Reason... reasons) {
        return reasons.length == 0
                ? List.of("Empty", "Drifted", "Underutilized")
                : List.of(reasons).stream().map(Reason::text).toList();
    }

    private static int allowed(Reason reason, Budget... budgets) {
        return new NodePoolBudgets(List.of(budgets)).allowed(NODES, reason, NOON);
    }

    private static boolean isActive(String schedule, Duration length, String moment) {
        return scheduled("1", schedule, length).isActive(Instant.parse(moment));
    }

    @Test
    @Tag("L152")
    void ofTheBudgetsForAReasonTheLeastCounts() {
        var budgets =
                new Budget[] {
                    always("10", Reason.EMPTY, Reason.DRIFTED),
                    always("4", Reason.DRIFTED),
                    always("7", Reason.UNDERUTILIZED),
                };

        assertThat(allowed(Reason.EMPTY, budgets)).isEqualTo(10);
        assertThat(allowed(Reason.DRIFTED, budgets)).isEqualTo(4);
        assertThat(allowed(Reason.UNDERUTILIZED, budgets)).isEqualTo(7);
    }

    @ParameterizedTest
    @EnumSource
    @Tag("L153")
    void aBudgetWithoutReasonsCountsForEveryReason(Reason reason) {
        assertThat(allowed(reason, Budget.of("0", null, null, null))).isZero();
    }

    @Test
    @Tag("L154")
    void aBudgetWithReasonsCountsForNoOther() {
        assertThat(allowed(Reason.EMPTY, always("0", Reason.DRIFTED))).isEqualTo(UNLIMITED);
    }

    @Test
    @Tag("L155")
    void aBudgetThatIsNotActiveDoesNotCount() {
        assertThat(allowed(Reason.EMPTY, always("5"), scheduled("0", "@yearly", HOUR)))
                .isEqualTo(5);
    }

    @ParameterizedTest
    @EnumSource
    @Tag("L156")
    void withoutAnActiveBudgetThereIsNoBound(Reason reason) {
        assertThat(allowed(reason, scheduled("0", "@yearly", HOUR))).isEqualTo(UNLIMITED);
        assertThat(allowed(reason)).isEqualTo(UNLIMITED);
    }

    @Test
    @Tag("L157")
    void aBudgetWithABrokenScheduleAllowsNothing() {
        assertThat(allowed(Reason.EMPTY, scheduled("5", "@wrongly", HOUR))).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "-1", "1.5", "10%%", "%"})
    @Tag("L158")
    void aBudgetWithABrokenNumberAllowsNothing(String nodes) {
        assertThat(allowed(Reason.EMPTY, always(nodes))).isZero();
    }

    @ParameterizedTest
    @EnumSource
    @Tag("L159")
    void oneBrokenBudgetAllowsNothingForAnyReason(Reason reason) {
        var broken = Budget.of("5", texts(Reason.DRIFTED), "* * * *", HOUR);

        assertThat(allowed(reason, always("50"), broken)).isZero();
    }

    @Test
    @Tag("L160")
    void aNumberIsANumber() {
        assertThat(allowed(Reason.EMPTY, always("17"))).isEqualTo(17);
        assertThat(allowed(Reason.EMPTY, always("99999999999"))).isEqualTo(UNLIMITED);
    }

    @ParameterizedTest
    @CsvSource({"10%, 19, 2", "10%, 20, 2", "0%, 100, 0", "100%, 7, 7", "1%, 1, 1", "10%, 0, 0"})
    @Tag("L161")
    void aShareIsRoundedUp(String share, int nodes, int allowed) {
        assertThat(always(share).allowed(nodes, NOON)).isEqualTo(allowed);
    }

    @Test
    @Tag("L162")
    void withoutScheduleAndDurationABudgetIsAlwaysActive() {
        assertThat(always("1").isActive(NOON)).isTrue();
        assertThat(always("1").isActive(Instant.EPOCH)).isTrue();
    }

    @Test
    @Tag("L163")
    void aScheduleIsReadInUtc() {
        assertThat(isActive("0 12 * * *", HOUR, "2026-06-15T12:30:00Z")).isTrue();
        assertThat(isActive("0 12 * * *", HOUR, "2026-06-15T12:30:00+05:00")).isFalse();
    }

    @Test
    @Tag("L164")
    void aBudgetIsActiveFromItsMomentOn() {
        assertThat(isActive("0 12 * * *", HOUR, "2026-06-15T12:00:00Z")).isTrue();
        assertThat(isActive("0 12 * * *", HOUR, "2026-06-15T11:59:59.999Z")).isFalse();
    }

    @Test
    @Tag("L165")
    void aBudgetIsActiveWithinItsDuration() {
        assertThat(isActive("0 12 * * *", HOUR, "2026-06-15T12:59:59Z")).isTrue();
    }

    @Test
    @Tag("L166")
    void aBudgetIsNotActiveAtTheEndOfItsDuration() {
        assertThat(isActive("0 12 * * *", HOUR, "2026-06-15T13:00:00Z")).isFalse();
    }

    @Test
    @Tag("L167")
    void aBudgetIsNotActiveBeforeItsNextMoment() {
        assertThat(isActive("0 12 * * *", HOUR, "2026-06-15T11:30:00Z")).isFalse();
    }

    @Test
    @Tag("L168")
    void aBudgetThatOutlastsItsRecurrenceIsAlwaysActive() {
        assertThat(isActive("@hourly", Duration.ofHours(2), "2026-06-15T12:30:00Z")).isTrue();
        assertThat(isActive("@hourly", Duration.ofHours(2), "2026-06-15T13:00:00Z")).isTrue();
    }

    @Test
    @Tag("L169")
    void aBrokenScheduleIsToldWithWhatIsWrong() {
        var budgets = new NodePoolBudgets(List.of(always("1"), scheduled("1", "* 25 * * *", HOUR)));

        assertThat(budgets.problems())
                .singleElement()
                .asString()
                .contains("budgets[1]", "* 25 * * *", "hour", "0 to 23");
    }

    @Test
    void aScheduleThatNeverComesIsAlwaysOnAsInKarpenter() {
        assertThat(allowed(Reason.EMPTY, scheduled("3", "0 0 30 2 *", HOUR))).isEqualTo(3);
    }

    @Test
    void aDurationWithoutAScheduleAllowsNothing() {
        assertThat(allowed(Reason.EMPTY, Budget.of("3", null, null, HOUR))).isZero();
    }

    @ParameterizedTest
    @CsvSource({
        "0 9 * * *, 8h, 2026-03-04T10:30:00Z, 2026-03-04T17:00:00Z",
        "0 * * * *, 90m, 2026-03-04T10:30:00Z, ",
        "'0 9,16 * * *', 8h, 2026-03-04T10:30:00Z, 2026-03-05T00:00:00Z",
        "0 0 30 2 *, 1h, 2026-03-04T10:30:00Z, "
    })
    void aBudgetIsActiveUntilTheLastOfTheWindowsThatOverlapEnds(
            String schedule, String length, Instant now, @Nullable Instant end) {
        var budget = Budget.of("0", null, schedule, GoDuration.parse(length));
        assertThat(budget.isActive(now)).isTrue();
        assertThat(budget.activeUntil(now)).isEqualTo(end);
    }
}
