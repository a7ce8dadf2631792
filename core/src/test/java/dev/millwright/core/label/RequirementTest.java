package dev.millwright.core.label;

import static dev.millwright.core.label.Sample.KEY;
import static dev.millwright.core.label.Sample.UNIVERSE;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

final class RequirementTest {

    private static final long MOST = Long.MAX_VALUE;

    // Intersection -----------------------------------------------------------------------------

    @Tag("A1")
    @ParameterizedTest
    @EnumSource
    void anIntersectionHasWhatBothSidesAllow(Sample one) {
        assertThat(Sample.values())
                .allSatisfy(
                        other -> {
                            var both = one.requirement().intersection(other.requirement());

                            assertThat(UNIVERSE)
                                    .filteredOn(both::has)
                                    .isEqualTo(one.allowedWith(other));
                        });
    }

    @Tag("A1")
    @ParameterizedTest
    @EnumSource
    void theOrderOfAnIntersectionDoesNotMatter(Sample one) {
        assertThat(Sample.values())
                .allSatisfy(
                        other -> {
                            var both = one.requirement().intersection(other.requirement());

                            assertThat(both)
                                    .isEqualTo(other.requirement().intersection(one.requirement()));
                        });
    }

    @Tag("A1")
    @ParameterizedTest
    @EnumSource
    void requirementsIntersectExactlyWhenTheirIntersectionIsNotEmpty(Sample one) {
        assertThat(Sample.values())
                .allSatisfy(
                        other -> {
                            var intersects = one.requirement().intersects(other.requirement());

                            assertThat(intersects).isEqualTo(!one.allowedWith(other).isEmpty());
                        });
    }

    @Tag("A1")
    @ParameterizedTest
    @EnumSource
    void aRequirementIntersectedWithItselfStaysTheSame(Sample sample) {
        var requirement = sample.requirement();

        assertThat(requirement.intersection(requirement)).isEqualTo(requirement);
    }

    @Tag("A1")
    @Test
    void anIntersectionThatIsFiniteForgetsItsBounds() {
        var both = Sample.GREATER_1.requirement().intersection(Sample.IN_19.requirement());

        assertThat(both).isEqualTo(Requirement.in(KEY, "9"));
    }

    @Tag("A1")
    @Test
    void exclusionsOutsideTheBoundsAreForgotten() {
        var both = Sample.NOT_IN_12.requirement().intersection(Sample.GREATER_9.requirement());

        assertThat(both).isEqualTo(Sample.GREATER_9.requirement());
    }

    @Tag("A2")
    @ParameterizedTest
    @EnumSource
    void minValuesOfOneSideIsKept(Sample one) {
        assertThat(Sample.values())
                .allSatisfy(
                        other -> {
                            var left = one.requirement(3).intersection(other.requirement());
                            var right = one.requirement().intersection(other.requirement(3));

                            assertThat(left.minValues()).isEqualTo(3);
                            assertThat(right.minValues()).isEqualTo(3);
                            assertThat(UNIVERSE)
                                    .filteredOn(left::has)
                                    .isEqualTo(one.allowedWith(other));
                        });
    }

    @Tag("A3")
    @ParameterizedTest
    @EnumSource
    void theLargerOfTwoMinValuesIsKept(Sample one) {
        assertThat(Sample.values())
                .allSatisfy(
                        other -> {
                            var rising = one.requirement(1).intersection(other.requirement(2));
                            var falling = one.requirement(2).intersection(other.requirement(1));

                            assertThat(rising.minValues()).isEqualTo(2);
                            assertThat(falling.minValues()).isEqualTo(2);
                        });
    }

    // Reading ----------------------------------------------------------------------------------

    @Tag("A4")
    @ParameterizedTest
    @EnumSource
    void aRequirementHasExactlyWhatItsOperatorSays(Sample sample) {
        var requirement = sample.requirement();

        assertThat(UNIVERSE).filteredOn(requirement::has).isEqualTo(sample.allowed());
    }

