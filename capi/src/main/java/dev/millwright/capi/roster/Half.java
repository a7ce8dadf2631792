package dev.millwright.capi.roster;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;

/// A part of the provider that clusterctl installs by itself. Both may run in one process.
public enum Half {
    INFRASTRUCTURE("infrastructure"),
    CONTROL_PLANE("control-plane");

    private static final String LEASE_SUFFIX = ".capt.ai";

    private final String word;

    Half(String word) {
        this.word = word;
    }

    public String word() {
        return word;
    }

    /// Null when no half is called so.
    public static @Nullable Half named(String word) {
        for (var half : values()) {
            if (half.word.equals(word)) {
                return half;
            }
        }
        return null;
    }

    public static List<String> words() {
        return List.of(INFRASTRUCTURE.word, CONTROL_PLANE.word);
    }

    /// The Lease of a process with these halves: halves that run apart elect apart.
    public static String leaseName(Collection<Half> halves) {
        var names =
                halves.stream()
                        .map(Half::word)
                        .distinct()
                        .sorted()
                        .collect(Collectors.joining(","));
        try {
            var digest = MessageDigest.getInstance("MD5"); // Names it; nothing is kept safe by it.
            var hash = digest.digest(names.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash) + LEASE_SUFFIX;
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every JDK knows MD5", impossible);
        }
    }
}
