package dev.millwright.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

class SimulateCommandTest {

    /// Two pods of one node, and one that no machine holds.
    private static final String PROBLEM =
            """
            {"format": 1, "name": "tiny", "instanceTypes": [
              {"name": "small", "arch": "amd64", "os": ["linux"],
               "capacity": {"cpuMilli": 2000, "memoryBytes": 4294967296, "pods": 10},
               "offerings": [{"zone": "a", "capacityType": "on-demand", "price": 0.25}]}],
             "pods": [{"name": "p1", "requests": {"cpuMilli": 1000, "memoryBytes": 1073741824}},
                      {"name": "p2", "requests": {"cpuMilli": 500, "memoryBytes": 1073741824}},
                      {"name": "huge-1", "requests": {"cpuMilli": 64000}},
                      {"name": "huge-2", "requests": {"cpuMilli": 64000}}]}
            """;

    @Test
    void theJsonKeysAreThoseOfTheContract() {
        var run =
                CommandRun.reading(
                        PROBLEM, "simulate", "-q", "--packing", "first-fit", "-o", "json", "-");
        assertThat(run.err()).isEmpty();
        assertThat(run.exitCode()).isZero();
        assertThat(stable(run.out()))
                .isEqualTo(
                        """
                        {
                          "name" : "tiny",
                          "packing" : "first-fit",
                          "pricePerHour" : 0.25,
                          "lowerBoundPerHour" : N,
                          "gapPercent" : N,
                          "optimal" : true,
                          "solve" : {
                            "wallMillis" : N,
                            "cpuMillis" : N,
                            "allocatedBytes" : N
                          },
                          "nodes" : [ {
                            "nodePool" : "default",
                            "type" : "small",
                            "zone" : "a",
                            "capacityType" : "on-demand",
                            "pricePerHour" : 0.25,
                            "pods" : [ "default/p1", "default/p2" ],
                            "types" : [ "small" ],
                            "requests" : {
                              "cpu" : "1500m",
                              "memory" : "2Gi",
                              "pods" : "2"
                            },
                            "allocatable" : {
                              "cpu" : "2",
                              "memory" : "4Gi",
                              "pods" : "10"
                            }
                          } ],
                          "existing" : [ ],
                          "waiting" : [ {
                            "pod" : "default/huge-1",
                            "reason" : "Refused",
                            "message" : "…"
                          }, {
                            "pod" : "default/huge-2",
                            "reason" : "Refused",
                            "message" : "…"
                          } ]
                        }
                        """);
    }

    private static String stable(String json) {
        return json.replaceAll(
                        "(Millis|allocatedBytes|lowerBoundPerHour|gapPercent)\" : [0-9.]+",
                        "$1\" : N")
                .replaceAll("\"message\" : \".*\"", "\"message\" : \"…\"");
    }

    @Test
    void yamlHasTheSameKeys() {
        var run = CommandRun.reading(PROBLEM, "simulate", "-q", "-o", "yaml", "-");
        assertThat(run.out())
                .startsWith("name: tiny\npacking: cheapest\npricePerHour: 0.25\n")
                .contains("\n  type: small\n", "\n- pod: default/huge-1\n  reason: Refused\n");
    }

    @Test
    void theTableFoldsNodesAndReasons() {
        var wide = Map.of("LANG", "C", "COLUMNS", "200");
        var run = CommandRun.with(PROBLEM, wide, "simulate", "--packing", "first-fit", "-");
        assertThat(run.exitCode()).isZero();
        assertThat(run.out())
                .startsWith("tiny: 2 pods on 1 new node, 2 pods left waiting\n")
                .contains("cost: $0.2500 an hour, $183 a month")
                .contains(
                        "    1  default   small  a     on-demand  0.2500    0.2500  ########..  75%"
                                + "  #####.....  50%     2\n")
                .contains("\n  2 pods of default/huge-...\n")
                .contains("it asks for cpu 64, the nearest type lacks cpu 62\n")
                .contains("=> Pod default/huge-1: ask for at most 2 of cpu");
    }

    @Test
    void feesOfNodesAreToldBesideThePrice() {
        var json =
                CommandRun.reading(
                        PROBLEM, "simulate", "-q", "--node-fee-per-hour=0.05", "-o", "json", "-");
        var table = CommandRun.reading(PROBLEM, "simulate", "--node-fee-per-hour=0.05", "-");

        assertThat(json.out())
                .contains("  \"pricePerHour\" : 0.25,\n")
                .contains("  \"nodeFeesPerHour\" : 0.05,\n  \"spendPerHour\" : 0.3,\n")
                .contains("  \"lowerBoundPerHour\" : 0.3,\n  \"gapPercent\" : 0,\n")
                .contains("    \"nodeFeePerHour\" : 0.05,\n");
        assertThat(table.out())
                .contains(
                        "cost: $0.2500 an hour, $183 a month and fees of nodes $0.0500 an hour; ");
    }

    @Test
    void aFeeThatIsNoneIsRefused() {
        assertThat(CommandRun.of("simulate", "--node-fee-per-hour", "free", "-").err())
                .contains("found \"free\"; wanted an amount an hour from 0 to 1000");
    }

    @Test
    void progressIsPlainLinesAwayFromATerminal() {
        var run = CommandRun.reading(PROBLEM, "simulate", "-");
        assertThat(run.err())
                .isEqualTo(
                        """
                        millwright: reading -
                        millwright: planning for 4 of 4 pods over 1 instance types
                        """);
    }

