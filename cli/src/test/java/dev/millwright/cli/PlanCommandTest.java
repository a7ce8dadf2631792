package dev.millwright.cli;

import static org.assertj.core.api.Assertions.assertThat;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millwright.kube.document.JsonReader;
import dev.millwright.kube.document.Position;
import dev.millwright.kube.document.Value;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

class PlanCommandTest {

    /// A large node with one small pod, an empty one, and a catalogue where small is cheaper and
    /// cheaper still on arm64.
    private static final String CLUSTER =
            """
            apiVersion: karpenter.sh/v1
            kind: NodePool
            metadata: {name: general}
            spec:
              disruption: {consolidationPolicy: WhenEmptyOrUnderutilized, consolidateAfter: 0s, budgets: [{nodes: 100%%}]}
              template:
                spec:
                  nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: default}
                  requirements:
                  - {key: kubernetes.io/arch, operator: In, values: [amd64]}
            status: {conditions: [{type: Ready, status: "True"}]}
            ---
            %s
            ---
            %s
            ---
            apiVersion: v1
            kind: Pod
            metadata:
              name: web
              namespace: shop
              ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, name: web, uid: web, controller: true}]
            spec:
              nodeName: node-a
              containers: [{name: main, resources: {requests: {cpu: 1}}}]
            status: {phase: Running}
            ---
            instanceTypes:
            - {name: small, arch: amd64, os: [linux], capacity: {cpuMilli: 2000, memoryBytes: 4294967296, pods: 10},
               offerings: [{zone: a, capacityType: on-demand, price: 0.1}]}
            - {name: thrifty, arch: arm64, os: [linux], capacity: {cpuMilli: 2000, memoryBytes: 4294967296, pods: 10},
               offerings: [{zone: a, capacityType: on-demand, price: 0.05}]}
            - {name: large, arch: amd64, os: [linux], capacity: {cpuMilli: 8000, memoryBytes: 8589934592, pods: 10},
               offerings: [{zone: a, capacityType: on-demand, price: 0.4}]}
            """
                    .formatted(machine("a"), machine("b"));

    private static final String WAITING_POD =
            """
            ---
            apiVersion: v1
            kind: Pod
            metadata:
              name: big
              namespace: shop
              ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, name: big, uid: big, controller: true}]
            spec:
              containers: [{name: main, resources: {requests: {cpu: %s}}}]
            status:
              phase: Pending
              conditions: [{type: PodScheduled, status: "False", reason: Unschedulable}]
            """;

    private static final String POLICY =
            """
            apiVersion: karpenter.sh/v1
            kind: NodePool
            metadata: {name: general}
            spec:
              disruption: {consolidationPolicy: WhenEmpty, consolidateAfter: 0s, budgets: [{nodes: 100%}]}
              template:
                spec:
                  nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: default}
                  requirements: []
            status: {conditions: [{type: Ready, status: "True"}]}
            """;

    private static final Value NOTHING = new Value.Nothing(Position.of("nowhere"));

    @TempDir private Path directory;

    private static String machine(String name) {
        return """
        apiVersion: karpenter.sh/v1
        kind: NodeClaim
        metadata:
          name: general-%1$s
          uid: claim-%1$s
          labels: {karpenter.sh/nodepool: general, node.kubernetes.io/instance-type: large, kubernetes.io/arch: amd64,
                   topology.kubernetes.io/zone: a, karpenter.sh/capacity-type: on-demand}
        spec:
          nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: default}
          requirements: []
        status:
          providerID: aws:///a/i-%1$s
          nodeName: node-%1$s
          capacity: {cpu: "8", memory: 8Gi, pods: "10"}
          allocatable: {cpu: "8", memory: 8Gi, pods: "10"}
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
          labels: {karpenter.sh/nodepool: general, node.kubernetes.io/instance-type: large, kubernetes.io/arch: amd64,
                   topology.kubernetes.io/zone: a, karpenter.sh/capacity-type: on-demand,
                   karpenter.sh/registered: "true", karpenter.sh/initialized: "true", kubernetes.io/hostname: node-%1$s}
        spec: {providerID: aws:///a/i-%1$s}
        status:
          capacity: {cpu: "8", memory: 8Gi, pods: "10"}
          allocatable: {cpu: "8", memory: 8Gi, pods: "10"}
          conditions: [{type: Ready, status: "True"}]
        """
                .formatted(name);
    }

    /// What stands at a path of the result, in words.
    private static String at(CommandRun run, String path) {
        try {
            Value value = JsonReader.object(run.out().getBytes(UTF_8));
            for (var step : path.substring(1).split("/", -1)) {
                value =
                        switch (value) {
                            case Value.Mapping(_, var fields) -> fields.getOrDefault(step, NOTHING);
                            case Value.Sequence(_, var elements)
                                    when Integer.parseInt(step) < elements.size() ->
                                    elements.get(Integer.parseInt(step));
                            default -> NOTHING;
                        };
            }
            return switch (value) {
                case Value.Text(_, var text) -> text;
                case Value.Numeral(_, var text) -> text;
                case Value.Flag(_, var isTrue) -> Boolean.toString(isTrue);
                default -> value.describe();
            };
        } catch (IOException broken) {
            throw new UncheckedIOException(run.out() + run.err(), broken);
        }
    }

