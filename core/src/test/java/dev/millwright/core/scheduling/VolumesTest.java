package dev.millwright.core.scheduling;

import static dev.millwright.core.label.LabelKeys.HOSTNAME;
import static dev.millwright.core.label.LabelKeys.ZONE;
import static dev.millwright.testing.kit.FakeCatalogue.ZONE_1;
import static dev.millwright.testing.kit.FakeCatalogue.ZONE_2;
import static dev.millwright.testing.kit.FakeCatalogue.ZONE_3;
import static dev.millwright.testing.kit.Given.CSI_DRIVER;
import static dev.millwright.testing.kit.Given.NOON;
import static dev.millwright.testing.kit.Given.cluster;
import static dev.millwright.testing.kit.Given.in;
import static dev.millwright.testing.kit.Given.node;
import static dev.millwright.testing.kit.Given.pod;
import static dev.millwright.testing.kit.Given.storageClass;
import static dev.millwright.testing.kit.Given.volume;
import static dev.millwright.testing.kit.Given.volumeClaim;
import static dev.millwright.testing.kit.PlanAssert.assertThat;

import dev.millwright.core.cluster.Storage;
import dev.millwright.core.policy.SchedulingPolicy.UnsupportedStorage;
import dev.millwright.testing.kit.ClusterBuilder;
import dev.millwright.testing.kit.VolumeClaimBuilder;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.List;

/// Volumes bind pods to zones, count against a node's attachments, and must be sound.
final class VolumesTest {

    private static final String EBS = "ebs.csi.aws.com";

    // Attachment limits ------------------------------------------------------------------------

    @Tag("B106")
    @Test
    void aNodesAttachmentLimitSplitsPods() {
        var plan =
                cluster()
                        .with(node("n1").volumeLimit(CSI_DRIVER, 1), storageClass("fast"))
                        .with(volumeClaim("one").storageClass("fast"))
                        .with(volumeClaim("two").storageClass("fast"))
                        .with(pod("a", "10m").claim("one"), pod("b", "10m").claim("two"))
                        .plan();

        assertThat(plan).puts("a").on("n1").puts("b").onNewNodes();
    }

    @Test
    void allVolumesThatAPassGivesANodeCountAgainstItsLimit() {
        var plan =
                cluster()
                        .with(node("n1").volumeLimit(CSI_DRIVER, 2), storageClass("fast"))
                        .with(volumeClaim("one").storageClass("fast"))
                        .with(volumeClaim("two").storageClass("fast"))
                        .with(volumeClaim("three").storageClass("fast"))
                        .with(pod("a", "30m").claim("one"), pod("b", "20m").claim("two"))
                        .with(pod("c", "10m").claim("three"))
                        .plan();

        assertThat(plan).puts("a", "b").on("n1").puts("c").onNewNodes();
    }

    @Tag("B106")
    @Test
    void volumesOfPodsThatRunCountAgainstTheLimit() {
        var plan =
                cluster()
                        .with(node("n1").volumeLimit(CSI_DRIVER, 1), storageClass("fast"))
                        .with(volume("disk"), volumeClaim("one").boundTo("disk"))
                        .with(volumeClaim("two").storageClass("fast"))
                        .with(pod("old", "10m").claim("one").onNode("n1"))
                        .with(pod("a", "10m").claim("two"), pod("b", "10m"))
                        .plan();

        assertThat(plan).puts("a").onNewNodes().puts("b").on("n1");
    }

    @Tag("B107")
    @Test
    void aSharedClaimCountsOnce() {
        var plan =
                cluster()
                        .with(node("n1").volumeLimit(CSI_DRIVER, 1), storageClass("fast"))
                        .with(volumeClaim("one").storageClass("fast"))
                        .with(pod("a", "10m").claim("one"), pod("b", "10m").claim("one"))
                        .plan();

        assertThat(plan).puts("a", "b").on("n1");
    }

    @Tag("B108")
    @Test
    void aVolumeWithoutCsiDriverCountsAgainstNoLimit() {
        var plan =
                cluster()
                        .with(node("n1").volumeLimit(CSI_DRIVER, 1))
                        .with(volume("nfs-1").driver(null), volume("nfs-2").driver(null))
                        .with(volumeClaim("one").boundTo("nfs-1").storageClass(""))
                        .with(volumeClaim("two").boundTo("nfs-2").storageClass(""))
                        .with(pod("a", "10m").claim("one"), pod("b", "10m").claim("two"))
                        .plan();

        assertThat(plan).puts("a", "b").on("n1");
    }

