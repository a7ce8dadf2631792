package dev.millwright.core.label;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// One of the fourteen requirements that every law is tried on, and what it means, written down a
/// second time and without looking at ours.
enum Sample {
    EXISTS(Operator.EXISTS),
    ABSENT(Operator.DOES_NOT_EXIST),
    IN_A(Operator.IN, "A"),
    IN_B(Operator.IN, "B"),
    IN_AB(Operator.IN, "A", "B"),
    NOT_IN_A(Operator.NOT_IN, "A"),
    IN_1(Operator.IN, "1"),
    IN_9(Operator.IN, "9"),
    IN_19(Operator.IN, "1", "9"),
    NOT_IN_12(Operator.NOT_IN, "1", "2"),
    GREATER_1(Operator.GT, "1"),
    GREATER_9(Operator.GT, "9"),
    LESS_1(Operator.LT, "1"),
    LESS_9(Operator.LT, "9");

    static final String KEY = "key";

    /// Values that tell any two of the samples, and their intersections, apart.
    static final List<String> UNIVERSE =
            List.of(
                    "", "A", "B", "C", "AB", "-3", "0", "1", "2", "3", "8", "9", "10", "11", "99",
                    "1.5", "0x2");

    private final Operator operator;
    private final List<String> values;

    Sample(Operator operator, String... values) {
        this.operator = operator;
        this.values = List.of(values);
    }

    Operator operator() {
        return operator;
    }

    Requirement requirement() {
        return requirement(null);
    }

    Requirement requirement(@Nullable Integer minValues) {
        return Requirement.of(KEY, operator, minValues, values);
    }

    /// The definition: what Kubernetes says of a node with this value of the label.
    boolean allows(String value) {
        return switch (operator) {
            case EXISTS -> true;
            case DOES_NOT_EXIST -> false;
            case IN -> values.contains(value);
            case NOT_IN -> !values.contains(value);
            case GT -> isWhole(value) && Long.parseLong(value) > Long.parseLong(values.getFirst());
            case LT -> isWhole(value) && Long.parseLong(value) < Long.parseLong(values.getFirst());
            case GTE ->
                    isWhole(value) && Long.parseLong(value) >= Long.parseLong(values.getFirst());
            case LTE ->
                    isWhole(value) && Long.parseLong(value) <= Long.parseLong(values.getFirst());
        };
    }

    private static boolean isWhole(String value) {
        return value.matches("-?[0-9]+");
    }

    boolean isContentWithAbsence() {
        return operator == Operator.NOT_IN || operator == Operator.DOES_NOT_EXIST;
    }

    List<String> allowed() {
        return UNIVERSE.stream().filter(this::allows).toList();
    }

    List<String> allowedWith(Sample other) {
        return UNIVERSE.stream().filter(value -> allows(value) && other.allows(value)).toList();
    }
}
