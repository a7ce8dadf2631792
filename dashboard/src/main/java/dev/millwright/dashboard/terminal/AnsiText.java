package dev.millwright.dashboard.terminal;

import dev.millwright.dashboard.terminal.Frame.Ink;
import dev.millwright.dashboard.terminal.Frame.Line;

import java.util.List;

/// A frame as lines for a terminal. Colours are those of the terminal's own palette, so that they
/// suit its ground; without colours only the letters tell.
public final class AnsiText {

    private static final String END = "\u001b[0m";

    private AnsiText() {}

    public static List<String> lines(Frame frame, boolean isColoured) {
        return frame.lines().stream()
                .map(line -> isColoured ? coloured(line) : line.text().stripTrailing())
                .toList();
    }

    private static String coloured(Line line) {
        var text = new StringBuilder();
        for (var span : line.spans()) {
            var code = code(span.ink());
            text.append(code.isEmpty() ? span.text() : code + span.text() + END);
        }
        return text.toString();
    }

    private static String code(Ink ink) {
        return switch (ink) {
            case PLAIN -> "";
            case FAINT -> "\u001b[2m";
            case STRONG -> "\u001b[1m";
            case ON_DEMAND -> "\u001b[94m";
            case SPOT -> "\u001b[33m";
            case RESERVED -> "\u001b[35m";
            case PRICE -> "\u001b[36m";
            case ALARM -> "\u001b[1;31m";
        };
    }
}
