package dev.millwright.testing.bench.comparison;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// A table of texts: the first column to the left, the others, which are numbers, to the right.
public record Grid(List<String> heads, List<List<String>> rows) {

    public Grid {
        heads = List.copyOf(heads);
        rows = rows.stream().map(List::copyOf).toList();
        for (var row : rows) {
            if (row.size() != heads.size()) {
                throw new IllegalArgumentException(
                        "row %s has %d cells; wanted %d".formatted(row, row.size(), heads.size()));
            }
        }
    }

    public String text() {
        var lines = new ArrayList<List<String>>();
        lines.add(heads);
        lines.addAll(rows);
        var widths =
                IntStream.range(0, heads.size())
                        .map(
                                column ->
                                        lines.stream()
                                                .mapToInt(line -> line.get(column).length())
                                                .max()
                                                .orElse(0))
                        .toArray();
        return lines.stream()
                .map(line -> line(line, widths))
                .collect(Collectors.joining("\n", "", "\n"));
    }

    private static String line(List<String> cells, int[] widths) {
        var line = new StringBuilder();
        for (var column = 0; column < widths.length; column++) {
            var padding = " ".repeat(widths[column] - cells.get(column).length());
            line.append(column == 0 ? "" : "  ");
            line.append(column == 0 ? cells.get(0) + padding : padding + cells.get(column));
        }
        return line.toString().stripTrailing();
    }

    public String markdown() {
        var rule =
                IntStream.range(0, heads.size())
                        .mapToObj(column -> column == 0 ? "---" : "---:")
                        .toList();
        var lines = new ArrayList<List<String>>();
        lines.add(heads);
        lines.add(rule);
        lines.addAll(rows);
        return lines.stream()
                .map(line -> "| " + String.join(" | ", line) + " |")
                .collect(Collectors.joining("\n", "", "\n"));
    }
}