    @Test
    void barsAreBlocksWhereTheLocaleCanShowThem() {
        var run =
                CommandRun.with(
                        PROBLEM, Map.of("LANG", "en_US.UTF-8"), "simulate", "-o", "wide", "-");
        assertThat(run.out()).contains("███████▌··  75%", "default/p1 default/p2");
    }

    @Test
    void faultsOfAFileEndWithOneAndNoTrace(@TempDir Path directory) throws Exception {
        var file = directory.resolve("pool.yaml");
        Files.writeString(
                file,
                """
                apiVersion: karpenter.sh/v1
                kind: NodePool
                metadata: {name: default}
                spec:
                  limits: {cpu: 12x}
                  template: {spec: {}}
                """);
        var run = CommandRun.of("simulate", "-q", file.toString());
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.out()).isEmpty();
        assertThat(run.err())
                .startsWith(
                        file
                                + ":5: NodePool default: spec.limits.cpu: quantity \"12x\": unknown"
                                + " suffix \"x\"")
                .doesNotContain("\tat ");
    }

    @Test
    void aPathThatCannotBeIsBadInput() {
        assertThat(CommandRun.of("simulate", "-q", "a\0b").err())
                .isEqualTo("a b: is no path: Nul character not allowed\n");
        assertThat(CommandRun.of("simulate", "-q", ".").exitCode()).isEqualTo(1);
    }

    @Test
    void theStackIsShownOnRequest() {
        assertThat(CommandRun.of("simulate", "--debug", "nothing.yaml").err()).contains("\tat ");
        assertThat(
                        CommandRun.with(
                                        "",
                                        Map.of("MILLWRIGHT_DEBUG", "1"),
                                        "simulate",
                                        "nothing.yaml")
                                .err())
                .contains("\tat ");
    }

    @Test
    void wrongUsageEndsWithTwo() {
        assertThat(CommandRun.of("simulate", "--packing", "tight", "-").exitCode()).isEqualTo(2);
        assertThat(CommandRun.of("simulate", "--packing", "tight", "-").err())
                .contains("found \"tight\"; wanted first-fit or cheapest")
                .contains("See 'millwright simulate --help'.");
        assertThat(CommandRun.of("simulate", "-o", "xml", "-").err())
                .contains("found \"xml\"; wanted table, wide, json or yaml");
        assertThat(CommandRun.of("simulate", "--time-limit", "soon", "-").exitCode()).isEqualTo(2);
        assertThat(CommandRun.of("simulat", "-").err())
                .contains("Did you mean: millwright simulate");
    }

    @Test
    void helpHasAnExampleForEachCommand() {
        assertThat(CommandRun.of("--help").out()).contains("Example:", "simulate", "bench");
        assertThat(CommandRun.of("simulate", "--help").out()).contains("Examples:");
        assertThat(CommandRun.of("bench", "--help").out()).contains("Example:");
        assertThat(CommandRun.of("completion", "--help").out()).contains("Example:");
        assertThat(CommandRun.of("--version").out()).startsWith("millwright ");
    }

    @Test
    void completionKnowsTheOptions() {
        assertThat(CommandRun.of("completion", "bash").out()).contains("--packing", "first-fit");
        assertThat(CommandRun.of("completion", "zsh").out()).contains("bashcompinit");
    }

    @Test
    void nodesThatAreThereTakePodsAndStrangeKindsAreNoted() {
        var run =
                CommandRun.reading(
                        """
                        {apiVersion: karpenter.sh/v1, kind: NodePool, metadata: {name: a}, spec: {template: {spec: {}}}}
                        ---
                        {apiVersion: v1, kind: Node, metadata: {name: old}, status: {allocatable: {cpu: 4, pods: 9}}}
                        ---
                        {apiVersion: v1, kind: Secret, metadata: {name: s}}
                        ---
                        {apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {containers: [{resources: {requests: {cpu: 1}}}]}}
                        """,
                        "simulate",
                        "-");
        assertThat(run.out())
                .startsWith("stdin: 0 pods on 0 new nodes, 1 pod on 1 existing node\n")
                .contains("NODE  PODS  NAMES\nold      1  default/p\n")
                .doesNotContain("cost:");
        assertThat(run.err())
                .endsWith(
                        "millwright: left out 1 object of kinds a plan does not look at: Secret"
                                + " 1\n");
    }

    @Test
    void aProvisionerIsSentToMigrate() {
        var run =
                CommandRun.reading(
                        """
                        {apiVersion: karpenter.sh/v1alpha5, kind: Provisioner, metadata: {name: default}}
                        """,
                        "simulate",
                        "-");
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err())
                .contains(
                        "Provisioner default: apiVersion: found \"karpenter.sh/v1alpha5\"; wanted a"
                                + " NodePool of karpenter.sh/v1; `millwright migrate -f FILE` makes it one\n");
    }

    @Test
    void anAwsNodeTemplateIsLeftOutAndSentToMigrate() {
        var run =
                CommandRun.reading(
                        """
                        {apiVersion: karpenter.k8s.aws/v1alpha1, kind: AWSNodeTemplate, metadata: {name: default}}
                        """,
                        "simulate",
                        "-");
        assertThat(run.err())
                .contains("AWSNodeTemplate is a kind before v1", "`millwright migrate -f FILE`");
    }

    @Test
    void theExampleOfTheShopRunsAndOnePodWaits() {
        var run = CommandRun.of("simulate", "-q", "-o", "json", "../examples/shop.yaml");
        assertThat(run.exitCode()).isZero();
        assertThat(run.out())
                .containsOnlyOnce("\"reason\" : ")
                .contains("\"pod\" : \"shop/image-search-training\"", "shop/orders-db-2");
    }
}
