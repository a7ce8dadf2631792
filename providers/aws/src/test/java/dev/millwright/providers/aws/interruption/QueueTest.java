package dev.millwright.providers.aws.interruption;

import static dev.millwright.providers.aws.interruption.QueueRig.QUEUE;
import static dev.millwright.providers.aws.interruption.QueueRig.claim;
import static dev.millwright.providers.aws.interruption.QueueRig.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.kube.client.ApiAnswer;
import dev.millwright.kube.document.Tree;
import dev.millwright.providers.aws.offering.UnavailableOfferings;
import dev.millwright.runtime.loop.Outside;
import dev.millwright.runtime.step.Step.Ending;
import dev.millwright.testing.kit.Given;
import dev.millwright.testing.kit.aws.ApiFault;
import dev.millwright.testing.kit.aws.TestAccount;
import dev.millwright.testing.kit.aws.account.TestAccountExtension;
import dev.millwright.testing.kit.aws.account.TestAccounts;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/// Messages of the interruption queue, over SQS's protocol.
@ExtendWith(TestAccountExtension.class)
@Tag("account")
@Tag("AWS-I4")
final class QueueTest {

    private static final Instant NOON = Given.NOON;

    private final TestAccount aws = TestAccounts.shared();
    private final QueueRig rig = new QueueRig();

    private void assertNothingLeft(int deleted) {
        assertThat(aws.messages(QUEUE)).isEqualTo(new TestAccount.Messages(0, 0, deleted));
        assertThat(rig.deleted()).isEqualTo(deleted);
    }

    private static List<String> going(String reason) {
        return List.of("Warning " + reason, "Warning TerminatingOnInterruption");
    }

    @Test
    @Tag("AWS-G1")
    void aSpotInterruptionDeletesTheClaimAndIsToldOnClaimAndNode() {
        rig.rig.apply(claim("a"), node("a"), claim("b"));
        aws.spotInterruption(QUEUE, "i-a", NOON.minusSeconds(2));

        assertThat(rig.round()).isEqualTo(new Ending.Again(Duration.ZERO));

        assertThat(rig.isLeaving("a")).isTrue();
        assertThat(rig.isLeaving("b")).isFalse();
        assertThat(rig.told("NodeClaim", "a")).isEqualTo(going("SpotInterrupted"));
        assertThat(rig.told("Node", "node-a")).isEqualTo(going("SpotInterrupted"));
        assertThat(rig.received("spot_interrupted")).isEqualTo(1);
        assertThat(rig.disrupted("spot_interrupted")).isEqualTo(1);
        assertThat(rig.waits()).containsExactly(2.0);
        assertThat(rig.rig.claim("a").meta().annotations())
                .doesNotContainKey("karpenter.sh/nodeclaim-termination-timestamp");
        assertNothingLeft(1);
    }

    @Test
    @Tag("AWS-G1")
    void anInterruptedReservationDeletesTheClaim() {
        rig.rig.apply(claim("a"), node("a"));
        aws.reservationInterruption(QUEUE, "i-a", NOON);
        rig.round();

        assertThat(rig.isLeaving("a")).isTrue();
        assertThat(rig.told("NodeClaim", "a"))
                .isEqualTo(going("CapacityReservationInstanceInterrupted"));
        assertThat(rig.disrupted("capacity_reservation_interrupted")).isEqualTo(1);
        assertNothingLeft(1);
    }

    @Test
    @Tag("AWS-G1")
    void aScheduledChangeDeletesTheClaimsOfAllItsInstances() {
        rig.rig.apply(claim("a"), claim("b"), claim("c"));
        aws.scheduledChange(QUEUE, List.of("i-a", "i-b", "i-foreign"), NOON);
        rig.round();

        assertThat(rig.isLeaving("a")).isTrue();
        assertThat(rig.isLeaving("b")).isTrue();
        assertThat(rig.isLeaving("c")).isFalse();
        assertThat(rig.told("NodeClaim", "b")).isEqualTo(going("InstanceUnhealthy"));
        assertThat(rig.received("scheduled_change")).isEqualTo(1);
        assertThat(rig.disrupted("scheduled_change")).isEqualTo(2);
        assertNothingLeft(1);
    }

