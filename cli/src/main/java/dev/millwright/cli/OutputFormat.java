package dev.millwright.cli;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

import java.util.Iterator;
import java.util.List;

/// How a result is shown.
enum OutputFormat {
    TABLE,
    WIDE,
    JSON,
    YAML;

    /// The words of `-o`, to be converted and completed.
    static final class Words implements ITypeConverter<OutputFormat>, Iterable<String> {
        @Override
        public OutputFormat convert(String text) {
            return switch (text) {
                case "table" -> TABLE;
                case "wide" -> WIDE;
                case "json" -> JSON;
                case "yaml" -> YAML;
                default ->
                        throw new TypeConversionException(
                                "found \"%s\"; wanted table, wide, json or yaml".formatted(text));
            };
        }

        @Override
        public Iterator<String> iterator() {
            return List.of("table", "wide", "json", "yaml").iterator();
        }
    }
}
