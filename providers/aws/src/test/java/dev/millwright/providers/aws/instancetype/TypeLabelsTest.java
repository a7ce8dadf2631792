package dev.millwright.providers.aws.instancetype;

import static dev.millwright.testing.kit.aws.ClassFactsDraft.facts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.label.Operator;
import dev.millwright.core.label.Requirement;
import dev.millwright.core.label.Requirements;
import dev.millwright.providers.aws.api.InstanceTypeInfo;
import dev.millwright.providers.aws.nodeclass.AmiFamily;
import dev.millwright.spi.ec2.Ec2Labels;
import dev.millwright.spi.ec2.Ec2Requirements;
import dev.millwright.testing.kit.aws.TypeShop;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;

final class TypeLabelsTest {

    private final TypeShop shop = new TypeShop();

    private Requirements labels(String type) {
        return shop.type(facts().build(), type).requirements();
    }

    private List<String> withLabels(Requirement... wanted) {
        return shop.types(facts().build()).stream()
                .filter(
                        type ->
                                type.requirements()
                                        .isCompatible(
                                                Requirements.of(wanted),
                                                Ec2Labels.VOCABULARY.wellKnown()))
                .map(InstanceType::name)
                .toList();
    }

    @Test
    @Tag("AWS-D1")
    void aTypeHasEveryLabelOfItsMachine() {
        var found = new TreeMap<String, String>();
        for (var requirement : labels("g4dn.8xlarge").all()) {
            found.put(requirement.key(), String.join("|", requirement.values()));
        }

        assertThat(found)
                .containsEntry("node.kubernetes.io/instance-type", "g4dn.8xlarge")
                .containsEntry("kubernetes.io/arch", "amd64")
                .containsEntry("kubernetes.io/os", "linux")
                .containsEntry("topology.kubernetes.io/zone", "us-east-1a|us-east-1b|us-east-1c")
                .containsEntry("topology.kubernetes.io/region", "us-east-1")
                .containsEntry("topology.k8s.aws/zone-id", "use1-az1|use1-az2|use1-az4")
                .containsEntry("node.kubernetes.io/windows-build", "")
                .containsEntry("karpenter.sh/capacity-type", "on-demand|spot")
                .containsEntry("karpenter.k8s.aws/capacity-reservation-id", "")
                .containsEntry("karpenter.k8s.aws/capacity-reservation-type", "")
                .containsEntry("karpenter.k8s.aws/capacity-reservation-interruptible", "")
                .containsEntry("karpenter.k8s.aws/instance-cpu", "32")
                .containsEntry("karpenter.k8s.aws/instance-cpu-manufacturer", "intel")
                .containsEntry("karpenter.k8s.aws/instance-cpu-sustained-clock-speed-mhz", "2500")
                .containsEntry("karpenter.k8s.aws/instance-memory", "131072")
                .containsEntry("karpenter.k8s.aws/instance-ebs-bandwidth", "9500")
                .containsEntry("karpenter.k8s.aws/instance-network-bandwidth", "50000")
                .containsEntry("karpenter.k8s.aws/instance-category", "g")
                .containsEntry("karpenter.k8s.aws/instance-generation", "4")
                .containsEntry("karpenter.k8s.aws/instance-family", "g4dn")
                .containsEntry("karpenter.k8s.aws/instance-size", "8xlarge")
                .containsEntry("karpenter.k8s.aws/instance-capability-flex", "false")
                .containsEntry("karpenter.k8s.aws/instance-local-nvme", "900")
                .containsEntry("karpenter.k8s.aws/instance-gpu-name", "t4")
                .containsEntry("karpenter.k8s.aws/instance-gpu-manufacturer", "nvidia")
                .containsEntry("karpenter.k8s.aws/instance-gpu-count", "1")
                .containsEntry("karpenter.k8s.aws/instance-gpu-memory", "16384")
                .containsEntry("karpenter.k8s.aws/instance-accelerator-name", "")
                .containsEntry("karpenter.k8s.aws/instance-accelerator-manufacturer", "")
                .containsEntry("karpenter.k8s.aws/instance-accelerator-count", "")
                .containsEntry("karpenter.k8s.aws/instance-hypervisor", "nitro")
                .containsEntry("karpenter.k8s.aws/instance-encryption-in-transit-supported", "true")
                .containsEntry("karpenter.k8s.aws/instance-tenancy", "dedicated|default")
                .hasSize(33);
    }

    @ParameterizedTest
    @Tag("AWS-D1")
    @CsvSource({
        "karpenter.k8s.aws/instance-cpu, 32",
        "karpenter.k8s.aws/instance-memory, 131072",
        "karpenter.k8s.aws/instance-ebs-bandwidth, 9500",
        "karpenter.k8s.aws/instance-network-bandwidth, 50000",
        "karpenter.k8s.aws/instance-gpu-name, t4",
        "karpenter.k8s.aws/instance-gpu-memory, 16384",
        "karpenter.k8s.aws/instance-local-nvme, 900",
        "karpenter.k8s.aws/instance-family, g4dn",
        "topology.k8s.aws/zone-id, use1-az2",
        "karpenter.k8s.aws/instance-tenancy, dedicated",
    })
    void aTypeIsFoundByEachOfItsLabels(String key, String value) {
        assertThat(withLabels(Requirement.in(key, value))).contains("g4dn.8xlarge");
    }

    @Test
    @Tag("AWS-D1")
    void allLabelsTogetherFindTheOneType() {
        var all =
                labels("g4dn.8xlarge").all().stream()
                        .filter(each -> each.operator() == Operator.IN)
                        .toArray(Requirement[]::new);

        assertThat(withLabels(all)).containsExactly("g4dn.8xlarge");
    }

