package dev.millwright.kube.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.label.Operator;
import dev.millwright.core.label.Requirement;
import dev.millwright.core.label.Requirements;
import dev.millwright.core.policy.NodePool;
import dev.millwright.core.policy.SchedulingPolicy;
import dev.millwright.core.quantity.Resources;

import org.junit.jupiter.api.Test;

import java.util.List;

class ProblemFileTest {

    private static final String PROBLEM =
            """
            {"format": 1, "name": "two", "instanceTypes": [
              {"name": "small", "arch": "arm64", "os": ["linux", "windows"],
               "capacity": {"cpuMilli": 2000, "memoryBytes": 4294967296, "pods": 10},
               "allocatable": {"cpuMilli": 1900, "memoryBytes": 4294967296, "pods": 10},
               "offerings": [{"zone": "a", "capacityType": "spot", "price": 0.5},
                             {"zone": "b", "capacityType": "on-demand", "price": 1.5, "available": false}]}],
             "pods": [{"name": "p1", "labels": {"x": "y"}, "requests": {"cpuMilli": 250, "memoryBytes": 1048576}},
                      {"name": "p2", "requests": {"resources": {"example.com/gpu": "2"}}}]}
            """;

    private static String snapshot(String options, String offerings) {
        return """
        kind: List
        apiVersion: v1
        metadata: {name: own}
        items:
        - {apiVersion: karpenter.sh/v1, kind: NodePool, metadata: {name: pool}, spec: {template: {spec: {}}}}
        options: %s
        instanceTypes:
        - {name: t, labels: {size: big}, capacity: {cpuMilli: 1000}, offerings: [%s]}
        - {name: u, capacity: {cpuMilli: 1000}, offerings: [{zone: a, capacityType: spot, price: 1}]}
        """
                .formatted(options, offerings);
    }

    @Test
    void aProblemHasOnePoolThatAsksForNothing() {
        var file = Reading.of(PROBLEM);
        assertThat(file.name()).isEqualTo("two");
        assertThat(file.problem().nodePools().stream().map(NodePool::name))
                .containsExactly("default");
        assertThat(file.problem().nodePools().getFirst().template().requirements()).isEmpty();
        assertThat(file.problem().catalogs()).containsOnlyKeys("default");
    }

    @Test
    void podsOfAProblemWait() {
        var pods = Reading.of(PROBLEM).problem().snapshot().pods();
        assertThat(pods.getFirst().requests())
                .isEqualTo(Resources.parse("cpu", "250m", "memory", "1Mi", "pods", "1"));
        assertThat(pods.getLast().requests())
                .isEqualTo(Resources.parse("example.com/gpu", "2", "pods", "1"));
        assertThat(pods.getFirst().state().isProvisionable()).isTrue();
    }

    @Test
    void typesOfAProblemSayWhatTheyAre() {
        var type = Reading.of(PROBLEM).problem().catalogs().get("default").getFirst();
        assertThat(type.requirements())
                .isEqualTo(
                        Requirements.of(
                                Requirement.in(LabelKeys.INSTANCE_TYPE, "small"),
                                Requirement.in(LabelKeys.ARCH, "arm64"),
                                Requirement.in(LabelKeys.OS, "linux", "windows"),
                                Requirement.in(LabelKeys.ZONE, "a", "b"),
                                Requirement.in(LabelKeys.CAPACITY_TYPE, "on-demand", "spot")));
        assertThat(type.allocatable())
                .isEqualTo(Resources.parse("cpu", "1900m", "memory", "4Gi", "pods", "10"));
        assertThat(type.offerings().getLast().isAvailable()).isFalse();
        assertThat(type.offerings().getFirst().pricePerHour()).isEqualTo(0.5);
    }

