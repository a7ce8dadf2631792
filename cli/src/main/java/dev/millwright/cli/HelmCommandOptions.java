package dev.millwright.cli;

import dev.millwright.addons.helm.HelmSettings;

import picocli.CommandLine.Option;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// Where Helm is, for a command that renders or reads what Helm would.
final class HelmCommandOptions {

    @Option(
            names = "--helm",
            paramLabel = "FILE",
            description = "Helm's command (default: helm, on the PATH).")
    private String binary = "helm";

    /// Settings with a directory that nobody else may look into.
    HelmSettings settings(Terminal terminal) throws IOException {
        return HelmSettings.of(
                binary, Files.createTempDirectory("millwright-addons"), terminal.environment());
    }

    /// Runs leave nothing behind; the directory itself is the command's to remove.
    static void remove(Path directory) throws IOException {
        Files.deleteIfExists(directory);
    }
}
