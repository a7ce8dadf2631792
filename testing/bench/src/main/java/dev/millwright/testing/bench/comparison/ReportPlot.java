package dev.millwright.testing.bench.comparison;

import java.util.ArrayList;
import java.util.List;
import java.util.SequencedMap;
import java.util.TreeMap;

/// The report as a picture: to the left CPU time by number of pods, both by orders of magnitude; to
/// the right each plan's price as a share of Karpenter's.
final class ReportPlot {

    private static final int WIDTH = 960;
    private static final int HEIGHT = 440;
    private static final Box TIME = new Box(70, 60, 400, 320);
    private static final Box PRICE = new Box(680, 60, 250, 320);

    /// Pods and machines of the series that is drawn: the one that the peer's own benchmark has.
    private static final String SERIES = "diverse on fake400";

    private static final double PERCENT = 100;

    private static final int PRICE_STEP = 25;

    private static final int LEGEND_STEP = 190;

    private static final String STYLE =
            """
            <style>
            text { font: 13px system-ui, sans-serif; fill: #24292f; }
            .head { font-weight: 600; }
            .frame { fill: none; stroke: #8c959f; }
            .grid { stroke: #8c959f; stroke-opacity: 0.3; }
            .line { fill: none; stroke-width: 2; }
            .first-fit { fill: #0072b2; } .line.first-fit { fill: none; stroke: #0072b2; }
            .cheapest { fill: #008a64; } .line.cheapest { fill: none; stroke: #008a64; }
            .bound { fill: #57606a; }
            .peer { fill: #c44f00; } .line.peer { fill: none; stroke: #c44f00; }
            @media (prefers-color-scheme: dark) {
              text { fill: #e6edf3; }
              .first-fit { fill: #56b4e9; } .line.first-fit { stroke: #56b4e9; }
              .cheapest { fill: #3ddcaa; } .line.cheapest { stroke: #3ddcaa; }
              .bound { fill: #9da7b1; }
              .peer { fill: #ff9a52; } .line.peer { stroke: #ff9a52; }
            }
            </style>
            """;

    /// Where a panel lies.
    private record Box(int left, int top, int width, int height) {

        int bottom() {
            return top + height;
        }

        int right() {
            return left + width;
        }
    }

    /// From the power of ten at or below the least value to the one at or above the greatest.
    private record LogAxis(int from, int to) {

        static LogAxis of(List<Double> values) {
            var least = values.stream().mapToDouble(Math::log10).min().orElse(0);
            var most = values.stream().mapToDouble(Math::log10).max().orElse(1);
            return new LogAxis(
                    (int) Math.floor(least),
                    Math.max((int) Math.ceil(most), (int) Math.floor(least) + 1));
        }

        /// The share of the axis below the value.
        double share(double value) {
            return (Math.log10(value) - from) / (to - from);
        }
    }

    private final Report report;
    private final StringBuilder svg = new StringBuilder();

    ReportPlot(Report report) {
        this.report = report;
    }

    String text() {
        svg.append(
                """
                <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" role="img" \
                aria-labelledby="title description">
                <title id="title">CPU time and price of plans: Millwright beside Karpenter</title>
                <desc id="description">%s</desc>
                """
                        .formatted(WIDTH, HEIGHT, escaped(description())));
        svg.append(STYLE);
        timePanel();
        pricePanel();
        legend();
        return svg.append("</svg>\n").toString();
    }

    /// The same in words, for people who do not see it.
    private String description() {
        var words = new StringBuilder("CPU milliseconds for pods: ");
        times().forEach(
                        (mark, byPods) -> {
                            words.append(mark.label());
                            byPods.forEach(
                                    (pods, millis) ->
                                            words.append(
                                                    " %s: %s,"
                                                            .formatted(
                                                                    Rounded.count(pods),
                                                                    Rounded.nearest(millis, 1))));
                            words.append(" ");
                        });
        words.append("Price in percent of Karpenter's: ");
        for (var row : pricedRows()) {
            words.append(row.name());
            shares(row)
                    .forEach(
                            (mark, percent) ->
                                    words.append(
                                            " %s %s,"
                                                    .formatted(
                                                            mark.label(),
                                                            Rounded.nearest(percent, 1))));
            words.append(" ");
        }
        return words.toString().strip();
    }

    private SequencedMap<Mark, SequencedMap<Integer, Double>> times() {
        var times = new TreeMap<Mark, SequencedMap<Integer, Double>>();
        for (var mark : List.of(Mark.FIRST_FIT, Mark.CHEAPEST, Mark.PEER)) {
            times.put(mark, new TreeMap<>());
        }
        Growth.series(report.rows())
                .getOrDefault(SERIES, new TreeMap<>())
                .forEach(
                        (pods, row) -> {
                            put(times, Mark.FIRST_FIT, pods, row.firstFit().cpuMillis());
                            put(times, Mark.CHEAPEST, pods, row.cheapest().cpuMillis());
                            var peer = row.finishedPeer();
                            if (peer != null) {
                                put(times, Mark.PEER, pods, peer.cpuMillis());
                            }
                        });
        return times;
    }

    private static void put(
            SequencedMap<Mark, SequencedMap<Integer, Double>> times,
            Mark mark,
            int pods,
            double millis) {
        times.getOrDefault(mark, new TreeMap<>()).put(pods, millis);
    }

