package dev.millwright.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.providers.aws.removal.Leftover;
import dev.millwright.providers.aws.removal.Report;

import org.junit.jupiter.api.Test;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

final class DestroyCommandTest {

    private static final List<Leftover> THERE =
            List.of(
                    new Leftover("NodePool", "default", ""),
                    new Leftover("instance", "i-1", "shutting-down"),
                    new Leftover("instance", "i-2", "running"));

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private DestroyText text(String typed) {
        var terminal =
                new Terminal(
                        new ByteArrayInputStream(typed.getBytes(StandardCharsets.UTF_8)),
                        new PrintWriter(out),
                        new PrintWriter(err),
                        true,
                        true,
                        true,
                        Map.of("LANG", "C"));
        return new DestroyText(terminal, "shop", "eu-central-1", false);
    }

    @Test
    void whatIsLeftIsShownBelowWhatIsGone() {
        text("").removed(
                        new Report(
                                List.of(THERE.getFirst()),
                                List.of("i-1"),
                                List.of(),
                                List.of(THERE.get(1))),
                        OutputFormat.TABLE);

        assertThat(out.toString())
                .isEqualTo(
                        """
                        KIND      NAME     STATE
                        NodePool  default  removed
                        instance  i-1      left: shutting-down

                        Left of cluster shop: 1 thing; run it again.
                        """);
    }

    @Test
    void jsonTellsWhatIsLeft() {
        text("").removed(
                        new Report(
                                List.of(THERE.getFirst()),
                                List.of("i-1"),
                                List.of("NodeClaim default-1"),
                                List.of(THERE.get(1))),
                        OutputFormat.JSON);

        assertThat(out.toString())
                .isEqualToIgnoringWhitespace(
                        """
                        {"cluster": "shop", "region": "eu-central-1", "cloudOnly": false,
                         "dryRun": false,
                         "removed": [{"kind": "NodePool", "name": "default"}],
                         "forced": ["i-1"], "released": ["NodeClaim default-1"],
                         "left": [{"kind": "instance", "name": "i-1", "why": "shutting-down"}]}
                        """);
    }

    @Test
    void aDryRunShowsWhatIsThere() {
        text("").wouldRemove(THERE, OutputFormat.TABLE);

        assertThat(out.toString()).contains("i-2", "3 things of cluster shop would be removed.");
    }

    @Test
    void onlyTheNameItselfIsAYes() throws IOException {
        assertThat(text("shop\n").isConfirmed(THERE)).isTrue();
        assertThat(text("y\n").isConfirmed(THERE)).isFalse();
        assertThat(text("").isConfirmed(THERE)).isFalse();
        assertThat(err.toString()).contains("NodePool: 1, instance: 2");
    }

    @Test
    void withoutAPersonItWantsToBeTold() {
        var run = CommandRun.of("destroy", "--cluster", "shop");

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains("nobody is there to be asked; say --yes");
    }

    @Test
    void theClusterMustBeNamed() {
        assertThat(CommandRun.of("destroy", "--yes").exitCode()).isEqualTo(2);
    }

    @Test
    void theHelpShowsExamples() {
        assertThat(CommandRun.of("destroy", "--help").out())
                .contains("Examples:", "--dry-run", "--cloud-only", "--drain-timeout");
    }
}
