package dev.millwright.providers.aws.launch;

import static dev.millwright.providers.aws.launch.CloudRig.claim;
import static dev.millwright.providers.aws.launch.CloudRig.settled;
import static dev.millwright.providers.aws.launch.TemplateDataTest.reservation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.label.LabelKeys;
import dev.millwright.kube.document.Tree;
import dev.millwright.spi.DriftAnswer;
import dev.millwright.spi.Machine;
import dev.millwright.spi.MachineClaim;
import dev.millwright.testing.kit.aws.TestAccount;
import dev.millwright.testing.kit.aws.account.TestAccountExtension;
import dev.millwright.testing.kit.cloud.MachineClaimBuilder;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Objects;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/// Whether a machine is still what its class would launch today.
@ExtendWith(TestAccountExtension.class)
@Tag("account")
@Tag("AWS-B7")
class DriftTest {

    private static final DriftAnswer IN_PLACE = new DriftAnswer.InPlace();

    private static final String HASH = "karpenter.k8s.aws/ec2nodeclass-hash";
    private static final String VERSION = "karpenter.k8s.aws/ec2nodeclass-hash-version";

    private final CloudRig rig = new CloudRig();

    @AfterEach
    void close() {
        rig.close();
    }

    private static MachineClaimBuilder small() {
        return claim("a").types("m5.large").capacityTypes("on-demand").zones("us-east-1a");
    }

    private MachineClaim machine() {
        rig.nodeClass();
        return settled(small(), rig.launched(small()));
    }

    private DriftAnswer drift(MachineClaim claim) {
        return rig.cloud().drift(claim);
    }

    private static DriftAnswer drifted(String reason) {
        return new DriftAnswer.Drifted(reason);
    }

    /// The claim with other labels, annotations, id or image.
    private static MachineClaim with(
            MachineClaim it,
            UnaryOperator<SequencedMap<String, String>> labels,
            UnaryOperator<SequencedMap<String, String>> annotations,
            String providerId,
            String imageId) {
        return new MachineClaim(
                it.name(),
                it.uid(),
                it.createdAt(),
                labels.apply(new TreeMap<>(it.labels())),
                annotations.apply(new TreeMap<>(it.annotations())),
                it.requirements(),
                it.taints(),
                it.startupTaints(),
                it.requests(),
                it.nodeClassRef(),
                providerId,
                imageId);
    }

    private static MachineClaim withoutLabel(MachineClaim it, String label) {
        return with(
                it,
                labels -> {
                    labels.remove(label);
                    return labels;
                },
                UnaryOperator.identity(),
                it.providerId(),
                it.imageId());
    }

    private static MachineClaim withoutAnnotation(MachineClaim it, String annotation) {
        return with(
                it,
                UnaryOperator.identity(),
                annotations -> {
                    annotations.remove(annotation);
                    return annotations;
                },
                it.providerId(),
                it.imageId());
    }

    private static MachineClaim withIds(MachineClaim it, String providerId, String imageId) {
        return with(it, UnaryOperator.identity(), UnaryOperator.identity(), providerId, imageId);
    }

    @Test
    void aMachineAsItsClassHasItIsInPlace() {
        assertThat(drift(machine())).isEqualTo(IN_PLACE);
    }

    @Test
    void withoutAClassOrAPoolNothingIsSaid() {
        var claim = machine();
        assertThat(drift(withoutLabel(claim, LabelKeys.NODE_POOL))).isEqualTo(IN_PLACE);
        var stranger =
                with(
                        claim,
                        labels -> {
                            labels.put(LabelKeys.NODE_POOL, "gone");
                            return labels;
                        },
                        UnaryOperator.identity(),
                        claim.providerId(),
                        claim.imageId());
        assertThat(drift(stranger)).isEqualTo(IN_PLACE);

        rig.change("default", "detailedMonitoring", "true");
        rig.rig().run(rig.controller("nodeclass.hash"), "default");
        rig.delete("default");
        assertThat(drift(claim)).isEqualTo(IN_PLACE);
    }

    @Test
    void anotherStaticFieldIsDriftBeforeAllElse() {
        var claim = machine();
        rig.change("default", "detailedMonitoring", "true")
                .changeStatus("default", "securityGroups", "[{id: sg-test1, name: a}]");
        rig.rig().run(rig.controller("nodeclass.hash"), "default");

        assertThat(drift(claim)).isEqualTo(drifted("NodeClassDrift"));
        assertThat(drift(withIds(claim, claim.providerId(), "ami-other")))
                .isEqualTo(drifted("NodeClassDrift"));
    }

    @ParameterizedTest
    @ValueSource(strings = {HASH, VERSION})
    void withoutHashesOfOneVersionThereIsNoStaticDrift(String annotation) {
        var claim = machine();
        rig.annotate("default", HASH, "1");
        assertThat(drift(claim)).isEqualTo(drifted("NodeClassDrift"));
        assertThat(drift(withoutAnnotation(claim, annotation))).isEqualTo(IN_PLACE);

        rig.annotate("default", annotation, null);
        assertThat(drift(claim)).isEqualTo(IN_PLACE);
    }