    @Test
    void anEmptyNodeGoesAndAnOversizedOneIsReplaced() {
        var run = CommandRun.reading(CLUSTER, "plan", "-q", "-f", "-", "-o", "json");

        assertThat(run.err()).isEmpty();
        assertThat(run.exitCode()).isZero();
        assertThat(at(run, "/before/nodes")).isEqualTo("2");
        assertThat(at(run, "/before/pricePerHour")).isEqualTo("0.8");
        assertThat(at(run, "/after/nodes")).isEqualTo("1");
        assertThat(at(run, "/after/pricePerHour")).isEqualTo("0.1");
        assertThat(at(run, "/actions/0/action")).isEqualTo("remove");
        assertThat(at(run, "/actions/0/node")).isEqualTo("node-b");
        assertThat(at(run, "/actions/0/reason")).isEqualTo("Empty");
        assertThat(at(run, "/actions/1/action")).isEqualTo("launch");
        assertThat(at(run, "/actions/1/type")).isEqualTo("small");
        assertThat(at(run, "/actions/2/evicted/0")).isEqualTo("shop/web");
        assertThat(at(run, "/actions/2/replacements/0")).isEqualTo("general-new-1");
        assertThat(at(run, "/evictions")).isEqualTo("1");
        assertThat(at(run, "/kept/0/node")).isEqualTo("general-new-1");
        assertThat(at(run, "/kept/0/reason")).isEqualTo("NotCheaper");
        assertThat(at(run, "/ending/isQuiet")).isEqualTo("true");
    }

    @Test
    void theWayThereIsShownOnAPage() throws IOException, InterruptedException {
        try (var page = VisitedPage.of(CLUSTER, "plan", "-f", "-", "--port", "0")) {
            var moments = JsonReader.object(page.get("/api/moments").getBytes(UTF_8));
            var last = Integer.parseInt(text(moments, "length")) - 1;

            assertThat(last).as("decisions").isGreaterThan(5);
            var before = JsonReader.object(page.get("/api/picture?at=0").getBytes(UTF_8));
            assertThat(text(before, "pricePerHour")).isEqualTo("0.8");
            var after = JsonReader.object(page.get("/api/picture?at=" + last).getBytes(UTF_8));
            assertThat(text(after, "pricePerHour")).isEqualTo("0.1");
            assertThat(page.get("/api/explain?kind=node&name=general-new-1&at=" + last))
                    .contains("no replacement costs less");
            assertThat(page.out()).contains("general-new-1");
        }
    }

    private static String text(Value.Mapping object, String field) {
        return object.fields().get(field) instanceof Value.Numeral(_, var text) ? text : "none";
    }

    @Test
    void aSweepHasNoPage() {
        var run = CommandRun.of("plan", "--sweep", "-f", "some.yaml", "--port", "0");

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains("--port shows one forecast; leave --sweep out");
    }

    @Test
    void theOperatorsFlagsAreTaken() {
        var run =
                CommandRun.reading(
                        CLUSTER,
                        "plan",
                        "-q",
                        "-f",
                        "-",
                        "-o",
                        "json",
                        "--consolidation",
                        "cheapest",
                        "--packing",
                        "first-fit");

        assertThat(run.err()).isEmpty();
        assertThat(at(run, "/after/nodes")).isEqualTo("1");
        assertThat(at(run, "/packing")).isEqualTo("first-fit");
    }

    @Test
    void manifestsThatNoServerHasSeenAreForecastToo() {
        var run =
                CommandRun.with(
                        """
                        apiVersion: karpenter.sh/v1
                        kind: NodePool
                        metadata: {name: general}
                        spec:
                          template:
                            spec:
                              nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: default}
                              requirements: [{key: karpenter.sh/capacity-type, operator: In, values: [on-demand]}]
                        ---
                        apiVersion: apps/v1
                        kind: Deployment
                        metadata: {name: web, namespace: shop}
                        spec:
                          replicas: 3
                          selector: {matchLabels: {app: web}}
                          template:
                            metadata: {labels: {app: web}}
                            spec: {containers: [{name: main, resources: {requests: {cpu: "1"}}}]}
                        """,
                        CommandRun.PLAIN,
                        "plan",
                        "-q",
                        "-f",
                        "-",
                        "-o",
                        "json");
        assertThat(run.exitCode()).isZero();
        assertThat(run.out()).containsPattern("(?s)\"after\" : \\{.*\"pods\" : 3");
    }

    @Test
    void aPodThatWaitsTakesTheRoomThereIs() {
        var text = CLUSTER + WAITING_POD.formatted("7");

        var run = CommandRun.reading(text, "plan", "-q", "-f", "-", "-o", "json");

        assertThat(at(run, "/before/waiting")).isEqualTo("1");
        assertThat(at(run, "/after/waiting")).isEqualTo("0");
        assertThat(at(run, "/after/nodes")).isEqualTo("1");
        assertThat(at(run, "/after/pods")).isEqualTo("2");
    }

