package dev.millwright.testing.e2e.release;

import static org.assertj.core.api.Assertions.assertThat;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millwright.testing.e2e.ControlPlane;
import dev.millwright.testing.e2e.ControlPlaneExtension;
import dev.millwright.testing.e2e.Shell;
import dev.millwright.testing.e2e.Tools;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;

/// The five steps of document 002, in their order, in a clone, and the release that they make:
/// pushed to a registry of the test and installed from there. GitHub is played by a program `gh`
/// that keeps what it is given.
@Tag("long")
@ExtendWith(ControlPlaneExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class WholeReleaseIT {

    private static final String VERSION = "0.2.0";
    private static final String NAME = "acme/millwright";
    private static final Duration LIMIT = Duration.ofMinutes(30);
    private static final String PLATFORM =
            System.getProperty("os.arch").equals("aarch64") ? "arm64" : "amd64";
    private static final List<String> ARCHIVES =
            List.of("linux-amd64", "linux-arm64", "darwin-amd64", "darwin-arm64");

    /// A clone, with what is not committed yet.
    private static final String CLONE =
            """
            set -euo pipefail
            git clone --quiet --no-hardlinks "$1" "$2"
            cd "$1"
            git ls-files -z --deleted | (cd "$2" && xargs -0 -r rm -f)
            git ls-files -z --modified --others --exclude-standard | while IFS= read -r -d '' file; do
                [[ ! -e "$file" ]] || cp --parents "$file" "$2"
            done
            """;

    /// A `gh` that keeps what it is given in a directory.
    private static String github(Path directory) {
        return """
            #!/bin/sh
            printf '%%s\\n' "$@" >"%1$s/arguments"
            for word; do
                [ ! -f "$word" ] || cp "$word" "%1$s/"
            done
            """
                .formatted(directory);
    }

    private static final Pattern TOP = Pattern.compile("\"digest\":\"(sha256:[0-9a-f]{64})\"");

    private Path scratch = Path.of("");
    private Path clone = Path.of("");
    private Path published = Path.of("");
    private List<String> environment = List.of();

    @SuppressWarnings("NullAway.Init") // Set before the first test.
    private Registry registry;

    @BeforeAll
    void make(@TempDir Path directory) throws IOException {
        scratch = directory;
        clone = scratch.resolve("clone");
        published = Files.createDirectory(scratch.resolve("published"));
        registry = new Registry(scratch.resolve("registry"));
        Shell.run(
                List.of("bash", "-c", CLONE, "clone", Tools.ROOT.toString(), clone.toString()),
                "",
                LIMIT);
        environment = environment();
        runtimes();

        make("update-version", VERSION);
        make("update-changelog", "v" + VERSION);
        make("docker-buildx", VERSION);
        make("build-installer", VERSION);
        make("create-github-release", "v" + VERSION);
    }

    @AfterAll
    void stop() throws IOException {
        registry.close();
        // Whoever deletes the directory is to follow no link out of it.
        Files.deleteIfExists(scratch.resolve("jdks").resolve(PLATFORM));
    }

    private List<String> environment() throws IOException {
        var java = Path.of(System.getProperty("java.home"));
        var programs = Files.createDirectory(scratch.resolve("programs"));
        var github = Files.writeString(programs.resolve("gh"), github(published));
        assertThat(github.toFile().setExecutable(true)).isTrue();
        var docker = Files.createDirectory(scratch.resolve("docker"));
        Files.writeString(docker.resolve("config.json"), registry.login());
        var jdks = Files.createDirectory(scratch.resolve("jdks"));
        Files.createSymbolicLink(jdks.resolve(PLATFORM), java);
        return List.of(
                "PATH=" + programs + ":" + System.getenv("PATH"),
                "JAVA_HOME=" + java,
                "MAVEN_ARGS=--offline",
                "HELM=" + Tools.path("helm"),
                "HELM_CACHE_HOME=" + scratch.resolve("helm"),
                "HELM_CONFIG_HOME=" + scratch.resolve("helm"),
                "HELM_DATA_HOME=" + scratch.resolve("helm"),
                "DOCKER_CONFIG=" + docker,
                "IMAGE=%s/%s".formatted(registry.host(), NAME),
                "REPOSITORY=" + NAME,
                "SOURCE_DATE_EPOCH=1798761600",
                "MILLWRIGHT_JDKS=" + jdks,
                "MILLWRIGHT_RUNTIMES=" + scratch.resolve("runtimes"),
                // As in ImageIT: what the lock names may be gone from Debian's servers.
                "PLATFORMS=--or-newest " + PLATFORM);
    }

    /// This machine's Java plays the runtimes of the others too, so that no test fetches 120 MB:
    /// their place in a release is tested, not that they run.
    private void runtimes() throws IOException {
        var folder = scratch.resolve("runtimes");
        run("build/cli/archives.py", "--link", folder.toString());
        var own = folder.resolve("runtime-linux-%s.tar.gz".formatted(PLATFORM));
        for (var platform : ARCHIVES) {
            var file = folder.resolve("runtime-%s.tar.gz".formatted(platform));
            if (!file.equals(own)) {
                Files.copy(own, file);
            }
        }
    }

    private void make(String target, String version) {
        run("make", target, "VERSION=" + version);
    }

    private String run(String... words) {
        var command = new ArrayList<>(List.of("env", "--chdir=" + clone));
        command.addAll(environment);
        command.addAll(List.of(words));
        return Shell.run(command, "", LIMIT);
    }

    private String text(String file) throws IOException {
        return Files.readString(published.resolve(file), UTF_8);
    }

    @Test
    void allIsAttachedAndListedWithItsDigest() throws IOException {
        assertThat(text("arguments").lines())
                .startsWith("release", "create", "v" + VERSION, "--repo", NAME, "--verify-tag");
        assertThat(text("changelog.md")).startsWith("### ").contains("### Added\n");
        assertThat(published)
                .isDirectoryContaining("glob:**/millwright-controller-0.2.0.tar")
                .isDirectoryContaining("glob:**/millwright-0.2.0.tgz")
                .isDirectoryContaining("glob:**/capt-0.2.0.tgz")
                .isDirectoryContaining("glob:**/addons-0.2.0.tgz")
                .isDirectoryContaining("glob:**/infrastructure-components.yaml")
                .isDirectoryContaining("glob:**/control-plane-components.yaml")
                .isDirectoryContaining("glob:**/addon-components.yaml")
                .isDirectoryContaining(
                        "glob:**/millwright-0.2.0-linux-%s.cdx.json".formatted(PLATFORM));
        var files = text("SHA256SUMS").lines().toList();
        var checked =
                Shell.run(
                        List.of(
                                "env",
                                "--chdir=" + published,
                                "sha256sum",
                                "--check",
                                "SHA256SUMS"),
                        "",
                        LIMIT);
        assertThat(checked.lines()).hasSameSizeAs(files).allMatch(line -> line.endsWith(": OK"));
        assertThat(files).hasSizeGreaterThan(25);
    }

    @Test
    void theImageOfTheRegistryRuns() throws IOException {
        var index = registry.digest(NAME, "v" + VERSION);
        var image = TOP.matcher(registry.text(Objects.requireNonNull(index)));
        assertThat(image.find()).isTrue();
        var folder = scratch.resolve("registry");
        Files.writeString(
                folder.resolve("index.json"),
                "{\"schemaVersion\":2,\"manifests\":[{\"digest\":\"%s\"}]}"
                        .formatted(image.group(1)));
        var archive = scratch.resolve("pulled.tar").toString();
        Shell.run(
                List.of("tar", "-cf", archive, "-C", folder + "", "index.json", "blobs"),
                "",
                LIMIT);
        var container = scratch.resolve("container").toString();

        run("testing/e2e/image/container.py", "unpack", archive, container);

        assertThat(run("testing/e2e/image/container.py", "run", container, "--", "version"))
                .isEqualTo("millwright 0.2.0\n");
    }

    @Test
    void theChartOfTheRegistryInstallsTheImageOfTheRegistry(ControlPlane plane) {
        var namespace = plane.createNamespace();
        var chart = "oci://%s/%s/charts/millwright".formatted(registry.host(), NAME);

        run(
                Tools.path("helm").toString(),
                "--kubeconfig=" + plane.kubeconfig(),
                "install",
                "released-karpenter",
                chart,
                "--version=" + VERSION,
                "--plain-http",
                "--skip-crds",
                "--namespace=" + namespace,
                "--set=settings.clusterName=shop");

        assertThat(
                        plane.kubectl(
                                "get",
                                "deployment",
                                "released-karpenter",
                                "-n",
                                namespace,
                                "-o=jsonpath={.spec.template.spec.containers[0].image}"))
                .isEqualTo("%s/%s:v%s", registry.host(), NAME, VERSION);
        run(
                Tools.path("helm").toString(),
                "--kubeconfig=" + plane.kubeconfig(),
                "uninstall",
                "released-karpenter",
                "--namespace=" + namespace);
    }

    @Test
    void theApiServerTakesWhatTheInstallerHolds(ControlPlane plane) throws IOException {
        var filled =
                text("install.yaml")
                        .replace("${CLUSTER_NAME}", "123")
                        .replace("${INTERRUPTION_QUEUE}", "shop");
        assertThat(filled).doesNotContain("${");
        var file = Files.writeString(scratch.resolve("filled.yaml"), filled).toString();

        assertThat(
                        plane.kubectl(
                                "apply",
                                "--server-side",
                                "--force-conflicts",
                                "--dry-run=server",
                                "-f",
                                file))
                .contains("deployment.apps/karpenter serverside-applied")
                .contains("nodepools.karpenter.sh serverside-applied");
    }

    @Test
    void allThatIsInstalledNamesTheImageAndTheChartsOfTheRelease() throws IOException {
        var image = "%s/%s".formatted(registry.host(), NAME);

        assertThat(text("install.yaml")).contains("image: %s:v%s\n".formatted(image, VERSION));
        assertThat(text("infrastructure-components.yaml")).contains("image: " + image + ":v0.2.0");
        assertThat(text("control-plane-components.yaml")).contains("image: " + image + ":v0.2.0");
        assertThat(text("addon-components.yaml")).contains("image: " + image + ":v0.2.0");
        assertThat(text("karpenter-proxies.yaml"))
                .contains("repoURL: oci://" + image + "/charts", "version: 0.2.0");
        assertThat(text("metadata.yaml")).contains("{major: 0, minor: 2, contract: v1beta1}");
        assertThat(text("addon-metadata.yaml")).contains("{major: 0, minor: 2, contract: v1beta2}");
        var modules = scratch.resolve("modules").toString();
        var archive = published.resolve("millwright-terraform-0.2.0.tar.gz").toString();
        Shell.run(
                List.of(
                        "bash",
                        "-c",
                        "mkdir \"$1\" && tar -xzf \"$2\" -C \"$1\"",
                        "-",
                        modules,
                        archive),
                "",
                LIMIT);
        assertThat(Path.of(modules, "terraform/karpenter/main.tf")).exists();
        // Document 003's commands name it; in the repository a link leads there.
        assertThat(Path.of(modules, "terraform/karpenter-standalone/example/example.tfvars"))
                .exists();
        assertThat(Path.of(modules, "charts/millwright/values.yaml"))
                .content()
                .contains("repository: " + image);
    }

    @Test
    void theArchiveIsAPlugInOfKubectlWhereThereIsNoJava() throws IOException {
        var archive = "millwright-0.2.0-linux-%s".formatted(PLATFORM);
        var file = published.resolve(archive + ".tar.gz").toString();
        Shell.run(List.of("tar", "-xzf", file, "-C", scratch.toString()), "", LIMIT);
        var path = Files.createDirectory(scratch.resolve("path"));
        var plugIn = scratch.resolve(archive).resolve("bin/kubectl-millwright");
        Files.createSymbolicLink(path.resolve("kubectl-millwright"), plugIn);
        Files.createSymbolicLink(path.resolve("kubectl"), ControlPlane.binary("kubectl"));
        for (var tool : List.of("dirname", "readlink")) {
            Files.createSymbolicLink(path.resolve(tool), Path.of("/usr/bin", tool));
        }
        var alone = List.of("env", "-i", "PATH=" + path, "HOME=" + scratch);
        var command = new ArrayList<>(alone);
        command.addAll(List.of("kubectl", "millwright", "version"));

        assertThat(Shell.run(command, "", LIMIT)).isEqualTo("millwright 0.2.0\n");
        assertThat(run("build/cli/check.sh", file, VERSION)).endsWith(".tar.gz runs\n");
    }

    @Test
    void krewAndHomebrewFindTheArchivesByTheirDigests() throws IOException {
        var manifest = text("krew-millwright.yaml");
        var formula = text("millwright.rb");

        assertThat(manifest).contains("\n  version: v0.2.0\n");
        for (var platform : ARCHIVES) {
            var file = "millwright-0.2.0-%s.tar.gz".formatted(platform);
            var place = "https://github.com/acme/millwright/releases/download/v0.2.0/" + file;
            var digest =
                    Registry.digest(Files.readAllBytes(published.resolve(file)))
                            .substring("sha256:".length());
            assertThat(manifest).contains("uri: %s\n      sha256: %s\n".formatted(place, digest));
            assertThat(formula)
                    .contains("url \"%s\"\n      sha256 \"%s\"".formatted(place, digest));
        }
    }
}
