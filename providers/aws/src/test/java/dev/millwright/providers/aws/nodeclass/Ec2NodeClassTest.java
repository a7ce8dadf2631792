package dev.millwright.providers.aws.nodeclass;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.label.Operator;
import dev.millwright.core.label.SelectorRequirement;
import dev.millwright.core.quantity.Quantity;
import dev.millwright.kube.document.Faults;
import dev.millwright.kube.document.Field;
import dev.millwright.kube.document.JsonWriter;
import dev.millwright.kube.document.Tree;
import dev.millwright.providers.aws.nodeclass.NodeClassStatus.ReservationState;
import dev.millwright.providers.aws.nodeclass.NodeClassStatus.ReservationType;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

class Ec2NodeClassTest {

    private final Ec2NodeClass whole = Classes.read(Classes.resource("whole.yaml"));
    private final NodeClassSpec spec = whole.spec();

    @Test
    void aClassWithEveryFieldHasNoFaults() {
        assertThat(whole.faults()).isEmpty();
        assertThat(whole.name()).isEqualTo("whole");
    }

    @Test
    void selectorTermsKeepWhatEachSays() {
        assertThat(spec.subnetSelectorTerms())
                .containsExactly(
                        new SelectorTerm.Subnet(
                                new TreeMap<>(Map.of("Tier", "private", "any", "*")), null),
                        new SelectorTerm.Subnet(new TreeMap<>(), "subnet-0a1"));
        assertThat(spec.securityGroupSelectorTerms())
                .containsExactly(
                        new SelectorTerm.SecurityGroup(new TreeMap<>(), null, "nodes"),
                        new SelectorTerm.SecurityGroup(new TreeMap<>(), "sg-0a1", null));
        assertThat(spec.capacityReservationSelectorTerms())
                .containsExactly(
                        new SelectorTerm.CapacityReservation(
                                new TreeMap<>(Map.of("team", "a")),
                                null,
                                "012345678901",
                                "targeted"),
                        new SelectorTerm.CapacityReservation(
                                new TreeMap<>(), "cr-0a1", null, null));
        assertThat(spec.amiSelectorTerms())
                .containsExactly(
                        new SelectorTerm.Ami(
                                null, new TreeMap<>(), null, "image-*", "amazon", null),
                        new SelectorTerm.Ami(
                                null, new TreeMap<>(), null, null, null, "/images/mine"));
    }

    @Test
    void scalarsAreReadAsStated() {
        assertThat(spec.family()).isEqualTo(AmiFamily.BOTTLEROCKET);
        assertThat(spec.placementGroupSelector())
                .isEqualTo(new NodeClassSpec.PlacementGroupSelector("group", null));
        assertThat(spec.associatePublicIpAddress()).isFalse();
        assertThat(spec.ipPrefixCount()).isEqualTo(2);
        assertThat(spec.userData()).isEqualTo("[settings]\n");
        assertThat(spec.role()).isEqualTo("path/role");
        assertThat(spec.instanceProfile()).isNull();
        assertThat(spec.tags()).containsExactly(Map.entry("a", "1"), Map.entry("b", ""));
        assertThat(spec.isRaid0()).isTrue();
        assertThat(spec.isDetailedMonitoringOn()).isTrue();
        assertThat(spec.context()).isEqualTo("context");
        assertThat(spec.nestedVirtualization()).isEqualTo("enabled");
    }

    @Test
    void partsOfAnInstanceAreReadAsStated() {
        assertThat(spec.blockDeviceMappings())
                .containsExactly(
                        new BlockDeviceMapping(
                                "/dev/xvda",
                                new BlockDeviceMapping.Ebs(
                                        true,
                                        true,
                                        3000L,
                                        "key",
                                        "snap-1",
                                        125L,
                                        200,
                                        Quantity.parse("4Gi"),
                                        "gp3"),
                                true),
                        new BlockDeviceMapping("/dev/xvdb", null, false));
        assertThat(spec.networkInterfaces())
                .containsExactly(
                        new NetworkInterface(0, 0, NetworkInterface.Type.INTERFACE),
                        new NetworkInterface(1, 1, NetworkInterface.Type.EFA_ONLY));
        assertThat(spec.metadataOptions())
                .isEqualTo(new MetadataOptions("enabled", "disabled", 3L, "required"));
        assertThat(spec.connectionTracking()).isEqualTo(new ConnectionTracking(300, 120, 45));
    }

