package dev.millwright.testing.e2e.terraform;

import dev.millwright.testing.e2e.Shell;
import dev.millwright.testing.e2e.Tools;
import dev.millwright.testing.kit.aws.AwsEndpoint;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Terraform in a copy of `deploy`, so that nothing of it stays in the project. Providers come from
/// a mirror that `testing/prepare.sh` fills first.
final class Terraform {

    static final Path ROOT = Tools.ROOT;

    private static final Duration COMMAND_LIMIT = Duration.ofMinutes(8);

    private final Path deploy;
    private final Map<String, String> environment = new TreeMap<>();

    private static final class Built {
        private static final String TERRAFORM = Tools.path("terraform").toString();
        private static final String MIRROR = Tools.path("providers").toString();
    }

    Terraform() {
        var directory = newDirectory();
        deploy = directory.resolve("deploy");
        Shell.run(
                List.of("cp", "-R", ROOT.resolve("deploy").toString(), deploy.toString()),
                "",
                COMMAND_LIMIT);
        Tools.stamp(deploy.resolve("charts"));
        var settings =
                """
                provider_installation {
                  filesystem_mirror {
                    path = "%s"
                  }
                }
                """
                        .formatted(Built.MIRROR);
        try {
            var file = Files.writeString(directory.resolve("terraformrc"), settings);
            environment.put("TF_CLI_CONFIG_FILE", file.toString());
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        environment.put("CHECKPOINT_DISABLE", "1");
        environment.put("HELM_CACHE_HOME", directory.resolve("helm").toString());
        environment.put("HELM_CONFIG_HOME", directory.resolve("helm").toString());
        environment.put("HELM_DATA_HOME", directory.resolve("helm").toString());
        // Nobody's own account, whatever the one who runs the tests has set.
        environment.put("AWS_CONFIG_FILE", "/dev/null");
        environment.put("AWS_SHARED_CREDENTIALS_FILE", "/dev/null");
        environment.put("AWS_EC2_METADATA_DISABLED", "true");
    }

    /// For the copy and all that Terraform writes; kept, so that a failure can be looked at.
    static Path newDirectory() {
        try {
            var base = Files.createDirectories(Path.of("target", "terraform").toAbsolutePath());
            return Files.createTempDirectory(base, "test");
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /// What lets programs reach the endpoint in place of AWS.
    static Map<String, String> account(AwsEndpoint endpoint) {
        return Map.of(
                "AWS_ENDPOINT_URL",
                endpoint.uri().toString(),
                "AWS_REGION",
                AwsEndpoint.REGION,
                "AWS_ACCESS_KEY_ID",
                "test",
                "AWS_SECRET_ACCESS_KEY",
                "test");
    }

    Terraform with(Map<String, String> variables) {
        environment.putAll(variables);
        return this;
    }

    Path module(String name) {
        return deploy.resolve("terraform").resolve(name);
    }

    /// Runs in a module's directory. All words are in the exception if it fails.
    void run(String module, String... arguments) {
        var command = new ArrayList<>(List.of("env", "--unset=AWS_PROFILE"));
        environment.forEach((name, value) -> command.add(name + "=" + value));
        command.addAll(List.of("bash", "-c", "exec \"$@\" >&2", "terraform", Built.TERRAFORM));
        command.add("-chdir=" + module(module));
        command.addAll(List.of(arguments));
        Shell.run(command, "", COMMAND_LIMIT);
    }

    void init(String module) {
        run(module, "init", "-input=false", "-no-color", "-backend=false");
    }

    void apply(String module, String... options) {
        run(module, with(options, "apply", "-input=false", "-no-color", "-auto-approve"));
    }

    /// Fails, with the plan, if there is something to do.
    void isUnchanged(String module, String... options) {
        run(module, with(options, "plan", "-input=false", "-no-color", "-detailed-exitcode"));
    }

    void destroy(String module, String... options) {
        run(module, with(options, "destroy", "-input=false", "-no-color", "-auto-approve"));
    }

    private static String[] with(String[] options, String... command) {
        var whole = new ArrayList<>(List.of(command));
        whole.addAll(List.of(options));
        return whole.toArray(String[]::new);
    }
}