    @ParameterizedTest
    @CsvSource({
        "stopping,      instance_stopped,    InstanceStopping",
        "stopped,       instance_stopped,    InstanceStopping",
        "shutting-down, instance_terminated, InstanceTerminating",
        "terminated,    instance_terminated, InstanceTerminating",
        "Shutting-Down, instance_terminated, InstanceTerminating",
        "STOPPED,       instance_terminated, InstanceTerminating",
    })
    @Tag("AWS-G1")
    void aStateThatEndsTheInstanceDeletesItsClaim(String state, String reason, String event) {
        rig.rig.apply(claim("a"));
        aws.stateChange(QUEUE, "i-a", state, NOON);
        rig.round();

        assertThat(rig.isLeaving("a")).isTrue();
        assertThat(rig.told("NodeClaim", "a")).isEqualTo(going(event));
        assertThat(rig.received(reason)).isEqualTo(1);
        assertThat(rig.disrupted(reason)).isEqualTo(1);
        assertNothingLeft(1);
    }

    @Test
    @Tag("AWS-G1")
    void aRebalanceRecommendationIsToldAndNothingElse() {
        rig.rig.apply(claim("a"), node("a"));
        aws.rebalance(QUEUE, "i-a", NOON);
        rig.round();

        assertThat(rig.isLeaving("a")).isFalse();
        assertThat(rig.told("NodeClaim", "a"))
                .containsExactly("Normal SpotRebalanceRecommendation");
        assertThat(rig.told("Node", "node-a"))
                .containsExactly("Normal SpotRebalanceRecommendation");
        assertThat(rig.received("rebalance_recommendation")).isEqualTo(1);
        assertThat(rig.rebalances.isToLeave(QueueRig.providerId("i-a"))).isFalse();
        assertNothingLeft(1);
    }

    @Test
    @Tag("AWS-G1")
    void whoeverChoseToReplaceFirstRemembersTheRecommendation() {
        var replacing = new QueueRig(Rebalances.Policy.REPLACE, Outside.Mode.ACT);
        replacing.rig.apply(claim("a"), claim("b"));
        aws.rebalance(QUEUE, "i-a", NOON);
        replacing.round();

        assertThat(replacing.isLeaving("a")).isFalse();
        assertThat(replacing.rebalances.isToLeave(QueueRig.providerId("i-a"))).isTrue();
        assertThat(replacing.rebalances.isToLeave(QueueRig.providerId("i-b"))).isFalse();
    }

    @Test
    @Tag("AWS-G1")
    void whatIsAboutTheInstancesOfOthersIsDeletedWithoutMore() {
        rig.rig.apply(
                claim("a"),
                claim("other")
                        .spec(
                                "nodeClassRef",
                                Tree.of("group", "example.com")
                                        .put("kind", "OtherNodeClass")
                                        .put("name", "default")
                                        .mapping()));
        aws.spotInterruption(QUEUE, "i-foreign", NOON);
        aws.spotInterruption(QUEUE, "i-other", NOON);
        rig.round();

        assertThat(rig.isLeaving("a")).isFalse();
        assertThat(rig.isLeaving("other")).isFalse();
        assertThat(rig.rig.events()).isEmpty();
        assertThat(rig.received("spot_interrupted")).isEqualTo(2);
        assertNothingLeft(2);
    }

    @Test
    @Tag("AWS-G2")
    void aHundredMessagesAreAllDealtWith() {
        for (var number = 0; number < 100; number++) {
            rig.rig.apply(claim("c" + number));
            aws.spotInterruption(QUEUE, "i-c" + number, NOON);
        }
        rig.drain();

        assertThat(rig.rig.view().claims()).hasSize(100).allMatch(each -> each.isDeleting());
        assertThat(rig.disrupted("spot_interrupted")).isEqualTo(100);
        assertNothingLeft(100);
    }