    // Zones ------------------------------------------------------------------------------------

    @Tag("B109")
    @Test
    void aVolumeInTwoZonesLeavesBothOpen() {
        var plan =
                cluster()
                        .with(volume("disk").zones(ZONE_1, ZONE_2))
                        .with(volumeClaim("one").boundTo("disk"), pod("a").claim("one"))
                        .plan();

        assertThat(plan).claimOf("a").requires(ZONE, ZONE_1, ZONE_2);
    }

    @Tag("B109")
    @Test
    void theTermsOfAVolumeAreAlternatives() {
        var plan =
                cluster()
                        .with(volume("disk").zones("elsewhere").zones(ZONE_3))
                        .with(volumeClaim("one").boundTo("disk"), pod("a").claim("one"))
                        .plan();

        assertThat(plan).inZone("a", ZONE_3);
    }

    @Tag("B110")
    @Tag("B111")
    @Test
    void theHostOfALocalVolumeConstrainsNothing() {
        var plan =
                cluster()
                        .with(volume("disk").local().term(in(HOSTNAME, "n9")))
                        .with(volumeClaim("one").boundTo("disk"), pod("a").claim("one"))
                        .plan();

        assertThat(plan).schedulesAll().claimOf("a").saysNothingOf(ZONE);
    }

    @Tag("B112")
    @Test
    void aStorageClassWithSeveralZonesLeavesThemOpen() {
        var plan =
                cluster()
                        .with(storageClass("fast").zones(ZONE_1, ZONE_3))
                        .with(volumeClaim("one").storageClass("fast"), pod("a").claim("one"))
                        .plan();

        assertThat(plan).claimOf("a").requires(ZONE, ZONE_1, ZONE_3);
    }

    @Tag("B113")
    @Test
    void alternativesThatConflictArePruned() {
        var plan =
                cluster()
                        .with(volume("disk-1").zones(ZONE_1).zones(ZONE_2))
                        .with(volume("disk-2").zones(ZONE_2).zones(ZONE_3))
                        .with(volumeClaim("one").boundTo("disk-1"))
                        .with(volumeClaim("two").boundTo("disk-2"))
                        .with(pod("a").claim("one").claim("two"))
                        .plan();

        assertThat(plan).inZone("a", ZONE_2);
    }

    @Tag("B113")
    @Test
    void volumesWithoutACommonZoneMakeThePodWait() {
        var plan =
                cluster()
                        .with(volume("disk-1").zones(ZONE_1), volume("disk-2").zones(ZONE_2))
                        .with(volumeClaim("one").boundTo("disk-1"))
                        .with(volumeClaim("two").boundTo("disk-2"))
                        .with(pod("a").claim("one").claim("two"))
                        .plan();

        assertThat(plan).launchesNothing().leavesWaiting("a").because(ZONE);
    }

    @Tag("B113")
    @Test
    void volumesWithoutACommonZoneDoNotFitANodeWithoutAZone() {
        var plan =
                cluster()
                        .with(node("n1").unmanaged())
                        .with(volume("disk-1").zones(ZONE_1), volume("disk-2").zones(ZONE_2))
                        .with(volumeClaim("one").boundTo("disk-1"))
                        .with(volumeClaim("two").boundTo("disk-2"))
                        .with(pod("a").claim("one").claim("two"))
                        .plan();

        assertThat(plan).leavesWaiting("a");
    }

    @Tag("B114")
    @Test
    void anEphemeralVolumeFollowsItsClass() {
        var plan =
                cluster()
                        .with(storageClass("fast").zones(ZONE_2))
                        .with(volumeClaim("a-scratch").storageClass("fast"))
                        .with(pod("a").ephemeral("scratch", "fast"))
                        .plan();

        assertThat(plan).inZone("a", ZONE_2);
    }

