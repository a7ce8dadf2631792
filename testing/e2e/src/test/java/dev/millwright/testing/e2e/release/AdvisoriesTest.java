package dev.millwright.testing.e2e.release;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millwright.testing.e2e.Shell;
import dev.millwright.testing.e2e.Tools;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// What `build/advisories.py` asks osv-scanner about, and which of its answers fail.
final class AdvisoriesTest {

    private static final Duration LIMIT = Duration.ofMinutes(1);

    @TempDir private Path directory;

    private static String run(String... arguments) {
        var script = Tools.ROOT.resolve("build/advisories.py").toString();
        var command = new ArrayList<>(List.of("python3", script));
        command.addAll(List.of(arguments));
        return Shell.run(command, "", LIMIT);
    }

    /// An answer of osv-scanner about one package.
    private String judged(String score, String word, String event) throws IOException {
        var results = directory.resolve("results.json");
        Files.writeString(
                results,
                """
                {"results": [{"source": {"path": "go.mod"}, "packages": [{
                  "package": {"name": "example.com/web", "version": "1.0.0", "ecosystem": "Go"},
                  "vulnerabilities": [{
                    "id": "GHSA-1", "summary": "it opens a door",
                    "database_specific": {"severity": "%s"},
                    "affected": [{
                      "package": {"name": "example.com/web", "ecosystem": "Go"},
                      "ranges": [{"type": "SEMVER", "events": [{"introduced": "0"}, {%s}]}]}]}],
                  "groups": [{"ids": ["GHSA-1"], "max_severity": "%s"}]}]}]}
                """
                        .formatted(word, event, score));
        return run("judge", results.toString());
    }

    @Test
    void oneOfHighSeverityWithAFixFails() {
        assertThatThrownBy(() -> judged("7.5", "", "\"fixed\": \"1.0.1\""))
                .hasMessageContaining("1 of high severity with a fix")
                .hasMessageContaining("example.com/web 1.0.0: GHSA-1 (high; fixed in 1.0.1)");
    }

    @Test
    void oneThatItsSourceCallsCriticalFailsWithoutAScore() {
        assertThatThrownBy(() -> judged("", "CRITICAL", "\"fixed\": \"1.0.1\""))
                .hasMessageContaining("1 of high severity with a fix");
    }

    @Test
    void oneOfHighSeverityWithoutAFixIsTold() throws IOException {
        assertThat(judged("9.8", "", "\"last_affected\": \"1.0.0\""))
                .contains("tells: example.com/web 1.0.0: GHSA-1 (high; no fix): it opens a door");
    }

    @Test
    void oneOfLowerSeverityIsTold() throws IOException {
        assertThat(judged("6.9", "MODERATE", "\"fixed\": \"1.0.1\""))
                .contains(
                        "tells: example.com/web 1.0.0: GHSA-1 (lower or unknown; fixed in 1.0.1)");
    }

    @Test
    void theJarsOfTheCommandLineAreAskedAboutAndOursAreNot() throws IOException {
        var dependencies =
                Files.writeString(
                        directory.resolve("dependencies.txt"),
                        """
                        The following files have been resolved:
                           dev.millwright:millwright-core:jar:0.1.0:compile:/core.jar -- module a
                           org.example:plain:jar:1.2.3:compile:/plain.jar -- module b
                           org.example:native:jar:linux-x86_64:4.5.6:runtime:/native.jar
                           org.example:tests:jar:7.8.9:test:/tests.jar
                        """);
        var jars = directory.resolve("out/jars.json");

        assertThat(run("list", dependencies.toString(), jars.toString())).contains("2 jars");

        assertThat(Files.readString(jars))
                .contains("org.example:plain", "1.2.3", "org.example:native", "4.5.6")
                .doesNotContain("dev.millwright", "7.8.9");
    }

    @Test
    void aListWithoutJarsIsRefused() throws IOException {
        var empty = Files.writeString(directory.resolve("dependencies.txt"), "none\n");
        assertThatThrownBy(() -> run("list", empty.toString(), directory.resolve("o").toString()))
                .hasMessageContaining("found no jar in");
    }
}
