package dev.millwright.providers.aws.interruption;

import static dev.millwright.providers.aws.interruption.QueueRig.claim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.kube.client.ApiAnswer;
import dev.millwright.kube.client.ApiWrite;
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

/// Instances that EC2 calls unhealthy.
@ExtendWith(TestAccountExtension.class)
@Tag("account")
@Tag("AWS-I4")
@Tag("AWS-G5")
final class InstanceStatusTest {

    private static final String DEADLINE = "karpenter.sh/nodeclaim-termination-timestamp";
    private static final Ending NEXT_MINUTE = new Ending.Again(Duration.ofMinutes(1));
    private static final Instant LONG_AGO = Given.NOON.minusSeconds(120);

    private final TestAccount aws = TestAccounts.shared();
    private final QueueRig rig = new QueueRig();

    /// A claim with an instance that runs.
    private String running(String claim) {
        return running(rig, claim);
    }

    private static String running(QueueRig rig, String claim) {
        var id = Instances.launch();
        rig.rig.apply(claim(claim, id));
        return id;
    }

    private void impair(
            String id, String instance, String system, Instant since, String... events) {
        aws.status(id, instance, system, since, List.of(events));
    }

    private Ending look() {
        return rig.rig.run(rig.statuses);
    }

    @ParameterizedTest
    @CsvSource({
        "impaired, ok,       instance_status, InstanceStatus",
        "ok,       impaired, system_status,   SystemStatus",
    })
    void aMachineThatFailsItsChecksLeavesAtOnce(
            String instance, String system, String reason, String category) {
        impair(running("a"), instance, system, LONG_AGO);

        assertThat(look()).isEqualTo(NEXT_MINUTE);

        assertThat(rig.isLeaving("a")).isTrue();
        assertThat(rig.rig.claim("a").meta().annotations())
                .containsEntry(DEADLINE, "2026-01-01T12:00:00Z");
        assertThat(rig.told("NodeClaim", "a"))
                .containsExactly("Warning InstanceUnhealthy", "Warning TerminatingOnInterruption");
        assertThat(rig.disrupted(reason)).isEqualTo(1);
        assertThat(rig.unhealthy(category)).isEqualTo(1);
        // The deadline is there before the claim goes, so that nobody begins to wait for pods.
        assertThat(rig.rig.api().writes())
                .hasExactlyElementsOfTypes(ApiWrite.Patch.class, ApiWrite.Delete.class);
    }

