package dev.millwright.capi.terraform;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
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

/// The folder of one Workspace. Nobody but us may read it.
record RunFolder(Path path) {

    private static final String LOCK_FILE = ".terraform.lock.hcl";

    /// Where Terraform works, at the root of the module.
    Path work() {
        return path.resolve("work");
    }

    /// Terraform's own: plug-ins, modules, the backend.
    Path data() {
        return path.resolve("data");
    }

    Path logs() {
        return path.resolve("log");
    }

    Path fetch() {
        return path.resolve("fetch");
    }

    Path states() {
        return path.resolve("state");
    }

    /// The checksum of what was last initialised.
    Path initialised() {
        return path.resolve("initialised");
    }

    /// There while an apply may have left more than the cluster knows.
    Path unfinished() {
        return path.resolve("unfinished.json");
    }

    static void make(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            Files.createDirectories(
                    folder,
                    PosixFilePermissions.asFileAttribute(
                            PosixFilePermissions.fromString("rwx------")));
        }
    }

    /// For our eyes, and in one piece: a process that dies leaves the old file or the new one.
    static void write(Path file, byte[] bytes) throws IOException {
        var parent = file.getParent();
        if (parent == null) {
            throw new IOException("%s has no folder".formatted(file));
        }
        make(parent);
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
    static byte[] read(Path file) throws IOException {
        try {
            return Files.readAllBytes(file);
        } catch (NoSuchFileException absent) {
            return new byte[0];
        }
    }

    static String readText(Path file) throws IOException {
        return new String(read(file), UTF_8);
    }

    static void delete(Path tree) throws IOException {
        if (!Files.exists(tree)) {
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
                    make(target);
                } else {
                    Files.copy(each, target, StandardCopyOption.REPLACE_EXISTING);
                }
            }
        }
    }

    /// Of everything under the folder that decides what is initialised.
    ///
    /// @param except names of files that hold values, not configuration
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
