package dev.millwright.core.disruption;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.millwright.core.disruption.PoolRules.Consolidation;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class PoolRulesTest {

    @ParameterizedTest
    @CsvSource({
        "WHEN_EMPTY, WhenEmpty",
        "WHEN_EMPTY_OR_UNDERUTILIZED, WhenEmptyOrUnderutilized",
        "BALANCED, Balanced"
    })
    void aPolicyIsReadAsItIsWritten(Consolidation policy, String text) {
        assertThat(Consolidation.of(text)).isEqualTo(policy);
        assertThat(policy.text()).isEqualTo(text);
    }

    @Test
    void anUnknownPolicyIsAnsweredWithTheKnownOnes() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Consolidation.of("Always"))
                .withMessage(
                        "consolidationPolicy \"Always\" is none; wanted WhenEmpty,"
                                + " WhenEmptyOrUnderutilized or Balanced");
    }
}