    @Test
    void aPodThatNoMachineHoldsIsLeftWaitingWithAReason() {
        var text = CLUSTER + WAITING_POD.formatted("70");

        var run = CommandRun.reading(text, "plan", "-q", "-f", "-", "-o", "json");

        assertThat(at(run, "/waiting/0/pod")).isEqualTo("shop/big");
        assertThat(at(run, "/waiting/0/reason")).isEqualTo("Refused");
    }

    @Test
    void theTableTellsWhatIsDoneAndWhyTheRestStays() {
        var run = CommandRun.reading(CLUSTER, "plan", "-q", "-f", "-");

        assertThat(run.out())
                .contains("now:  2 nodes, 1 pod, $0.8000 an hour")
                .contains("then: 1 node, 1 pod, $0.1000 an hour")
                .contains("1 pod evicted")
                .contains("remove")
                .contains("empty")
                .contains("underutilized, for general-new-1")
                .contains("no replacement costs less than");
    }

    @Test
    void aPolicyIsTriedInPlaceOfThePoolOfItsName() throws IOException {
        var policy = Files.writeString(directory.resolve("policy.yaml"), POLICY);

        var run =
                CommandRun.reading(
                        CLUSTER,
                        "plan",
                        "-q",
                        "-f",
                        "-",
                        "--policy",
                        policy.toString(),
                        "-o",
                        "json");

        assertThat(run.err()).isEmpty();
        assertThat(at(run, "/after/pricePerHour")).isEqualTo("0.4");
        assertThat(at(run, "/kept/0/reason")).isEqualTo("OnlyWhenEmpty");
    }

    @Test
    void aPolicyOfSomethingElseIsRefused() throws IOException {
        var policy =
                Files.writeString(
                        directory.resolve("policy.yaml"),
                        "apiVersion: v1\nkind: Service\nmetadata: {name: web}\n");

        var run = CommandRun.reading(CLUSTER, "plan", "-f", "-", "--policy", policy.toString());

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err()).contains("found a Service; a policy holds NodePools");
    }

    @Test
    void changesAreRankedByWhatTheySave() {
        var run =
                CommandRun.reading(
                        CLUSTER,
                        "plan",
                        "-q",
                        "-f",
                        "-",
                        "-o",
                        "json",
                        "--what-if",
                        "on-demand",
                        "--what-if",
                        "arm64");

        assertThat(at(run, "/whatIf/0/change")).isEqualTo("arm64");
        assertThat(at(run, "/whatIf/0/savingPerMonth")).isEqualTo("36.5");
        assertThat(at(run, "/whatIf/1/change")).isEqualTo("on-demand");
        assertThat(at(run, "/whatIf/1/savingPerMonth")).isEqualTo("0");
    }

    @Test
    void pricesOfAFileCountInPlaceOfTheOthers() throws IOException {
        var prices =
                Files.writeString(
                        directory.resolve("prices.csv"),
                        "type,zone,capacityType,pricePerHour\nsmall,*,on-demand,0.2\nlarge,*,on-demand,0.8\n");

        var run =
                CommandRun.reading(
                        CLUSTER,
                        "plan",
                        "-q",
                        "-f",
                        "-",
                        "-o",
                        "json",
                        "--prices",
                        prices.toString());

        assertThat(at(run, "/before/pricePerHour")).isEqualTo("1.6");
        assertThat(at(run, "/after/pricePerHour")).isEqualTo("0.2");
    }

    @Test
    void aChangeThatIsNoneIsWrongUsage() {
        var unknown = CommandRun.reading(CLUSTER, "plan", "-f", "-", "--what-if", "magic");
        var region =
                CommandRun.reading(CLUSTER, "plan", "-f", "-", "--what-if", "region=eu-west-1");

        assertThat(unknown.exitCode()).isEqualTo(2);
        assertThat(unknown.err()).contains("found \"magic\"; wanted arm64, spot");
        assertThat(region.exitCode()).isEqualTo(2);
        assertThat(region.err()).contains("give them by --prices FILE");
    }

    @Test
    void aSweepLooksAtEachFileWithEachPolicy() throws IOException {
        var first = Files.writeString(directory.resolve("first.yaml"), CLUSTER);
        var second =
                Files.writeString(
                        directory.resolve("second.yaml"), CLUSTER + WAITING_POD.formatted("7"));
        var policy = Files.writeString(directory.resolve("policy.yaml"), POLICY);

        var run =
                CommandRun.of(
                        "plan",
                        "-q",
                        "--sweep",
                        "-o",
                        "json",
                        "-f",
                        first.toString(),
                        "-f",
                        second.toString(),
                        "--policy",
                        policy.toString());

        assertThat(run.err()).isEmpty();
        assertThat(at(run, "/sweep")).isEqualTo("a list of 4");
        assertThat(at(run, "/sweep/0/policy")).isEqualTo("as it is");
        assertThat(at(run, "/sweep/0/after/pricePerHour")).isEqualTo("0.1");
        assertThat(at(run, "/sweep/1/policy")).isEqualTo(policy.toString());
        assertThat(at(run, "/sweep/1/after/pricePerHour")).isEqualTo("0.4");
    }
}
