package dev.millwright.core.label;

import static dev.millwright.core.label.Operator.DOES_NOT_EXIST;
import static dev.millwright.core.label.Operator.EXISTS;
import static dev.millwright.core.label.Operator.GT;
import static dev.millwright.core.label.Operator.GTE;
import static dev.millwright.core.label.Operator.IN;
import static dev.millwright.core.label.Operator.LT;
import static dev.millwright.core.label.Operator.LTE;
import static dev.millwright.core.label.Operator.NOT_IN;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.List;
import java.util.stream.Stream;

/// Requirements in the API's form.
final class SelectorRequirementsTest {

    private static final String KEY = "key";

    /// The fourteen operators and values of the algebra, and how each is written.
    static Stream<Arguments> writing() {
        return Stream.of(
                Arguments.of(EXISTS, List.of(), EXISTS, List.of()),
                Arguments.of(DOES_NOT_EXIST, List.of(), DOES_NOT_EXIST, List.of()),
                Arguments.of(IN, List.of("A"), IN, List.of("A")),
                Arguments.of(IN, List.of("B"), IN, List.of("B")),
                Arguments.of(IN, List.of("B", "A"), IN, List.of("A", "B")),
                Arguments.of(NOT_IN, List.of("A"), NOT_IN, List.of("A")),
                Arguments.of(IN, List.of("1"), IN, List.of("1")),
                Arguments.of(IN, List.of("9"), IN, List.of("9")),
                Arguments.of(IN, List.of("9", "1"), IN, List.of("1", "9")),
                Arguments.of(NOT_IN, List.of("2", "1"), NOT_IN, List.of("1", "2")),
                Arguments.of(GT, List.of("1"), GTE, List.of("2")),
                Arguments.of(GT, List.of("9"), GTE, List.of("10")),
                Arguments.of(LT, List.of("1"), LTE, List.of("0")),
                Arguments.of(LT, List.of("9"), LTE, List.of("8")));
    }

    @Tag("A8")
    @ParameterizedTest
    @MethodSource("writing")
    void aRequirementIsWrittenWithOneOperatorAndSortedValues(
            Operator operator, List<String> values, Operator written, List<String> writtenValues) {
        assertThat(Requirement.of(KEY, operator, null, values).selectorRequirements())
                .containsExactly(entry(written, writtenValues, null));
    }

    @Tag("A8")
    @ParameterizedTest
    @MethodSource("writing")
    void minValuesAreWrittenToo(
            Operator operator, List<String> values, Operator written, List<String> writtenValues) {
        assertThat(Requirement.of(KEY, operator, 2, values).selectorRequirements())
                .containsExactly(entry(written, writtenValues, 2));
    }

    @Tag("A14")
    @Test
    void twoBoundsTakeTwoEntriesEachWithMinValues() {
        var between =
                Requirement.of(KEY, GTE, 3, List.of("2"))
                        .intersection(Requirement.of(KEY, LTE, "5"));

        assertThat(between.selectorRequirements())
                .containsExactly(entry(GTE, List.of("2"), 3), entry(LTE, List.of("5"), 3));
    }

    @Tag("A14")
    @Test
    void valuesExcludedBetweenBoundsAreNotForgotten() {
        var between =
                Requirement.of(KEY, GTE, "2").intersection(Requirement.of(KEY, NOT_IN, "1", "4"));

        assertThat(between.selectorRequirements())
                .containsExactly(entry(GTE, List.of("2"), null), entry(NOT_IN, List.of("4"), null));
    }

    @Tag("A14")
    @Test
    void readingWhatWasWrittenGivesTheSameRequirement() {
        var requirement =
                Requirement.of(KEY, GTE, 2, List.of("2"))
                        .intersection(Requirement.of(KEY, LTE, "9"))
                        .intersection(Requirement.of(KEY, NOT_IN, "4", "7"));

        var read =
                Requirements.of(
                        requirement.selectorRequirements().stream()
                                .map(
                                        each ->
                                                Requirement.of(
                                                        each.key(),
                                                        each.operator(),
                                                        each.minValues(),
                                                        each.values()))
                                .toList());

        assertThat(read.on(KEY)).isEqualTo(requirement);
    }

    @Tag("A14")
    @Test
    void aSetIsWrittenInTheOrderOfItsKeys() {
        var set =
                Requirements.of(
                        Requirement.in("c", "1"),
                        Requirement.of("b", GT, "1"),
                        Requirement.of("b", LT, "9"),
                        Requirement.exists("a"));

        assertThat(set.selectorRequirements())
                .extracting(SelectorRequirement::toString)
                .containsExactly("a Exists []", "b Gte [2]", "b Lte [8]", "c In [1]");
    }

    private static SelectorRequirement entry(
            Operator operator, List<String> values, @Nullable Integer minValues) {
        return new SelectorRequirement(KEY, operator, values, minValues);
    }
}