    @ParameterizedTest
    @Tag("AWS-D1")
    @CsvSource({
        "inf1.2xlarge, inferentia, aws, 1",
        "inf2.xlarge, inferentia2, aws, 1",
        "trn1.32xlarge, trainium, aws, 16",
    })
    void aNeuronDeviceIsAnAccelerator(String type, String name, String manufacturer, String count) {
        var labels = labels(type);

        assertThat(labels.on(Ec2Labels.ACCELERATOR_NAME).values()).containsExactly(name);
        assertThat(labels.on(Ec2Labels.ACCELERATOR_MANUFACTURER).values())
                .containsExactly(manufacturer);
        assertThat(labels.on(Ec2Labels.ACCELERATOR_COUNT).values()).containsExactly(count);
    }

    @Test
    @Tag("AWS-D1")
    void twoKindsOfGpuGiveNoGpuLabel() {
        var known = shop.infos().type("g4dn.8xlarge");
        var twice =
                new InstanceTypeInfo(
                        "x9.large",
                        known.processor(),
                        known.memoryMebibytes(),
                        List.of(known.gpus().getFirst(), known.gpus().getFirst()),
                        List.of(),
                        List.of(),
                        known.storage(),
                        known.network(),
                        known.hypervisor(),
                        false,
                        known.usageClasses(),
                        known.placementStrategies(),
                        false);
        var machine = KnownType.of(twice, new TreeSet<>(), TypeTables.load()).machine();

        assertThat(Requirements.of(Ec2Requirements.of(machine)).orNull(Ec2Labels.GPU_NAME))
                .isEqualTo(Requirement.doesNotExist(Ec2Labels.GPU_NAME));
    }

    @ParameterizedTest
    @Tag("AWS-D1")
    @CsvSource({
        "failure-domain.beta.kubernetes.io/zone, topology.kubernetes.io/zone",
        "beta.kubernetes.io/arch, kubernetes.io/arch",
        "beta.kubernetes.io/instance-type, node.kubernetes.io/instance-type",
        "topology.ebs.csi.aws.com/zone, topology.kubernetes.io/zone",
    })
    void anOldSpellingMeansTheNewKey(String old, String key) {
        assertThat(Ec2Labels.VOCABULARY.normalize(old)).isEqualTo(key);
    }

    @Test
    @Tag("AWS-D1")
    void aZoneWithoutAnIdYetLeavesTheIdOut() {
        var facts = facts().withoutSubnets().subnet("subnet-1", "us-east-1a", "").build();

        assertThat(shop.type(facts, "m5.large").requirements().has(Ec2Labels.ZONE_ID)).isFalse();
    }

    @Test
    @Tag("AWS-D1")
    void zonesOfTheTypeAndOfTheSubnetsMustMeet() {
        var facts = facts().withoutSubnets().subnet("subnet-5", "us-east-1e", "use1-az3").build();

        assertThat(shop.type(facts, "g4dn.8xlarge").requirements().on(LabelKeys.ZONE).values())
                .isEmpty();
    }

    @Test
    @Tag("AWS-D2")
    void flexIsALabelOfTheFamily() {
        assertThat(withLabels(Requirement.in(Ec2Labels.FLEX, "true")))
                .contains("m7i-flex.large")
                .allMatch(name -> name.contains("-flex"));
        assertThat(labels("m5.large").on(Ec2Labels.FLEX).values()).containsExactly("false");
    }

    @ParameterizedTest
    @Tag("AWS-D1")
    @CsvSource({"WINDOWS2019, 10.0.17763", "WINDOWS2022, 10.0.20348", "WINDOWS2025, 10.0.26100"})
    void windowsRunsOnItsArchitectureOnlyAndHasItsBuild(AmiFamily family, String build) {
        ClassFacts facts = facts().family(family).build();
        var intel = shop.type(facts, "m5.large").requirements();
        var arm = shop.type(facts, "m6g.large").requirements();

        assertThat(intel.on(LabelKeys.OS).values()).containsExactly("windows");
        assertThat(intel.on(LabelKeys.WINDOWS_BUILD).values()).containsExactly(build);
        assertThat(arm.on(LabelKeys.OS).values()).isEmpty();
    }

    @Test
    @Tag("AWS-D9")
    void aReservationGivesItsTypeTheReservedLabels() {
        var facts = facts().reservation("cr-1", "m5.large", "us-east-1a").build();
        var labels = shop.type(facts, "m5.large").requirements();

        assertThat(labels.on(LabelKeys.CAPACITY_TYPE).values())
                .containsExactly("on-demand", "reserved", "spot");
        assertThat(labels.on(Ec2Labels.RESERVATION_ID).values()).containsExactly("cr-1");
        assertThat(labels.on(Ec2Labels.RESERVATION_TYPE).values()).containsExactly("default");
        assertThat(labels.on(Ec2Labels.RESERVATION_INTERRUPTIBLE).values())
                .containsExactly("false");
        assertThat(
                        shop.type(facts, "m5.xlarge")
                                .requirements()
                                .on(LabelKeys.CAPACITY_TYPE)
                                .values())
                .containsExactly("on-demand", "spot");
    }

    @Test
    @Tag("AWS-D9")
    void aPartitionGroupGivesEachTypeItsPartitions() {
        var facts = facts().group("pg-1", "partition", 3).build();
        var labels = shop.type(facts, "m5.large").requirements();

        assertThat(labels.on(Ec2Labels.PLACEMENT_GROUP_ID).values()).containsExactly("pg-1");
        assertThat(labels.on(Ec2Labels.PLACEMENT_GROUP_PARTITION).values())
                .containsExactly("1", "2", "3");
    }
}
