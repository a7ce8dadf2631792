package dev.millwright.cli;

import static org.assertj.core.api.Assertions.assertThat;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millwright.core.policy.NodePool;
import dev.millwright.core.scheduling.StaticCapacity;
import dev.millwright.kube.document.JsonReader;
import dev.millwright.kube.document.Source;
import dev.millwright.kube.document.Value;
import dev.millwright.kube.snapshot.CatalogueDefault;
import dev.millwright.kube.snapshot.SnapshotReader;
import dev.millwright.spi.ec2.Ec2Labels;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// The NodePools of `examples/nodepools` give their workloads the nodes that their files promise.
class ScenarioExamplesTest {

    private static final Path DIRECTORY = Path.of("../examples/nodepools");
    private static final Path PAGE = Path.of("../docs/how-to/pools-by-scenario.md");
    private static final Pattern LINK =
            Pattern.compile("examples/nodepools/([a-z0-9-]+)\\.yaml\\)");

    /// Pods of one node: who made it, how and where it was bought, who is on it.
    private record BoughtNode(
            String pool, String type, String zone, String capacityType, List<String> workloads) {

        String purchase() {
            return pool + " " + capacityType;
        }
    }

    @ParameterizedTest
    @CsvSource({
        "general, general on-demand",
        "spot-with-fallback, spot spot",
        "gpu, gpu on-demand",
        "batch, batch spot",
        "stateful, stateful on-demand",
        "system, system on-demand",
        "static, elastic on-demand",
        "reserved, reserved on-demand"
    })
    void everyPodGetsANodeOfThePoolThatIsForIt(String file, String purchase) {
        assertThat(nodes(file, "")).extracting(BoughtNode::purchase).containsOnly(purchase);
    }

    @Test
    void podsFallBackToOnDemandWhereNoSpotIsSold() {
        var nodes = nodes("spot-with-fallback", types("linux", "on-demand"));
        assertThat(nodes).extracting(BoughtNode::purchase).containsOnly("on-demand on-demand");
    }

    @Test
    void aReservationIsUsedBeforeMoneyIsSpent() {
        var nodes = nodes("reserved", types("linux", "reserved", "on-demand"));
        assertThat(nodes).extracting(BoughtNode::purchase).containsOnly("reserved reserved");
    }

    @Test
    void podsForWindowsGetWindowsMachines() {
        var nodes = nodes("windows", types("windows", "on-demand"));
        assertThat(nodes).extracting(BoughtNode::purchase).containsOnly("windows on-demand");
    }

    @Test
    void podsForGpusGetMachinesWithGpus() {
        assertThat(nodes("gpu", "")).allMatch(node -> node.type().matches("[gp][0-9].*"));
    }

    @Test
    void imagesForAmd64StayAwayFromMachinesForArm64() {
        var nodes = nodes("arm64", "");
        assertThat(workloadsOf("arm64", nodes)).containsOnly("catalogue");
        assertThat(workloadsOf("amd64", nodes)).containsOnly("legacy");
    }

    @Test
    void eachReplicaOfTheDatabaseHasANodeAndAZoneOfItsOwn() {
        assertThat(nodes("stateful", ""))
                .hasSize(3)
                .allSatisfy(node -> assertThat(node.workloads()).hasSize(1))
                .extracting(BoughtNode::zone)
                .doesNotHaveDuplicates();
    }

    @Test
    void eachTeamRunsOnItsOwnNodes() {
        var nodes = nodes("teams", "");
        assertThat(workloadsOf("team-red", nodes)).containsOnly("red-service");
        assertThat(workloadsOf("team-blue", nodes)).containsOnly("blue-service");
    }

    @Test
    void theStaticPoolMakesItsNodesBeforeThereArePods() {
        var reader = new SnapshotReader(new CatalogueDefault(List::of, Ec2Labels.VOCABULARY));
        var pools =
                reader
                        .read(List.of(Source.file(DIRECTORY.resolve("static.yaml"))))
                        .problem()
                        .nodePools()
                        .stream()
                        .filter(NodePool::isStatic);
        assertThat(pools)
                .extracting(
                        pool -> StaticCapacity.growth(pool, new StaticCapacity.Counts(0, 0, 0, 0)))
                .containsExactly(new StaticCapacity.Growth.Create(3));
    }

    @Test
    void everyFileHasALineOnThePage() throws IOException {
        try (var files = Files.list(DIRECTORY)) {
            var there =
                    files.map(file -> file.getFileName().toString().replace(".yaml", "")).toList();
            var told =
                    LINK.matcher(Files.readString(PAGE))
                            .results()
                            .map(found -> found.group(1))
                            .toList();
            assertThat(told).containsExactlyInAnyOrderElementsOf(there);
        }
    }

    private static Set<String> workloadsOf(String pool, List<BoughtNode> nodes) {
        var workloads = new TreeSet<String>();
        nodes.stream()
                .filter(node -> node.pool().equals(pool))
                .forEach(node -> workloads.addAll(node.workloads()));
        return workloads;
    }

    /// The nodes of the plan for a file, none of whose pods may wait.
    ///
    /// @param machines a document with instance types, or nothing for EC2's
    private static List<BoughtNode> nodes(String file, String machines) {
        var arguments = new ArrayList<>(List.of("simulate", "-q", "-o", "json"));
        arguments.add(DIRECTORY.resolve(file + ".yaml").toString());
        if (!machines.isEmpty()) {
            arguments.add("-");
        }
        var run = CommandRun.reading(machines, arguments.toArray(String[]::new));
        assertThat(run.err()).isEmpty();
        try {
            var plan = JsonReader.object(run.out().getBytes(UTF_8));
            assertThat(elements(plan, "waiting")).isEmpty();
            var nodes =
                    elements(plan, "nodes")
                            .map(Value.Mapping.class::cast)
                            .map(ScenarioExamplesTest::node)
                            .toList();
            assertThat(nodes).isNotEmpty();
            return nodes;
        } catch (IOException failure) {
            throw new AssertionError(run.out(), failure);
        }
    }

    private static BoughtNode node(Value.Mapping told) {
        return new BoughtNode(
                text(told, "nodePool"),
                text(told, "type"),
                text(told, "zone"),
                text(told, "capacityType"),
                elements(told, "pods")
                        .map(Value.Text.class::cast)
                        .map(pod -> pod.text().replaceAll("^.*/|-[0-9]+$", ""))
                        .toList());
    }

    private static String text(Value.Mapping told, String field) {
        return String.valueOf(told.text(field));
    }

    private static Stream<Value> elements(Value.Mapping told, String field) {
        return told.fields().get(field) instanceof Value.Sequence(_, var elements)
                ? elements.stream()
                : Stream.empty();
    }

    /// One machine of the usual categories, sold in these ways and in no other.
    private static String types(String system, String... capacityTypes) {
        var offerings =
                Stream.of(capacityTypes)
                        .map(
                                """
                                {zone: us-east-1a, capacityType: %s, price: 0.2, reservationCapacity: 9}\
                                """
                                        ::formatted)
                        .toList();
        return """
        instanceTypes:
        - name: m6i.xlarge
          os: [%s]
          labels: {karpenter.k8s.aws/instance-category: m, karpenter.k8s.aws/instance-generation: "6"}
          capacity: {cpuMilli: 4000, memoryBytes: 17179869184, pods: 58}
          offerings: [%s]
        """
                .formatted(system, String.join(", ", offerings));
    }
}
