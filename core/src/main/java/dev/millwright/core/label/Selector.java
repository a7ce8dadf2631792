package dev.millwright.core.label;

import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/// A Kubernetes label selector. The empty one selects everything; an absent one, which is no
/// `Selector`, nothing.
public record Selector(SequencedMap<String, String> matchLabels, List<Expression> expressions) {

    public static final Selector EVERYTHING = new Selector(new TreeMap<>(), List.of());

    /// One of a selector's expressions. Only `In`, `NotIn`, `Exists` and `DoesNotExist` are
    /// selectors' operators.
    public record Expression(String key, Operator operator, List<String> values) {

        public Expression {
            values = List.copyOf(new TreeSet<>(values));
        }

        /// Whether Kubernetes would accept it; one that it would not selects nothing.
        boolean isValid() {
            return switch (operator) {
                case IN, NOT_IN -> !values.isEmpty();
                case EXISTS, DOES_NOT_EXIST -> values.isEmpty();
                case GT, LT, GTE, LTE -> false;
            };
        }

        boolean matches(Map<String, String> labels) {
            var value = labels.get(key);
            return switch (operator) {
                case IN -> value != null && values.contains(value);
                case NOT_IN -> value == null || !values.contains(value);
                case EXISTS -> value != null;
                case DOES_NOT_EXIST -> value == null;
                case GT, LT, GTE, LTE -> false;
            };
        }
    }

    /// Order and repetition of expressions mean nothing, so that equal selectors are equal values.
    public Selector {
        matchLabels = Collections.unmodifiableSequencedMap(new TreeMap<>(matchLabels));
        expressions =
                expressions.stream()
                        .distinct()
                        .sorted(
                                Comparator.comparing(Expression::key)
                                        .thenComparing(Expression::operator)
                                        .thenComparing(
                                                expression ->
                                                        String.join(",", expression.values())))
                        .toList();
    }

    public static Selector ofLabels(Map<String, String> labels) {
        return new Selector(new TreeMap<>(labels), List.of());
    }

    public Selector and(Expression expression) {
        return new Selector(
                matchLabels, Stream.concat(expressions.stream(), Stream.of(expression)).toList());
    }

    public boolean isEmpty() {
        return matchLabels.isEmpty() && expressions.isEmpty();
    }

    public boolean isValid() {
        return expressions.stream().allMatch(Expression::isValid);
    }

    public boolean matches(Map<String, String> labels) {
        return isValid()
                && matchLabels.entrySet().stream()
                        .allMatch(entry -> entry.getValue().equals(labels.get(entry.getKey())))
                && expressions.stream().allMatch(expression -> expression.matches(labels));
    }

    /// Keys the selector looks at; labels of other keys cannot change its answer.
    public List<String> keys() {
        return Stream.concat(
                        matchLabels.keySet().stream(), expressions.stream().map(Expression::key))
                .distinct()
                .toList();
    }
}
