package dev.millwright.core.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.label.ControlKeys;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;
import java.util.Map;

/// What a NodePool says of the fee of a node.
final class NodeFeeTest {

    private static NodeFee fee(String text) {
        return NodeFee.of(Map.of(ControlKeys.NODE_FEE_PER_HOUR, text));
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "0.015, 0.015", "1000, 1000", "1e-2, 0.01"})
    void anAmountIsTheFee(String text, double perHour) {
        assertThat(fee(text)).isEqualTo(new NodeFee(perHour, List.of()));
    }

    @Test
    void aPoolThatSaysNothingHasNoFeeOfItsOwn() {
        assertThat(NodeFee.of(Map.of())).isEqualTo(new NodeFee(null, List.of()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "free", "-1", "1000.01", "$1", "NaN", "1,5", "0.000000000000000000001"})
    void anythingElseIsToldWithWhatIsWanted(String text) {
        assertThat(fee(text).perHour()).isNull();
        assertThat(fee(text).problems())
                .singleElement()
                .asString()
                .startsWith("metadata.annotations[millwright.dev/node-fee-per-hour]: found \"")
                .endsWith("wanted an amount an hour from 0 to 1000 such as 0.015");
    }
}
