package dev.millwright.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// Typing errors in the names of fields, which an API server would drop without a word.
class UnknownFieldTest {

    private static final String POOL =
            """
            apiVersion: karpenter.sh/v1
            kind: NodePool
            metadata:
              name: general
            spec:
              weight: 10
              limits: {cpu: "100"}
              template:
                spec:
                  nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: default}
                  requirements: []
            ---
            apiVersion: apps/v1
            kind: Deployment
            metadata: {name: web, namespace: shop}
            spec:
              replicas: 1
              selector: {matchLabels: {app: web}}
              template:
                metadata: {labels: {app: web}}
                spec:
                  nodeSelector: {team: shop}
                  containers:
                  - name: main
                    resources: {requests: {cpu: "1"}}
            """;

    @TempDir private Path directory;

    private String file(String text) throws IOException {
        return Files.writeString(directory.resolve("shop.yaml"), text).toString();
    }

    @ParameterizedTest
    @CsvSource({
        "requirements, requirments, 11, NodePool general: spec.template.spec.requirments",
        "weight, weigth, 6, NodePool general: spec.weigth",
        "limits, limts, 7, NodePool general: spec.limts",
        "nodeSelector, nodeSelctor, 22, Deployment shop/web: spec.template.spec.nodeSelctor",
        "resources, ressources, 25, 'Deployment shop/web: spec.template.spec.containers[0].ressources'"
    })
    void aTypingErrorIsToldWithItsLineAndTheNearestName(
            String right, String wrong, int line, String where) throws IOException {
        var file = file(POOL.replace(right + ":", wrong + ":"));
        var run = CommandRun.of("simulate", file);

        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.err())
                .contains(
                        "%s:%d: %s: is an unknown field and counts for nothing; maybe \"%s\"?"
                                .formatted(file, line, where, right));
    }

    @ParameterizedTest
    @CsvSource({
        "simulate, -f, ''",
        "plan, -f, ''",
        "explain, pod, web-0",
        "explain, nodepool, general",
        "migrate, -f, ''"
    })
    void everyCommandThatReadsFilesTells(String command, String second, String third)
            throws IOException {
        var file = file(POOL.replace("limits:", "limts:"));
        var run =
                third.isEmpty()
                        ? CommandRun.of(command, second, file)
                        : CommandRun.of(command, second, third, "-f", file);

        assertThat(run.err()).contains("spec.limts", "maybe \"limits\"?");
    }

    @Test
    void aStrictCommandRefuses() throws IOException {
        var file = file(POOL.replace("limits:", "limts:"));
        var run = CommandRun.of("simulate", "--strict", file);

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.out()).isEmpty();
        assertThat(run.err())
                .contains(file + ":7: NodePool general: spec.limts: is an unknown field");
    }

    @Test
    void aStrictCommandTakesWhatIsRight() throws IOException {
        assertThat(CommandRun.of("simulate", "--strict", file(POOL)).exitCode()).isZero();
    }

    @Test
    void theExampleHasNoUnknownField() {
        assertThat(CommandRun.of("simulate", "--strict", "../examples/shop.yaml").exitCode())
                .isZero();
    }

    @Test
    void aFieldNearToNoneIsToldWithThoseThereAre() throws IOException {
        var run = CommandRun.of("simulate", file(POOL.replace("weight:", "zzzzzz:")));

        assertThat(run.err())
                .contains("wanted one of disruption, limits, replicas, template, weight");
    }
}
