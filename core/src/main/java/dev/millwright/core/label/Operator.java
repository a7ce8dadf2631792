package dev.millwright.core.label;

import java.util.Arrays;
import java.util.stream.Collectors;

/// How a requirement's values bind its key.
public enum Operator {
    IN("In"),
    NOT_IN("NotIn"),
    EXISTS("Exists"),
    DOES_NOT_EXIST("DoesNotExist"),
    GT("Gt"),
    LT("Lt"),
    GTE("Gte"),
    LTE("Lte");

    private final String text;

    Operator(String text) {
        this.text = text;
    }

    /// The spelling of the Kubernetes API.
    public String text() {
        return text;
    }

    public boolean isNumeric() {
        return this == GT || this == LT || this == GTE || this == LTE;
    }

    /// Whether the operator is content with a key nobody defines.
    public boolean allowsAbsence() {
        return this == NOT_IN || this == DOES_NOT_EXIST;
    }

    public static Operator parse(String text) {
        return Arrays.stream(values())
                .filter(operator -> operator.text.equals(text))
                .findFirst()
                .orElseThrow(
                        () ->
                                new IllegalArgumentException(
                                        "operator \"%s\" is unknown; wanted one of %s"
                                                .formatted(text, all())));
    }

    private static String all() {
        return Arrays.stream(values()).map(Operator::text).collect(Collectors.joining(", "));
    }
}