    @ParameterizedTest
    @ValueSource(strings = {"no JSON", "[1, 2]", "\"text\"", "{\"version\": ", " "})
    @Tag("AWS-G3")
    void whatCannotBeReadIsDeletedAndNotCounted(String body) {
        rig.rig.apply(claim("a"));
        aws.messages(QUEUE, List.of(body));

        assertThat(rig.round()).isEqualTo(new Ending.Again(Duration.ZERO));
        assertThat(rig.received("no_op")).isZero();
        assertThat(rig.rig.lines()).hasSize(1);
        assertThat(rig.rig.events()).isEmpty();
        assertNothingLeft(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{}",
                "{\"version\": \"0\", \"source\": \"aws.ec2\", \"detail-type\": \"New\","
                        + " \"detail\": {\"instance-id\": \"i-a\"}}",
                "{\"version\": \"1\", \"source\": \"aws.ec2\","
                        + " \"detail-type\": \"EC2 Spot Instance Interruption Warning\","
                        + " \"detail\": {\"instance-id\": \"i-a\"}}",
                "{\"version\": \"0\", \"source\": \"aws.s3\","
                        + " \"detail-type\": \"EC2 Spot Instance Interruption Warning\","
                        + " \"detail\": {\"instance-id\": \"i-a\"}}",
                "{\"version\": \"0\", \"source\": \"aws.health\","
                        + " \"detail-type\": \"AWS Health Event\", \"detail\": {\"service\": \"EC2\","
                        + " \"eventTypeCategory\": \"issue\","
                        + " \"affectedEntities\": [{\"entityValue\": \"i-a\"}]}}",
                "{\"version\": \"0\", \"source\": \"aws.health\","
                        + " \"detail-type\": \"AWS Health Event\", \"detail\": {\"service\": \"RDS\","
                        + " \"eventTypeCategory\": \"scheduledChange\","
                        + " \"affectedEntities\": [{\"entityValue\": \"i-a\"}]}}"
            })
    @Tag("AWS-G3")
    void whatSaysNothingToUsIsCountedAndDeleted(String body) {
        rig.rig.apply(claim("a"));
        aws.messages(QUEUE, List.of(body));
        rig.round();

        assertThat(rig.isLeaving("a")).isFalse();
        assertThat(rig.received("no_op")).isEqualTo(1);
        assertThat(rig.waits()).isEmpty();
        assertThat(rig.rig.events()).isEmpty();
        assertNothingLeft(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"account\": \"999999999999\", \"region\": \"us-east-1\"",
                "\"account\": \"123456789012\", \"region\": \"eu-west-1\"",
                "\"account\": \"999999999999\", \"region\": \"\""
            })
    void aMessageOfAnotherAccountOrRegionDrainsNothing(String origin) {
        rig.rig.apply(claim("a"));
        aws.messages(
                QUEUE,
                List.of(
                        "{\"version\": \"0\", \"source\": \"aws.ec2\", "
                                + origin
                                + ", \"detail-type\": \"EC2 Spot Instance Interruption Warning\","
                                + " \"detail\": {\"instance-id\": \"i-a\"}}"));
        rig.round();

        assertThat(rig.isLeaving("a")).isFalse();
        assertThat(rig.received("foreign")).isEqualTo(1);
        assertThat(rig.received("spot_interrupted")).isZero();
        assertThat(rig.rig.lines()).singleElement().asString().contains("queue's policy");
        assertNothingLeft(1);
    }

