package dev.millwright.testing.bench.comparison;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/// Where an answer of the peer is kept: under the problem's hash and the program's name, which is a
/// hash, too.
public final class KeptAnswer {

    private static final int HASH_LENGTH = 12;

    private KeptAnswer() {}

    public static Path of(Path folder, Path problem, Path binary) throws IOException {
        return folder.resolve(
                "%s-%s-%s.json"
                        .formatted(Comparison.name(problem), hash(problem), binary.getFileName()));
    }

    private static String hash(Path file) throws IOException {
        try {
            var digest = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file));
            return HexFormat.of().formatHex(digest).substring(0, HASH_LENGTH);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
