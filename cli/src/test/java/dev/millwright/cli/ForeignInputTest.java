package dev.millwright.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/// What people type and hand in that is not what we asked for: each is told in words, with a way
/// out, and never as an exception of Java or of a library.
final class ForeignInputTest {

    private static final String POOL =
            """
            apiVersion: karpenter.sh/v1
            kind: NodePool
            metadata: {name: general}
            spec:
              template:
                spec:
                  nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: default}
                  requirements: []
            """;

    private static final String POD =
            """
            ---
            apiVersion: v1
            kind: Pod
            metadata: {name: %s, namespace: shop}
            spec:
              containers: [{name: main, resources: {requests: {cpu: %s}}}]
            status: {phase: Pending, conditions: [{type: PodScheduled, status: "False", reason: Unschedulable}]}
            """;

    private static final String TYPES =
            """
            ---
            instanceTypes:
            - {name: small, arch: amd64, os: [linux],
               capacity: {cpuMilli: 4000, memoryBytes: 4294967296, pods: 10},
               offerings: [{zone: us-east-1a, capacityType: on-demand, price: 0.25}]}
            """;

    private static final String CLUSTER = POOL + POD.formatted("web", "1") + TYPES;

    @TempDir private Path directory;

    private static CommandRun plainly(CommandRun run) {
        assertThat(run.err())
                .doesNotContain("Exception", "java.", "jackson", "a mistake of ours", "\tat ");
        return run;
    }

    private String missing() {
        return directory.resolve("nofile").toString();
    }