    @Test
    void hashesOfDifferentVersionsAreNotCompared() {
        var claim = machine();
        rig.annotate("default", HASH, "1").annotate("default", VERSION, "v0");

        assertThat(drift(claim)).isEqualTo(IN_PLACE);
    }

    @Test
    void anotherImageForTheTypeIsDrift() {
        var claim = machine();
        assertThat(drift(withIds(claim, claim.providerId(), "ami-al2023amd64standardold")))
                .isEqualTo(drifted("AMIDrift"));

        rig.changeStatus(
                "default",
                "amis",
                "[{id: ami-al2023amd64standard, requirements:"
                        + " [{key: kubernetes.io/arch, operator: In, values: [arm64]}]}]");
        assertThat(drift(claim)).isEqualTo(drifted("AMIDrift"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "[{id: sg-test1}, {id: sg-test2}]",
                "[{id: sg-test1}, {id: sg-test2}, {id: sg-test3}, {id: sg-test4}]",
                "[{id: sg-test1}, {id: sg-test2}, {id: sg-test5}]",
            })
    void otherSecurityGroupsAreDrift(String groups) {
        var claim = machine();
        rig.changeStatus("default", "securityGroups", groups);

        assertThat(drift(claim)).isEqualTo(drifted("SecurityGroupDrift"));
    }

    @Test
    void aSubnetThatIsNoLongerSelectedIsDrift() {
        var claim = machine();
        rig.changeStatus(
                "default", "subnets", "[{id: subnet-test2, zone: us-east-1b, zoneID: use1-az4}]");

        assertThat(drift(claim)).isEqualTo(drifted("SubnetDrift"));
    }

    @Test
    void ofSeveralReasonsTheFirstIsTold() {
        var claim = machine();
        rig.changeStatus(
                        "default",
                        "subnets",
                        "[{id: subnet-test2, zone: us-east-1b, zoneID: use1-az4}]")
                .changeStatus("default", "securityGroups", "[{id: sg-test1}]");

        assertThat(drift(claim)).isEqualTo(drifted("SecurityGroupDrift"));
        assertThat(drift(withIds(claim, claim.providerId(), "ami-old")))
                .isEqualTo(drifted("AMIDrift"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"subnets", "securityGroups", "amis"})
    void aClassWithoutThemInItsStatusCannotBeComparedWith(String field) {
        var claim = machine();
        rig.changeStatus("default", field, "[]");

        assertThat(drift(claim)).isInstanceOf(DriftAnswer.Failed.class);
    }

    @Test
    void aClaimThatDoesNotSayWhatItIsCannotBeCompared() {
        var claim = machine();

        assertThat(drift(withoutLabel(claim, LabelKeys.INSTANCE_TYPE)))
                .isInstanceOf(DriftAnswer.Failed.class);
        assertThat(drift(withIds(claim, claim.providerId(), "")))
                .isInstanceOf(DriftAnswer.Failed.class);
        assertThat(drift(withIds(claim, "", claim.imageId())))
                .isInstanceOf(DriftAnswer.Failed.class);
        assertThat(drift(withIds(claim, "aws:///us-east-1a/i-00000000000000001", claim.imageId())))
                .isEqualTo(new DriftAnswer.Gone());
    }

    private Machine reserved(TestAccount aws) {
        aws.reservations(reservation("cr-a", "m5.large", "us-east-1a"));
        rig.nodeClass("default", "capacityReservationSelectorTerms", "[{id: cr-a}]");
        var machine = rig.launched(inReservation());
        assertThat(machine.labels()).containsEntry(LabelKeys.CAPACITY_TYPE, "reserved");
        return machine;
    }

    private static MachineClaimBuilder inReservation() {
        return claim("a").types("m5.large").capacityTypes("reserved");
    }

    @Test
    void aReservationThatIsNoLongerSelectedIsDrift(TestAccount aws) {
        var claim = settled(inReservation(), reserved(aws));
        assertThat(drift(claim)).isEqualTo(IN_PLACE);

        rig.changeStatus("default", "capacityReservations", "[]");
        assertThat(drift(claim)).isEqualTo(drifted("CapacityReservationDrift"));
    }

    @Test
    void aMachineWhoseReservationEndedIsInPlace(TestAccount aws) {
        var machine = reserved(aws);
        rig.changeStatus("default", "capacityReservations", "[]");
        aws.change(Objects.requireNonNull(Machines.instanceId(machine.providerId())), "lapsed");

        assertThat(drift(settled(inReservation(), machine))).isEqualTo(IN_PLACE);
    }

    @Test
    void aGroupThatTheMachineIsNotInIsDrift(TestAccount aws) {
        var claim = machine();
        aws.placementGroups(
                Tree.of("GroupId", "pg-1").put("GroupName", "group").put("Strategy", "cluster"));
        rig.change("default", "placementGroupSelector", "{name: group}").look("default");

        assertThat(drift(claim)).isEqualTo(drifted("PlacementGroupDrift"));
    }
}
