package dev.millwright.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;

final class CapiTreeCommandTest {

    private static final Map<String, String> UNICODE = Map.of("LANG", "C.UTF-8");

    private static String shop() throws IOException {
        try (var stream = CapiTreeCommandTest.class.getResourceAsStream("/capi/shop.yaml")) {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static CommandRun tree(String... options) throws IOException {
        var arguments = new String[options.length + 4];
        arguments[0] = "capi";
        arguments[1] = "tree";
        arguments[2] = "-f";
        arguments[3] = "-";
        System.arraycopy(options, 0, arguments, 4, options.length);
        return CommandRun.with(shop(), UNICODE, arguments);
    }

    @Test
    void aFilesOnlyClusterOfANameNeedsNoNamespace() throws IOException {
        var run = tree("shop");
        assertThat(run.exitCode()).isZero();
        assertThat(run.err()).isEmpty();
        assertThat(run.out().lines().toList().getFirst())
                .startsWith("NAME")
                .containsSubsequence("STATE", "REASON", "AGE", "MESSAGE");
        assertThat(run.out()).contains("Cluster/shop", "├─ CAPTCluster/shop (infrastructure)");
    }

    @Test
    void valuesOfAStateAreNeverShown() throws IOException {
        for (var format : new String[] {"table", "wide", "json", "yaml"}) {
            assertThat(tree("shop", "-o", format).out())
                    .contains("aws_vpc.this")
                    .doesNotContain("vpc-secret", "10.0.0.0/16", "subnet-1");
        }
    }

    @Test
    void jsonHoldsTheWholeTree() throws IOException {
        assertThat(tree("shop", "-o", "json").out())
                .contains(
                        "\"cluster\" : \"shop\"",
                        "\"namespace\" : \"team-a\"",
                        "\"progress\" : \"apply: 7 of 23 resources, aws_eks_cluster.this for 2m10s\"",
                        "\"state\" : \"Tainted\"",
                        "\"createdAt\" : \"2026-01-01T10:00:00Z\"");
    }

    @Test
    void aNameThatIsNotThereEndsWithOneAndASuggestion() throws IOException {
        var run = tree("shep", "-n", "team-a");
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.out()).isEmpty();
        assertThat(run.err())
                .isEqualTo(
                        "millwright: Cluster \"shep\" not found in namespace \"team-a\"; maybe \"shed\"?\n");
    }

    @Test
    void aNameLikeNoOtherNamesThoseThereAre() throws IOException {
        assertThat(tree("production", "-n", "team-a").err()).contains("; it has shed, shop");
        assertThat(tree("production", "-n", "team-b").err()).contains("which has none");
    }

    @Test
    void aFileThatIsNotThereIsABadInput() {
        assertThat(CommandRun.of("capi", "tree", "shop", "-f", "/none.yaml").exitCode())
                .isEqualTo(1);
    }

    @Test
    void wrongUsageEndsWithTwo() {
        assertThat(CommandRun.of("capi", "tree").exitCode()).isEqualTo(2);
        assertThat(CommandRun.of("capi").exitCode()).isEqualTo(2);
        assertThat(CommandRun.of("capi").err()).contains("wanted one of tree");
        assertThat(CommandRun.of("capi", "tree", "shop", "-o", "dot").exitCode()).isEqualTo(2);
    }

    @Test
    void helpHasExamplesAndCompletionKnowsTheCommand() {
        assertThat(CommandRun.of("capi", "tree", "--help").out()).contains("Examples:", "-o");
        assertThat(CommandRun.of("completion", "bash").out())
                .contains("_picocli_millwright_capi_tree");
    }
}
