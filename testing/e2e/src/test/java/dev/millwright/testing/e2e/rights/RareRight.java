package dev.millwright.testing.e2e.rights;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millwright.testing.e2e.Tools;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// A right that runs of tests need not show, for what needs it is rare.
///
/// @param reason for a reader of the role
/// @param test that proves the call, as `Class.method`
record RareRight(Chart chart, String right, String reason, String test) {

    /// A right a line: chart, right, reason, test.
    static List<RareRight> all() {
        var file = Tools.ROOT.resolve("testing/e2e/src/test/resources/rights/rare.tsv");
        try {
            return Files.readAllLines(file, UTF_8).stream()
                    .filter(line -> !line.startsWith("#"))
                    .map(line -> line.split("\t", -1))
                    .map(
                            fields ->
                                    new RareRight(
                                            Chart.valueOf(fields[0]),
                                            fields[1],
                                            fields[2],
                                            fields[3]))
                    .toList();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /// Whether there is such a test, somewhere in the project.
    boolean hasTest() {
        var dot = test.indexOf('.');
        var name = test.substring(0, dot) + ".java";
        try (var files = Files.walk(Tools.ROOT)) {
            return files.filter(file -> file.getFileName().toString().equals(name))
                    .anyMatch(file -> text(file).contains(" " + test.substring(dot + 1) + "("));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file, UTF_8);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