    private void timePanel() {
        var times = times();
        var pods = new ArrayList<Double>();
        var millis = new ArrayList<Double>();
        times.values()
                .forEach(
                        byPods -> {
                            byPods.keySet().forEach(count -> pods.add((double) count));
                            millis.addAll(byPods.values());
                        });
        var across = LogAxis.of(pods);
        var up = LogAxis.of(millis);
        frame(TIME, "CPU time of a plan, by pods (" + SERIES + ")");
        for (var power = across.from(); power <= across.to(); power++) {
            var x = TIME.left() + TIME.width() * across.share(Math.pow(10, power));
            line(x, TIME.top(), x, TIME.bottom());
            label(x, TIME.bottom() + 18, "middle", Rounded.nearest(Math.pow(10, power), 0));
        }
        for (var power = up.from(); power <= up.to(); power++) {
            var y = TIME.bottom() - TIME.height() * up.share(Math.pow(10, power));
            line(TIME.left(), y, TIME.right(), y);
            label(TIME.left() - 8, y + 4, "end", seconds(power));
        }
        times.forEach(
                (mark, byPods) -> {
                    var points = new ArrayList<String>();
                    byPods.forEach(
                            (count, value) -> {
                                var x = TIME.left() + TIME.width() * across.share(count);
                                var y = TIME.bottom() - TIME.height() * up.share(value);
                                points.add(Mark.coordinate(x) + "," + Mark.coordinate(y));
                                svg.append(mark.at(x, y)).append('\n');
                            });
                    svg.append(
                            "<polyline class=\"line %s\" points=\"%s\"/>%n"
                                    .formatted(mark.style(), String.join(" ", points)));
                });
    }

    private static String seconds(int powerOfMillis) {
        return powerOfMillis < 3
                ? Rounded.nearest(Math.pow(10, powerOfMillis), Math.max(0, -powerOfMillis)) + " ms"
                : Rounded.nearest(Math.pow(10, powerOfMillis - 3), 0) + " s";
    }

    /// Problems that have all there is to compare.
    private List<Row> pricedRows() {
        return report.rows().stream()
                .filter(row -> !row.isGiven())
                .filter(row -> row.finishedPeer() != null && row.lowerBoundPerHour() > 0)
                .toList();
    }

    private static SequencedMap<Mark, Double> shares(Row row) {
        var shares = new TreeMap<Mark, Double>();
        var peer = row.finishedPeer();
        if (peer != null) {
            var whole = peer.priceMin() / PERCENT;
            shares.put(Mark.FIRST_FIT, row.firstFit().pricePerHour() / whole);
            shares.put(Mark.CHEAPEST, row.cheapest().pricePerHour() / whole);
            shares.put(Mark.PEER, PERCENT);
            shares.put(Mark.BOUND, row.lowerBoundPerHour() / whole);
        }
        return shares;
    }

    private void pricePanel() {
        var rows = pricedRows();
        frame(PRICE, "Price (Karpenter's is 100 %)");
        var most =
                rows.stream()
                        .flatMap(row -> shares(row).values().stream())
                        .mapToDouble(Double::doubleValue)
                        .max()
                        .orElse(PERCENT);
        var end = PRICE_STEP * (Math.floor(most / PRICE_STEP) + 1);
        for (var percent = 0; percent <= end; percent += PRICE_STEP) {
            var x = PRICE.left() + PRICE.width() * percent / end;
            line(x, PRICE.top(), x, PRICE.bottom());
            label(x, PRICE.bottom() + 18, "middle", percent + " %");
        }
        for (var index = 0; index < rows.size(); index++) {
            var y = PRICE.top() + PRICE.height() * (index + 0.5) / rows.size();
            label(PRICE.left() - 10, y + 4, "end", rows.get(index).name());
            line(PRICE.left(), y, PRICE.right(), y);
            shares(rows.get(index))
                    .forEach(
                            (mark, percent) -> {
                                var x = PRICE.left() + PRICE.width() * percent / end;
                                svg.append(mark.at(x, y)).append('\n');
                            });
        }
    }

    private void legend() {
        var x = TIME.left();
        for (var mark : Mark.values()) {
            svg.append(mark.at(x, HEIGHT - 20)).append('\n');
            label(x + 12, HEIGHT - 16, "start", mark.label());
            x += LEGEND_STEP;
        }
    }

    private void frame(Box box, String head) {
        svg.append(
                "<text class=\"head\" x=\"%d\" y=\"%d\">%s</text>%n"
                        .formatted(box.left(), box.top() - 20, escaped(head)));
        svg.append(
                "<rect class=\"frame\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/>%n"
                        .formatted(box.left(), box.top(), box.width(), box.height()));
    }

    private void line(double fromX, double fromY, double toX, double toY) {
        svg.append(
                "<line class=\"grid\" x1=\"%s\" y1=\"%s\" x2=\"%s\" y2=\"%s\"/>%n"
                        .formatted(
                                Mark.coordinate(fromX),
                                Mark.coordinate(fromY),
                                Mark.coordinate(toX),
                                Mark.coordinate(toY)));
    }

    private void label(double x, double y, String anchor, String text) {
        svg.append(
                "<text x=\"%s\" y=\"%s\" text-anchor=\"%s\">%s</text>%n"
                        .formatted(Mark.coordinate(x), Mark.coordinate(y), anchor, escaped(text)));
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