    @Tag("B115")
    @Test
    void aClaimWithoutClassFollowsTheDefaultClass() {
        var plan =
                cluster()
                        .with(storageClass("usual").zones(ZONE_2).isDefaultSince(NOON))
                        .with(storageClass("other").zones(ZONE_1))
                        .with(volumeClaim("a-scratch"), volumeClaim("one"))
                        .with(pod("a").ephemeral("scratch", null), pod("b").claim("one"))
                        .plan();

        assertThat(plan).inZone("a", ZONE_2).inZone("b", ZONE_2);
    }

    @Tag("B115")
    @Test
    void volumesOfTheDefaultClassCountAgainstItsDriversLimit() {
        var plan =
                cluster()
                        .with(node("n1").volumeLimit(CSI_DRIVER, 1))
                        .with(storageClass("usual").isDefaultSince(NOON))
                        .with(volumeClaim("a-scratch"), volumeClaim("b-scratch"))
                        .with(pod("a", "10m").ephemeral("scratch", null))
                        .with(pod("b", "10m").ephemeral("scratch", null))
                        .plan();

        assertThat(plan).puts("a").on("n1").puts("b").onNewNodes();
    }

    @Tag("B116")
    @Test
    void ofTwoDefaultClassesTheNewestCounts() {
        var plan =
                cluster()
                        .with(
                                storageClass("a-new")
                                        .zones(ZONE_2)
                                        .isDefaultSince(NOON.plusSeconds(1)))
                        .with(storageClass("b-old").zones(ZONE_1).isDefaultSince(NOON))
                        .with(volumeClaim("one"), pod("a").claim("one"))
                        .plan();

        assertThat(plan).inZone("a", ZONE_2);
    }

    // Unsound storage --------------------------------------------------------------------------

    private static ClusterBuilder withClaim(VolumeClaimBuilder claim) {
        return cluster().with(claim, pod("a").claim("one"), pod("bystander"));
    }

    private static ClusterBuilder refusing(String driver, String topologyKey) {
        return cluster()
                .policy(
                        policy ->
                                policy.withUnsupportedStorage(
                                        new UnsupportedStorage(
                                                List.of(driver), List.of(topologyKey))));
    }

    @Tag("B117")
    @Test
    void aClassWithAnUnsupportedProvisionerRefusesThePod() {
        var plan =
                refusing("slow.csi", "none")
                        .with(storageClass("slow").provisioner("slow.csi"))
                        .with(volumeClaim("one").storageClass("slow"), pod("a").claim("one"))
                        .plan();

        assertThat(plan).leavesWaiting("a").because(WaitReason.Invalid.class).because("slow.csi");
    }

    @Tag("B118")
    @Test
    void aBoundVolumeWithAnUnsupportedDriverRefusesThePod() {
        var plan =
                refusing("slow.csi", "none")
                        .with(volume("disk").driver("slow.csi"))
                        .with(volumeClaim("one").boundTo("disk"), pod("a").claim("one"))
                        .plan();

        assertThat(plan).leavesWaiting("a").because(WaitReason.Invalid.class).because("slow.csi");
    }

    @Tag("B119")
    @Test
    void aClassWithAnUnsupportedTopologyKeyRefusesThePod() {
        var plan =
                refusing("none", "rack")
                        .with(storageClass("fast").term(in("rack", "r1")))
                        .with(volumeClaim("one").storageClass("fast"), pod("a").claim("one"))
                        .plan();

        assertThat(plan).leavesWaiting("a").because(WaitReason.Invalid.class).because("rack");
    }

    @Tag("B120")
    @Test
    void anUnboundClaimOfAnImmediateClassRefusesThePod() {
        var plan =
                withClaim(volumeClaim("one").storageClass("now"))
                        .with(storageClass("now").immediate())
                        .plan();

        assertThat(plan)
                .schedules("bystander")
                .leavesWaiting("a")
                .because(WaitReason.Invalid.class);
    }

    @Tag("B120")
    @Test
    void aBoundClaimOfAnImmediateClassIsFine() {
        var plan =
                withClaim(volumeClaim("one").storageClass("now").boundTo("disk"))
                        .with(storageClass("now").immediate(), volume("disk"))
                        .plan();

        assertThat(plan).schedulesAll();
    }

    @Tag("B121")
    @Test
    void aTerminatingClaimRefusesThePod() {
        var plan =
                withClaim(volumeClaim("one").boundTo("disk").terminating())
                        .with(volume("disk"))
                        .plan();

        assertThat(plan)
                .schedules("bystander")
                .leavesWaiting("a")
                .because(WaitReason.Invalid.class);
    }

