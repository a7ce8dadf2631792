package dev.millwright.testing.e2e.release;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millwright.testing.e2e.Shell;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// What the steps of a release that change files write and refuse, on a copy of those files.
/// [WholeReleaseIT] makes a release.
@Tag("long")
final class ReleaseIT {

    private static final Path REPOSITORY = Path.of("../..").toAbsolutePath().normalize();
    private static final Duration LIMIT = Duration.ofMinutes(2);

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
                        || (path.startsWith("build/") && path.endsWith(".py"))
                        || path.startsWith("deploy/"));
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
                .hasMessageContaining("VERSION is \"new\"; want one such as 1.2.3 or v1.2.3");
    }

    @Test
    void whereTheImageLiesMustBeSaid() {
        release(List.of(), "update-version", "7.8.9");

        assertThatThrownBy(() -> release(List.of("IMAGE="), "destination", "7.8.9"))
                .hasMessageContaining("say where the image lies, as in IMAGE=ghcr.io/OWNER/NAME");
        assertThatThrownBy(() -> release(List.of("IMAGE=ghcr.io/Acme/x:1"), "push", "7.8.9"))
                .hasMessageContaining("want a repository in small letters without a tag");
        assertThat(release(List.of("IMAGE=ghcr.io/acme/x"), "destination", "v7.8.9"))
                .isEqualTo("ghcr.io/acme/x:v7.8.9\n");
        assertThat(release(List.of("DRY_RUN=1", "IMAGE=ghcr.io/acme/x"), "push", "7.8.9"))
                .endsWith("millwright-controller-7.8.9.tar to ghcr.io/acme/x:v7.8.9\n");
    }

    @Test
    void clusterctlIsToldOfTheSeriesOfAVersion() throws IOException {
        release(List.of(), "update-version", "v7.8.9");

        assertThat(text("deploy/capt/metadata.yaml"))
                .endsWith("\n  - {major: 7, minor: 8, contract: v1beta1}\n");
        assertThat(text("deploy/addons/metadata.yaml"))
                .contains("\n  - {major: 0, minor: 6, contract: v1beta2}\n")
                .endsWith("\n  - {major: 7, minor: 8, contract: v1beta2}\n");
    }
}
