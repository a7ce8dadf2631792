package dev.millwright.capi.runner;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millwright.kube.document.Faults;
import dev.millwright.kube.document.Field;
import dev.millwright.kube.document.JsonReader;

import org.jspecify.annotations.Nullable;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/// The program that is run.
public record TerraformBinary(Path path, String version) {

    private static final List<String> NAMES = List.of("terraform", "tofu");
    private static final int VERSION_SECONDS_MAX = 60;

    /// Terraform, else OpenTofu, from the PATH of this environment.
    ///
    /// @throws IllegalStateException when there is neither, or it does not run
    public static TerraformBinary find(Map<String, String> environment) {
        for (var name : NAMES) {
            for (var folder :
                    environment
                            .getOrDefault("PATH", "")
                            .split(Pattern.quote(File.pathSeparator), -1)) {
                var path = folder.isEmpty() ? null : Path.of(folder).resolve(name);
                if (path != null && Files.isExecutable(path) && !Files.isDirectory(path)) {
                    return of(path.toAbsolutePath());
                }
            }
        }
        throw new IllegalStateException(
                "found neither terraform nor tofu on the PATH; put one there, or leave Workspaces to Crossplane with --workspaces leave");
    }

    public static TerraformBinary of(Path path) {
        var version = version(path);
        if (version == null) {
            throw new IllegalStateException(
                    "%s does not tell its version; is it terraform or tofu?".formatted(path));
        }
        return new TerraformBinary(path, version);
    }

    private static @Nullable String version(Path path) {
        try {
            var out = Files.createTempFile("millwright-terraform", "version");
            try {
                var builder = new ProcessBuilder(path.toString(), "version", "-json");
                builder.environment().put("CHECKPOINT_DISABLE", "1");
                builder.environment().remove("TF_CLI_CONFIG_FILE");
                var process =
                        builder.redirectOutput(out.toFile())
                                .redirectError(ProcessBuilder.Redirect.DISCARD)
                                .start();
                if (!process.waitFor(VERSION_SECONDS_MAX, TimeUnit.SECONDS)) {
                    process.destroyForcibly();
                    return null;
                }
                var text = Files.readString(out, UTF_8);
                var begin = text.indexOf('{'); // Warnings about its settings may come first.
                return begin < 0
                        ? null
                        : Field.root(
                                        "version",
                                        JsonReader.object(text.substring(begin).getBytes(UTF_8)),
                                        new Faults())
                                .at("terraform_version")
                                .text();
            } finally {
                Files.deleteIfExists(out);
            }
        } catch (IOException unusable) {
            return null;
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return null;
        }
    }

    public String name() {
        return String.valueOf(path.getFileName());
    }
}
