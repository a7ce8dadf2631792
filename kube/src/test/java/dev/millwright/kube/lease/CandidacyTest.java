package dev.millwright.kube.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.client.ApiAnswer;
import dev.millwright.kube.client.ApiWrite;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.JsonWriter;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;
import dev.millwright.kube.lease.Candidacy.Moment;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;

final class CandidacyTest {

    private static final ElectionSettings SETTINGS =
            ElectionSettings.of(new ObjectName("kube-system", "leader"), "host", "me");

    private static final Candidacy NEW = Candidacy.of(SETTINGS);

    private static long seconds(double seconds) {
        return Math.round(seconds * 1e9);
    }

    private static Moment at(double seconds) {
        return new Moment(
                seconds(seconds),
                Instant.parse("2026-01-01T12:00:00Z").plusNanos(seconds(seconds)));
    }

    private static LeaseRecord heldBy(String holder, String version) {
        return new LeaseRecord(holder, 15, 3, "2026-01-01T00:00:00.000000Z", version);
    }

    private static Value.Mapping lease(LeaseRecord record) {
        return Tree.of("metadata", Tree.of("resourceVersion", record.resourceVersion()))
                .put("spec", record.spec(Instant.EPOCH))
                .mapping();
    }

    /// Sent at the one moment, answered at the other.
    private static Candidacy leading(double sent, double answered) {
        return NEW.observe(heldBy("", "1"), seconds(sent))
                .answered(
                        new ApiAnswer.Done(lease(heldBy("host_me", "2"))),
                        seconds(sent),
                        seconds(answered));
    }

    private static String patch(ApiWrite write) {
        return write instanceof ApiWrite.Patch(_, _, _, _, var body) ? JsonWriter.text(body) : "";
    }

    @Test
    void aLeaseThatIsNotThereIsMade() {
        var decision = NEW.observe(null, seconds(0)).decide(at(0));

        assertThat(decision)
                .isEqualTo(
                        new ElectionDecision.Acquire(
                                new ApiWrite.Create(
                                        ResourceType.LEASE,
                                        "kube-system",
                                        Tree.of("apiVersion", "coordination.k8s.io/v1")
                                                .put("kind", "Lease")
                                                .put(
                                                        "metadata",
                                                        Tree.of("name", "leader")
                                                                .put("namespace", "kube-system"))
                                                .put(
                                                        "spec",
                                                        Tree.of("holderIdentity", "host_me")
                                                                .put("leaseDurationSeconds", 15)
                                                                .put(
                                                                        "acquireTime",
                                                                        "2026-01-01T12:00:00.000000Z")
                                                                .put(
                                                                        "renewTime",
                                                                        "2026-01-01T12:00:00.000000Z")
                                                                .put("leaseTransitions", 0))
                                                .mapping())));
    }

    @Test
    void aLeaseThatWasGivenUpIsTakenAtOnceAndCountsATransition() {
        var decision = NEW.observe(heldBy("", "7"), seconds(0)).decide(at(1.5));

        assertThat(decision).isInstanceOf(ElectionDecision.Acquire.class);
        assertThat(patch(((ElectionDecision.Acquire) decision).write()))
                .isEqualTo(
                        "{\"metadata\":{\"resourceVersion\":\"7\"},\"spec\":{"
                                + "\"holderIdentity\":\"host_me\",\"leaseDurationSeconds\":15,"
                                + "\"acquireTime\":\"2026-01-01T12:00:01.500000Z\","
                                + "\"renewTime\":\"2026-01-01T12:00:01.500000Z\","
                                + "\"leaseTransitions\":4}}");
    }

    @Test
    void anothersLeaseIsTakenOnlyAfterItWasSeenUnchangedForAllItsTime() {
        var seen = NEW.observe(heldBy("other", "7"), seconds(0));
        var unchanged = seen.observe(heldBy("other", "7"), seconds(14));

        assertThat(unchanged.decide(at(14.9))).isEqualTo(new ElectionDecision.Wait(seconds(15)));
        assertThat(unchanged.decide(at(15))).isInstanceOf(ElectionDecision.Acquire.class);

        var renewed = seen.observe(heldBy("other", "8"), seconds(14));
        assertThat(renewed.decide(at(15))).isEqualTo(new ElectionDecision.Wait(seconds(17)));
        assertThat(renewed.decide(at(29))).isInstanceOf(ElectionDecision.Acquire.class);
    }

