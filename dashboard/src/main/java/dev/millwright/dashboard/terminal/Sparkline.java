package dev.millwright.dashboard.terminal;

import dev.millwright.dashboard.picture.Picture.Moment;

import java.util.List;

/// Prices over time as one line of bars, each as high as the dearest moment it stands for.
final class Sparkline {

    private static final int WIDTH_MAX = 60;
    private static final int WIDTH_MIN = 8;

    private Sparkline() {}

    static String of(List<Moment> history, int room, Glyphs glyphs) {
        var width = Math.min(Math.min(WIDTH_MAX, room), history.size());
        if (width < WIDTH_MIN) {
            return "";
        }
        var most = history.stream().mapToDouble(Moment::pricePerHour).max().orElse(0);
        var levels = glyphs.levels();
        var line = new StringBuilder();
        for (var column = 0; column < width; column++) {
            var from = column * history.size() / width;
            var to = Math.max(from + 1, (column + 1) * history.size() / width);
            var price =
                    history.subList(from, to).stream()
                            .mapToDouble(Moment::pricePerHour)
                            .max()
                            .orElse(0);
            var level = most <= 0 ? 0 : (int) Math.round(price / most * (levels.length() - 1));
            line.append(levels.charAt(level));
        }
        return line.toString();
    }
}
