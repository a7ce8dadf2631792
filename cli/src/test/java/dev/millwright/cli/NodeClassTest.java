package dev.millwright.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/// What a plan makes of an EC2NodeClass: of its status as the cluster's controller found it, and of
/// one that no controller has seen.
class NodeClassTest {

    private static final String CLASS =
            """
            apiVersion: karpenter.k8s.aws/v1
            kind: EC2NodeClass
            metadata: {name: default}
            spec:
              role: nodes
              amiSelectorTerms: [{alias: al2023@latest}]
              subnetSelectorTerms: [{tags: {team: shop}}]
              securityGroupSelectorTerms: [{tags: {team: shop}}]
            """;

    private static final String STATUS =
            """
            status:
              subnets:
              - {id: subnet-a, zone: eu-west-1c, zoneID: euw1-az9}
              securityGroups: [{id: sg-a}]
              amis:
              - {id: ami-a, name: amd64, requirements: [{key: kubernetes.io/arch, operator: In, values: [amd64]}]}
            """;

    private static CommandRun simulated(String nodeClass) {
        return Site.in("eu-west-1a").with(nodeClass).run("simulate", "-o", "json", "-");
    }

    private static String allocatable(String nodeClass, String resource) {
        return Site.at(simulated(nodeClass), "nodes/0/allocatable/" + resource);
    }

    @Test
    void itIsNoLongerLeftOut() {
        assertThat(simulated(CLASS).err()).doesNotContain("left out");
    }

    @Test
    void nodesGoWhereItHasSubnets() {
        assertThat(Site.at(simulated(CLASS + STATUS), "nodes/0/zone")).isEqualTo("eu-west-1c");
    }

    @Test
    void aPodThatNeedsAZoneWithoutASubnetWaits() {
        var text =
                Site.in("eu-west-1a")
                        .with(CLASS + STATUS)
                        .yaml()
                        .replace(
                                "spec: {containers: [{name: main, resources: {requests: {cpu: \"7\"",
                                "spec: {nodeSelector: {topology.kubernetes.io/zone: eu-west-1b}, containers: [{name: main, resources: {requests: {cpu: \"7\"");
        var run = CommandRun.reading(text, "simulate", "-o", "json", "-");

        assertThat(Site.at(run, "waiting/0/pod")).isEqualTo("shop/batch");
    }

    @Test
    void nodesAreOfTheArchitectureOfItsImages() {
        var either = simulated(CLASS + STATUS.replace("[amd64]", "[arm64]"));

        assertThat(Site.at(simulated(CLASS + STATUS), "nodes/0/types/0")).doesNotContain("g.");
        assertThat(Site.at(either, "nodes/0/type")).containsPattern("^[a-z]+[0-9]+g");
    }

    @Test
    void aPodOfAnotherArchitectureThanItsImagesWaits() {
        var text =
                Site.in("eu-west-1a")
                        .with(CLASS + STATUS)
                        .yaml()
                        .replace(
                                "spec: {containers: [{name: main, resources: {requests: {cpu: \"7\"",
                                "spec: {nodeSelector: {kubernetes.io/arch: arm64}, containers: [{name: main, resources: {requests: {cpu: \"7\"");
        var run = CommandRun.reading(text, "simulate", "-o", "json", "-");

        assertThat(Site.at(run, "waiting/0/pod")).isEqualTo("shop/batch");
    }

    @Test
    void itsKubeletSaysHowManyPodsANodeTakes() {
        assertThat(allocatable(CLASS + "  kubelet: {maxPods: 17}\n" + STATUS, "pods"))
                .isEqualTo("17");
    }

    @Test
    void whatItsKubeletReservesIsNotForPods() {
        var usual = Double.parseDouble(cores(allocatable(CLASS + STATUS, "cpu")));
        var reserved =
                CLASS + "  kubelet: {systemReserved: {cpu: 500m}, kubeReserved: {cpu: 500m}}\n";

        assertThat(Double.parseDouble(cores(allocatable(reserved + STATUS, "cpu"))))
                .isLessThan(usual);
    }

    private static String cores(String quantity) {
        return quantity.endsWith("m")
                ? quantity.substring(0, quantity.length() - 1)
                : quantity + "000";
    }

    @Test
    void itsDisksAreWhatPodsMayFill() {
        var devices =
                "  blockDeviceMappings: [{deviceName: /dev/xvda, ebs: {volumeSize: 200Gi, volumeType: gp3}}]\n";

        assertThat(allocatable(CLASS + STATUS, "ephemeral-storage")).isEqualTo("17Gi");
        assertThat(allocatable(CLASS + devices + STATUS, "ephemeral-storage")).isEqualTo("179Gi");
    }

