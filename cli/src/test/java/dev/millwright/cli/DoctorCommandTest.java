package dev.millwright.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.providers.aws.doctor.Check;

import org.junit.jupiter.api.Test;

import java.io.ByteArrayInputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;

final class DoctorCommandTest {

    private static final List<Check> CHECKS =
            List.of(
                    new Check("region", Check.State.OK, "us-east-1", List.of()),
                    new Check("queue", Check.State.UNKNOWN, "none is named", List.of()),
                    new Check(
                            "subnets",
                            Check.State.FIX,
                            "none has the tag",
                            List.of("aws ec2 create-tags", "aws ec2 describe-subnets")));

    private static String shown(List<Check> checks, OutputFormat format) {
        var out = new StringWriter();
        var terminal =
                Terminal.ofStreams(
                        new ByteArrayInputStream(new byte[0]),
                        new PrintWriter(out),
                        new PrintWriter(new StringWriter()),
                        Map.of("LANG", "C"));
        DoctorText.show(checks, format, terminal);
        return out.toString();
    }

    @Test
    void whatMustBeFixedIsShownAsCommandsBelowWhatThereIs() {
        assertThat(shown(CHECKS, OutputFormat.TABLE))
                .isEqualTo(
                        """
                        CHECK    STATE    FOUND
                        region   ok       us-east-1
                        queue    unknown  none is named
                        subnets  fix      none has the tag

                        # subnets
                        aws ec2 create-tags
                        aws ec2 describe-subnets

                        1 of 3 checks must be fixed.
                        """);
    }

    @Test
    void whereNothingIsWrongThatIsSaid() {
        assertThat(shown(CHECKS.subList(0, 2), OutputFormat.TABLE))
                .endsWith("\n\nNothing must be fixed.\n");
    }

    @Test
    void jsonHasAFixOrNone() {
        assertThat(shown(CHECKS, OutputFormat.JSON))
                .isEqualToIgnoringWhitespace(
                        """
                        {"checks": [
                          {"name": "region", "ok": true, "state": "ok", "found": "us-east-1",
                           "fix": null},
                          {"name": "queue", "ok": true, "state": "unknown",
                           "found": "none is named", "fix": null},
                          {"name": "subnets", "ok": false, "state": "fix",
                           "found": "none has the tag",
                           "fix": "aws ec2 create-tags\\naws ec2 describe-subnets"}]}
                        """);
    }

    @Test
    void whatCannotBeLookedAtIsSkippedByNameAndReason() {
        var run = CommandRun.of("doctor", "--kubeconfig", "/nowhere/config");

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.out())
                .contains("the cluster's name is not given")
                .contains("api-server       fix")
                .containsPattern("credentials +skipped +needs the cluster's name")
                .containsPattern("definitions +skipped +needs the API server");
    }

    @Test
    void theHelpShowsExamples() {
        assertThat(CommandRun.of("doctor", "--help").out())
                .contains("Examples:", "--cluster-name", "--node-role");
    }
}
