package dev.millwright.core.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What overlays may write as a price, and what it does.
@Tag("K-overlay")
final class PriceChangeTest {

    @ParameterizedTest
    @CsvSource({"3, 3", "0, 0", "0.25, 0.25", "12.000, 12", "007, 7"})
    void aPriceReplacesTheProviders(String text, double price) {
        assertThat(PriceChange.parsePrice(text).apply(9)).isEqualTo(price);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", ".5", "5.", "+3", "-3", "3%", "1e3", "1,5", " 3", "three", "0x3", "NaN"})
    void otherTextsAreNoPrice(String text) {
        assertThatThrownBy(() -> PriceChange.parsePrice(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("price \"" + text + "\"")
                .hasMessageContaining("wanted");
    }

    @ParameterizedTest
    @CsvSource({
        "+0.5, 10.5",
        "-2, 8",
        "-.5, 9.5",
        "+.25, 10.25",
        "-11, 0",
        "+0, 10",
        "+10%, 11",
        "+250%, 35",
        "+0.5%, 10.05",
        "-10%, 9",
        "-99.9%, 0.01",
        "-100%, 0",
        "-0%, 10"
    })
    void anAdjustmentChangesTheProvidersPrice(String text, double price) {
        assertThat(PriceChange.parseAdjustment(text).apply(10)).isEqualTo(price);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "", "5", "5%", "0.5", "+", "-", "+%", "-101%", "-100.5%", "-150%", "-.5%", "++1",
                "+-1", "+1.", "+1e3", "+1 %", "1+", "%", "+five"
            })
    void otherTextsAreNoAdjustment(String text) {
        assertThatThrownBy(() -> PriceChange.parseAdjustment(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("priceAdjustment \"" + text + "\"")
                .hasMessageContaining("wanted");
    }

    @Test
    void decimalsStayDecimals() {
        assertThat(PriceChange.parseAdjustment("-10%").apply(0.3)).isEqualTo(0.27);
        assertThat(PriceChange.parseAdjustment("+0.2").apply(0.1)).isEqualTo(0.3);
    }

    @Test
    void aTextWithoutEndIsNotRead() {
        var text = "9".repeat(1_000);

        assertThatThrownBy(() -> PriceChange.parsePrice(text))
                .hasMessageContaining("(1000 characters)")
                .hasMessageNotContaining(text);
    }
}
