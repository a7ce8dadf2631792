package dev.millwright.capi.runner;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Set;
import java.util.TreeMap;

/// Files and folders that nobody but their owner may read.
public final class HostFiles {

    private static final String LOCK_FILE = ".terraform.lock.hcl";

    private HostFiles() {}

    public static void makeFolder(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            Files.createDirectories(
                    folder,
                    PosixFilePermissions.asFileAttribute(
                            PosixFilePermissions.fromString("rwx------")));
        }
    }

    /// For our eyes, and in one piece: a process that dies leaves the old file or the new one.
    public static void write(Path file, byte[] bytes) throws IOException {
        var parent = file.getParent();
        if (parent == null) {
            throw new IOException("%s has no folder".formatted(file));
        }
        makeFolder(parent);
        var half =
                Files.createTempFile(
                        parent,
                        ".half",
                        "",
                        PosixFilePermissions.asFileAttribute(
                                PosixFilePermissions.fromString("rw-------")));
        Files.write(half, bytes);
        Files.move(half, file, StandardCopyOption.ATOMIC_MOVE);
    }

    /// Empty where there is none.
    public static byte[] read(Path file, int bytesMax) throws IOException {
        if (Files.exists(file) && !Files.isRegularFile(file)) {
            throw new IOException("%s is no file".formatted(file)); // A pipe would hold us.
        }
        try (var stream = Files.newInputStream(file)) {
            return stream.readNBytes(bytesMax);
        } catch (NoSuchFileException absent) {
            return new byte[0];
        }
    }

    static void delete(Path tree) throws IOException {
        if (!Files.exists(tree, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        Files.walkFileTree(
                tree,
                new SimpleFileVisitor<>() {
                    @Override
                    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                            throws IOException {
                        Files.deleteIfExists(file);
                        return FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult postVisitDirectory(
                            Path folder, @Nullable IOException failure) throws IOException {
                        Files.deleteIfExists(folder);
                        return FileVisitResult.CONTINUE;
                    }
                });
    }

    static void copy(Path from, Path to) throws IOException {
        try (var all = Files.walk(from)) {
            for (var each : all.toList()) {
                var target = to.resolve(from.relativize(each).toString());
                if (Files.isDirectory(each)) {
                    makeFolder(target);
                } else if (Files.isRegularFile(each)) {
                    Files.copy(each, target, StandardCopyOption.REPLACE_EXISTING);
                }
            }
        }
    }

    static String checksum(Path tree, Set<String> except, String more) throws IOException {
        var files = new TreeMap<String, Path>();
        try (var all = Files.walk(tree)) {
            for (var each : all.filter(Files::isRegularFile).toList()) {
                var name = String.valueOf(each.getFileName());
                if (!except.contains(name) && !name.equals(LOCK_FILE)) {
                    files.put(tree.relativize(each).toString(), each);
                }
            }
        }
        try {
            var digest = MessageDigest.getInstance("SHA-256");
            digest.update(more.getBytes(UTF_8));
            for (var entry : files.entrySet()) {
                digest.update(entry.getKey().getBytes(UTF_8));
                digest.update((byte) 0);
                digest.update(Files.readAllBytes(entry.getValue()));
                digest.update((byte) 0);
            }
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException never) {
            throw new IllegalStateException(never);
        }
    }
}
