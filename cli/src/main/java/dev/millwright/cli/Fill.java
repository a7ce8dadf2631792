package dev.millwright.cli;

import dev.millwright.core.quantity.Quantity;

/// How full something is, as a bar and a percentage.
final class Fill {

    private static final int CELLS = 10;
    private static final int PARTS = 8;
    private static final String BLOCKS = "▏▎▍▌▋▊▉█";
    private static final double WELL_FILLED = 0.8;
    private static final double HALF_FILLED = 0.5;

    private final boolean isUnicode;
    private final boolean isColoured;

    Fill(boolean isUnicode, boolean isColoured) {
        this.isUnicode = isUnicode;
        this.isColoured = isColoured;
    }

    static double share(Quantity used, Quantity whole) {
        return whole.isZero() ? 0 : used.toDouble() / whole.toDouble();
    }

    String bar(double share) {
        var bounded = Math.clamp(share, 0.0, 1.0);
        var text = isUnicode ? blocks(bounded) : hashes(bounded);
        return "%s %3.0f%%".formatted(coloured(text, bounded), 100 * share);
    }

    private static String blocks(double share) {
        var parts = (int) Math.round(share * CELLS * PARTS);
        var bar = new StringBuilder("█".repeat(parts / PARTS));
        if (parts % PARTS > 0) {
            bar.append(BLOCKS.charAt(parts % PARTS - 1));
        }
        return bar + "·".repeat(CELLS - bar.length());
    }

    private static String hashes(double share) {
        var cells = (int) Math.round(share * CELLS);
        return "#".repeat(cells) + ".".repeat(CELLS - cells);
    }

    /// Green is well used, yellow has room, red is half empty: money that buys nothing.
    private String coloured(String bar, double share) {
        if (!isColoured) {
            return bar;
        }
        var colour = share >= WELL_FILLED ? 32 : share >= HALF_FILLED ? 33 : 31;
        return "\u001b[%dm%s\u001b[0m".formatted(colour, bar);
    }
}
