package dev.millwright.testing.e2e.capi;

import dev.millwright.testing.e2e.ControlPlane;
import dev.millwright.testing.e2e.Shell;
import dev.millwright.testing.e2e.Tools;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// Terraform as somebody else runs it, without us.
final class PlainTerraform {

    private static final Duration LIMIT = Duration.ofMinutes(2);

    private final Path folder;

    PlainTerraform(ControlPlane plane, String module) throws IOException {
        folder = Files.createTempDirectory("terraform");
        Files.writeString(folder.resolve("main.tf"), module);
        Files.writeString(folder.resolve("kubeconfig"), Files.readString(plane.kubeconfig()));
    }

    String run(String... arguments) {
        var command =
                new ArrayList<>(
                        List.of(
                                "env",
                                "--unset=TF_CLI_CONFIG_FILE",
                                "CHECKPOINT_DISABLE=1",
                                Tools.path("terraform").toString(),
                                "-chdir=" + folder));
        command.addAll(List.of(arguments));
        return Shell.run(command, "", LIMIT).strip();
    }
}
