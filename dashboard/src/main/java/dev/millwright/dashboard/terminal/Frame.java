package dev.millwright.dashboard.terminal;

import java.util.ArrayList;
import java.util.List;

/// A screen full of text, line by line. No line is longer than the screen is wide, so that a
/// terminal wraps none.
public record Frame(int width, List<Line> lines) {

    public Frame {
        lines = List.copyOf(lines);
    }

    /// What text means; how it looks is for whoever paints it.
    public enum Ink {
        PLAIN,
        FAINT,
        STRONG,
        ON_DEMAND,
        SPOT,
        RESERVED,
        PRICE,
        ALARM
    }

    public record Span(String text, Ink ink) {}

    public record Line(List<Span> spans) {
        public Line {
            spans = List.copyOf(spans);
        }

        public String text() {
            var text = new StringBuilder();
            spans.forEach(span -> text.append(span.text()));
            return text.toString();
        }
    }

    /// Writes a line from left to right and stops at the edge.
    static final class Pen {
        private final int width;
        private final List<Span> spans = new ArrayList<>();
        private int column;

        Pen(int width) {
            this.width = width;
        }

        Pen write(String text, Ink ink) {
            var length = text.codePointCount(0, text.length());
            var room = width - column;
            if (room > 0 && length > 0) {
                var fits =
                        length <= room ? text : text.substring(0, text.offsetByCodePoints(0, room));
                spans.add(new Span(fits, ink));
                column += Math.min(length, room);
            }
            return this;
        }

        Pen write(String text) {
            return write(text, Ink.PLAIN);
        }

        /// Spaces up to the column, and one at least if something stands there already.
        Pen to(int wanted) {
            var spaces = column == 0 ? wanted : Math.max(1, wanted - column);
            return write(" ".repeat(Math.max(0, spaces)));
        }

        /// The text at the right edge, if there is room for it.
        Pen right(String text, Ink ink) {
            var length = text.codePointCount(0, text.length());
            return column + length + 1 > width ? this : to(width - length).write(text, ink);
        }

        int room() {
            return width - column;
        }

        Line line() {
            return new Line(spans);
        }
    }
}
