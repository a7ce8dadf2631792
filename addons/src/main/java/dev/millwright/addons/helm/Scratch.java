package dev.millwright.addons.helm;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.UUID;

/// A directory for one run of Helm that nobody else may look into, and that is gone afterwards.
final class Scratch implements AutoCloseable {

    private final Path directory;

    Scratch(Path parent) {
        try {
            Files.createDirectories(parent);
            directory =
                    Files.createDirectory(
                            parent.resolve("run-" + UUID.randomUUID()),
                            PosixFilePermissions.asFileAttribute(
                                    PosixFilePermissions.fromString("rwx------")));
        } catch (IOException failure) {
            throw new UncheckedIOException("no directory for a run of Helm", failure);
        }
    }

    Path path() {
        return directory;
    }

    Path path(String name) {
        return directory.resolve(name);
    }

    /// A directory inside.
    Path directory(String name) {
        try {
            return Files.createDirectories(directory.resolve(name));
        } catch (IOException failure) {
            throw new UncheckedIOException("no directory for a run of Helm", failure);
        }
    }

    /// A file that its owner alone may read.
    Path file(String name, byte[] content) {
        var path = directory.resolve(name);
        try {
            Files.createFile(
                    path,
                    PosixFilePermissions.asFileAttribute(
                            PosixFilePermissions.fromString("rw-------")));
            return Files.write(path, content);
        } catch (IOException failure) {
            throw new UncheckedIOException("no file for a run of Helm", failure);
        }
    }

    Path file(String name, String content) {
        return file(name, content.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public void close() {
        try {
            Files.walkFileTree(
                    directory,
                    new SimpleFileVisitor<>() {
                        @Override
                        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                                throws IOException {
                            Files.delete(file);
                            return FileVisitResult.CONTINUE;
                        }

                        @Override
                        public FileVisitResult postVisitDirectory(
                                Path visited, @Nullable IOException failure) throws IOException {
                            Files.delete(visited);
                            return FileVisitResult.CONTINUE;
                        }
                    });
        } catch (IOException failure) {
            throw new UncheckedIOException("files of a run of Helm cannot be removed", failure);
        }
    }
}
