package dev.millwright.testing.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// What a workflow may do and what code of others it runs: a tag of an action can be moved, and a
/// job without `permissions` has those of the repository's settings.
final class WorkflowsTest {

    private static final Path WORKFLOWS = Repository.root().resolve(".github/workflows");
    private static final Pattern ACTION = Pattern.compile("(?m)^ *(?:- )?uses: (.+)$");
    private static final Pattern PINNED =
            Pattern.compile("[\\w.-]+/[\\w./-]+@[0-9a-f]{40} # v[0-9]+\\.[0-9]+\\.[0-9]+");
    private static final Pattern JOB = Pattern.compile("(?m)^  ([a-z-]+):$");
    private static final Pattern WRITE = Pattern.compile("(?m)^ +([a-z-]+): write\\b");

    @ParameterizedTest
    @ValueSource(strings = {"advisories.yml", "ci.yml", "release.yml"})
    void everyActionIsPinnedByItsCommit(String workflow) throws IOException {
        var actions = all(ACTION, text(workflow));

        assertThat(actions).isNotEmpty().allMatch(action -> PINNED.matcher(action).matches());
    }

    @Test
    void noWorkflowIsWithoutThisTest() throws IOException {
        try (var files = Files.list(WORKFLOWS)) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .containsExactlyInAnyOrder("advisories.yml", "ci.yml", "release.yml");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"advisories.yml", "ci.yml"})
    void whatOnlyLooksMayReadTheSourcesAndNothingElse(String workflow) throws IOException {
        assertThat(text(workflow)).contains("\npermissions:\n  contents: read\n\n");
        assertThat(all(WRITE, text(workflow))).isEmpty();
    }

    @Test
    void onlyTheJobThatPublishesMayWrite() throws IOException {
        var release = text("release.yml");
        assertThat(release).contains("\npermissions: {}\n");
        var jobs = release.substring(release.indexOf("\njobs:\n"));
        var last = jobs.indexOf("\n  publish:\n");

        assertThat(all(JOB, jobs)).containsExactly("runtime", "build", "check", "publish");
        assertThat(all(WRITE, jobs.substring(0, last))).isEmpty();
        assertThat(all(WRITE, jobs.substring(last)))
                .containsExactly("contents", "packages", "id-token", "attestations");
        assertThat(jobs.substring(last)).contains("\n    environment: release\n");
    }

    @Test
    void aReleaseIsCheckedOnEachPlatformBeforeItLeaves() throws IOException {
        var release = text("release.yml");

        assertThat(release).contains("    needs: check\n", "- run: build/cli/check.sh ");
        assertThat(List.of("linux-amd64", "linux-arm64", "darwin-amd64", "darwin-arm64"))
                .allSatisfy(
                        platform ->
                                assertThat(release).contains("platform: %s}".formatted(platform)));
        assertThat(Stream.of("make image-check", "cosign sign ", "attest-build-provenance@"))
                .allSatisfy(step -> assertThat(release).contains(step));
    }

    private static List<String> all(Pattern pattern, String text) {
        return pattern.matcher(text).results().map(found -> found.group(1)).toList();
    }

    private static String text(String workflow) throws IOException {
        return Files.readString(WORKFLOWS.resolve(workflow));
    }
}
