package dev.millwright.providers.aws.classes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.quantity.Resources;
import dev.millwright.kube.client.ApiAnswer;
import dev.millwright.kube.document.Tree;
import dev.millwright.providers.aws.controllers.capacityreservation.CapacityTypeController;
import dev.millwright.providers.aws.controllers.capacityreservation.ExpirationController;
import dev.millwright.runtime.step.Step.Ending;
import dev.millwright.spi.ListAnswer;
import dev.millwright.spi.Machine;
import dev.millwright.testing.kit.Given;
import dev.millwright.testing.kit.aws.TestAccount;
import dev.millwright.testing.kit.aws.account.TestAccountExtension;
import dev.millwright.testing.kit.cluster.Manifest;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import java.time.Duration;
import java.util.List;
import java.util.TreeMap;

/// Nodes whose capacity reservation ends.
@ExtendWith(TestAccountExtension.class)
@Tag("account")
@Tag("AWS-F15")
class ReservedNodesTest {

    private static final String CAPACITY_TYPE = "karpenter.sh/capacity-type";
    private static final String ID = "karpenter.k8s.aws/capacity-reservation-id";
    private static final String KIND = "karpenter.k8s.aws/capacity-reservation-type";
    private static final String INTERRUPTIBLE =
            "karpenter.k8s.aws/capacity-reservation-interruptible";

    private final ClassRig rig = new ClassRig();
    private final CapacityTypeController demotion = new CapacityTypeController();
    private final ExpirationController expiration = new ExpirationController(rig.rig().classKind());

    private static Manifest reserved(Manifest manifest, String reservation) {
        return manifest.label(CAPACITY_TYPE, "reserved")
                .label(ID, reservation)
                .label(KIND, "default")
                .label(INTERRUPTIBLE, "false");
    }

    private static Manifest claim(String name, String reservation) {
        return reserved(Manifest.claim(name), reservation)
                .providerId("aws:///us-east-1a/i-" + name)
                .spec(
                        "nodeClassRef",
                        Tree.of("group", "karpenter.k8s.aws")
                                .put("kind", "EC2NodeClass")
                                .put("name", "default")
                                .mapping());
    }

    private static Machine machine(String name, String capacityType) {
        var labels = new TreeMap<String, String>();
        labels.put(CAPACITY_TYPE, capacityType);
        return new Machine(
                "aws:///us-east-1a/i-" + name,
                "ami-test1",
                labels,
                new TreeMap<>(),
                Resources.NONE,
                Resources.NONE,
                Given.NOON,
                false);
    }

    private void machines(Machine... machines) {
        rig.rig().cloud().nextList(new ListAnswer.Machines(List.of(machines)));
    }

    @Test
    void aClaimAndItsNodeAreCalledOnDemandOnceTheInstanceIs() {
        rig.rig()
                .apply(
                        claim("a", "cr-1"),
                        claim("b", "cr-1"),
                        reserved(Manifest.node("a"), "cr-1")
                                .registered()
                                .providerId("aws:///us-east-1a/i-a"));
        machines(machine("a", "on-demand"), machine("b", "reserved"));

        assertThat(rig.rig().run(demotion)).isEqualTo(new Ending.Again(Duration.ofMinutes(1)));

        assertThat(rig.rig().claim("a").meta().labels())
                .containsEntry(CAPACITY_TYPE, "on-demand")
                .doesNotContainKeys(ID, KIND, INTERRUPTIBLE);
        assertThat(rig.rig().node("a").meta().labels())
                .containsEntry(CAPACITY_TYPE, "on-demand")
                .doesNotContainKeys(ID, KIND, INTERRUPTIBLE);
        assertThat(rig.rig().claim("b").meta().labels())
                .containsEntry(CAPACITY_TYPE, "reserved")
                .containsKeys(ID, KIND);
    }

    @Test
    void claimsThatAreBeingDeletedAndNodesNotYetRegisteredAreLeftAlone() {
        rig.rig()
                .apply(
                        claim("a", "cr-1")
                                .finalizer("karpenter.sh/termination")
                                .deletedAt(Given.NOON),
                        claim("b", "cr-1"),
                        reserved(Manifest.node("b"), "cr-1").providerId("aws:///us-east-1a/i-b"));
        machines(machine("a", "on-demand"), machine("b", "on-demand"));
        rig.rig().run(demotion);

        assertThat(rig.rig().claim("a").meta().label(CAPACITY_TYPE)).isEqualTo("reserved");
        assertThat(rig.rig().claim("b").meta().label(CAPACITY_TYPE)).isEqualTo("on-demand");
        assertThat(rig.rig().node("b").meta().label(CAPACITY_TYPE)).isEqualTo("reserved");
    }

    @Test
    void aConflictIsTriedAgainQuietlyAndAListThatFailsIsTold() {
        rig.rig().apply(claim("a", "cr-1"));
        machines(machine("a", "on-demand"));
        rig.rig().api().nextAnswer(new ApiAnswer.Refused(409, "Conflict", "modified"));
        assertThat(rig.rig().run(demotion)).isEqualTo(new Ending.Retry());

        rig.rig().cloud().nextList(new ListAnswer.Failed("throttled"));
        assertThat(rig.rig().run(demotion).toString()).contains("throttled");
    }

    @Test
    void claimsOfACapacityBlockGoFortyMinutesBeforeItsEnd(TestAccount aws) {
        aws.reservations(
                reservation("cr-block", Duration.ofMinutes(41))
                        .put("ReservationType", "capacity-block"),
                reservation("cr-plain", Duration.ofMinutes(41)));
        rig.make("capacityReservationSelectorTerms", "[{id: cr-block}, {id: cr-plain}]").look();
        rig.rig().apply(claim("a", "cr-block"), claim("b", "cr-plain"), claim("c", "cr-gone"));
        assertThat(rig.rig().run(expiration)).isEqualTo(new Ending.Again(Duration.ofMinutes(1)));
        assertThat(rig.rig().view().claims()).hasSize(3);

        rig.rig().advance(Duration.ofMinutes(1));
        rig.rig().run(expiration);
        assertThat(rig.rig().view().claims())
                .extracting(claim -> claim.name().name())
                .containsExactly("b", "c");
    }

    private static Tree reservation(String id, Duration left) {
        return Tree.of("CapacityReservationId", id)
                .put("InstanceType", "m5.large")
                .put("AvailabilityZone", "us-east-1a")
                .put("EndDate", Given.NOON.plus(left).toString());
    }
}