    @Test
    void optionsBecomeThePolicy() {
        var policy =
                Reading.of(
                                snapshot(
                                        "{preferencePolicy: Ignore, minValuesPolicy: BestEffort, reservedCapacity: false, wellKnownLabels: [size]}",
                                        ""))
                        .problem()
                        .policy();
        assertThat(policy.preferences()).isEqualTo(SchedulingPolicy.Preferences.IGNORE);
        assertThat(policy.minValues()).isEqualTo(SchedulingPolicy.MinValues.BEST_EFFORT);
        assertThat(policy.reservations()).isEqualTo(SchedulingPolicy.Reservations.OFF);
        assertThat(policy.vocabulary().wellKnown()).contains("size");
    }

    @Test
    void aWellKnownLabelThatATypeLacksIsAbsentNotOpen() {
        var types =
                Reading.of(snapshot("{wellKnownLabels: [size]}", ""))
                        .problem()
                        .catalogs()
                        .get("pool");
        assertThat(types.getFirst().requirements().on("size"))
                .isEqualTo(Requirement.in("size", "big"));
        assertThat(types.getLast().requirements().on("size").operator())
                .isEqualTo(Operator.DOES_NOT_EXIST);
    }

    @Test
    void reservationsAreToldApartById() {
        var problem =
                Reading.of(
                                snapshot(
                                        "{reservationIdLabel: example.com/id}",
                                        "{zone: a, capacityType: reserved, price: 0, reservationId: r1, reservationCapacity: 2}, {zone: a, capacityType: spot, price: 1}"))
                        .problem();
        var types = problem.catalogs().get("pool");
        var offerings = types.getFirst().offerings();
        assertThat(offerings.getFirst().reservationId("example.com/id")).isEqualTo("r1");
        assertThat(offerings.getFirst().reservationCapacity()).isEqualTo(2);
        assertThat(offerings.getLast().requirements().on("example.com/id"))
                .isEqualTo(Requirement.doesNotExist("example.com/id"));
        assertThat(types.getLast().requirements().on("example.com/id"))
                .isEqualTo(Requirement.doesNotExist("example.com/id"));
        assertThat(problem.policy().vocabulary().reservationIdKey()).isEqualTo("example.com/id");
    }

    @Test
    void defaultSpreadIsReadFromTheSchedulersConfiguration() {
        var policy =
                Reading.of(
                                snapshot(
                                        "{schedulerConfig: {podTopologySpread: {defaultConstraints: [{maxSkew: 3, topologyKey: zone, whenUnsatisfiable: DoNotSchedule}]}}}",
                                        ""))
                        .problem()
                        .policy();
        assertThat(policy.defaultSpread()).singleElement().matches(each -> each.maxSkew() == 3);
    }

    @Test
    void faultsNameTheTypeAndThePod() {
        assertThat(
                        Reading.faults(
                                PROBLEM.replace("\"price\": 0.5", "\"price\": -1")
                                        .replace("\"cpuMilli\": 250", "\"cpuMilli\": \"250m\"")))
                .containsExactly(
                        "file1:5: instance type small: offerings[0].price: found -1; wanted a number of at least 0",
                        "file1:7: Pod p1: requests.cpuMilli: found \"250m\"; wanted a whole number");
    }

    @Test
    void anotherFormatIsRefused() {
        assertThat(Reading.faults("{format: 2}"))
                .containsExactly("file1:1: format: found 2; wanted 1, the only one there is");
    }

    @Test
    void podsOfOneNameAreRefused() {
        assertThat(Reading.faults(PROBLEM.replace("\"p2\"", "\"p1\"")))
                .containsExactly(
                        "file1:8: Pod default/p1: was read at file1:7 already; keep one of them");
    }

    @Test
    void podsWithoutFormatAreRefused() {
        assertThat(Reading.faults("pods: [{name: a}]"))
                .containsExactly(
                        "file1:1: pods stand at the top, but format is missing; wanted format: 1");
    }

    @Test
    void theFileNamesAProblemThatHasNoName() {
        assertThat(ObjectSink.baseName("some/where/diverse.json.gz")).isEqualTo("diverse");
        assertThat(List.of(Reading.of("format: 1").name())).containsExactly("file1");
    }
}