    @Test
    void theTimesInTheRecordMeanNothingToOthers() {
        var ancient = new LeaseRecord("other", 15, 0, "1999-01-01T00:00:00.000000Z", "7");

        assertThat(NEW.observe(ancient, seconds(0)).decide(at(0)))
                .isInstanceOf(ElectionDecision.Wait.class);
    }

    @Test
    void aLeaderRenewsEveryTwoSecondsAndKeepsWhatItAcquired() {
        var leader = leading(0, 0.1);

        assertThat(leader.decide(at(1.9))).isEqualTo(new ElectionDecision.Wait(seconds(2)));
        var decision = leader.decide(at(2));
        assertThat(decision).isInstanceOf(ElectionDecision.Renew.class);
        assertThat(patch(((ElectionDecision.Renew) decision).write()))
                .contains("\"acquireTime\":\"2026-01-01T00:00:00.000000Z\"")
                .contains("\"renewTime\":\"2026-01-01T12:00:02.000000Z\"")
                .contains("\"leaseTransitions\":3");
    }

    @Test
    void leadershipCountsFromBeforeTheRequestWasSent() {
        var slow = leading(0, 8);

        assertThat(slow.isLeader(seconds(9.9))).isTrue();
        assertThat(slow.isLeader(seconds(10))).isFalse();
    }

    @Test
    void aProcessThatSleptPastItsDeadlineFindsItselfExpired() {
        var leader = leading(0, 0.1);

        assertThat(leader.isLeader(seconds(3_600))).isFalse();
        assertThat(leader.decide(at(3_600))).isInstanceOf(ElectionDecision.StepDown.class);
    }

    @Test
    void anAnswerThatComesTooLateMakesNoLeader() {
        assertThat(leading(0, 11).isLeader(seconds(11))).isFalse();
    }

    @Test
    void aRenewalWithoutAnAnswerProlongsNothing() {
        var unsure =
                leading(0, 0.1).answered(new ApiAnswer.Unreachable("gone"), seconds(2), seconds(7));

        assertThat(unsure.isStale()).isTrue();
        assertThat(unsure.isLeader(seconds(9.9))).isTrue();
        assertThat(unsure.isLeader(seconds(10))).isFalse();
    }

    @Test
    void aLeaderThatSeesAnothersNameOrNoLeaseStepsDown() {
        var leader = leading(0, 0.1);

        assertThat(leader.observe(heldBy("other", "9"), seconds(3)).decide(at(3)))
                .isEqualTo(new ElectionDecision.StepDown("the lease went to \"other\""));
        assertThat(leader.observe(null, seconds(3)).decide(at(3)))
                .isEqualTo(new ElectionDecision.StepDown("the lease was deleted"));
    }

    @Test
    void aLeaseThatVanishesUnderAnotherIsNotTakenBeforeItsTimeIsOver() {
        var missed = NEW.observe(heldBy("other", "7"), seconds(0)).observe(null, seconds(14));

        assertThat(missed.decide(at(15))).isInstanceOf(ElectionDecision.Wait.class);
        assertThat(missed.observe(null, seconds(29)).decide(at(29)))
                .isInstanceOfSatisfying(
                        ElectionDecision.Acquire.class,
                        acquire -> assertThat(acquire.write()).isInstanceOf(ApiWrite.Create.class));
    }

    @Test
    void aLeaseWeAcquiredWithoutHearingOfItIsOursToRenew() {
        var found = NEW.observe(heldBy("host_me", "9"), seconds(0));

        assertThat(found.isLeader(seconds(0))).isFalse();
        var decision = found.decide(at(0));
        assertThat(decision).isInstanceOf(ElectionDecision.Acquire.class);
        assertThat(patch(((ElectionDecision.Acquire) decision).write()))
                .contains("\"leaseTransitions\":3");
    }

    @Test
    void givingUpEmptiesTheHolderAndLeavesASecond() {
        assertThat(patch(leading(0, 0.1).release(at(1))))
                .contains("\"resourceVersion\":\"2\"")
                .contains("\"holderIdentity\":\"\",\"leaseDurationSeconds\":1,")
                .contains("\"leaseTransitions\":3");
        assertThat(NEW.observe(heldBy("other", "7"), seconds(0)).release(at(1))).isNull();
    }

    @Test
    void timesThatDoNotFitIntoEachOtherAreRefused() {
        assertThatThrownBy(
                        () ->
                                new ElectionSettings(
                                        SETTINGS.name(),
                                        "me",
                                        SETTINGS.labels(),
                                        Duration.ofSeconds(10),
                                        Duration.ofSeconds(10),
                                        Duration.ofSeconds(2)))
                .hasMessageContaining("wanted each longer than the next");
    }
}