    @Test
    void theDisksOfTheMachinesCountWhenItSaysSo() {
        var disks =
                Site.in("eu-west-1a")
                        .with(CLASS + "  instanceStorePolicy: RAID0\n" + STATUS)
                        .yaml(
                                "      - {key: karpenter.k8s.aws/instance-local-nvme, operator: Gt, values: [\"0\"]}\n");
        var run = CommandRun.reading(disks, "simulate", "-o", "json", "-");

        assertThat(Site.at(run, "nodes/0/allocatable/ephemeral-storage")).isNotEqualTo("17Gi");
    }

    @Test
    void aNodeOnAReservationCostsNextToNothing() {
        var reservations =
                """
                  capacityReservations:
                  - {id: cr-a, availabilityZone: eu-west-1a, instanceType: m5.xlarge, ownerID: "1", instanceMatchCriteria: open, reservationType: default, state: active}
                """;
        var status = STATUS.replace("eu-west-1c", "eu-west-1a") + reservations;
        var text =
                Site.in("eu-west-1a")
                        .with(CLASS + status)
                        .yaml()
                        .replace("capacity-type: on-demand", "capacity-type: reserved");
        var run = CommandRun.reading(text, "plan", "-f", "-", "-o", "json");

        assertThat(Double.parseDouble(Site.at(run, "before/pricePerHour"))).isLessThan(0.000_001);
        assertThat(run.err())
                .contains(
                        "how many machines its capacity reservations still hold (none is assumed)");
    }

    @Test
    void ofAClassWithoutStatusItIsSaidWhatIsNotKnown() {
        assertThat(simulated(CLASS).err())
                .contains(
                        "EC2NodeClass default: the status does not tell its subnets (every zone of eu-west-1 is assumed), its images (those of every architecture are assumed)");
    }

    @Test
    void aClassThatIsNotAmongTheObjectsIsNamed() {
        assertThat(simulated("").err())
                .contains("EC2NodeClass default is not among the objects: every zone of eu-west-1");
    }

    @Test
    void aClassOfAnotherKindIsNotSaidToBeMissing() {
        var run =
                CommandRun.reading(
                        Site.in("eu-west-1a")
                                .yaml()
                                .replace("kind: EC2NodeClass", "kind: OtherNodeClass"),
                        "simulate",
                        "-");
        assertThat(run.exitCode()).isZero();
        assertThat(run.err())
                .contains("OtherNodeClass default says nothing of machines on EC2")
                .doesNotContain("not among the objects");
    }

    @Test
    void aClassThatIsNotReadySaysWhy() {
        var status =
                STATUS
                        + "  conditions: [{type: Ready, status: \"False\", reason: NoRole, message: the role is gone}]\n";

        assertThat(simulated(CLASS + status).err())
                .contains("EC2NodeClass default: is not ready: the role is gone");
    }

    @Test
    void aSubnetInAZoneThatNobodyKnowsStopsTheCommand() {
        var run = simulated(CLASS + STATUS.replace("eu-west-1c", "eu-west-1y"));

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err())
                .contains("EC2NodeClass default")
                .contains("the zone \"eu-west-1y\" is unknown");
    }

    @Test
    void itsSubnetsTellTheRegionWhereNoNodeRuns() {
        var text =
                """
                {apiVersion: karpenter.sh/v1, kind: NodePool, metadata: {name: general}, spec: {template: {spec: {
                  nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: default}, requirements: []}}}}
                ---
                {apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {containers: [{resources: {requests: {cpu: 1}}}]}}
                ---
                """
                        + CLASS
                        + STATUS;
        var run = CommandRun.reading(text, "simulate", "-o", "json", "-");

        assertThat(Site.at(run, "nodes/0/zone")).isEqualTo("eu-west-1c");
    }

    @Test
    void anOverlayGivesATypeThePriceThatNobodyElseKnows() {
        var overlay =
                """
                ---
                apiVersion: karpenter.sh/v1alpha1
                kind: NodeOverlay
                metadata: {name: cheap}
                spec: {price: "0.001", requirements: [{key: node.kubernetes.io/instance-type, operator: In, values: [m5.2xlarge]}]}
                """;
        var run = simulated(CLASS + STATUS + overlay);

        assertThat(Site.at(run, "nodes/0/type")).isEqualTo("m5.2xlarge");
        assertThat(Site.at(run, "pricePerHour")).isEqualTo("0.001");
    }
}
