package dev.millwright.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;

/// A file that lives as long as a command. It never replaces another, and a file that somebody has
/// put in its place meanwhile is left alone.
final class NewFile implements AutoCloseable {

    private final Path path;
    private final byte[] content;

    private NewFile(Path path, byte[] content) {
        this.path = path;
        this.content = content;
    }

    static NewFile write(Path path, String text) throws IOException {
        var content = text.getBytes(StandardCharsets.UTF_8);
        try {
            Files.write(path, content, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        } catch (FileAlreadyExistsException taken) {
            throw new IOException(path + " exists already; name a file that does not", taken);
        } catch (NoSuchFileException missing) {
            throw new IOException(
                    "%s cannot be written: there is no directory %s"
                            .formatted(path, path.toAbsolutePath().getParent()),
                    missing);
        }
        return new NewFile(path, content);
    }

    @Override
    public void close() throws IOException {
        if (Files.isRegularFile(path)
                && Files.size(path) == content.length
                && Arrays.equals(Files.readAllBytes(path), content)) {
            Files.delete(path);
        }
    }
}