    @Test
    void theKubeletIsReadAsStated() {
        var kubelet = spec.kubelet();

        assertThat(kubelet.clusterDns()).containsExactly("10.0.100.10");
        assertThat(kubelet.maxPods()).isEqualTo(110);
        assertThat(kubelet.podsPerCore()).isEqualTo(10);
        assertThat(kubelet.systemReserved()).containsExactly(Map.entry("cpu", "100m"));
        assertThat(kubelet.kubeReserved()).containsExactly(Map.entry("memory", "1Gi"));
        assertThat(kubelet.evictionHard()).containsExactly(Map.entry("memory.available", "5%"));
        assertThat(kubelet.evictionSoft()).containsExactly(Map.entry("memory.available", "10%"));
        assertThat(kubelet.evictionSoftGracePeriod())
                .containsExactly(Map.entry("memory.available", Duration.ofSeconds(90)));
        assertThat(kubelet.evictionMaxPodGracePeriod()).isEqualTo(60);
        assertThat(kubelet.imageGcHighThresholdPercent()).isEqualTo(85);
        assertThat(kubelet.imageGcLowThresholdPercent()).isEqualTo(80);
        assertThat(kubelet.isCpuCfsQuotaOn()).isTrue();
    }

    @Test
    void theStatusIsReadAndWrittenBackTheSame() {
        var status = whole.status();

        assertThat(status.subnets())
                .containsExactly(
                        new NodeClassStatus.Subnet("subnet-0a1", "us-east-1a", "use1-az1"));
        assertThat(status.securityGroups())
                .containsExactly(new NodeClassStatus.SecurityGroup("sg-0a1", "nodes"));
        assertThat(status.amis())
                .containsExactly(
                        new NodeClassStatus.Ami(
                                "ami-0a1",
                                "image-1",
                                true,
                                List.of(
                                        new SelectorRequirement(
                                                "kubernetes.io/arch",
                                                Operator.IN,
                                                List.of("amd64"),
                                                null),
                                        new SelectorRequirement(
                                                "karpenter.k8s.aws/instance-gpu-count",
                                                Operator.DOES_NOT_EXIST,
                                                List.of(),
                                                null))));
        assertThat(status.capacityReservations())
                .containsExactly(
                        new NodeClassStatus.CapacityReservation(
                                "cr-0a1",
                                "us-east-1a",
                                "p5.48xlarge",
                                "012345678901",
                                "targeted",
                                ReservationType.CAPACITY_BLOCK,
                                ReservationState.EXPIRING,
                                true,
                                Instant.parse("2026-11-16T10:00:00Z")));
        assertThat(status.instanceProfile()).isEqualTo("cluster_1");
        assertThat(StatusReader.status(field(status.patch()))).isEqualTo(status);
    }

    private static Field field(Tree tree) {
        return Field.root("status", tree.mapping(), new Faults());
    }

    @Test
    void whatBecameEmptyIsTakenOutOfTheStatus() {
        assertThat(JsonWriter.text(NodeClassStatus.NONE.patch().mapping()))
                .isEqualTo(
                        "{\"subnets\":null,\"securityGroups\":null,\"capacityReservations\":null,"
                                + "\"amis\":null,\"instanceProfile\":null}");
    }

    @Test
    void aBareClassReadsAsEmpty() {
        var bare = Classes.ofSpec("{}");

        assertThat(bare.faults()).isEmpty();
        assertThat(bare.spec().family()).isEqualTo(AmiFamily.CUSTOM);
        assertThat(bare.spec().kubelet()).isEqualTo(KubeletConfiguration.NONE);
        assertThat(bare.spec().metadataOptions()).isNull();
        assertThat(bare.status()).isEqualTo(NodeClassStatus.NONE);
    }

    @Test
    void whatCannotBeUnderstoodIsToldAndLeftOut() {
        var odd =
                Classes.ofSpec(
                        """
                        amiFamily: Ubuntu
                        amiSelectorTerms: [{alias: al2023@v1@x}, {id: ami-1}]
                        role: 7
                        networkInterfaces: [{networkCardIndex: -1, deviceIndex: 0, interfaceType: interface}]
                        kubelet:
                          maxPods: many
                          evictionSoftGracePeriod: {memory.available: soon}
                        blockDeviceMappings: [{ebs: {volumeSize: large}}]
                        """);

        assertThat(odd.faults())
                .anySatisfy(
                        fault -> assertThat(fault).startsWith("spec.amiFamily: found \"Ubuntu\""))
                .anySatisfy(
                        fault -> assertThat(fault).startsWith("spec.amiSelectorTerms[0].alias: "))
                .anySatisfy(fault -> assertThat(fault).startsWith("spec.role: "))
                .anySatisfy(fault -> assertThat(fault).startsWith("spec.networkInterfaces[0]"))
                .anySatisfy(fault -> assertThat(fault).startsWith("spec.kubelet.maxPods: "))
                .anySatisfy(
                        fault ->
                                assertThat(fault)
                                        .startsWith(
                                                "spec.kubelet.evictionSoftGracePeriod[memory.available]: "))
                .anySatisfy(
                        fault ->
                                assertThat(fault)
                                        .startsWith(
                                                "spec.blockDeviceMappings[0].ebs.volumeSize: "));
        assertThat(odd.spec().amiSelectorTerms()).hasSize(1);
        assertThat(odd.spec().networkInterfaces()).isEmpty();
    }
}
