package dev.millwright.capi.apply;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.capi.stage.CaptStage;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/// `examples/capt/workspace.yaml` works as it is for those who may write in one namespace alone,
/// with the manager's defaults.
final class WorkspaceExampleTest {

    private static final List<String> KINDS =
            List.of("kind: WorkspaceTemplate\n", "kind: WorkspaceTemplateApply\n");

    private static String example() throws IOException {
        return Files.readString(Path.of("../examples/capt/workspace.yaml"))
                .replace("namespace: default", "namespace: team");
    }

    /// The template, its apply, and the Secret that this waits for.
    private static CaptStage stage() throws IOException {
        var documents =
                Stream.of(example().split("---\n", -1))
                        .filter(document -> KINDS.stream().anyMatch(document::contains))
                        .toList();
        assertThat(documents).hasSize(KINDS.size());
        return new CaptStage()
                .given(String.join("---\n", documents))
                .given(
                        "{apiVersion: v1, kind: Secret, metadata: {name: receipts-approval, namespace: team}}")
                .settle();
    }

    @Test
    void theApplyMakesAWorkspaceWithAllOfItsValues() throws IOException {
        var stage = stage();

        assertThat(stage.hasWorkspace("receipts")).isTrue();
        var variables = stage.workspace("receipts").spec().at("forProvider").at("vars").elements();
        assertThat(variables.stream().map(each -> each.at("value").text("")))
                .containsExactly("receipts", "staging");
    }

    /// Values reach Terraform by variables alone.
    @Test
    void theModuleLeavesNothingToFillIn() throws IOException {
        assertThat(stage().rig().eventReasons()).doesNotContain("PlaceholderInModule");
    }

    @Test
    void noCredentialsAreTheManagersOwn() throws IOException {
        assertThat(example()).doesNotContain("source: Environment", "source: Filesystem");
    }
}
