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
import java.util.regex.Pattern;

/// A directory for one run of Helm that nobody else may look into, and that is gone afterwards.
final class Scratch implements AutoCloseable {

    /// A directory's name is this, the process that made it, and something of its own.
    private static final String PREFIX = "run-";

    private static final Pattern NAME = Pattern.compile("run-(\\d{1,18})-.*");
    private static final long OWN_PID = ProcessHandle.current().pid();

    private final Path directory;

    Scratch(Path parent) {
        try {
            Files.createDirectories(parent);
            directory =
                    Files.createDirectory(
                            parent.resolve("%s%d-%s".formatted(PREFIX, OWN_PID, UUID.randomUUID())),
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

    /// Removes what processes left behind that were killed, kubeconfigs among it. In a container
    /// that comes again the process has the same number as before: what bears ours is left too, for
    /// this is called before the first run.
    static void sweep(Path parent) {
        try (var all = Files.list(parent)) {
            all.filter(Scratch::isLeft).forEach(Scratch::remove);
        } catch (IOException failure) {
            throw new UncheckedIOException("the directory of Helm's runs is not readable", failure);
        }
    }

    private static boolean isLeft(Path path) {
        var name = NAME.matcher(String.valueOf(path.getFileName()));
        if (!name.matches()) {
            return false;
        }
        var pid = Long.parseLong(name.group(1));
        return pid == OWN_PID || ProcessHandle.of(pid).isEmpty();
    }

    @Override
    public void close() {
        remove(directory);
    }

    private static void remove(Path directory) {
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
