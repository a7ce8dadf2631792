package dev.millwright.testing.e2e.release;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millwright.testing.e2e.ControlPlane;
import dev.millwright.testing.e2e.ControlPlaneExtension;
import dev.millwright.testing.e2e.Shell;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// The steps that `make` calls by the names of document 002, on a copy of the files that they read.
@Tag("long")
@ExtendWith(ControlPlaneExtension.class)
final class ReleaseIT {

    private static final Path REPOSITORY = Path.of("../..").toAbsolutePath().normalize();
    private static final Duration LIMIT = Duration.ofMinutes(80);

    private Path copy = Path.of("");

    @BeforeEach
    void copy(@TempDir Path directory) throws IOException {
        copy = directory;
        try (var files = Files.walk(REPOSITORY)) {
            files.filter(ReleaseIT::isRead).forEach(this::take);
        }
    }

    private static boolean isRead(Path file) {
        var path = REPOSITORY.relativize(file).toString();
        return Files.isRegularFile(file)
                && !path.contains("target/")
                && (path.endsWith("pom.xml")
                        || path.equals("CHANGELOG.md")
                        || path.equals("build/release.py")
                        || path.startsWith("deploy/")
                        || path.startsWith("capi/src/main/resources/")
                        || path.startsWith("kube/src/main/resources/dev/millwright/kube/crd/"));
    }

    private void take(Path file) {
        try {
            var to = copy.resolve(REPOSITORY.relativize(file));
            Files.createDirectories(to.getParent());
            Files.copy(file, to);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private String release(List<String> environment, String... words) {
        var command = new ArrayList<>(List.of("env", "SOURCE_DATE_EPOCH=1798761600"));
        command.addAll(environment);
        command.addAll(List.of("python3", copy.resolve("build/release.py").toString()));
        command.addAll(List.of(words));
        return Shell.run(command, "", LIMIT);
    }

    private String text(String path) throws IOException {
        return Files.readString(copy.resolve(path));
    }

    @Test
    void aVersionStandsInEveryModuleAndChart() throws IOException {
        release(List.of(), "update-version", "7.8.9");

        assertThat(text("pom.xml")).contains("<version>7.8.9</version>");
        assertThat(text("providers/aws/pom.xml")).contains("<version>7.8.9</version>");
        assertThat(text("deploy/charts/millwright/Chart.yaml"))
                .contains("\nversion: 7.8.9\n", "\nappVersion: 7.8.9\n");
    }

    @Test
    void theChangelogGetsASectionAndAnEmptyOneAboveIt() throws IOException {
        release(List.of(), "update-changelog", "7.8.9");

        assertThat(text("CHANGELOG.md"))
                .containsSubsequence(
                        "## Unreleased\n\n### You must act\n\n### Changed\n\n### Added\n\n",
                        "## 7.8.9 (2027-01-01)\n\n### ",
                        "### Added\n\n- ");
        assertThatThrownBy(() -> release(List.of(), "update-changelog", "7.8.9"))
                .hasMessageContaining("has a section 7.8.9 already");
    }

    @Test
    void aStepRefusesAnotherVersionThanTheProjects() {
        assertThatThrownBy(() -> release(List.of(), "build-installer", "7.8.9"))
                .hasMessageContaining("`make update-version VERSION=7.8.9` changes it");
        assertThatThrownBy(() -> release(List.of(), "update-version", "new"))
                .hasMessageContaining("VERSION is \"new\"; want one such as 1.2.3");
    }

    @Test
    void whatTheInstallerHoldsIsTakenByTheApiServer(ControlPlane plane) throws IOException {
        var helm =
                Shell.run(
                        List.of(
                                "bash",
                                REPOSITORY.resolve("testing/e2e/tools/build.sh").toString(),
                                "helm"),
                        "",
                        LIMIT);

        release(List.of("HELM=" + helm.strip()), "build-installer");

        var filled =
                text("target/release/install.yaml")
                        .replace("${CLUSTER_NAME}", "123")
                        .replace("${INTERRUPTION_QUEUE}", "shop");
        assertThat(filled).doesNotContain("${");
        var file = Files.writeString(copy.resolve("filled.yaml"), filled);
        assertThat(
                        plane.kubectl(
                                "apply",
                                "--server-side",
                                "--force-conflicts",
                                "--dry-run=server",
                                "-f",
                                file.toString()))
                .contains("deployment.apps/karpenter serverside-applied")
                .contains("nodepools.karpenter.sh serverside-applied");
    }

    @Test
    void publishingShowsItsCommandWhenItIsOnlyTried() throws IOException {
        Files.createDirectories(copy.resolve("target/release"));
        Files.writeString(copy.resolve("target/release/SHA256SUMS"), "");
        release(List.of(), "update-version", "7.8.9");

        assertThat(release(List.of("DRY_RUN=1"), "publish", "7.8.9"))
                .startsWith("gh release create v7.8.9 --verify-tag --title v7.8.9 --notes-file ")
                .contains("/target/release/SHA256SUMS");
        assertThat(
                        release(
                                List.of("DRY_RUN=1", "IMAGE=registry.example/millwright"),
                                "push",
                                "7.8.9"))
                .contains("docker://registry.example/millwright:7.8.9");
    }
}
