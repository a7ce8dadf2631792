package dev.millwright.addons.helm;

import dev.millwright.addons.helm.HelmCommand.Limits;
import dev.millwright.addons.helm.HelmCommand.Outcome;

import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;

/// Which Helm there is, asked once when a process begins.
public final class HelmVersion {

    private static final Duration TIME_MAX = Duration.ofSeconds(30);
    private static final int OUTPUT_MAX = 1 << 16;

    /// Its storage and its flags are those that we know.
    private static final String WANTED = "v3.";

    private HelmVersion() {}

    /// Removes what a process before left in the directory of runs.
    ///
    /// @throws IOException when there is none that can be used; its message is for a person
    public static String find(HelmSettings settings) throws IOException {
        Scratch.sweep(Files.createDirectories(settings.directory()));
        try (var scratch = new Scratch(settings.directory())) {
            var outcome =
                    new HelmCommand(settings.binary())
                            .run(
                                    List.of("version", "--template", "{{ .Version }}"),
                                    scratch.path(),
                                    settings.environment(),
                                    new Limits(TIME_MAX, settings.memoryBytesMax(), OUTPUT_MAX));
            return switch (outcome) {
                case Outcome.Good(var version) -> usable(settings.binary(), version.strip());
                case Outcome.Bad(var words) -> throw unusable(settings.binary(), words);
                case Outcome.Ended(var words) -> throw new IOException(words);
            };
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new IOException("asking Helm for its version was interrupted", stopped);
        }
    }

    private static String usable(String binary, String version) throws IOException {
        if (!version.startsWith(WANTED)) {
            throw unusable(binary, version);
        }
        return version;
    }

    private static IOException unusable(String binary, String found) {
        return new IOException(
                "Helm at \"%s\" says \"%s\"; wanted version 3: --helm names another"
                        .formatted(binary, found));
    }
}