    @Test
    void aMessageThatNamesOurAccountAndRegionIsHeeded() {
        rig.rig.apply(claim("a"));
        aws.messages(
                QUEUE,
                List.of(
                        "{\"version\": \"0\", \"source\": \"aws.ec2\","
                                + " \"account\": \"123456789012\", \"region\": \"us-east-1\","
                                + " \"detail-type\": \"EC2 Spot Instance Interruption Warning\","
                                + " \"detail\": {\"instance-id\": \"i-a\"}}"));
        rig.round();

        assertThat(rig.isLeaving("a")).isTrue();
        assertThat(rig.received("foreign")).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"pending", "running", "rebooting", ""})
    @Tag("AWS-G3")
    void aStateThatEndsNothingIsDeletedWithoutMore(String state) {
        rig.rig.apply(claim("a"));
        aws.stateChange(QUEUE, "i-a", state, NOON);
        rig.round();

        assertThat(rig.isLeaving("a")).isFalse();
        assertThat(rig.received("no_op")).isEqualTo(1);
        assertNothingLeft(1);
    }

    @Test
    @Tag("AWS-G3")
    void aMessageOfNoInstanceHurtsNobody() {
        rig.rig.apply(claim("a"));
        aws.event(QUEUE, "aws.ec2", "EC2 Spot Instance Interruption Warning", NOON, Tree.of());
        aws.event(
                QUEUE,
                "aws.health",
                "AWS Health Event",
                NOON,
                Tree.of("service", "EC2").put("eventTypeCategory", "scheduledChange"));
        rig.round();

        assertThat(rig.isLeaving("a")).isFalse();
        assertThat(rig.received("spot_interrupted")).isEqualTo(1);
        assertThat(rig.received("scheduled_change")).isEqualTo(1);
        assertNothingLeft(2);
    }

    @Test
    @Tag("AWS-G3")
    void oneBadMessageDoesNotKeepTheOthers() {
        rig.rig.apply(claim("a"), claim("b"));
        aws.spotInterruption(QUEUE, "i-a", NOON);
        aws.messages(QUEUE, List.of("no JSON"));
        aws.spotInterruption(QUEUE, "i-b", NOON);
        rig.round();

        assertThat(rig.isLeaving("a")).isTrue();
        assertThat(rig.isLeaving("b")).isTrue();
        assertNothingLeft(3);
    }

    @Test
    @Tag("AWS-G4")
    void spotOfTheTypeIsNotAskedForInThatZoneForAWhile() {
        rig.rig.apply(claim("a").label("karpenter.k8s.aws/placement-group-id", "pg-1"));
        aws.spotInterruption(QUEUE, "i-a", NOON);
        rig.round();

        var mark =
                new UnavailableOfferings.Mark(
                        "spot", "m5.large", "us-east-1a", UnavailableOfferings.Scope.ANYWHERE);
        assertThat(rig.unavailable.marks(NOON).offerings()).containsExactly(mark);
        assertThat(rig.unavailable.marks(NOON.plusSeconds(180)).offerings()).isEmpty();
    }

    @Test
    @Tag("AWS-G4")
    void aClaimThatIsGoingStillTeachesUsAndIsNotDeletedTwice() {
        rig.rig.apply(claim("a").deletedAt(NOON.minusSeconds(5)));
        aws.spotInterruption(QUEUE, "i-a", NOON);
        rig.round();

        assertThat(rig.unavailable.marks(NOON).offerings()).hasSize(1);
        assertThat(rig.told("NodeClaim", "a")).containsExactly("Warning SpotInterrupted");
        assertThat(rig.disrupted("spot_interrupted")).isZero();
        assertThat(rig.rig.api().writes()).isEmpty();
        assertNothingLeft(1);
    }

    @Test
    @Tag("AWS-G4")
    void otherMessagesMarkNothing() {
        rig.rig.apply(claim("a"));
        aws.stateChange(QUEUE, "i-a", "stopping", NOON);
        aws.rebalance(QUEUE, "i-a", NOON);
        rig.round();

        assertThat(rig.unavailable.marks(NOON).offerings()).isEmpty();
    }

    @Test
    @Tag("AWS-G4")
    void aReservationThatIsTakenBackHasNoRoom() {
        rig.reservations.exhausted("cr-1");
        rig.reservations.terminated("cr-1");
        assertThat(rig.reservations.available("cr-1")).isEqualTo(1);
        rig.rig.apply(claim("a").label("karpenter.k8s.aws/capacity-reservation-id", "cr-1"));
        aws.reservationInterruption(QUEUE, "i-a", NOON);
        rig.round();

        assertThat(rig.reservations.available("cr-1")).isZero();
        assertThat(rig.unavailable.marks(NOON).offerings()).isEmpty();
    }

    @Test
    @Tag("AWS-G1")
    void aMessageThatComesTwiceActsOnce() {
        rig.rig.apply(claim("a"));
        aws.spotInterruption(QUEUE, "i-a", NOON);
        aws.spotInterruption(QUEUE, "i-a", NOON);
        rig.round();
        aws.spotInterruption(QUEUE, "i-a", NOON);
        rig.round();

        assertThat(rig.disrupted("spot_interrupted")).isEqualTo(1);
        assertThat(rig.received("spot_interrupted")).isEqualTo(3);
        assertThat(rig.rig.eventReasons()).containsOnlyOnce("TerminatingOnInterruption");
        assertThat(rig.rig.api().writes()).hasSize(1);
        assertNothingLeft(3);
    }

    @Test
    @Tag("AWS-G1")
    void theOrderOfMessagesDoesNotMatter() {
        rig.rig.apply(claim("a"));
        aws.stateChange(QUEUE, "i-a", "terminated", NOON.plusSeconds(120));
        aws.stateChange(QUEUE, "i-a", "shutting-down", NOON.plusSeconds(119));
        aws.spotInterruption(QUEUE, "i-a", NOON);
        aws.rebalance(QUEUE, "i-a", NOON.minusSeconds(60));
        rig.round();

        assertThat(rig.disrupted("instance_terminated")).isEqualTo(1);
        assertThat(rig.disrupted("spot_interrupted")).isZero();
        assertThat(rig.unavailable.marks(NOON).offerings()).hasSize(1);
        assertThat(rig.waits()).allMatch(seconds -> seconds >= 0);
        assertNothingLeft(4);
    }

    @Test
    @Tag("AWS-G6")
    void aQueueThatIsNotThereIsAnErrorUntilItIs() {
        var ending = rig.rig.run(rig.queueNamed("missing"));

        assertThat(ending)
                .isInstanceOfSatisfying(
                        Ending.Failed.class,
                        failed -> assertThat(failed.message()).contains("queue missing"));
        aws.fail(ApiFault.refuse("GetQueueUrl", "QueueDoesNotExist", 400));
        assertThat(rig.round()).isInstanceOf(Ending.Failed.class);
        rig.rig.apply(claim("a"));
        aws.spotInterruption(QUEUE, "i-a", NOON);
        assertThat(rig.round()).isEqualTo(new Ending.Again(Duration.ZERO));
        assertThat(rig.isLeaving("a")).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"GetQueueUrl", "ReceiveMessage"})
    @Tag("AWS-G6")
    void aQueueThatMayNotBeReadIsAnError(String action) {
        rig.rig.apply(claim("a"));
        aws.spotInterruption(QUEUE, "i-a", NOON);
        aws.fail(ApiFault.refuse(action, "AccessDenied", 403));

        assertThat(rig.round())
                .isInstanceOfSatisfying(
                        Ending.Failed.class,
                        failed -> assertThat(failed.message()).contains("AccessDenied"));
        assertThat(rig.isLeaving("a")).isFalse();
        rig.round();
        assertThat(rig.isLeaving("a")).isTrue();
    }

    @Test
    @Tag("AWS-G6")
    void aMessageThatMayNotBeDeletedComesAgain() {
        rig.rig.apply(claim("a"));
        aws.spotInterruption(QUEUE, "i-a", NOON);
        aws.fail(ApiFault.refuse("DeleteMessage", "AccessDenied", 403));

        assertThat(rig.round()).isInstanceOf(Ending.Failed.class);
        assertThat(rig.isLeaving("a")).isTrue();
        assertThat(aws.messages(QUEUE)).isEqualTo(new TestAccount.Messages(0, 1, 0));
    }

    @Test
    @Tag("AWS-G6")
    void aMessageThatCouldNotBeActedOnComesAgainAndTheOthersGo() {
        rig.rig.apply(claim("a"), claim("b"));
        rig.rig.api().nextAnswer(new ApiAnswer.Refused(500, "InternalError", "no"));
        aws.spotInterruption(QUEUE, "i-a", NOON);
        aws.spotInterruption(QUEUE, "i-b", NOON);

        assertThat(rig.round()).isInstanceOf(Ending.Failed.class);
        assertThat(rig.isLeaving("a")).isFalse();
        assertThat(rig.isLeaving("b")).isTrue();
        assertThat(rig.disrupted("spot_interrupted")).isEqualTo(1);
        assertThat(aws.messages(QUEUE)).isEqualTo(new TestAccount.Messages(0, 1, 1));
    }

    @Test
    @Tag("AWS-G6")
    void aClaimThatIsGoneAlreadyIsAsGoodAsDeleted() {
        rig.rig.apply(claim("a"), claim("b"));
        rig.vanish("b");
        rig.rig.api().nextAnswer(new ApiAnswer.Refused(404, "NotFound", "gone"));
        aws.spotInterruption(QUEUE, "i-a", NOON);
        aws.spotInterruption(QUEUE, "i-b", NOON);

        assertThat(rig.round()).isEqualTo(new Ending.Again(Duration.ZERO));
        assertThat(rig.rig.eventReasons()).containsExactly("SpotInterrupted");
        assertThat(rig.disrupted("spot_interrupted")).isZero();
        assertNothingLeft(2);
    }
}
