package dev.millwright.testing.e2e.chart;

import dev.millwright.testing.e2e.Tools;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// Where the charts lie, and the values that tests give them.
final class Charts {

    static final Path ROOT = Tools.ROOT;

    /// With the name of an image, as a release has it.
    static final Path MAIN = Tools.chart("millwright");

    static final Path SOURCE = ROOT.resolve("deploy/charts/millwright");
    static final Path DEFINITIONS = ROOT.resolve("deploy/charts/millwright-crd");
    static final Path NODE_POOLS = ROOT.resolve("deploy/charts/karpenter-nodepools");

    private static final Path FIXTURES = ROOT.resolve("testing/e2e/src/test/resources/charts");

    private Charts() {}

    static Path fixture(String name) {
        return FIXTURES.resolve(name);
    }

    /// The files of a directory, in the order of their names.
    static List<Path> files(Path directory) {
        try (var files = Files.list(directory)) {
            return files.filter(Files::isRegularFile).sorted().toList();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    static void write(Path file, String text) {
        try {
            Files.writeString(file, text);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
