package dev.millwright.kube.document;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/// A place a document is read from, and the name messages call it by.
public record Source(String name, Content content) {

    /// Opens the bytes. It is asked once.
    @FunctionalInterface
    public interface Content {
        InputStream open() throws IOException;
    }

    public static Source file(Path path) {
        return new Source(path.toString(), () -> Files.newInputStream(path));
    }

    public static Source standardInput(InputStream stream) {
        return new Source("-", () -> stream);
    }

    public static Source text(String name, String text) {
        return bytes(name, text.getBytes(StandardCharsets.UTF_8));
    }

    public static Source bytes(String name, byte[] bytes) {
        return new Source(name, () -> new ByteArrayInputStream(bytes));
    }
}