    @Test
    void aCheckThatFailsForLessThanTwoMinutesIsWaitedFor() {
        impair(running("a"), "impaired", "impaired", LONG_AGO.plusSeconds(1));

        look();
        assertThat(rig.isLeaving("a")).isFalse();
        assertThat(rig.unhealthy("InstanceStatus")).isZero();

        rig.rig.advance(Duration.ofSeconds(1));
        look();
        assertThat(rig.isLeaving("a")).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "instance-reboot",
                "system-reboot",
                "system-maintenance",
                "instance-retirement",
                "instance-stop"
            })
    void aScheduledEventHasThePodsLeaveInPeace(String code) {
        impair(running("a"), "ok", "ok", LONG_AGO, code);
        look();

        assertThat(rig.isLeaving("a")).isTrue();
        assertThat(rig.rig.claim("a").meta().annotations()).doesNotContainKey(DEADLINE);
        assertThat(rig.disrupted("event_status")).isEqualTo(1);
        assertThat(rig.unhealthy("EventStatus")).isEqualTo(1);
        assertThat(rig.told("NodeClaim", "a"))
                .containsExactly("Warning InstanceUnhealthy", "Warning TerminatingOnInterruption");
    }

    @Test
    void aFailingCheckOutweighsAScheduledEvent() {
        impair(running("a"), "impaired", "impaired", LONG_AGO, "instance-retirement");
        look();

        assertThat(rig.rig.claim("a").meta().annotations()).containsKey(DEADLINE);
        assertThat(rig.disrupted("instance_status")).isEqualTo(1);
        assertThat(rig.disrupted("system_status")).isZero();
        assertThat(rig.disrupted("event_status")).isZero();
        assertThat(rig.unhealthy("InstanceStatus")).isEqualTo(1);
        assertThat(rig.unhealthy("SystemStatus")).isEqualTo(1);
        assertThat(rig.unhealthy("EventStatus")).isEqualTo(1);
    }

    @Test
    void aDeadlineThatIsThereStays() {
        var id = Instances.launch();
        rig.rig.apply(claim("a", id).annotation(DEADLINE, "2026-01-01T11:00:00Z"));
        impair(id, "impaired", "ok", LONG_AGO);
        look();

        assertThat(rig.isLeaving("a")).isTrue();
        assertThat(rig.rig.claim("a").meta().annotations())
                .containsEntry(DEADLINE, "2026-01-01T11:00:00Z");
        assertThat(rig.rig.api().writes()).hasExactlyElementsOfTypes(ApiWrite.Delete.class);
    }

    @Test
    void aClaimThatIsGoingIsNotTouched() {
        var id = Instances.launch();
        rig.rig.apply(claim("a", id).deletedAt(Given.NOON));
        impair(id, "impaired", "ok", LONG_AGO);
        look();

        assertThat(rig.rig.api().writes()).isEmpty();
        assertThat(rig.disrupted("instance_status")).isZero();
    }

    @Test
    void aDryRunOnlyCounts() {
        var dry = new QueueRig(Rebalances.Policy.EVENT, Outside.Mode.DRY_RUN);
        impair(running(dry, "a"), "impaired", "ok", LONG_AGO);
        dry.rig.run(dry.statuses);

        assertThat(dry.unhealthy("InstanceStatus")).isEqualTo(1);
        assertThat(dry.isLeaving("a")).isFalse();
        assertThat(dry.rig.api().writes()).isEmpty();
        assertThat(dry.rig.events()).isEmpty();
    }

    @Test
    void anUnhealthyInstanceIsCountedOnceUntilItRecovers() {
        var first = running("a");
        var second = running("b");
        impair(first, "impaired", "ok", LONG_AGO);
        impair(second, "impaired", "ok", LONG_AGO);
        look();
        look();
        assertThat(rig.unhealthy("InstanceStatus")).isEqualTo(2);

        impair(first, "ok", "ok", LONG_AGO);
        look();
        impair(first, "impaired", "ok", LONG_AGO);
        look();
        assertThat(rig.unhealthy("InstanceStatus")).isEqualTo(3);
    }

    @Test
    void instancesOfOthersAreNotLookedAt() {
        running("a");
        impair(Instances.launch(), "impaired", "ok", LONG_AGO);
        look();

        assertThat(rig.isLeaving("a")).isFalse();
        assertThat(rig.unhealthy("InstanceStatus")).isZero();
    }

    @Test
    void allPagesAreRead() {
        aws.pagesOf(1);
        for (var name : List.of("a", "b", "c")) {
            impair(running(name), "impaired", "ok", LONG_AGO);
        }
        look();

        assertThat(rig.rig.view().claims()).hasSize(3).allMatch(each -> each.isDeleting());
    }

    @Test
    void aClaimThatIsGoneAlreadyIsFine() {
        impair(running("a"), "impaired", "ok", LONG_AGO);
        var gone = new ApiAnswer.Refused(404, "NotFound", "gone");
        rig.rig.api().nextAnswer(gone).nextAnswer(gone);

        assertThat(look()).isEqualTo(NEXT_MINUTE);
        assertThat(rig.disrupted("instance_status")).isZero();
    }

    @Test
    void whoMayNotAskIsToldOnceAndStops() {
        aws.fail(ApiFault.refuse("DescribeInstanceStatus", "UnauthorizedOperation", 403));

        assertThat(look()).isEqualTo(new Ending.Done());
        assertThat(rig.rig.lines()).hasSize(1);
    }

    @Test
    void anyOtherFaultIsTriedAgain() {
        aws.fail(ApiFault.refuse("DescribeInstanceStatus", "InvalidParameterValue", 400));

        assertThat(look()).isInstanceOf(Ending.Failed.class);
        assertThat(look()).isEqualTo(NEXT_MINUTE);
    }
}
