package dev.millwright.core.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.millwright.core.policy.RepairPolicy.Action;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.time.Duration;

final class RepairPolicyTest {

    private static final Duration HOUR = Duration.ofHours(1);
    private static final RepairPolicy DISK = new RepairPolicy("Disk", "True", HOUR);

    @Test
    void aPolicyReplacesTheNodeWhateverTheReasonUnlessItSaysMore() {
        assertThat(DISK)
                .isEqualTo(new RepairPolicy("Disk", "True", "", HOUR, null, 0, Action.REPLACE));
        assertThat(DISK.forReason("Full").drainedWithin(HOUR).withPriority(3).by(Action.REBOOT))
                .isEqualTo(new RepairPolicy("Disk", "True", "Full", HOUR, HOUR, 3, Action.REBOOT));
        assertThat(Action.REBOOT.text()).isEqualTo("RebootNode");
    }

    @ParameterizedTest
    @CsvSource({
        "'', True, '', PT1H, PT0S, 0, the condition's type is empty",
        "Disk, Maybe, '', PT1H, PT0S, 0, 'the condition''s status is none of True, False, Unknown'",
        "Disk, True, '', PT-1H, PT0S, 0, toleration PT-1H and drain PT0S must not be negative",
        "Disk, True, '', PT1H, PT-1S, 0, toleration PT1H and drain PT-1S must not be negative",
        "Disk, True, '', PT1H, PT0S, -1, priority -1 is not between 0 and 100",
        "Disk, True, '', PT1H, PT0S, 101, priority 101 is not between 0 and 100",
        "Disk, True, (, PT1H, PT0S, 0, 'reason \"(\" is no regular expression: Unclosed group'"
    })
    void whatNoNodeCouldBeRepairedByIsRefused(
            String type,
            String status,
            String pattern,
            Duration toleration,
            Duration drainMax,
            int priority,
            String problem) {
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () ->
                                new RepairPolicy(
                                        type,
                                        status,
                                        pattern,
                                        toleration,
                                        drainMax,
                                        priority,
                                        Action.REPLACE))
                .withMessage("repair policy for %s=%s: %s".formatted(type, status, problem));
    }

    @ParameterizedTest
    @CsvSource({"0", "100"})
    void prioritiesRunFromNoughtToAHundred(int priority) {
        assertThat(DISK.withPriority(priority).priority()).isEqualTo(priority);
    }

    @Test
    void nothingNeedBeTolerated() {
        assertThat(new RepairPolicy("Disk", "Unknown", Duration.ZERO).toleration()).isZero();
    }
}
