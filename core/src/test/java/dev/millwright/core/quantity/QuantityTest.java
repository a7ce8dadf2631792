package dev.millwright.core.quantity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.math.BigDecimal;
import java.util.List;
import java.util.stream.Stream;

final class QuantityTest {

    // Reading ----------------------------------------------------------------------------------

    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "1, 1",
        "+1, 1",
        "-1, -1",
        "007, 7",
        "1.5, 1.5",
        "1., 1",
        ".5, 0.5",
        "-.5, -0.5",
        "100m, 0.1",
        "1u, 0.000001",
        "1n, 0.000000001",
        "1k, 1000",
        "1M, 1000000",
        "1G, 1000000000",
        "1T, 1000000000000",
        "1P, 1000000000000000",
        "1E, 1000000000000000000",
        "1Ki, 1024",
        "1Mi, 1048576",
        "1.5Gi, 1610612736",
        "1Ti, 1099511627776",
        "1Pi, 1125899906842624",
        "1Ei, 1152921504606846976",
        "0.1Ki, 102.4",
        "1e3, 1000",
        "1E3, 1000",
        "1e+3, 1000",
        "1e-3, 0.001",
        "12345e-3, 12.345",
        "9223372036854775807, 9223372036854775807",
        "-9223372036854775808, -9223372036854775808"
    })
    void aTextOfKubernetesIsReadExactly(String text, BigDecimal value) {
        assertThat(Quantity.parse(text).toBigDecimal()).isEqualByComparingTo(value);
    }

    @ParameterizedTest
    @CsvSource({
        "0.1n, 0.000000001",
        "-0.1n, -0.000000001",
        "1.0000000001, 1.000000001",
        "1e-10, 0.000000001",
        "0.0000000011, 0.000000002"
    })
    void whatIsFinerThanABillionthIsRoundedAwayFromZero(String text, BigDecimal value) {
        assertThat(Quantity.parse(text).toBigDecimal()).isEqualByComparingTo(value);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "1 ",
                " 1",
                "m",
                "-",
                "+",
                ".",
                "-.",
                "1.2.3",
                "--1",
                "1mm",
                "1K",
                "1ki",
                "1mi",
                "Gi",
                "1g",
                "one",
                "0x10",
                "1,5",
                "1e",
                "1e1.5",
                "1ee3",
                "1e3m",
                "١",
                "1_000",
                "NaN",
                "Infinity"
            })
    void aTextThatIsNoQuantityIsRefused(String text) {
        assertThatExceptionOfType(QuantityFormatException.class)
                .isThrownBy(() -> Quantity.parse(text))
                .withMessageContaining("\"" + text + "\"");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "9223372036854775808",
                "-9223372036854775809",
                "8Ei",
                "10E",
                "1e19",
                "1e40",
                "9223372036854775807.5e1"
            })
    void aNumberThatDoesNotFitIsRefused(String text) {
        assertThatExceptionOfType(QuantityFormatException.class)
                .isThrownBy(() -> Quantity.parse(text))
                .withMessageContaining("does not fit");
    }

    static Stream<String> absurdTexts() {
        return Stream.of(
                "1e41",
                "1e999999999",
                "1e-999999999",
                "1e9999999999",
                "0e999999999",
                "9".repeat(1_000_000),
                "0." + "0".repeat(1_000_000) + "1");
    }

    @ParameterizedTest
    @MethodSource("absurdTexts")
    @Timeout(20)
    void anAbsurdNumberIsRefusedAtOnceAndItsTextIsShortened(String text) {
        assertThatExceptionOfType(QuantityFormatException.class)
                .isThrownBy(() -> Quantity.parse(text))
                .satisfies(fault -> assertThat(fault.getMessage()).hasSizeLessThan(300));
    }

    @Test
    void theLongestTextIsReadAndALongerOneIsNot() {
        var longest = "0".repeat(Quantity.TEXT_LENGTH_MAX - 1) + "1";

        assertThat(Quantity.parse(longest)).isEqualTo(Quantity.ONE);
        assertThatExceptionOfType(QuantityFormatException.class)
                .isThrownBy(() -> Quantity.parse("0" + longest));
    }

    @Test
    void aTextOfEightyCharactersIsQuotedWholeAndALongerOneIsCut() {
        var shown = "x".repeat(80);

        assertThat(new QuantityFormatException(shown, "wanted digits"))
                .hasMessage("quantity \"" + shown + "\": wanted digits");
        assertThat(new QuantityFormatException(shown + "y", "wanted digits"))
                .hasMessage("quantity \"" + shown + "… (81 characters)\": wanted digits");
    }

    // Writing ----------------------------------------------------------------------------------

    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "1500m, 1500m",
        "1.5, 1500m",
        "2000m, 2",
        "-500m, -500m",
        "-1500m, -1500m",
        "1u, 1u",
        "1n, 1n",
        "1.000000001, 1000000001n",
        "1Gi, 1073741824"
    })
    void aQuantityIsWrittenInTheCoarsestExactUnit(String text, String written) {
        assertThat(Quantity.parse(text)).hasToString(written);
        assertThat(Quantity.parse(written)).isEqualTo(Quantity.parse(text));
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "1Gi, 1Gi",
        "1536Mi, 1536Mi",
        "1000, 1000",
        "1025, 1025",
        "-2Ki, -2Ki",
        "1500m, 1500m",
        "4Ei, 4Ei",
        "-9223372036854775808, -8Ei"
    })
    void bytesAreWrittenInTheCoarsestExactBinaryUnit(String text, String written) {
        assertThat(Quantity.parse(text).toBinaryString()).isEqualTo(written);
    }

    // Arithmetic -------------------------------------------------------------------------------

    @ParameterizedTest
    @CsvSource({
        "1, 2, 3, -1",
        "900m, 200m, 1100m, 700m",
        "100m, 200m, 300m, -100m",
        "-500m, 500m, 0, -1",
        "-500m, -700m, -1200m, 200m",
        "1n, 999999999n, 1, -999999998n",
        "1Ei, 1n, 1152921504606846976000000001n, 1152921504606846975999999999n"
    })
    void sumsAndDifferencesAreExact(String one, String other, String sum, String difference) {
        var left = Quantity.parse(one);
        var right = Quantity.parse(other);

        assertThat(left.plus(right)).isEqualTo(Quantity.parse(sum));
        assertThat(left.minus(right)).isEqualTo(Quantity.parse(difference));
        assertThat(left.plus(right).minus(right)).isEqualTo(left);
    }

    static List<Quantity> extremes() {
        return List.of(
                Quantity.LEAST,
                new Quantity(Long.MIN_VALUE, 1),
                new Quantity(Long.MIN_VALUE + 1, 0),
                new Quantity(-1, 0),
                new Quantity(-1, 999_999_999),
                Quantity.ZERO,
                new Quantity(0, 1),
                new Quantity(0, 999_999_999),
                Quantity.ONE,
                new Quantity(Long.MAX_VALUE, 0),
                Quantity.GREATEST);
    }

    @ParameterizedTest
    @MethodSource("extremes")
    void aSumThatDoesNotFitStaysAtTheLastAmountThatDoes(Quantity one) {
        assertThat(extremes())
                .allSatisfy(
                        other -> {
                            var exact = one.toBigDecimal().add(other.toBigDecimal());

                            assertThat(one.plus(other).toBigDecimal())
                                    .isEqualByComparingTo(clamped(exact));
                        });
    }

    @ParameterizedTest
    @MethodSource("extremes")
    void aDifferenceThatDoesNotFitStaysAtTheLastAmountThatDoes(Quantity one) {
        assertThat(extremes())
                .allSatisfy(
                        other -> {
                            var exact = one.toBigDecimal().subtract(other.toBigDecimal());

                            assertThat(one.minus(other).toBigDecimal())
                                    .isEqualByComparingTo(clamped(exact));
                        });
    }

    private static BigDecimal clamped(BigDecimal exact) {
        return exact.min(Quantity.GREATEST.toBigDecimal()).max(Quantity.LEAST.toBigDecimal());
    }

    @ParameterizedTest
    @CsvSource({
        "1, 2, -1",
        "2, 1, 1",
        "1, 1000m, 0",
        "-500m, -600m, 1",
        "-1n, 0, -1",
        "1Gi, 1G, 1"
    })
    void quantitiesAreOrderedLikeNumbers(String one, String other, int order) {
        assertThat(Integer.signum(Quantity.parse(one).compareTo(Quantity.parse(other))))
                .isEqualTo(order);
    }

    @ParameterizedTest
    @CsvSource({"-1n, true, false", "0, false, true", "0m, false, true", "1n, false, false"})
    void theSignIsKnown(String text, boolean isNegative, boolean isZero) {
        var quantity = Quantity.parse(text);

        assertThat(quantity.isNegative()).isEqualTo(isNegative);
        assertThat(quantity.isZero()).isEqualTo(isZero);
    }

    @ParameterizedTest
    @CsvSource({"1500m, 1.5", "-250m, -0.25", "3, 3", "1n, 0.000000001"})
    void aPriceIsReadAsTheNearestDouble(String text, double value) {
        assertThat(Quantity.parse(text).toDouble()).isEqualTo(value);
    }

    @ParameterizedTest
    @CsvSource({"100Mi, 5, 5242880", "1001, 10, 101", "1000, 10, 100", "7, 0.1, 1", "0, 50, 0"})
    void aShareIsRoundedUpToAWholeUnit(String text, BigDecimal percent, String share) {
        assertThat(Quantity.parse(text).percentCeiling(percent)).isEqualTo(Quantity.parse(share));
    }

    @ParameterizedTest
    @CsvSource({"1500, 1500m", "-1, -1m", "0, 0", "-1500, -1500m"})
    void thousandthsAreReadWithTheirSign(long millis, String text) {
        assertThat(Quantity.ofMillis(millis)).isEqualTo(Quantity.parse(text));
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 1_000_000_000})
    void billionthsOutsideOneUnitAreRefused(int nanos) {
        assertThatIllegalArgumentException().isThrownBy(() -> new Quantity(0, nanos));
    }
}
