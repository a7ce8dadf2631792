package dev.millwright.providers.sim;

import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.regex.Pattern;

/// A comma-separated table with a header and without quoting, as `docs/reference/catalogue.md`
/// describes it. Columns are found by name, so that a new one at any place breaks nothing.
///
/// @param columns the position of each column by its name, in the order of the header
record CsvTable(SequencedMap<String, Integer> columns, List<Row> rows) {

    /// More lines than any region will ever sell; a file beyond is not a catalogue.
    private static final int LINES_MAX = 20_000;

    private static final Pattern LIST_SEPARATOR = Pattern.compile("\\|");

    CsvTable {
        columns = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(columns));
        rows = List.copyOf(rows);
    }

    /// @throws CatalogueFormatException when a line has more or fewer fields than the header
    static CsvTable parse(String file, String content) {
        var lines = content.lines().limit(LINES_MAX + 1L).toList();
        if (lines.isEmpty() || lines.size() > LINES_MAX) {
            throw new CatalogueFormatException(
                    file, lines.size(), "wanted 1 to %d lines".formatted(LINES_MAX));
        }
        var columns = header(file, lines.getFirst());
        var rows = new ArrayList<Row>();
        for (var index = 1; index < lines.size(); index++) {
            rows.add(row(file, index + 1, columns, lines.get(index)));
        }
        return new CsvTable(columns, rows);
    }

    private static SequencedMap<String, Integer> header(String file, String line) {
        var columns = new LinkedHashMap<String, Integer>();
        for (var name : fields(line)) {
            if (columns.putIfAbsent(name, columns.size()) != null) {
                throw new CatalogueFormatException(
                        file, 1, "column %s: found twice, wanted once".formatted(name));
            }
        }
        return columns;
    }

    private static Row row(
            String file, int line, SequencedMap<String, Integer> columns, String text) {
        var fields = fields(text);
        if (fields.size() != columns.size()) {
            throw new CatalogueFormatException(
                    file,
                    line,
                    "column %s: found %d fields, wanted %d"
                            .formatted(
                                    firstMissingOrLast(columns, fields.size()),
                                    fields.size(),
                                    columns.size()));
        }
        return new Row(file, line, columns, fields);
    }

    /// Where a person should look first: the column that got no field, or the last one when there
    /// are fields to spare.
    private static String firstMissingOrLast(SequencedMap<String, Integer> columns, int fields) {
        var names = List.copyOf(columns.sequencedKeySet());
        return names.get(Math.min(fields, names.size() - 1));
    }

    private static List<String> fields(String line) {
        return List.of(line.split(",", -1));
    }

    /// One line, read field by field. Each reader names line and column when it cannot.
    record Row(String file, int line, SequencedMap<String, Integer> columns, List<String> fields) {

        /// The field as it stands, possibly empty.
        String text(String column) {
            var position = columns.get(column);
            if (position == null) {
                throw new CatalogueFormatException(
                        file, 1, "column %s: not found in the header".formatted(column));
            }
            return fields.get(position);
        }

        String required(String column) {
            var text = text(column);
            if (text.isEmpty()) {
                throw fault(column, "a value");
            }
            return text;
        }

        long whole(String column) {
            var text = text(column);
            try {
                var number = Long.parseLong(text);
                if (number >= 0) {
                    return number;
                }
            } catch (NumberFormatException _) {
                // Told below, with the place.
            }
            throw fault(column, "a whole number");
        }

        /// Zero when the field is empty, where the format says that means none.
        long wholeOrZero(String column) {
            return text(column).isEmpty() ? 0 : whole(column);
        }

        @Nullable Long wholeOrNull(String column) {
            return text(column).isEmpty() ? null : whole(column);
        }

        /// Null when the field is empty.
        @Nullable BigDecimal price(String column) {
            var text = text(column);
            if (text.isEmpty()) {
                return null;
            }
            try {
                var price = new BigDecimal(text);
                if (price.signum() > 0) {
                    return price;
                }
            } catch (NumberFormatException _) {
                // Told below, with the place.
            }
            throw fault(column, "a price above zero such as 0.192");
        }

        boolean flag(String column) {
            return switch (text(column)) {
                case "true" -> true;
                case "false" -> false;
                default -> throw fault(column, "true or false");
            };
        }

        List<String> list(String column) {
            return List.of(LIST_SEPARATOR.split(required(column), -1));
        }

        /// The list of whole numbers in a field that holds at least one.
        List<Long> wholes(String column) {
            try {
                return list(column).stream().map(Long::valueOf).toList();
            } catch (NumberFormatException _) {
                throw fault(column, "whole numbers separated by |");
            }
        }

        CatalogueFormatException fault(String column, String wanted) {
            return new CatalogueFormatException(
                    file,
                    line,
                    "column %s: found \"%s\", wanted %s".formatted(column, text(column), wanted));
        }
    }
}
