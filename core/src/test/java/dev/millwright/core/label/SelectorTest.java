package dev.millwright.core.label;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.label.Selector.Expression;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;
import java.util.Map;

final class SelectorTest {

    private static Selector selecting(Operator operator, String... values) {
        return Selector.EVERYTHING.and(new Expression("app", operator, List.of(values)));
    }

    @Test
    void theEmptySelectorSelectsEverything() {
        assertThat(Selector.EVERYTHING.matches(Map.of())).isTrue();
        assertThat(Selector.EVERYTHING.matches(Map.of("app", "web"))).isTrue();
    }

    @Test
    void allLabelsMustMatch() {
        var selector = Selector.ofLabels(Map.of("app", "web", "tier", "1"));

        assertThat(selector.matches(Map.of("app", "web", "tier", "1", "x", "y"))).isTrue();
        assertThat(selector.matches(Map.of("app", "web"))).isFalse();
        assertThat(selector.matches(Map.of("app", "web", "tier", "2"))).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "IN, web, true",
        "IN, db, false",
        "NOT_IN, web, false",
        "NOT_IN, db, true",
        "EXISTS, , true",
        "DOES_NOT_EXIST, , false"
    })
    void anExpressionMatchesAPresentLabel(Operator operator, String value, boolean isMatch) {
        var selector = value == null ? selecting(operator) : selecting(operator, value);

        assertThat(selector.matches(Map.of("app", "web"))).isEqualTo(isMatch);
    }

    @ParameterizedTest
    @CsvSource({"IN, web, false", "NOT_IN, web, true", "EXISTS, , false", "DOES_NOT_EXIST, , true"})
    void anExpressionMatchesAnAbsentLabel(Operator operator, String value, boolean isMatch) {
        var selector = value == null ? selecting(operator) : selecting(operator, value);

        assertThat(selector.matches(Map.of())).isEqualTo(isMatch);
    }

    @ParameterizedTest
    @CsvSource({"IN", "NOT_IN", "GT", "LT", "GTE", "LTE"})
    void anInvalidExpressionSelectsNothing(Operator operator) {
        var selector = selecting(operator);

        assertThat(selector.isValid()).isFalse();
        assertThat(selector.matches(Map.of("app", "web"))).isFalse();
        assertThat(selector.matches(Map.of())).isFalse();
    }

    @Test
    void orderAndRepetitionMeanNothing() {
        var one = new Expression("a", Operator.IN, List.of("2", "1", "1"));
        var other = new Expression("b", Operator.EXISTS, List.of());

        assertThat(Selector.EVERYTHING.and(one).and(other).and(one))
                .isEqualTo(Selector.EVERYTHING.and(other).and(one));
        assertThat(Selector.EVERYTHING.and(one).and(other).keys()).containsExactly("a", "b");
    }

    @Test
    void expressionsOfOneKeyAreOrderedByTheirValues() {
        var one = new Expression("a", Operator.IN, List.of("1", "2"));
        var other = new Expression("a", Operator.IN, List.of("2", "3"));

        assertThat(Selector.EVERYTHING.and(one).and(other))
                .isEqualTo(Selector.EVERYTHING.and(other).and(one));
    }

    @Test
    void aSelectorIsEmptyUntilItAsksForALabel() {
        assertThat(Selector.EVERYTHING.isEmpty()).isTrue();
        assertThat(selecting(Operator.EXISTS).isEmpty()).isFalse();
        assertThat(Selector.ofLabels(Map.of("app", "web")).isEmpty()).isFalse();
    }
}
