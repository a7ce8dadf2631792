package dev.millwright.dashboard.terminal;

import dev.millwright.dashboard.terminal.Frame.Ink;
import dev.millwright.dashboard.terminal.Frame.Span;

/// A frame as a picture of a terminal, in characters of a fixed width. Bars are drawn as boxes: no
/// reader's font makes them touch as a terminal's does. It suits a dark and a light page.
public final class FrameSvg {

    private static final double CELL = 8.4;
    private static final double ROW = 18;
    private static final double LEFT = 20;
    private static final double TOP = 52;
    private static final double BOTTOM = 18;
    private static final String LEVELS = "▁▂▃▄▅▆▇█";

    private static final String STYLE =
            """
            <style>
            text { font: 14px ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace; white-space: pre; }
            .ground { fill: #101820; stroke: #2b3947; }
            .bar { fill: #1a2530; }
            .plain { fill: #dbe5ee; } .faint { fill: #8699a9; } .strong { fill: #ffffff; font-weight: 600; }
            .on-demand { fill: #56a8f2; } .spot { fill: #f0a63a; } .reserved { fill: #c78fe3; }
            .price { fill: #3fd0b4; } .alarm { fill: #ff7b64; font-weight: 600; }
            </style>
            """;

    private final Frame frame;
    private final StringBuilder svg = new StringBuilder();

    private FrameSvg(Frame frame) {
        this.frame = frame;
    }

    /// The title is what the window would say; the description is for who cannot see.
    public static String of(Frame frame, String title, String description) {
        return new FrameSvg(frame).drawn(title, description);
    }

    private String drawn(String title, String description) {
        var width = 2 * LEFT + frame.width() * CELL;
        var height = TOP + frame.lines().size() * ROW + BOTTOM;
        svg.append(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %s %s\" role=\"img\" aria-labelledby=\"title desc\">\n"
                        .formatted(number(width), number(height)));
        svg.append("<title id=\"title\">%s</title>\n".formatted(escaped(title)));
        svg.append("<desc id=\"desc\">%s</desc>\n".formatted(escaped(description)));
        svg.append(STYLE);
        svg.append(
                "<rect class=\"ground\" x=\"0.5\" y=\"0.5\" width=\"%s\" height=\"%s\" rx=\"10\"/>\n"
                        .formatted(number(width - 1), number(height - 1)));
        svg.append(
                "<path class=\"bar\" d=\"M1 34V11a10 10 0 0 1 10-10H%sa10 10 0 0 1 10 10V34z\"/>\n"
                        .formatted(number(width - 11)));
        var buttons = new String[] {"#ff7b64", "#f0a63a", "#3fd0b4"};
        for (var index = 0; index < buttons.length; index++) {
            svg.append(
                    "<circle cx=\"%d\" cy=\"17.5\" r=\"5.5\" fill=\"%s\"/>\n"
                            .formatted(20 + 18 * index, buttons[index]));
        }
        svg.append(
                "<text class=\"faint\" x=\"%s\" y=\"22\" text-anchor=\"middle\">%s</text>\n"
                        .formatted(number(width / 2), escaped(title)));
        for (var row = 0; row < frame.lines().size(); row++) {
            var column = 0;
            for (var span : frame.lines().get(row).spans()) {
                span(span, column, row);
                column += span.text().codePointCount(0, span.text().length());
            }
        }
        return svg.append("</svg>\n").toString();
    }

    /// Runs of blocks become boxes, everything else text.
    private void span(Span span, int column, int row) {
        var text = span.text();
        var from = 0;
        while (from < text.length()) {
            var to = from + 1;
            var isBlock = isBlock(text.charAt(from));
            while (to < text.length() && isAlike(text, from, to, isBlock)) {
                to++;
            }
            var run = text.substring(from, to);
            if (isBlock) {
                block(run, span.ink(), column + from, row);
            } else if (!run.isBlank()) {
                text(run, span.ink(), column + from, row);
            }
            from = to;
        }
    }

    /// Blocks go on while they are the same; text goes on until a block.
    private static boolean isAlike(String text, int from, int at, boolean isBlock) {
        return isBlock ? text.charAt(at) == text.charAt(from) : !isBlock(text.charAt(at));
    }

    private static boolean isBlock(char each) {
        return each == '▓' || LEVELS.indexOf(each) >= 0;
    }

    private void block(String run, Ink ink, int column, int row) {
        var first = run.charAt(0);
        var isWhole = first == '█' || first == '▓';
        var high = isWhole ? ROW - 5 : (ROW - 3) * (LEVELS.indexOf(first) + 1) / LEVELS.length();
        // A gap between runs lets each pod be seen; levels of a sparkline touch.
        var wide = run.length() * CELL - (isWhole ? 1.2 : 0);
        svg.append(
                "<rect class=\"%s\"%s x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\"/>\n"
                        .formatted(
                                style(ink),
                                first == '▓' ? " opacity=\"0.62\"" : "",
                                number(LEFT + column * CELL),
                                number(TOP + row * ROW + 11 - high + (isWhole ? 0 : 1)),
                                number(wide),
                                number(high)));
    }

    private void text(String run, Ink ink, int column, int row) {
        var shown = run.stripTrailing();
        var skipped = shown.length() - shown.stripLeading().length();
        var words = shown.strip();
        svg.append(
                "<text class=\"%s\" x=\"%s\" y=\"%s\" textLength=\"%s\" lengthAdjust=\"spacingAndGlyphs\">%s</text>\n"
                        .formatted(
                                style(ink),
                                number(LEFT + (column + skipped) * CELL),
                                number(TOP + row * ROW + 9),
                                number(words.codePointCount(0, words.length()) * CELL),
                                escaped(words)));
    }

    private static String style(Ink ink) {
        return switch (ink) {
            case PLAIN -> "plain";
            case FAINT -> "faint";
            case STRONG -> "strong";
            case ON_DEMAND -> "on-demand";
            case SPOT -> "spot";
            case RESERVED -> "reserved";
            case PRICE -> "price";
            case ALARM -> "alarm";
        };
    }

    private static String number(double value) {
        var tenths = Math.round(value * 10);
        return tenths % 10 == 0 ? Long.toString(tenths / 10) : tenths / 10 + "." + tenths % 10;
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
