package dev.millwright.cli;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;

/// Columns that line up, whatever stands in them.
final class TextTable {

    private static final String GAP = "  ";
    private static final Pattern COLOUR = Pattern.compile("\u001b\\[[0-9;]*m");

    /// A column's head, and on which side its cells stand.
    record Column(String head, boolean isRight) {}

    private final List<Column> columns;
    private final List<List<String>> rows = new ArrayList<>();

    TextTable(List<Column> columns) {
        this.columns = List.copyOf(columns);
        row(columns.stream().map(Column::head).toArray(String[]::new));
    }

    static Column left(String head) {
        return new Column(head, false);
    }

    static Column right(String head) {
        return new Column(head, true);
    }

    void row(String... cells) {
        rows.add(Arrays.stream(cells).map(PlainWriter::oneLine).toList());
    }

    void print(PrintWriter out) {
        var widths = new int[columns.size()];
        for (var row : rows) {
            for (var index = 0; index < widths.length; index++) {
                widths[index] = Math.max(widths[index], width(row.get(index)));
            }
        }
        for (var row : rows) {
            out.println(line(row, widths).stripTrailing());
        }
    }

    private String line(List<String> row, int[] widths) {
        var line = new StringBuilder();
        for (var index = 0; index < widths.length; index++) {
            var cell = row.get(index);
            var space = " ".repeat(widths[index] - width(cell));
            line.append(index == 0 ? "" : GAP);
            line.append(columns.get(index).isRight() ? space + cell : cell + space);
        }
        return line.toString();
    }

    private static int width(String cell) {
        var plain = COLOUR.matcher(cell).replaceAll("");
        return plain.codePointCount(0, plain.length());
    }
}
