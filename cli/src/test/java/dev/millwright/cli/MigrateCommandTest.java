package dev.millwright.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class MigrateCommandTest {

    private static final String OLD =
            """
            apiVersion: karpenter.sh/v1alpha5
            kind: Provisioner
            metadata: {name: default}
            spec:
              providerRef: {name: shop}
              ttlSecondsAfterEmpty: 30
            """;

    private static final String BROKEN =
            """
            ---
            apiVersion: karpenter.sh/v1alpha5
            kind: Provisioner
            metadata: {name: broken}
            spec: {ttlSecondsAfterEmpty: 30}
            """;

    @Test
    void objectsGoToStandardOutputAndNotesToStandardError() {
        var run = CommandRun.reading(OLD, "migrate", "-f", "-");

        assertThat(run.exitCode()).isZero();
        assertThat(run.out())
                .startsWith("apiVersion: karpenter.sh/v1\nkind: NodePool\n")
                .contains("consolidateAfter: 30s");
        assertThat(run.err())
                .contains(
                        "Provisioner default: spec.requirements[kubernetes.io/os]: found nothing");
    }

    @Test
    void quietKeepsTheObjectsOnly() {
        assertThat(CommandRun.reading(OLD, "migrate", "-q", "-f", "-").err()).isEmpty();
    }

    @Test
    void jsonHasObjectsAndWarnings() {
        var run = CommandRun.reading(OLD, "migrate", "-f", "-", "-o", "json", "--ignore-defaults");

        assertThat(run.exitCode()).isZero();
        assertThat(run.err()).isEmpty();
        assertThat(run.out())
                .startsWith(
                        "{\n  \"apiVersion\" : \"v1\",\n  \"kind\" : \"List\",\n  \"items\" : [ {")
                .contains("\"objects\" : [")
                .contains("\"warnings\" : [")
                .contains("\"kind\" : \"injected\"")
                .contains("\"path\" : \"spec.ttlSecondsUntilExpired\"")
                .contains("\"errors\" : [ ]");
    }

    @Test
    void aDocumentThatIsWrongIsToldAndTheOthersGoOn() {
        var run = CommandRun.reading(OLD + BROKEN, "migrate", "-f", "-");

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.out()).contains("name: default").doesNotContain("broken");
        assertThat(run.err()).contains("Provisioner broken: spec.providerRef: is missing");
    }

    @Test
    void aFileThatIsNotThereIsToldAndTheOthersGoOn() {
        var run = CommandRun.reading(OLD, "migrate", "-f", "nowhere.yaml", "-f", "-");

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.out()).contains("name: default");
        assertThat(run.err()).contains("nowhere.yaml: there is no such file");
    }

    @Test
    void theDiffShowsOldAndNewLines() {
        var run = CommandRun.reading(OLD, "migrate", "-f", "-", "--diff");

        assertThat(run.out())
                .startsWith(
                        """
                        --- Provisioner default (karpenter.sh/v1alpha5)
                        +++ NodePool default (karpenter.sh/v1)
                        -apiVersion: karpenter.sh/v1alpha5
                        -kind: Provisioner
                        +apiVersion: karpenter.sh/v1
                        +kind: NodePool
                         metadata:
                           name: default
                         spec:
                        """)
                .contains("-  ttlSecondsAfterEmpty: 30\n", "+    consolidateAfter: 30s\n");
    }

    @Test
    void wrongWordsAreWrongUsage() {
        assertThat(CommandRun.reading(OLD, "migrate", "-f", "-", "-o", "table").exitCode())
                .isEqualTo(2);
        assertThat(CommandRun.of("migrate", "--form", "karpenter").exitCode()).isEqualTo(2);
    }

    @Test
    void helpShowsAnExample() {
        assertThat(CommandRun.of("migrate", "--help").out())
                .contains("Examples:", "--ignore-defaults", "--diff");
    }
}
