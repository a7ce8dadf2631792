package dev.millwright.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

class CompletionCommandTest {

    @Test
    void fishIsOfferedCommandsOptionsAndChoices() {
        var script = CommandRun.of("completion", "fish").out();

        assertThat(script)
                .contains("'millwright explain pod' 'millwright explain node'")
                .contains("'millwright explain nodeclaim'")
                .contains("test (__millwright_command) = \"millwright explain\"' -f -a pod -d '")
                .containsPattern("-l packing -r -f -a '[^']*first-fit[^']*' -d '");
        assertThat(script.lines().filter(line -> line.contains("-l into"))).isEmpty();
    }

    @Test
    void everyCommandHasAPage(@TempDir Path directory) throws IOException {
        var run = CommandRun.of("man", "--into", directory.toString());

        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(Files.readString(directory.resolve("millwright.1")))
                .startsWith(".TH \"millwright\" 1 \"\" \"millwright unpackaged\"\n.SH NAME\n")
                .contains("\n\\fBmillwright\\-explain(1)\\fR\n");
        assertThat(Files.readString(directory.resolve("millwright-explain-pod.1")))
                .contains(".SH ARGUMENTS\n", ".SH OPTIONS\n", "\\-\\-help");
        assertThat(Files.readString(directory.resolve("millwright-explain-nodeclaim.1")))
                .contains("\n.SH SYNOPSIS\nmillwright explain nodeclaim ");
        assertThat(directory.resolve("millwright-man.1")).doesNotExist();
    }
}