    @Tag("A5")
    @ParameterizedTest
    @CsvSource({
        "EXISTS, EXISTS",
        "ABSENT, DOES_NOT_EXIST",
        "IN_A, IN",
        "IN_B, IN",
        "IN_AB, IN",
        "NOT_IN_A, NOT_IN",
        "IN_1, IN",
        "IN_9, IN",
        "IN_19, IN",
        "NOT_IN_12, NOT_IN",
        "GREATER_1, EXISTS",
        "GREATER_9, EXISTS",
        "LESS_1, EXISTS",
        "LESS_9, EXISTS"
    })
    void theReportedOperatorIsWhatTheSetAmountsTo(Sample sample, Operator operator) {
        assertThat(sample.requirement().operator()).isEqualTo(operator);
    }

    static Stream<Arguments> sizes() {
        return Stream.of(
                Arguments.of(Sample.EXISTS, MOST),
                Arguments.of(Sample.ABSENT, 0),
                Arguments.of(Sample.IN_A, 1),
                Arguments.of(Sample.IN_B, 1),
                Arguments.of(Sample.IN_AB, 2),
                Arguments.of(Sample.NOT_IN_A, MOST - 1),
                Arguments.of(Sample.IN_1, 1),
                Arguments.of(Sample.IN_9, 1),
                Arguments.of(Sample.IN_19, 2),
                Arguments.of(Sample.NOT_IN_12, MOST - 2),
                Arguments.of(Sample.GREATER_1, MOST),
                Arguments.of(Sample.GREATER_9, MOST),
                Arguments.of(Sample.LESS_1, MOST),
                Arguments.of(Sample.LESS_9, MOST));
    }

    @Tag("A6")
    @ParameterizedTest
    @MethodSource("sizes")
    void theSizeOfAComplementIsTheGreatestNumberLessItsExclusions(Sample sample, long size) {
        assertThat(sample.requirement().size()).isEqualTo(size);
    }