    @Tag("B122")
    @Test
    void aTerminatingVolumeRefusesThePod() {
        var plan =
                withClaim(volumeClaim("one").boundTo("disk"))
                        .with(volume("disk").terminating())
                        .plan();

        assertThat(plan)
                .schedules("bystander")
                .leavesWaiting("a")
                .because(WaitReason.Invalid.class);
    }

    @Tag("B123")
    @Test
    void aLostClaimRefusesThePod() {
        var plan = withClaim(volumeClaim("one").boundTo("disk").lost()).with(volume("disk")).plan();

        assertThat(plan)
                .schedules("bystander")
                .leavesWaiting("a")
                .because(WaitReason.Invalid.class);
    }

    @Tag("B124")
    @Test
    void aNamedVolumeWithoutCompletedBindingRefusesThePod() {
        var plan = withClaim(volumeClaim("one").naming("disk")).with(volume("disk")).plan();

        assertThat(plan)
                .schedules("bystander")
                .leavesWaiting("a")
                .because(WaitReason.Invalid.class);
    }

    @Tag("B125")
    @Test
    void aNamedVolumeWithCompletedBindingIsFine() {
        var plan = withClaim(volumeClaim("one").boundTo("disk")).with(volume("disk")).plan();

        assertThat(plan).schedulesAll();
    }

    @Tag("B126")
    @Tag("F71")
    @Test
    void aBoundClaimWhoseClassIsMissingIsFine() {
        var plan =
                withClaim(volumeClaim("one").boundTo("disk").storageClass("gone"))
                        .with(volume("disk"))
                        .plan();

        assertThat(plan).schedulesAll();
    }

    @Tag("B127")
    @Tag("F69")
    @Test
    void aBoundClaimWhoseClassIsEmptyIsFine() {
        var plan =
                withClaim(volumeClaim("one").boundTo("disk").storageClass(""))
                        .with(volume("disk"))
                        .plan();

        assertThat(plan).schedulesAll();
    }

    @Tag("B128")
    @Tag("F70")
    @Tag("F73")
    @Test
    void anUnboundClaimWhoseClassIsMissingRefusesOnlyItsPod() {
        var plan = withClaim(volumeClaim("one").storageClass("gone")).plan();

        assertThat(plan)
                .schedules("bystander")
                .leavesWaiting("a")
                .because(WaitReason.Invalid.class)
                .because("gone");
    }

    @Tag("B129")
    @Tag("F68")
    @Test
    void anUnboundClaimWhoseClassIsEmptyRefusesOnlyItsPod() {
        var plan = withClaim(volumeClaim("one").storageClass("")).plan();

        assertThat(plan)
                .schedules("bystander")
                .leavesWaiting("a")
                .because(WaitReason.Invalid.class);
    }

    // In-tree names ----------------------------------------------------------------------------

    @Tag("B130")
    @Test
    void inTreeVolumesCountForTheirCsiDriver() {
        var driver = Storage.csiDriver("kubernetes.io/aws-ebs");

        var plan =
                cluster()
                        .with(node("n1").volumeLimit(EBS, 1))
                        .with(volume("disk-1").driver(driver), volume("disk-2").driver(driver))
                        .with(volumeClaim("one").boundTo("disk-1"))
                        .with(volumeClaim("two").boundTo("disk-2"))
                        .with(pod("a", "10m").claim("one"), pod("b", "10m").claim("two"))
                        .plan();

        assertThat(plan).puts("a").on("n1").puts("b").onNewNodes();
    }

    @Tag("B131")
    @Test
    void inTreeClassesOfEphemeralVolumesCountForTheirCsiDriver() {
        var plan =
                cluster()
                        .with(node("n1").volumeLimit(EBS, 1))
                        .with(storageClass("old").provisioner("kubernetes.io/aws-ebs"))
                        .with(volumeClaim("a-scratch").storageClass("old"))
                        .with(volumeClaim("b-scratch").storageClass("old"))
                        .with(pod("a", "10m").ephemeral("scratch", "old"))
                        .with(pod("b", "10m").ephemeral("scratch", "old"))
                        .plan();

        assertThat(plan).puts("a").on("n1").puts("b").onNewNodes();
    }
}
