package dev.millwright.providers.aws.launch;

import static dev.millwright.providers.aws.launch.CloudRig.claim;
import static dev.millwright.providers.aws.launch.CloudRig.settled;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.label.AnnotationKeys;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.spi.DriftAnswer;
import dev.millwright.spi.LaunchAnswer;
import dev.millwright.spi.MachineClaim;
import dev.millwright.testing.kit.aws.LaunchFault;
import dev.millwright.testing.kit.aws.TestAccount;
import dev.millwright.testing.kit.aws.account.TestAccountExtension;
import dev.millwright.testing.kit.cloud.MachineClaimBuilder;
import dev.millwright.testing.kit.cluster.Manifest;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// The order of a launch by prices that somebody changed, and the way back to spot: ours.
@ExtendWith(TestAccountExtension.class)
@Tag("account")
class SpotTest {

    private static final DriftAnswer RETURNS = new DriftAnswer.Drifted("SpotAvailable");
    private static final DriftAnswer STAYS = new DriftAnswer.InPlace();

    private final CloudRig rig = new CloudRig();

    @AfterEach
    void close() {
        rig.close();
    }

    private static MachineClaimBuilder onDemand(String name) {
        return claim(name)
                .label("karpenter.sh/nodepool", "default")
                .types("m5.large")
                .capacityTypes("on-demand")
                .zones("us-east-1a");
    }

    private static MachineClaimBuilder spot(String name) {
        return claim(name)
                .label("karpenter.sh/nodepool", "default")
                .types("m5.large")
                .capacityTypes("spot");
    }

    private void pool(String annotations, String capacityTypes) {
        rig.rig()
                .apply(
                        """
                        apiVersion: karpenter.sh/v1
                        kind: NodePool
                        metadata: {name: default, uid: default-uid, annotations: {%s}}
                        spec:
                          template:
                            spec:
                              requirements:
                              - key: karpenter.sh/capacity-type
                                operator: In
                                values: [%s]
                              nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: default}
                        """
                                .formatted(annotations, capacityTypes));
    }

    private MachineClaim running() {
        return settled(onDemand("a"), rig.launched(onDemand("a")));
    }

    private List<String> asked() {
        var asked = new ArrayList<String>();
        for (var config : Requests.list(rig.fleet(), "LaunchTemplateConfigs")) {
            for (var override : Requests.list(config, "Overrides")) {
                asked.add(
                        "%s %s"
                                .formatted(
                                        Requests.text(override, "InstanceType"),
                                        Requests.text(override, "Priority")));
            }
        }
        return asked;
    }

    @Test
    @Tag("AWS-I8")
    void aLaunchAsksInTheOrderOfOverlaidPrices() {
        rig.nodeClass();
        rig.rig()
                .apply(
                        """
                        apiVersion: karpenter.sh/v1alpha1
                        kind: NodeOverlay
                        metadata: {name: liked}
                        spec:
                          requirements:
                          - {key: node.kubernetes.io/instance-type, operator: In, values: [r5.large]}
                          price: "0.001"
                        status:
                          conditions:
                          - {type: ValidationSucceeded, status: "True", lastTransitionTime: "2026-01-01T00:00:00Z"}
                        """);

        rig.launched(
                claim("a")
                        .label("karpenter.sh/nodepool", "default")
                        .types("m5.large", "c5.large", "r5.large")
                        .capacityTypes("on-demand")
                        .zones("us-east-1a")
                        .annotation(AnnotationKeys.PRICE_OVERLAY_APPLIED, "true"));

        assertThat(asked()).first().asString().startsWith("r5.large 0.001");
        assertThat(asked()).hasSize(3);
        assertThat(Requests.text(rig.fleet(), "OnDemandOptions.AllocationStrategy"))
                .isEqualTo("prioritized");
    }

