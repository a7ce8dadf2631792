package dev.millwright.testing.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// The ids of the behaviours we promise stand on the tests that prove them and nowhere else. A test
/// that is lost with its id is noticed here, for `testing/conformance/series.tsv` counts them.
final class ConformanceIdsTest {

    private static final Path ROOT = Repository.root();
    private static final Path LISTS = ROOT.resolve("testing/conformance");
    private static final Pattern TAG = Pattern.compile("@Tag\\(\"([^\"]+)\"\\)");

    /// A series, a number, and a letter where one was put in between.
    private static final Pattern ID =
            Pattern.compile("([A-Z](?:-[A-Z]+-)?|AWS-[A-Z])([0-9]+[a-z]*)");

    private static final Pattern RANGE = Pattern.compile("([0-9]+)-([0-9]+)");

    @Test
    void everyIdOfASeriesStandsOnATest() {
        var lost = promised();
        lost.removeAll(onTests());
        assertThat(lost).as("ids of series.tsv without a test").isEmpty();
    }

    @Test
    void everyIdOnATestBelongsToItsSeries() {
        var unknown = onTests();
        unknown.removeAll(promised());
        assertThat(unknown).as("ids on tests that series.tsv does not count").isEmpty();
    }

    @Test
    void whatIsForLaterHasNoTest() {
        var proven = later();
        proven.retainAll(onTests());
        assertThat(proven).as("ids of later.tsv that tests prove").isEmpty();
    }

    private static SortedSet<String> promised() {
        return rows("series.tsv")
                .flatMap(
                        row ->
                                Stream.of(row[2].split(" "))
                                        .flatMap(ConformanceIdsTest::numbers)
                                        .map(number -> row[0] + number))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Stream<String> numbers(String range) {
        var ends = RANGE.matcher(range);
        return ends.matches()
                ? IntStream.rangeClosed(
                                Integer.parseInt(ends.group(1)), Integer.parseInt(ends.group(2)))
                        .mapToObj(Integer::toString)
                : Stream.of(range);
    }

    private static SortedSet<String> later() {
        return rows("later.tsv").map(row -> row[0]).collect(Collectors.toCollection(TreeSet::new));
    }

    private static Stream<String[]> rows(String file) {
        return text(LISTS.resolve(file)).lines().skip(1).map(line -> line.split("\t"));
    }

    private static SortedSet<String> onTests() {
        return testSources().stream()
                .flatMap(directory -> javaFiles(directory).stream())
                .flatMap(file -> TAG.matcher(text(file)).results().map(ConformanceIdsTest::value))
                .filter(tag -> ID.matcher(tag).matches())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static String value(MatchResult tag) {
        return tag.group(1);
    }

    /// Of modules at the root, and of those one directory below it.
    private static List<Path> testSources() {
        return children(ROOT).stream()
                .flatMap(child -> Stream.concat(Stream.of(child), children(child).stream()))
                .map(module -> module.resolve("src/test/java"))
                .filter(Files::isDirectory)
                .toList();
    }

    private static List<Path> children(Path directory) {
        try (var children = Files.list(directory)) {
            return children.filter(Files::isDirectory).sorted().toList();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static List<Path> javaFiles(Path directory) {
        try (var files = Files.walk(directory)) {
            return files.filter(file -> file.toString().endsWith(".java")).toList();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
