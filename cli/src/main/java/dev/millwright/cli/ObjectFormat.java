package dev.millwright.cli;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

import java.util.Iterator;
import java.util.List;

/// How objects are written.
enum ObjectFormat {
    JSON,
    YAML;

    /// The words of `-o`, to be converted and completed.
    static final class Words implements ITypeConverter<ObjectFormat>, Iterable<String> {
        @Override
        public ObjectFormat convert(String text) {
            return switch (text) {
                case "json" -> JSON;
                case "yaml" -> YAML;
                default ->
                        throw new TypeConversionException(
                                "found \"%s\"; wanted yaml or json".formatted(text));
            };
        }

        @Override
        public Iterator<String> iterator() {
            return List.of("yaml", "json").iterator();
        }
    }
}