    @Tag("A7")
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "EXISTS | key Exists",
                "ABSENT | key DoesNotExist",
                "IN_A | key In [A]",
                "IN_B | key In [B]",
                "IN_AB | key In [A B]",
                "NOT_IN_A | key NotIn [A]",
                "IN_1 | key In [1]",
                "IN_9 | key In [9]",
                "IN_19 | key In [1 9]",
                "NOT_IN_12 | key NotIn [1 2]",
                "GREATER_1 | key Exists >=2",
                "GREATER_9 | key Exists >=10",
                "LESS_1 | key Exists <=0",
                "LESS_9 | key Exists <=8"
            })
    void aRequirementReadsAsText(Sample sample, String text) {
        assertThat(sample.requirement()).hasToString(text);
        assertThat(sample.requirement(3)).hasToString(text + " minValues 3");
    }

    @Tag("A7")
    @Test
    void aTextShowsFiveValuesAndCountsTheRest() {
        var requirement = Requirement.in(KEY, "g", "f", "e", "d", "c", "b", "a");

        assertThat(requirement).hasToString("key In [a b c d e and 2 others]");
    }

    @Tag("A7")
    @Test
    void aTextShowsBothBounds() {
        var requirement = Sample.GREATER_1.requirement().intersection(Sample.LESS_9.requirement());

        assertThat(requirement).hasToString("key Exists >=2 <=8");
    }

    // Selector requirements --------------------------------------------------------------------

    @Tag("A8")
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            value = {
                "EXISTS | EXISTS | -",
                "ABSENT | DOES_NOT_EXIST | -",
                "IN_A | IN | A",
                "IN_B | IN | B",
                "IN_AB | IN | A B",
                "NOT_IN_A | NOT_IN | A",
                "IN_1 | IN | 1",
                "IN_9 | IN | 9",
                "IN_19 | IN | 1 9",
                "NOT_IN_12 | NOT_IN | 1 2",
                "GREATER_1 | GTE | 2",
                "GREATER_9 | GTE | 10",
                "LESS_1 | LTE | 0",
                "LESS_9 | LTE | 8"
            })
    void aRequirementConvertsToTheFormOfTheApi(
            Sample sample, Operator operator, @Nullable String values) {
        var listed = values == null ? List.<String>of() : List.of(values.split(" "));

        assertThat(sample.requirement().selectorRequirements())
                .containsExactly(new SelectorRequirement(KEY, operator, listed, null));
        assertThat(sample.requirement(3).selectorRequirements())
                .containsExactly(new SelectorRequirement(KEY, operator, listed, 3));
    }

    @Tag("A8")
    @Tag("A14")
    @Test
    void twoBoundsTakeTwoEntriesWithTheirMinValues() {
        var range = Sample.GREATER_1.requirement(4).intersection(Sample.LESS_9.requirement());

        assertThat(range.selectorRequirements())
                .containsExactly(
                        new SelectorRequirement(KEY, Operator.GTE, List.of("2"), 4),
                        new SelectorRequirement(KEY, Operator.LTE, List.of("8"), 4));
    }

    @Tag("A8")
    @Tag("A14")
    @ParameterizedTest
    @EnumSource
    void nothingIsLostInTheFormOfTheApi(Sample one) {
        assertThat(Sample.values())
                .allSatisfy(
                        other -> {
                            var both = one.requirement(2).intersection(other.requirement());

                            var read =
                                    both.selectorRequirements().stream()
                                            .map(
                                                    entry ->
                                                            Requirement.of(
                                                                    entry.key(),
                                                                    entry.operator(),
                                                                    entry.minValues(),
                                                                    entry.values()))
                                            .reduce(Requirement::intersection);

                            assertThat(read).contains(both);
                        });
    }

    // Any value --------------------------------------------------------------------------------

    @Tag("A9")
    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"ABSENT", "LESS_1"})
    void anyValueIsOneTheRequirementHas(Sample sample) {
        var value = sample.requirement().anyValue();

        assertThat(sample.allows(value)).as(value).isTrue();
    }

    @Tag("A9")
    @Test
    void absenceHasNoValue() {
        assertThat(Sample.ABSENT.requirement().anyValue()).isEmpty();
    }

    @Tag("A9")
    @Tag("A11")
    @ParameterizedTest
    @EnumSource
    void anyValueOfAnIntersectionIsOneBothAllowOrNone(Sample one) {
        assertThat(Sample.values())
                .allSatisfy(
                        other -> {
                            var both = one.requirement().intersection(other.requirement());

                            var value = both.anyValue();

                            assertThat(
                                            value.isEmpty()
                                                    || (one.allows(value) && other.allows(value)))
                                    .as("%s of %s", value, both)
                                    .isTrue();
                        });
    }

    // Aliases ----------------------------------------------------------------------------------

    @Tag("A10")
    @ParameterizedTest
    @CsvSource({
        "failure-domain.beta.kubernetes.io/zone, topology.kubernetes.io/zone",
        "failure-domain.beta.kubernetes.io/region, topology.kubernetes.io/region",
        "beta.kubernetes.io/arch, kubernetes.io/arch",
        "beta.kubernetes.io/os, kubernetes.io/os",
        "beta.kubernetes.io/instance-type, node.kubernetes.io/instance-type",
        "kubernetes.io/arch, kubernetes.io/arch",
        "team, team"
    })
    void anOldSpellingBecomesTodays(String written, String meant) {
        var words = LabelVocabulary.CORE;

        assertThat(words.requirement(written, Operator.IN, null, List.of("x")))
                .isEqualTo(Requirement.in(meant, "x"));
        assertThat(words.labels(Map.of(written, "x")).on(meant))
                .isEqualTo(Requirement.in(meant, "x"));
    }

    @Tag("A10")
    @Test
    void aProviderAddsItsOwnOldSpellings() {
        var words = LabelVocabulary.CORE.withAlias("old.example/zone", LabelKeys.ZONE);

        assertThat(words.normalize("old.example/zone")).isEqualTo(LabelKeys.ZONE);
        assertThat(LabelVocabulary.CORE.normalize("old.example/zone"))
                .isEqualTo("old.example/zone");
    }

    // Bounds -----------------------------------------------------------------------------------

    @Tag("A11")
    @ParameterizedTest
    @CsvSource({"GTE, 5, 4, false", "GTE, 5, 5, true", "LTE, 5, 5, true", "LTE, 5, 6, false"})
    void boundsThatIncludeTheirNumberHaveIt(
            Operator operator, String bound, String value, boolean isMember) {
        assertThat(Requirement.of(KEY, operator, bound).has(value)).isEqualTo(isMember);
    }

    @Tag("A11")
    @ParameterizedTest
    @CsvSource({"GT, 5, GTE, 6", "LT, 5, LTE, 4", "GT, 0, GTE, 1", "LT, 0, LTE, -1"})
    void aStrictBoundIsTheNextInclusiveOne(
            Operator strict, String bound, Operator inclusive, String next) {
        assertThat(Requirement.of(KEY, strict, bound))
                .isEqualTo(Requirement.of(KEY, inclusive, next));
    }

    @Tag("A11")
    @ParameterizedTest
    @CsvSource({
        "GTE, 3, GTE, 7, 7,",
        "GT, 3, GTE, 4, 4,",
        "GT, 9, GTE, 3, 10,",
        "LTE, 3, LTE, 7, , 3",
        "LT, 4, LTE, 9, , 3",
        "LTE, 2, LT, 9, , 2",
        "GTE, 0, LTE, 0, 0, 0",
        "GT, 1, LT, 9, 2, 8",
        "GTE, 1, LTE, 9, 1, 9"
    })
    void theTighterBoundWins(
            Operator one, String left, Operator other, String right, Long lower, Long upper) {
        var both = Requirement.of(KEY, one, left).intersection(Requirement.of(KEY, other, right));

        assertThat(both.lower()).isEqualTo(lower);
        assertThat(both.upper()).isEqualTo(upper);
    }

    @Tag("A11")
    @Test
    void boundsThatCrossLeaveNothing() {
        var both =
                Requirement.of(KEY, Operator.GTE, 4, List.of("8"))
                        .intersection(Requirement.of(KEY, Operator.LTE, "7"));

        assertThat(both.operator()).isEqualTo(Operator.DOES_NOT_EXIST);
        assertThat(both.minValues()).isEqualTo(4);
        assertThat(both.lower()).isNull();
        assertThat(both.upper()).isNull();
    }

    @Tag("A11")
    @Test
    void nothingIsLessThanTheLeastNumber() {
        var least = Long.toString(Long.MIN_VALUE);

        var requirement = Requirement.of(KEY, Operator.LT, least);

        assertThat(requirement.operator()).isEqualTo(Operator.DOES_NOT_EXIST);
        assertThat(requirement.has(least)).isFalse();
    }

    @Test
    void aListOfValuesIsNoComplementAndAnExclusionIs() {
        assertThat(Sample.IN_A.requirement().isComplement()).isFalse();
        assertThat(Sample.NOT_IN_A.requirement().isComplement()).isTrue();
        assertThat(Requirement.doesNotExist(KEY)).isEqualTo(Sample.ABSENT.requirement());
    }

    @Test
    void onlyMinValuesChangeWhenTheyAreSet() {
        var range = Sample.GREATER_1.requirement(3);

        assertThat(range.withMinValues(3)).isEqualTo(range);
        assertThat(range.withMinValues(4)).isEqualTo(Sample.GREATER_1.requirement(4));
        assertThat(range.withMinValues(null)).isEqualTo(Sample.GREATER_1.requirement());
    }

    @ParameterizedTest
    @EnumSource
    void fourOperatorsCompareNumbers(Operator operator) {
        assertThat(operator.isNumeric())
                .isEqualTo(
                        EnumSet.of(Operator.GT, Operator.LT, Operator.GTE, Operator.LTE)
                                .contains(operator));
    }

    @Test
    void anUnknownOperatorIsAnsweredWithTheKnownOnes() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Operator.parse("Eq"))
                .withMessage(
                        "operator \"Eq\" is unknown; wanted one of In, NotIn, Exists, DoesNotExist, Gt, Lt, Gte, Lte");
    }

    @Tag("A11")
    @Test
    void nothingIsGreaterThanTheGreatestNumber() {
        var requirement = Requirement.of(KEY, Operator.GT, Long.toString(Long.MAX_VALUE));

        assertThat(requirement.operator()).isEqualTo(Operator.DOES_NOT_EXIST);
        assertThat(UNIVERSE).noneMatch(requirement::has);
    }

    @Tag("A11")
    @Test
    void anyValueLiesWithinBothBoundsAndBesideTheExclusions() {
        var range =
                Requirement.of(KEY, Operator.GTE, "5")
                        .intersection(Requirement.of(KEY, Operator.LTE, "6"))
                        .intersection(Requirement.of(KEY, Operator.NOT_IN, "5"));

        assertThat(range.anyValue()).isEqualTo("6");
    }

    @Test
    void whereEveryNumberWithinTheBoundsIsExcludedThereIsNoValue() {
        var excluded = Requirement.of(KEY, Operator.NOT_IN, "5", "6");

        assertThat(
                        Requirement.of(KEY, Operator.GTE, "5")
                                .intersection(Requirement.of(KEY, Operator.LTE, "6"))
                                .intersection(excluded)
                                .anyValue())
                .isEmpty();
        assertThat(
                        Requirement.of(KEY, Operator.GTE, Long.toString(MOST))
                                .intersection(
                                        Requirement.of(KEY, Operator.NOT_IN, Long.toString(MOST)))
                                .anyValue())
                .isEmpty();
    }

    @Test
    void theLeastNumberOfAllIsAWholeNumber() {
        var least = Long.toString(Long.MIN_VALUE);

        assertThat(Requirement.of(KEY, Operator.GTE, least).lower()).isEqualTo(Long.MIN_VALUE);
    }

    @Test
    void requirementsAreEqualByAllTheySay() {
        var requirement = Requirement.of(KEY, Operator.IN, 1, List.of("a", "b"));

        assertThat(requirement)
                .isEqualTo(Requirement.of(KEY, Operator.IN, 1, List.of("b", "a")))
                .hasSameHashCodeAs(Requirement.of(KEY, Operator.IN, 1, List.of("b", "a")));
        assertThat(requirement)
                .isNotEqualTo(Requirement.of(KEY, Operator.IN, 2, List.of("a", "b")))
                .isNotEqualTo(Requirement.of(KEY, Operator.NOT_IN, 1, List.of("a", "b")))
                .isNotEqualTo(Requirement.of("other", Operator.IN, 1, List.of("a", "b")))
                .isNotEqualTo(Requirement.in(KEY, "a"))
                .isNotEqualTo("zone In [a b] minValues 1");
    }

    @Test
    void requirementsThatDifferAreToldApartByTheirHash() {
        assertThat(Requirement.in(KEY, "a")).doesNotHaveSameHashCodeAs(Requirement.in(KEY, "b"));
    }

    @Test
    void fiveValuesAreShownAndOfSixOneIsCounted() {
        assertThat(Requirement.in(KEY, "a", "b", "c", "d", "e"))
                .hasToString(KEY + " In [a b c d e]");
        assertThat(Requirement.in(KEY, "a", "b", "c", "d", "e", "f"))
                .hasToString(KEY + " In [a b c d e and 1 others]");
    }

    @Tag("A11")
    @ParameterizedTest
    @CsvSource({"GT, x", "LT, 1.5", "GTE, ''", "LTE, 99999999999999999999"})
    void aBoundThatIsNoWholeNumberIsRefused(Operator operator, String value) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Requirement.of(KEY, operator, value))
                .withMessageContaining(KEY)
                .withMessageContaining("exactly one whole number");
    }

    @Tag("A11")
    @Test
    void aBoundNeedsExactlyOneNumber() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Requirement.of(KEY, Operator.GT, "1", "2"));
    }
}
