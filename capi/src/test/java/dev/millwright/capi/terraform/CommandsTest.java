package dev.millwright.capi.terraform;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.capi.runner.LocalHost;
import dev.millwright.capi.runner.TerraformBinary;
import dev.millwright.capi.workspace.RunOrder;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.grant.ReferencePolicy.From;

import org.junit.jupiter.api.Test;

import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// What Terraform is given of the manager.
final class CommandsTest {

    private static final Map<String, String> MANAGERS =
            Map.of(
                    "PATH", "/bin",
                    "HTTPS_PROXY", "proxy",
                    "AWS_SECRET_ACCESS_KEY", "secret",
                    "AWS_WEB_IDENTITY_TOKEN_FILE", "/token",
                    "KUBE_TOKEN", "token",
                    "KUBERNETES_SERVICE_HOST", "10.0.0.1",
                    "DATABASE_PASSWORD", "secret");

    private static Map<String, String> environment(String namespace, boolean isLent) {
        return environment(namespace, isLent, new RunOrder.Options("", "", true, true, false, ""));
    }

    private static Map<String, String> environment(
            String namespace, boolean isLent, RunOrder.Options options) {
        var order =
                new RunOrder(
                        new RunOrder.Target(
                                "u",
                                "workspace",
                                new ObjectName("", "db"),
                                new From("", "", namespace),
                                "db",
                                1),
                        RunOrder.Aim.DESTROY,
                        new RunOrder.Module.Inline(),
                        new TreeMap<>(),
                        new RunOrder.Arguments(
                                List.of(), List.of(), List.of(), List.of(), List.of()),
                        new TreeMap<>(Map.of("AWS_REGION", "eu-west-1")),
                        options,
                        List.of());
        var settings =
                TerraformSettings.of(
                        Path.of("/notes"),
                        "capt-system",
                        new TerraformSettings.HostName("h", false),
                        MANAGERS,
                        isLent);
        return new Commands(
                        order,
                        settings,
                        new RunFolder(
                                new LocalHost(
                                        new TerraformBinary(Path.of("/terraform"), "1.11.4"),
                                        Path.of("/work"),
                                        MANAGERS),
                                Path.of("/work/workspaces/u"),
                                Path.of("/notes/u.json")),
                        new RunControl(false, InstantSource.system(), () -> {}, _ -> {}))
                .environment();
    }

    @Test
    void noCredentialOfTheManagerReachesTerraform() {
        assertThat(environment("team", false))
                .containsEntry("PATH", "/bin")
                .containsEntry("HTTPS_PROXY", "proxy")
                .containsEntry("AWS_REGION", "eu-west-1")
                .doesNotContainKeys(
                        "AWS_SECRET_ACCESS_KEY",
                        "AWS_WEB_IDENTITY_TOKEN_FILE",
                        "KUBE_TOKEN",
                        "KUBERNETES_SERVICE_HOST",
                        "DATABASE_PASSWORD");
    }

    @Test
    void credentialsForAwsReachItWhenTheManagerLendsThem() {
        assertThat(environment("team", true))
                .containsEntry("AWS_SECRET_ACCESS_KEY", "secret")
                .doesNotContainKeys("KUBE_TOKEN", "DATABASE_PASSWORD");
    }

    @Test
    void noTwoNamespacesShareAPlugInCache() {
        var caches =
                List.of("team", "other", "").stream()
                        .map(each -> environment(each, false).get("TF_PLUGIN_CACHE_DIR"))
                        .toList();
        assertThat(caches).doesNotHaveDuplicates().doesNotContainNull();
    }

    @Test
    void plugInsLieInTheWorkspacesOwnFolderWithoutTheSharedCache() {
        var alone = new RunOrder.Options("", "", true, false, false, "");
        assertThat(environment("team", false, alone))
                .doesNotContainKeys(
                        "TF_PLUGIN_CACHE_DIR", "TF_PLUGIN_CACHE_MAY_BREAK_DEPENDENCY_LOCK_FILE")
                .hasEntrySatisfying(
                        "TF_DATA_DIR",
                        folder -> assertThat(folder).startsWith("/work/workspaces/u/"));
    }

    @Test
    void theHomeOfARunIsItsOwnFolder() {
        assertThat(environment("team", false)).containsEntry("HOME", "/work/workspaces/u");
    }
}
