package dev.millwright.testing.e2e.clusterapi;

import dev.millwright.testing.e2e.ControlPlane;
import dev.millwright.testing.e2e.Shell;
import dev.millwright.testing.e2e.Tools;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// Cluster API's own command line, which finds releases in a folder and asks no network.
final class Clusterctl {

    /// The version that our charts have in the source tree.
    static final String VERSION = "v0.1.0";

    private static final Duration LIMIT = Duration.ofMinutes(5);

    private final Path directory;
    private final Path settings;

    /// Knows no provider.
    Clusterctl(Path directory) throws IOException {
        this.directory = Files.createDirectories(directory);
        this.settings = Files.writeString(directory.resolve("clusterctl.yaml"), "{}\n");
    }

    /// Offers what our release writes for it, and core.
    ///
    /// @param coreComponents core's manifests
    void offer(String coreComponents) throws IOException {
        var release = directory.resolve("release");
        for (var provider : List.of("capt", "addons")) {
            var script = Tools.ROOT.resolve("deploy/%s/build.py".formatted(provider)).toString();
            var environment = List.of("env", "HELM=" + Tools.path("helm"), "IMAGE=" + Tools.IMAGE);
            var command = new ArrayList<>(environment);
            command.addAll(List.of("python3", script, "--release", release.toString()));
            Shell.run(command, "", LIMIT);
        }
        var addons = Files.createDirectories(release.resolve("addons"));
        Files.move(
                release.resolve("addon-components.yaml"), addons.resolve("addon-components.yaml"));
        Files.move(release.resolve("addon-metadata.yaml"), addons.resolve("metadata.yaml"));
        var core = Files.createDirectories(directory.resolve("core"));
        Files.writeString(core.resolve("core-components.yaml"), coreComponents);
        var module = CoreProvider.config().resolve("../..").normalize();
        Files.copy(module.resolve("metadata.yaml"), core.resolve("metadata.yaml"));
        var coreVersion = module.getFileName().toString().replaceFirst(".*@", "");
        Files.writeString(
                settings,
                """
                providers:
                - {name: cluster-api, type: CoreProvider, url: "%s"}
                - {name: capt, type: InfrastructureProvider, url: "%s"}
                - {name: capt, type: ControlPlaneProvider, url: "%s"}
                - {name: helm, type: AddonProvider, url: "%s"}
                """
                        .formatted(
                                link(core, "cluster-api", coreVersion, "core"),
                                link(release, "infrastructure-capt", VERSION, "infrastructure"),
                                link(release, "control-plane-capt", VERSION, "control-plane"),
                                link(addons, "addon-helm", VERSION, "addon")));
    }

    /// The address by which clusterctl finds a folder: `PROVIDER/VERSION/FILE`.
    private String link(Path folder, String provider, String version, String components)
            throws IOException {
        var place = directory.resolve("repository").resolve(provider).resolve(version);
        Files.createDirectories(place.getParent());
        Files.createSymbolicLink(place, folder);
        return "file://%s/%s-components.yaml".formatted(place, components);
    }

    /// What it prints. An exit code other than zero is an exception with its words.
    String run(ControlPlane management, String... arguments) {
        return run(management, List.of(), arguments);
    }

    /// @param variables more of them, as `NAME=value`
    String run(ControlPlane management, List<String> variables, String... arguments) {
        var command =
                new ArrayList<>(
                        List.of(
                                "env",
                                "HOME=" + directory,
                                "XDG_CONFIG_HOME=" + directory,
                                "KUBECONFIG=" + management.kubeconfig(),
                                "CLUSTERCTL_DISABLE_VERSIONCHECK=true",
                                "AWS_REGION=eu-central-1",
                                "CLUSTER_TOPOLOGY=true",
                                "CAPT_LOG_LEVEL=debug"));
        command.addAll(variables);
        command.add(Tools.path("clusterctl").toString());
        command.addAll(List.of(arguments));
        command.add("--config=" + settings);
        return Shell.run(command, "", LIMIT);
    }
}