    @Test
    void anOnDemandMachineReturnsWhenSpotWasNotRefusedForLong() {
        rig.nodeClass();
        pool("millwright.dev/return-to-spot: 30m", "spot, on-demand");
        var claim = running();

        assertThat(rig.cloud().drift(claim)).isEqualTo(STAYS);
        rig.advance(Duration.ofMinutes(29));
        assertThat(rig.cloud().drift(claim)).isEqualTo(STAYS);
        rig.advance(Duration.ofMinutes(1));
        assertThat(rig.cloud().drift(claim)).isEqualTo(RETURNS);
    }

    @Test
    void aReturnThatFailsIsTriedAgainAfterTwiceTheTime(TestAccount aws) {
        rig.nodeClass();
        pool("millwright.dev/return-to-spot: 30m", "spot, on-demand");
        var claim = running();
        rig.cloud().drift(claim);
        rig.advance(Duration.ofMinutes(30));
        assertThat(rig.cloud().drift(claim)).isEqualTo(RETURNS);

        aws.refuse(LaunchFault.noCapacity("*").as("spot"));
        assertThat(rig.launch(spot("b"))).isInstanceOf(LaunchAnswer.InsufficientCapacity.class);
        aws.noFaults();

        assertThat(rig.cloud().drift(claim)).isEqualTo(STAYS);
        rig.advance(Duration.ofMinutes(59));
        assertThat(rig.cloud().drift(claim)).isEqualTo(STAYS);
        rig.advance(Duration.ofMinutes(1));
        assertThat(rig.cloud().drift(claim)).isEqualTo(RETURNS);
    }

    @Test
    void withoutTheWishOrWithoutSpotInThePoolNothingReturns() {
        rig.nodeClass();
        var claim = running();
        rig.cloud().drift(claim);
        pool("millwright.dev/return-to-spot: 30m", "on-demand");
        rig.cloud().drift(claim);
        rig.advance(Duration.ofHours(2));

        assertThat(rig.cloud().drift(claim)).isEqualTo(STAYS);
        pool("", "spot, on-demand");
        assertThat(rig.cloud().drift(claim)).isEqualTo(STAYS);
        pool("millwright.dev/return-to-spot: soon", "spot, on-demand");
        assertThat(rig.cloud().drift(claim)).isEqualTo(STAYS);
    }

    @Test
    void spotThatCostsMoreIsNoReasonToMove() {
        rig.nodeClass();
        pool("millwright.dev/return-to-spot: 30m", "spot, on-demand");
        rig.rig()
                .apply(
                        """
                        apiVersion: karpenter.sh/v1alpha1
                        kind: NodeOverlay
                        metadata: {name: dear}
                        spec:
                          requirements:
                          - {key: karpenter.sh/capacity-type, operator: In, values: [spot]}
                          price: "9"
                        status:
                          conditions:
                          - {type: ValidationSucceeded, status: "True", lastTransitionTime: "2026-01-01T00:00:00Z"}
                        """);
        var claim = running();
        rig.cloud().drift(claim);
        rig.advance(Duration.ofHours(1));

        assertThat(rig.cloud().drift(claim)).isEqualTo(STAYS);
    }

    private void claimOnDemand(String name) {
        rig.rig()
                .apply(
                        Manifest.claim(name)
                                .nodePool("default")
                                .label("karpenter.sh/capacity-type", "on-demand"));
    }

    @Test
    void onlyWhatIsMoreThanThePoolKeepsAsOnDemandReturns() {
        rig.nodeClass();
        pool(
                "millwright.dev/return-to-spot: 30m, millwright.dev/on-demand-base: \"1\"",
                "spot, on-demand");
        var claim = running();
        claimOnDemand("a");
        rig.cloud().drift(claim);
        claimOnDemand("b");
        rig.cloud().drift(claim);
        rig.advance(Duration.ofHours(1));

        assertThat(rig.cloud().drift(claim)).isEqualTo(RETURNS);
        rig.rig().api().vanish(ResourceType.NODE_CLAIM, new ObjectName("", "b"));
        assertThat(rig.cloud().drift(claim)).isEqualTo(STAYS);
    }
}