    @Test
    void aFileThatIsMissingIsNamed() {
        var run = plainly(CommandRun.of("simulate", missing()));
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err()).contains(missing());
    }

    @Test
    void aPriceListThatIsMissingIsNamed() {
        var run = plainly(CommandRun.reading(CLUSTER, "plan", "-f", "-", "--prices", missing()));
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err()).contains(missing(), "there is no such file");
    }

    @Test
    void aDirectoryInPlaceOfAFileIsNamed() {
        var run = plainly(CommandRun.of("simulate", directory.toString()));
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err()).contains(directory.toString());
    }

    @Test
    void jsonThatIsCutOffSaysSo() {
        var run =
                plainly(
                        CommandRun.reading(
                                "{\"kind\": \"List\", \"items\": [{\"kind\": \"Po",
                                "simulate",
                                "-"));
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err()).contains("ends in the middle of an object; was it cut off?");
    }

    @Test
    void jsonWithAStrayLetterSaysWhich() {
        var run = plainly(CommandRun.reading("{\"kind\": @}", "simulate", "-"));
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err()).contains("found '@' here");
    }

    @Test
    void aPoolOfV1beta1NamesTheCommandThatTurnsIt() {
        var run =
                plainly(
                        CommandRun.reading(
                                CLUSTER.replace("karpenter.sh/v1", "karpenter.sh/v1beta1"),
                                "simulate",
                                "-"));
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err()).contains("millwright migrate");
    }

    @ParameterizedTest
    @ValueSource(strings = {"Provisioner", "Machine"})
    void anObjectOfV1alpha5NamesTheCommandThatTurnsIt(String kind) {
        var old =
                "apiVersion: karpenter.sh/v1alpha5\nkind: %s\nmetadata: {name: default}\n"
                        .formatted(kind);
        var run = plainly(CommandRun.reading(old, "simulate", "-"));
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err()).contains(kind + " default").contains("millwright migrate");
    }

    @Test
    void aServerThatDoesNotAnswerIsNamed() throws IOException {
        var config =
                Files.writeString(
                        directory.resolve("config"),
                        """
                        apiVersion: v1
                        kind: Config
                        current-context: a
                        contexts: [{name: a, context: {cluster: a, user: a}}]
                        clusters: [{name: a, cluster: {server: "http://127.0.0.1:1"}}]
                        users: [{name: a, user: {}}]
                        """);
        var run = plainly(CommandRun.of("plan", "--kubeconfig", config.toString()));
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err()).contains("127.0.0.1:1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"99999", "-1"})
    void aPortThatIsNoneFailsBeforeAnythingIsRead(String port) {
        var run = plainly(CommandRun.of("plan", "-f", missing(), "--port", port));
        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err())
                .contains("--port: found %s; wanted a number from 0 to 65535".formatted(port));
    }

    @Test
    void anOriginThatIsNoneIsToldWithThoseThereAre() {
        var run = plainly(CommandRun.of("migrate", "--from", "nomad"));
        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err())
                .contains("nomad")
                .contains("karpenter")
                .contains("cluster-autoscaler");
    }

    @Test
    void aFamilyThatNobodySellsIsRefused() {
        var run =
                plainly(
                        CommandRun.reading(
                                POOL + POD.formatted("web", "1"),
                                "plan",
                                "-f",
                                "-",
                                "--what-if",
                                "families=zz9"));
        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains("no instance type is of family \"zz9\"");
    }

    @Test
    void aFamilyThatIsMistypedIsRefusedWithTheOneThatWasMeant() {
        var run =
                plainly(
                        CommandRun.reading(
                                POOL + POD.formatted("web", "1"),
                                "plan",
                                "-f",
                                "-",
                                "--what-if",
                                "families=m7g,c7gg"));
        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains("maybe \"c7g\"?");
    }

    @Test
    void aDaemonSetOfTheClusterItselfIsLeftAlone() {
        var proxy =
                """
                ---
                apiVersion: apps/v1
                kind: DaemonSet
                metadata: {name: kube-proxy, namespace: kube-system, uid: proxy}
                spec:
                  selector: {matchLabels: {app: proxy}}
                  template:
                    metadata: {labels: {app: proxy}}
                    spec: {containers: [{name: main, resources: {requests: {cpu: 100m}}}]}
                """;
        var named =
                plainly(
                        CommandRun.reading(
                                CLUSTER + proxy,
                                "plan",
                                "-f",
                                "-",
                                "--what-if",
                                "without-daemonset=kube-proxy"));
        var all =
                plainly(
                        CommandRun.reading(
                                CLUSTER + proxy, "plan", "-q", "-f", "-", "--what-if", "all"));

        assertThat(named.exitCode()).isEqualTo(2);
        assertThat(named.err()).contains("kube-system").contains("nodes do not work");
        assertThat(all.exitCode()).isZero();
        assertThat(all.out()).doesNotContain("kube-proxy");
    }

    @Test
    void aChangeThatLeavesPodsWaitingSavesNothing() {
        var cheap =
                CLUSTER.replace(
                        "offerings: [{zone: us-east-1a, capacityType: on-demand, price: 0.25}]",
                        "offerings: [{zone: us-east-1a, capacityType: spot, price: 0.25}]");
        var table =
                plainly(
                        CommandRun.reading(
                                cheap, "plan", "-q", "-f", "-", "--what-if", "on-demand"));
        var json =
                CommandRun.reading(
                        cheap, "plan", "-q", "-f", "-", "--what-if", "on-demand", "-o", "json");

        assertThat(table.out()).contains("leaves pods waiting");
        assertThat(json.out())
                .contains("\"savingPerMonth\" : null")
                .contains("\"leftWaiting\" : 1");
    }

    @Test
    void podsThatAreLeftWaitingFailAScriptThatAsksForIt() {
        var problem = POOL + POD.formatted("web", "900") + TYPES;
        assertThat(CommandRun.reading(problem, "simulate", "-q", "-").exitCode()).isZero();
        assertThat(
                        CommandRun.reading(problem, "simulate", "-q", "--fail-on-waiting", "-")
                                .exitCode())
                .isEqualTo(3);
        assertThat(
                        CommandRun.reading(problem, "plan", "-q", "--fail-on-waiting", "-f", "-")
                                .exitCode())
                .isEqualTo(3);
        assertThat(
                        CommandRun.reading(CLUSTER, "simulate", "-q", "--fail-on-waiting", "-")
                                .exitCode())
                .isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"pod/web", "po/web", "pods/web", "POD/web"})
    void anObjectIsNamedAsKubectlDoes(String object) {
        var run =
                plainly(
                        CommandRun.reading(
                                CLUSTER, "explain", object, "-n", "shop", "-f", "-", "-o", "json"));
        assertThat(run.exitCode()).isZero();
        assertThat(run.out()).contains("\"name\" : \"shop/web\"");
    }

    @Test
    void aKindThatCannotBeExplainedIsToldWithThoseThatCan() {
        var run = plainly(CommandRun.of("explain", "service/web"));
        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains("found \"service/web\"").contains("nodepool");
    }

    @Test
    void aFileIsTakenWithAndWithoutItsOption() throws IOException {
        var file = Files.writeString(directory.resolve("cluster.yaml"), CLUSTER).toString();
        for (var command : new String[] {"simulate", "plan"}) {
            var plain = plainly(CommandRun.of(command, "-q", "-o", "json", file));
            var named = plainly(CommandRun.of(command, "-q", "-o", "json", "-f", file));
            assertThat(plain.exitCode()).isZero();
            assertThat(named.exitCode()).isZero();
        }
    }

    @Test
    void withoutACommandHelpIsShown() {
        var run = plainly(CommandRun.of());
        assertThat(run.exitCode()).isZero();
        assertThat(run.out()).contains("Usage: millwright").contains("simulate");
    }

    @ParameterizedTest
    @ValueSource(ints = {70, 100, 160})
    void helpIsAsWideAsTheTerminal(int width) {
        var wide = Map.of("LANG", "C", "COLUMNS", Integer.toString(width));
        var run = CommandRun.with("", wide, "explain", "pod", "--help");
        assertThat(run.out().lines()).allMatch(line -> line.length() <= width);
        assertThat(run.out().lines().mapToInt(String::length).max().orElse(0))
                .isGreaterThan(width - 15);
    }

    @Test
    void controlCharactersOfAFileDoNotReachTheTerminal() {
        var hostile =
                CLUSTER.replace(
                        "kind: NodePool\n", "kind: \"No\\u001b]0;owned\\u0007\\u009bdePool\"\n");
        for (var format : new String[] {"table", "json", "yaml"}) {
            var run = CommandRun.reading(hostile, "simulate", "-o", format, "-");
            assertThat(run.out() + run.err()).doesNotContain("\u001b", "\u0007", "\u009b");
        }
        var problem = POOL + POD.formatted("\"web\\u001b[2J\"", "900") + TYPES;
        var table = CommandRun.reading(problem, "simulate", "-");
        assertThat(table.out() + table.err()).doesNotContain("\u001b");
    }

    @Test
    void bytesThatAreNoTextAreToldInWords() throws IOException {
        var file = directory.resolve("binary");
        Files.write(file, "\u0000\u0001PNG".getBytes(StandardCharsets.UTF_16));
        var run = plainly(CommandRun.of("simulate", file.toString()));
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err()).contains(file.toString());
    }

    @Test
    void theAdviceOfASimulationWasTried() {
        var limited =
                CLUSTER.replace("spec:\n  template:", "spec:\n  limits: {cpu: 1}\n  template:");
        var run = plainly(CommandRun.reading(limited, "simulate", "-q", "-"));
        assertThat(run.out())
                .contains("=> NodePool general: raise the limit of cpu to 4")
                .doesNotContain("loosen", "or raise");
    }

    @Test
    void aPodBehindASchedulingGateNamesTheGate() {
        var gated =
                CLUSTER.replace(
                                "spec:\n  containers",
                                "spec:\n  schedulingGates: [{name: shop.example/quota}]\n  containers")
                        .replace("reason: Unschedulable", "reason: SchedulingGated");
        var run =
                plainly(
                        CommandRun.reading(
                                gated, "explain", "pod/web", "-n", "shop", "-q", "-f", "-"));
        assertThat(run.exitCode()).isZero();
        assertThat(run.out())
                .contains("scheduling gate shop.example/quota holds it back")
                .contains("spec.schedulingGates");
        for (var command : new String[] {"simulate", "plan"}) {
            var plan = plainly(CommandRun.reading(gated, command, "-f", "-"));
            assertThat(plan.err()).contains("scheduling gate shop.example/quota holds back 1 pod,");
            assertThat(plan.out()).doesNotContain("launch", "waiting");
        }
    }

    @Test
    void nodesThatStayForOneCauseShareALine() {
        var run = plainly(CommandRun.of("plan", "-q", "-f", kept()));
        var lines = run.out().lines().filter(line -> line.contains("do-not-disrupt")).toList();
        assertThat(lines).hasSize(1);
        assertThat(lines.getFirst()).contains("2").contains("node-a node-b");
    }

    @ParameterizedTest
    @ValueSource(strings = {"pod/gone", "node/gone", "nodeclaim/gone", "nodepool/gone"})
    void anObjectThatIsNotThereIsNamedToTheQuietToo(String object) {
        var run = plainly(CommandRun.reading(CLUSTER, "-q", "explain", object, "-f", "-"));
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err()).contains("there is no ").contains("gone");
    }

    @Test
    void aLineBreakInANameDoesNotPassForALineOfOurs() {
        var hostile =
                POOL + POD.formatted("\"web\\n    => NodePool general: delete it\"", "900") + TYPES;
        for (var command : new String[] {"simulate", "plan"}) {
            var run = plainly(CommandRun.reading(hostile, command, "-q", "-f", "-"));
            assertThat(run.out())
                    .contains("web\\u000a    => NodePool general")
                    .doesNotContain("\n    => NodePool general: delete it");
        }
    }

    @Test
    void aNumberThatIsNoneIsToldInWords() {
        var run = plainly(CommandRun.of("plan", "--port", "http"));
        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err())
                .contains("--port")
                .contains("found \"http\"; wanted a whole number")
                .doesNotContain("int");
    }

    @Test
    void adviceForSeveralPodsHelpsAllOfThem() {
        var limited =
                POOL.replace("spec:\n  template:", "spec:\n  limits: {cpu: 4}\n  template:")
                        + POD.formatted("web-1", "3")
                        + POD.formatted("web-2", "3")
                        + POD.formatted("web-3", "3")
                        + POD.formatted("web-4", "3")
                        + TYPES;
        var run = plainly(CommandRun.reading(limited, "simulate", "-q", "-"));
        assertThat(run.out())
                .contains("3 pods of shop/web")
                .contains("=> NodePool general: raise the limit of cpu to 16\n");
    }

    @Test
    void theRequirementThatExcludesEveryTypeIsNamedAlone() {
        var elsewhere =
                CLUSTER.replace(
                        "spec:\n  containers",
                        "spec:\n  nodeSelector: {topology.kubernetes.io/zone: us-east-1c}\n  containers");
        var run = plainly(CommandRun.reading(elsewhere, "explain", "po/web", "-n", "shop", "-"));
        assertThat(run.out())
                .contains(
                        "no instance type it may buy has topology.kubernetes.io/zone In [us-east-1c]; there are us-east-1a")
                .doesNotContain("karpenter.sh/registered");
    }

    @Test
    void aTypeThatTheRegionIsNotKnownToSellIsNotPricedAtNothing() {
        var run = plainly(Site.in("eu-central-2a").ofType("c6i.large").run("plan", "-f", "-"));
        assertThat(run.exitCode()).isZero();
        assertThat(run.err()).contains("Node node-a: the on-demand price of c6i.large");
        assertThat(run.out())
                .contains("now:  1 node", "at least $", "what that saves is unknown")
                .containsPattern("remove +node-a .* on-demand +\\? ");
    }

    /// Two nodes, each with a pod that must not be disturbed.
    private String kept() {
        var text =
                new StringBuilder(
                        POOL + "status: {conditions: [{type: Ready, status: \"True\"}]}\n");
        for (var name : new String[] {"a", "b"}) {
            text.append(node(name));
        }
        try {
            return Files.writeString(directory.resolve("kept.yaml"), text + TYPES).toString();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static String node(String name) {
        return """
            ---
            apiVersion: karpenter.sh/v1
            kind: NodeClaim
            metadata:
              name: general-%1$s
              uid: claim-%1$s
              labels: {karpenter.sh/nodepool: general, node.kubernetes.io/instance-type: small, kubernetes.io/arch: amd64,
                       topology.kubernetes.io/zone: us-east-1a, karpenter.sh/capacity-type: on-demand}
            spec:
              nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: default}
              requirements: []
            status:
              providerID: aws:///us-east-1a/i-%1$s
              nodeName: node-%1$s
              capacity: {cpu: "4", memory: 4Gi, pods: "10"}
              allocatable: {cpu: "4", memory: 4Gi, pods: "10"}
              conditions:
              - {type: Launched, status: "True"}
              - {type: Registered, status: "True"}
              - {type: Initialized, status: "True", lastTransitionTime: "2026-01-01T00:00:00Z"}
              - {type: Consolidatable, status: "True"}
            ---
            apiVersion: v1
            kind: Node
            metadata:
              name: node-%1$s
              labels: {karpenter.sh/nodepool: general, node.kubernetes.io/instance-type: small, kubernetes.io/arch: amd64,
                       topology.kubernetes.io/zone: us-east-1a, karpenter.sh/capacity-type: on-demand,
                       karpenter.sh/registered: "true", karpenter.sh/initialized: "true", kubernetes.io/hostname: node-%1$s}
            spec: {providerID: "aws:///us-east-1a/i-%1$s"}
            status:
              capacity: {cpu: "4", memory: 4Gi, pods: "10"}
              allocatable: {cpu: "4", memory: 4Gi, pods: "10"}
              conditions: [{type: Ready, status: "True"}]
            ---
            apiVersion: v1
            kind: Pod
            metadata:
              name: web-%1$s
              namespace: shop
              annotations: {karpenter.sh/do-not-disrupt: "true"}
              ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, name: web, uid: web, controller: true}]
            spec:
              nodeName: node-%1$s
              containers: [{name: main, resources: {requests: {cpu: 1}}}]
            status: {phase: Running}
            """
                .formatted(name);
    }
}
