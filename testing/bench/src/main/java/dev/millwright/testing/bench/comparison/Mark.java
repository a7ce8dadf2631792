package dev.millwright.testing.bench.comparison;

import java.util.Locale;

/// Who a point of the plot belongs to: by colour and, for who cannot tell colours, by shape.
enum Mark {
    FIRST_FIT("Millwright, first fit"),
    CHEAPEST("Millwright, cheapest"),
    PEER("Karpenter"),
    BOUND("lower bound");

    private static final int RADIUS = 5;

    private final String label;

    Mark(String label) {
        this.label = label;
    }

    String label() {
        return label;
    }

    /// The name of its colour in the plot's style sheet.
    String style() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /// Its shape around a point.
    String at(double x, double y) {
        return switch (this) {
            case FIRST_FIT ->
                    "<circle class=\"%s\" cx=\"%s\" cy=\"%s\" r=\"%d\"/>"
                            .formatted(style(), coordinate(x), coordinate(y), RADIUS);
            case CHEAPEST ->
                    "<rect class=\"%s\" x=\"%s\" y=\"%s\" width=\"%d\" height=\"%d\"/>"
                            .formatted(
                                    style(),
                                    coordinate(x - RADIUS),
                                    coordinate(y - RADIUS),
                                    2 * RADIUS,
                                    2 * RADIUS);
            case PEER ->
                    "<path class=\"%s\" d=\"M%s %s l%d %d h-%d z\"/>"
                            .formatted(
                                    style(),
                                    coordinate(x),
                                    coordinate(y - RADIUS),
                                    RADIUS,
                                    2 * RADIUS,
                                    2 * RADIUS);
            case BOUND ->
                    "<rect class=\"%s\" x=\"%s\" y=\"%s\" width=\"2\" height=\"%d\"/>"
                            .formatted(
                                    style(), coordinate(x - 1), coordinate(y - RADIUS), 2 * RADIUS);
        };
    }

    static String coordinate(double value) {
        return String.format(Locale.ROOT, "%.1f", value);
    }
}
