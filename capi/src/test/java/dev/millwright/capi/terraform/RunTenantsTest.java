package dev.millwright.capi.terraform;

import static org.assertj.core.api.Assertions.assertThat;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millwright.capi.runner.LocalHost;
import dev.millwright.capi.runner.TerraformBinary;
import dev.millwright.capi.workspace.RunOrder;
import dev.millwright.capi.workspace.RunOutcome;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.grant.ReferenceGrants;
import dev.millwright.kube.grant.ReferencePolicy.From;
import dev.millwright.testing.kit.cluster.Rig;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;

/// A run whose module names the state of another namespace. We would get at it with our own rights.
final class RunTenantsTest {

    private static final ObjectName VICTIMS = new ObjectName("other", "tfstate-db-theirs");
    private static final String MODULES = backend("theirs", "other");

    @TempDir Path root;

    private final Rig rig = Rig.keeping(List.of());

    private static String backend(String suffix, String namespace) {
        return """
               terraform {
                 backend "kubernetes" {
                   secret_suffix     = "%s"
                   namespace         = "%s"
                   in_cluster_config = true
                 }
               }
               """
                .formatted(suffix, namespace);
    }

    private RunOutcome.Result destroyed(Map<String, String> files, String backendFile)
            throws InterruptedException {
        rig.api()
                .put(
                        ResourceType.SECRET,
                        Tree.of("apiVersion", "v1")
                                .put("kind", "Secret")
                                .put(
                                        "metadata",
                                        Tree.of("name", VICTIMS.name())
                                                .put("namespace", VICTIMS.namespace()))
                                .mapping());
        var contents = new TreeMap<String, byte[]>();
        files.forEach((name, text) -> contents.put(name, text.getBytes(UTF_8)));
        var order =
                new RunOrder(
                        new RunOrder.Target(
                                "u",
                                "workspace",
                                new ObjectName("", "db"),
                                new From("g", "WorkspaceTemplateApply", "team"),
                                "db",
                                1),
                        RunOrder.Aim.DESTROY,
                        new RunOrder.Module.Inline(),
                        contents,
                        new RunOrder.Arguments(
                                List.of(), List.of(), List.of(), List.of(), List.of()),
                        new TreeMap<>(),
                        new RunOrder.Options("", backendFile, true, false, false, ""),
                        List.of());
        var host =
                new LocalHost(
                        new TerraformBinary(Path.of("/none"), "1.11.4"),
                        root.resolve("terraform"),
                        Map.of());
        var settings =
                TerraformSettings.of(
                        root.resolve("notes"),
                        "capt-system",
                        new TerraformSettings.HostName("h", false),
                        Map.of(),
                        false);
        var shared =
                new Run.Shared(
                        host,
                        settings,
                        new ClusterState(rig.api()),
                        new ReferenceGrants(rig.api()),
                        new ReentrantLock(),
                        _ -> false);
        return new Run(
                        order,
                        shared,
                        new RunControl(false, InstantSource.system(), () -> {}, _ -> {}))
                .go()
                .result();
    }

    private void isRefused(RunOutcome.Result result) {
        assertThat(result)
                .isInstanceOfSatisfying(
                        RunOutcome.Result.Failed.class,
                        failed ->
                                assertThat(failed.message())
                                        .contains("the backend of the module names Secret other/")
                                        .contains("ReferenceGrant in other"));
        assertThat(rig.api().find(ResourceType.SECRET, VICTIMS)).isNotNull();
    }

    @Test
    void aModuleNamesNoStateOfAnotherNamespace() throws InterruptedException {
        isRefused(destroyed(Map.of("main.tf", MODULES), ""));
    }

    @Test
    void aBackendOfTheClustersConfigLendsItsFreedomToNoBackendOfTheModule()
            throws InterruptedException {
        isRefused(
                destroyed(
                        Map.of(
                                "a_override.tf",
                                MODULES,
                                RunOrder.CONFIG_FILE,
                                backend("config", "shared")),
                        ""));
    }

    @Test
    void aNamespaceThatTheClustersConfigNamesIsOpen() throws InterruptedException {
        assertThat(destroyed(Map.of(RunOrder.CONFIG_FILE, backend("config", "shared")), ""))
                .isEqualTo(new RunOutcome.Result.Destroyed());
    }
}
