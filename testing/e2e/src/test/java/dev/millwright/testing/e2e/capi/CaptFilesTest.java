package dev.millwright.testing.e2e.capi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.capi.crd.CaptResources;
import dev.millwright.testing.e2e.Shell;
import dev.millwright.testing.e2e.Tools;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;

final class CaptFilesTest {

    private static final Duration LIMIT = Duration.ofMinutes(1);

    @Test
    void theFilesAndThePageAreWhatTheScriptWrites() {
        var script = Tools.ROOT.resolve("capi/tools/definitions.py").toString();

        assertThat(Shell.run(List.of("python3", script, "--check"), "", LIMIT)).isEmpty();
    }

    @Test
    void everyFileIsADefinitionThatIsInstalled() throws IOException {
        var folder = Tools.ROOT.resolve("capi/src/main/resources/dev/millwright/capi/crd");
        try (var files = Files.list(folder)) {
            assertThat(files.map(file -> file.getFileName().toString().replace(".yaml", "")))
                    .containsExactlyInAnyOrderElementsOf(CaptResources.all().names());
        }
    }
}
