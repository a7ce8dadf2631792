package dev.millwright.core.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Instant;

class CronScheduleTest {

    /// 2026-01-01 is a Thursday.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    * * * * *          | 2026-01-01T12:00:00Z    | 2026-01-01T12:01:00Z
                    * * * * *          | 2026-01-01T11:59:59.5Z  | 2026-01-01T12:00:00Z
                    0 12 * * *         | 2026-01-01T12:00:00Z    | 2026-01-02T12:00:00Z
                    30 9-17 * * *      | 2026-01-01T12:31:00Z    | 2026-01-01T13:30:00Z
                    30 9-17 * * *      | 2026-01-01T17:30:00Z    | 2026-01-02T09:30:00Z
                    */15 * * * *       | 2026-01-01T12:46:00Z    | 2026-01-01T13:00:00Z
                    5/20 * * * *       | 2026-01-01T12:26:00Z    | 2026-01-01T12:45:00Z
                    10-20/5 * * * *    | 2026-01-01T12:11:00Z    | 2026-01-01T12:15:00Z
                    0 0 * * mon-FRI    | 2026-01-02T00:00:00Z    | 2026-01-05T00:00:00Z
                    0 0 * * 0          | 2026-01-01T00:00:00Z    | 2026-01-04T00:00:00Z
                    0 0 * * sun        | 2026-01-01T00:00:00Z    | 2026-01-04T00:00:00Z
                    0 0 1 jan *        | 2026-01-01T00:00:00Z    | 2027-01-01T00:00:00Z
                    0009 12 * * *      | 2026-01-01T12:00:00Z    | 2026-01-01T12:09:00Z
                    0 0 29 2 *         | 2026-01-01T00:00:00Z    | 2028-02-29T00:00:00Z
                    0 0 15 * fri       | 2026-01-01T00:00:00Z    | 2026-01-02T00:00:00Z
                    0 0 15 * fri       | 2026-01-09T00:00:00Z    | 2026-01-15T00:00:00Z
                    0 0 */2 * fri      | 2026-01-01T00:00:00Z    | 2026-01-02T00:00:00Z
                    0 0 */1 * fri      | 2026-01-02T00:00:00Z    | 2026-01-09T00:00:00Z
                    0 0 15 * ?         | 2026-01-01T00:00:00Z    | 2026-01-15T00:00:00Z
                    0 0 1,15 Jun,dec * | 2026-01-01T00:00:00Z    | 2026-06-01T00:00:00Z
                    59 23 31 12 *      | 2026-12-31T23:59:00Z    | 2027-12-31T23:59:00Z
                    @yearly            | 2026-01-01T00:00:00Z    | 2027-01-01T00:00:00Z
                    @annually          | 2026-01-01T00:00:00Z    | 2027-01-01T00:00:00Z
                    @monthly           | 2026-01-01T00:00:00Z    | 2026-02-01T00:00:00Z
                    @weekly            | 2026-01-01T00:00:00Z    | 2026-01-04T00:00:00Z
                    @daily             | 2026-01-01T00:00:00Z    | 2026-01-02T00:00:00Z
                    @midnight          | 2026-01-01T12:00:00Z    | 2026-01-02T00:00:00Z
                    @hourly            | 2026-01-01T12:30:00Z    | 2026-01-01T13:00:00Z
                    """)
    void theNextMomentIsTheFirstAfter(String schedule, Instant after, Instant next) {
        assertThat(CronSchedule.parse(schedule).nextAfter(after)).isEqualTo(next);
    }

    @Test
    void aDayThatDoesNotExistNeverComes() {
        assertThat(CronSchedule.parse("0 0 30 2 *").nextAfter(Instant.EPOCH)).isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "* * * *",
                "* * * * * *",
                "60 * * * *",
                "* 24 * * *",
                "* * 0 * *",
                "* * 32 * *",
                "* * * 13 *",
                "* * * 0 *",
                "* * * * 7",
                "*/0 * * * *",
                "5-1 * * * *",
                "1-2-3 * * * *",
                "1/2/3 * * * *",
                "x * * * *",
                "-1 * * * *",
                ", * * * *",
                "* * * * someday",
                "99999999999 * * * *",
                "@every 1h",
                "@daily at noon",
                "TZ=UTC 0 0 * * *"
            })
    void otherTextsAreNoSchedule(String text) {
        assertThatThrownBy(() -> CronSchedule.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("wanted");
    }

    @ParameterizedTest
    @CsvSource({"'', 0", "* * * *, 4", "* * * * * *, 6"})
    void fieldsThatAreMissingOrTooManyAreCounted(String text, int fields) {
        assertThatThrownBy(() -> CronSchedule.parse(text))
                .hasMessageContaining("has %d fields".formatted(fields));
    }

    @Test
    void aScheduleReadsAsItWasWritten() {
        assertThat(CronSchedule.parse(" @daily ")).hasToString("@daily");
    }

    @Test
    void aTextOf256CharactersIsReadAndALongerOneIsNot() {
        var longest = "10" + ",0".repeat(123) + " * * * *";

        assertThat(longest).hasSize(256);
        assertThat(CronSchedule.parse(longest)).hasToString(longest);
        assertThatThrownBy(() -> CronSchedule.parse("1" + longest))
                .hasMessage("schedule has 257 characters; wanted at most 256");
    }

    @Test
    void aTextWithoutEndIsNotRead() {
        assertThatThrownBy(() -> CronSchedule.parse("1,".repeat(1000) + " * * * *"))
                .hasMessageContaining("characters");
    }
}
