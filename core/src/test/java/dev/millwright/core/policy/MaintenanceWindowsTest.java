package dev.millwright.core.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millwright.core.policy.NodePoolBudgets.Reason;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.time.Instant;

class MaintenanceWindowsTest {

    private static boolean isOpen(String windows, Instant now) {
        return MaintenanceWindows.parse(windows).allows(Reason.DRIFTED, now);
    }

    /// 2026-01-03 is a Saturday; Berlin is an hour ahead of UTC in winter, two in summer.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    Sat,Sun 02:00-06:00                | 2026-01-03T01:59:59Z | false
                    Sat,Sun 02:00-06:00                | 2026-01-03T02:00:00Z | true
                    Sat,Sun 02:00-06:00                | 2026-01-03T05:59:59Z | true
                    Sat,Sun 02:00-06:00                | 2026-01-03T06:00:00Z | false
                    Sat, Sun 02:00-06:00 UTC           | 2026-01-04T03:00:00Z | true
                    Sat,Sun 02:00-06:00 Europe/Berlin  | 2026-01-03T01:00:00Z | true
                    Sat,Sun 02:00-06:00 Europe/Berlin  | 2026-01-03T05:00:00Z | false
                    Sat,Sun 02:00-06:00 Europe/Berlin  | 2026-07-04T00:00:00Z | true
                    Mon-Fri 03:00-04:30                | 2026-01-03T03:30:00Z | false
                    Mon-Fri 03:00-04:30                | 2026-01-05T04:29:00Z | true
                    mon-fri 03:00-04:30                | 2026-01-09T04:30:00Z | false
                    Fri-Mon 03:00-04:00                | 2026-01-05T03:30:00Z | true
                    Fri-Mon 03:00-04:00                | 2026-01-06T03:30:00Z | false
                    Saturday 03:00-04:00               | 2026-01-03T03:30:00Z | true
                    daily 22:00-02:00                  | 2026-01-03T01:59:00Z | true
                    Sat 22:00-02:00                    | 2026-01-03T22:00:00Z | true
                    Sat 22:00-02:00                    | 2026-01-04T01:59:00Z | true
                    Sat 22:00-02:00                    | 2026-01-03T01:59:00Z | false
                    Sat 22:00-02:00                    | 2026-01-04T22:30:00Z | false
                    Sat 00:00-24:00                    | 2026-01-03T23:59:59Z | true
                    Sat 00:00-24:00                    | 2026-01-04T00:00:00Z | false
                    Sat 20:00-00:00                    | 2026-01-03T23:59:00Z | true
                    Mon 01:00-02:00; Sat 01:00-02:00;  | 2026-01-03T01:30:00Z | true
                    """)
    void aMomentIsInsideWhenTheClockThereSaysSo(String windows, Instant now, boolean isOpen) {
        assertThat(isOpen(windows, now)).isEqualTo(isOpen);
    }

    /// In Berlin the night of 2026-03-29 has no hour from two to three, that of 2026-10-25 two.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    Sun 02:00-03:00 Europe/Berlin | 2026-03-29T00:59:59Z | false
                    Sun 02:00-03:00 Europe/Berlin | 2026-03-29T01:00:00Z | false
                    Sun 02:30-04:00 Europe/Berlin | 2026-03-29T00:59:59Z | false
                    Sun 02:30-04:00 Europe/Berlin | 2026-03-29T01:00:00Z | true
                    Sun 02:30-04:00 Europe/Berlin | 2026-03-29T02:00:00Z | false
                    Sun 02:00-03:00 Europe/Berlin | 2026-10-25T00:00:00Z | true
                    Sun 02:00-03:00 Europe/Berlin | 2026-10-25T01:59:59Z | true
                    Sun 02:00-03:00 Europe/Berlin | 2026-10-25T02:00:00Z | false
                    """)
    void clocksThatArePutForwardOrBackAreFollowed(String windows, Instant now, boolean isOpen) {
        assertThat(isOpen(windows, now)).isEqualTo(isOpen);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    Sat,Sun 02:00-06:00           | 2026-01-01T12:00:00Z | 2026-01-03T02:00:00Z
                    Sat 02:00-06:00               | 2026-01-03T02:00:00Z | 2026-01-10T02:00:00Z
                    Sat 02:00-06:00; Fri 20:00-21:00 | 2026-01-01T12:00:00Z | 2026-01-02T20:00:00Z
                    Sat 22:00-02:00 Asia/Tokyo    | 2026-01-01T12:00:00Z | 2026-01-03T13:00:00Z
                    Sun 02:00-03:00 Europe/Berlin | 2026-03-28T12:00:00Z | 2026-04-05T00:00:00Z
                    Sun 02:30-04:00 Europe/Berlin | 2026-03-28T12:00:00Z | 2026-03-29T01:00:00Z
                    Sun 02:30-03:00 Europe/Berlin | 2026-10-25T00:45:00Z | 2026-10-25T01:30:00Z
                    """)
    void itIsKnownWhenTheNextOneOpens(String windows, Instant now, Instant opensAt) {
        assertThat(MaintenanceWindows.parse(windows).opensAfter(Reason.EMPTY, now))
                .isEqualTo(opensAt);
    }

    @Test
    void aWindowForReasonsBindsThoseAlone() {
        var windows = MaintenanceWindows.parse("Drifted, Empty: Sat 02:00-06:00");
        var wednesday = Instant.parse("2026-01-07T03:00:00Z");

        assertThat(windows.allows(Reason.DRIFTED, wednesday)).isFalse();
        assertThat(windows.allows(Reason.EMPTY, wednesday)).isFalse();
        assertThat(windows.allows(Reason.UNDERUTILIZED, wednesday)).isTrue();
        assertThat(windows.opensAfter(Reason.UNDERUTILIZED, wednesday)).isNull();
    }

    @Test
    void aSickNodeIsNotAskedFor() {
        assertThat(
                        MaintenanceWindows.parse("Sat 02:00-06:00")
                                .allows(Reason.UNHEALTHY, Instant.parse("2026-01-07T03:00:00Z")))
                .isTrue();
    }

    @Test
    void withoutWindowsAllIsAllowed() {
        assertThat(MaintenanceWindows.NONE.allows(Reason.EMPTY, Instant.EPOCH)).isTrue();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    ' '                            | holds no window
                    ;;                             | holds no window
                    Sat                            | has no times; wanted from and to as HH:MM-HH:MM
                    Sat 2-6                        | has no times
                    Sat 02:00-06:00,08:00-09:00    | has no times
                    02:00-06:00                    | has no days before its times
                    Sad 02:00-06:00                | day "Sad" is none
                    Sat,,Sun 02:00-06:00           | day "" is none
                    Mon-Wed-Fri 02:00-06:00        | day "Mon-Wed-Fri" is none
                    Mon- 02:00-06:00               | day "Mon-" is none
                    Sat 25:00-26:00                | time "25:00" is none
                    Sat 02:60-03:00                | time "02:60" is none
                    Sat 22:00-24:30                | time "24:30" is none
                    Sat 02:00-02:00                | hold no minute
                    Sat 24:00-02:00                | hold no minute
                    Sat 02:00-06:00 Berlin         | time zone "Berlin" is unknown; wanted a name such as Europe/Berlin
                    Sat 02:00-06:00 +01:00         | time zone "+01:00" is unknown
                    Sat 02:00-06:00 Europe / Berlin | has "Europe / Berlin" behind its times
                    Sat 02:00-06:00, Sun 02:00-06:00 | is none; wanted semicolons between windows
                    Drfited: Sat 02:00-06:00       | reason "Drfited" is none; wanted Underutilized or Empty or Drifted
                    Unhealthy: Sat 02:00-06:00     | reason "Unhealthy" is none
                    Drifted:                       | has no times
                    """)
    void whatIsNoWindowIsToldWithWhatWasWanted(String text, String message) {
        assertThatThrownBy(() -> MaintenanceWindows.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message)
                .hasMessageContaining("Sat,Sun 02:00-06:00 Europe/Berlin");
    }

    @Test
    void asMuchAsPeopleWriteIsRead() {
        var fifty = "Sat 02:59-03:59;".repeat(50);

        assertThat(MaintenanceWindows.parse(fifty).windows()).hasSize(50);
        assertThat(MaintenanceWindows.parse(fifty + ";".repeat(4_096 - fifty.length())).windows())
                .hasSize(50);
    }

    @Test
    void aFaultyWindowOf64CharactersIsShownWholeAndALongerOneIsCut() {
        var shown = "x".repeat(64);

        assertThatThrownBy(() -> MaintenanceWindows.parse(shown))
                .hasMessageStartingWith("window \"" + shown + "\":");
        assertThatThrownBy(() -> MaintenanceWindows.parse(shown + "y"))
                .hasMessageStartingWith("window \"" + shown + "…\":");
    }

    @Test
    void whatNobodyWroteIsNotRead() {
        assertThatThrownBy(() -> MaintenanceWindows.parse("x".repeat(5_000)))
                .hasMessage("has 5000 characters; wanted at most 4096");
        assertThatThrownBy(() -> MaintenanceWindows.parse("Sat 02:00-06:00;".repeat(51)))
                .hasMessage("has 51 windows; wanted at most 50");
    }
}
