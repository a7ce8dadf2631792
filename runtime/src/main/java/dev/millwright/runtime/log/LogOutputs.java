package dev.millwright.runtime.log;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/// Where lines go: standard output, standard error and files, all of them each time.
public final class LogOutputs implements AutoCloseable {

    private final List<OutputStream> streams;

    /// Streams that write through: a line must not wait in a buffer when the process dies.
    public LogOutputs(List<OutputStream> streams) {
        this.streams = List.copyOf(streams);
    }

    /// `stdout`, `stderr`, paths and `file:` addresses. Files are appended to.
    ///
    /// @throws IOException naming the path that cannot be written
    public static LogOutputs open(List<String> paths) throws IOException {
        var streams = new ArrayList<OutputStream>();
        for (var path : paths) {
            streams.add(open(path));
        }
        return new LogOutputs(streams);
    }

    private static OutputStream open(String path) throws IOException {
        return switch (path) {
            case "stdout" -> new FileOutputStream(FileDescriptor.out);
            case "stderr" -> new FileOutputStream(FileDescriptor.err);
            default -> {
                try {
                    var file = path.startsWith("file:") ? Path.of(URI.create(path)) : Path.of(path);
                    yield Files.newOutputStream(
                            file, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
                } catch (IOException | IllegalArgumentException unusable) {
                    throw new IOException(
                            "log output \"%s\" cannot be opened (%s); give a file that may be written, stdout or stderr"
                                    .formatted(path, unusable),
                            unusable);
                }
            }
        };
    }

    /// Writes to all, even if one fails.
    void write(byte[] line) throws IOException {
        IOException failure = null;
        for (var stream : streams) {
            try {
                stream.write(line);
                stream.flush();
            } catch (IOException broken) {
                failure = broken;
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    @Override
    public void close() throws IOException {
        for (var stream : streams) {
            stream.flush();
            if (!(stream instanceof FileOutputStream)) { // The process's own stay open.
                stream.close();
            }
        }
    }
}
