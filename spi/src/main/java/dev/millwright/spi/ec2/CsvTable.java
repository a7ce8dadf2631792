package dev.millwright.spi.ec2;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;

/// A comma-separated table with a header and without quoting, as `docs/reference/catalogue.md`
/// describes it. Columns are found by name, so that a new one at any place breaks nothing.
///
/// @param columns the position of each column by its name, in the order of the header
public record CsvTable(SequencedMap<String, Integer> columns, List<Row> rows) {

    /// @param tool what makes the file, for whoever finds it broken
    public record Source(String file, String tool) {}

    /// More lines than any region will ever sell; a file beyond is not a catalogue.
    private static final int LINES_MAX = 20_000;

    private static final Pattern LIST_SEPARATOR = Pattern.compile("\\|");

    public CsvTable {
        columns = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(columns));
        rows = List.copyOf(rows);
    }

    private static final String PACKED = ".gz";

    /// Reads the file that lies beside a class, packed by gzip where its name says so.
    ///
    /// @throws CatalogueFormatException when a line has more or fewer fields than the header
    public static CsvTable load(Class<?> beside, Source source) {
        try (var stream = beside.getResourceAsStream(source.file())) {
            if (stream == null) {
                throw new IllegalStateException(
                        "%s is not beside the classes; build the module with its resources"
                                .formatted(source.file()));
            }
            var bytes =
                    source.file().endsWith(PACKED)
                            ? new GZIPInputStream(stream).readAllBytes()
                            : stream.readAllBytes();
            return parse(source, new String(bytes, StandardCharsets.US_ASCII));
        } catch (IOException failure) {
            throw new UncheckedIOException(
                    "%s could not be read".formatted(source.file()), failure);
        }
    }

    /// @throws CatalogueFormatException when a line has more or fewer fields than the header
    public static CsvTable parse(Source source, String content) {
        var lines = content.lines().limit(LINES_MAX + 1L).toList();
        if (lines.isEmpty() || lines.size() > LINES_MAX) {
            throw new CatalogueFormatException(
                    source, lines.size(), "wanted 1 to %d lines".formatted(LINES_MAX));
        }
        var columns = header(source, lines.getFirst());
        var rows = new ArrayList<Row>();
        for (var index = 1; index < lines.size(); index++) {
            rows.add(row(source, index + 1, columns, lines.get(index)));
        }
        return new CsvTable(columns, rows);
    }

    private static SequencedMap<String, Integer> header(Source source, String line) {
        var columns = new LinkedHashMap<String, Integer>();
        for (var name : fields(line)) {
            if (columns.putIfAbsent(name, columns.size()) != null) {
                throw new CatalogueFormatException(
                        source, 1, "column %s: found twice, wanted once".formatted(name));
            }
        }
        return columns;
    }

    private static Row row(
            Source source, int line, SequencedMap<String, Integer> columns, String text) {
        var fields = fields(text);
        if (fields.size() != columns.size()) {
            throw new CatalogueFormatException(
                    source,
                    line,
                    "column %s: found %d fields, wanted %d"
                            .formatted(
                                    firstMissingOrLast(columns, fields.size()),
                                    fields.size(),
                                    columns.size()));
        }
        return new Row(source, line, columns, fields);
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
    public record Row(
            Source source, int line, SequencedMap<String, Integer> columns, List<String> fields) {

        /// The field as it stands, possibly empty.
        public String text(String column) {
            var position = columns.get(column);
            if (position == null) {
                throw new CatalogueFormatException(
                        source, 1, "column %s: not found in the header".formatted(column));
            }
            return fields.get(position);
        }

        public String required(String column) {
            var text = text(column);
            if (text.isEmpty()) {
                throw fault(column, "a value");
            }
            return text;
        }

        public long whole(String column) {
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
        public long wholeOrZero(String column) {
            return text(column).isEmpty() ? 0 : whole(column);
        }

        public @Nullable Long wholeOrNull(String column) {
            return text(column).isEmpty() ? null : whole(column);
        }

        /// Null when the field is empty.
        public @Nullable BigDecimal price(String column) {
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

        public boolean flag(String column) {
            return switch (text(column)) {
                case "true" -> true;
                case "false" -> false;
                default -> throw fault(column, "true or false");
            };
        }

        public List<String> list(String column) {
            return List.of(LIST_SEPARATOR.split(required(column), -1));
        }

        /// The list of whole numbers in a field that holds at least one.
        public List<Long> wholes(String column) {
            try {
                return list(column).stream().map(Long::valueOf).toList();
            } catch (NumberFormatException _) {
                throw fault(column, "whole numbers separated by |");
            }
        }

        public CatalogueFormatException fault(String column, String wanted) {
            return new CatalogueFormatException(
                    source,
                    line,
                    "column %s: found \"%s\", wanted %s".formatted(column, text(column), wanted));
        }
    }
}
