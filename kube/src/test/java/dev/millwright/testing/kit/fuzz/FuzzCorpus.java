package dev.millwright.testing.kit.fuzz;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;

/// Inputs kept by `make fuzz`, one a line in base 64: those that reach what no other does, and all
/// that once were a finding.
public final class FuzzCorpus {

    private FuzzCorpus() {}

    /// Of the resource `fuzz/NAME.txt`.
    public static List<byte[]> of(String name) {
        var resource = "/fuzz/%s.txt".formatted(name);
        var stream = FuzzCorpus.class.getResourceAsStream(resource);
        if (stream == null) {
            throw new IllegalArgumentException(
                    "there is no resource %s; testing/fuzz/fuzz.sh writes it".formatted(resource));
        }
        try (var reader =
                new BufferedReader(new InputStreamReader(stream, StandardCharsets.US_ASCII))) {
            return reader.lines()
                    .filter(line -> !line.startsWith("#"))
                    .map(Base64.getDecoder()::decode)
                    .toList();
        } catch (IOException failure) {
            throw new UncheckedIOException(resource, failure);
        }
    }
}
