package dev.millwright.kube.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.client.ApiAnswer;
import dev.millwright.kube.client.ApiWrite;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;
import dev.millwright.testing.kit.FakeClock;
import dev.millwright.testing.kit.cluster.FakeApi;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.SplittableRandom;

final class LeaderElectionTest {

    private static final ObjectName LEASE = new ObjectName("kube-system", "leader");

    private final FakeClock clock = new FakeClock();
    private final FakeApi api = new FakeApi(clock);

    /// Ends a leader that would go on for ever.
    private Instant interruptAt = Instant.MAX;

    private final LeaderElection election = election("one");

    @AfterEach
    void forgetTheInterrupt() {
        Thread.interrupted();
    }

    private LeaderElection election(String id) {
        return new LeaderElection(
                api,
                ElectionSettings.of(LEASE, "host", id),
                new LeaderElection.Surroundings(
                        clock::nanos,
                        clock,
                        pause -> {
                            clock.sleep(pause);
                            if (!clock.instant().isBefore(interruptAt)) {
                                throw new InterruptedException("the test is over");
                            }
                        },
                        new SplittableRandom(3)));
    }

    private LeaseRecord lease() {
        var found = api.find(ResourceType.LEASE, LEASE);
        return LeaseRecord.of(found == null ? Tree.of().mapping() : found);
    }

    private static Value.Mapping heldBy(String holder) {
        return Tree.of("metadata", Tree.of("name", "leader").put("namespace", "kube-system"))
                .put(
                        "spec",
                        Tree.of("holderIdentity", holder)
                                .put("leaseDurationSeconds", 15)
                                .put("leaseTransitions", 1))
                .mapping();
    }

    private void leadFor(Duration time) {
        interruptAt = clock.instant().plus(time);
        assertThatThrownBy(election::lead).isInstanceOf(InterruptedException.class);
    }

    @Test
    void theFirstOneMakesTheLeaseAndLeads() throws InterruptedException {
        election.acquire();

        assertThat(election.isLeader()).isTrue();
        assertThat(lease().holder()).isEqualTo("host_one");
        assertThat(lease().transitions()).isZero();
    }

    @Test
    void aLeaderRenewsEveryTwoSecondsWithoutReading() throws InterruptedException {
        election.acquire();

        leadFor(Duration.ofSeconds(20));

        assertThat(api.writes()).hasSize(10);
        assertThat(election.isLeader()).isTrue();
    }

    @Test
    void theSecondOneWaitsUntilTheFirstWasSilentForAWholeLease() throws InterruptedException {
        api.put(ResourceType.LEASE, heldBy("host_other"));
        var begun = clock.instant();

        election.acquire();

        assertThat(Duration.between(begun, clock.instant()))
                .isBetween(Duration.ofSeconds(15), Duration.ofSeconds(20));
        assertThat(lease().holder()).isEqualTo("host_one");
        assertThat(lease().transitions()).isEqualTo(2);
    }

    @Test
    void aLeaseGivenUpIsTakenByTheNextAtOnce() throws InterruptedException {
        election.acquire();
        election.release();
        assertThat(election.isLeader()).isFalse();
        assertThat(lease().holder()).isEmpty();
        assertThat(lease().durationSeconds()).isEqualTo(1);
        var begun = clock.instant();

        var next = election("two");
        next.acquire();

        assertThat(clock.instant()).isEqualTo(begun);
        assertThat(lease().holder()).isEqualTo("host_two");
    }

    @Test
    void aLeaderThatCannotRenewStepsDownAtItsDeadline() throws InterruptedException {
        election.acquire();
        var begun = clock.instant();
        api.forgetWrites();
        api.nextAnswer(new ApiAnswer.Refused(500, "InternalError", "etcd is gone"))
                .nextAnswer(new ApiAnswer.Unreachable("no route"))
                .nextAnswer(new ApiAnswer.Refused(500, "InternalError", "etcd is gone"))
                .nextAnswer(new ApiAnswer.Unreachable("no route"));

        assertThat(election.lead()).isEqualTo("not renewed within 10 s");

        assertThat(Duration.between(begun, clock.instant())).isEqualTo(Duration.ofSeconds(10));
        assertThat(api.writes()).hasSize(4);
        assertThat(election.isLeader()).isFalse();
    }

    @Test
    void aLeaderGoesOnWhenTheServerIsBackInTime() throws InterruptedException {
        election.acquire();
        api.nextAnswer(new ApiAnswer.Refused(500, "InternalError", "etcd is gone"))
                .nextAnswer(new ApiAnswer.Unreachable("no route"));

        leadFor(Duration.ofSeconds(60));

        assertThat(election.isLeader()).isTrue();
        assertThat(election.problem()).isEmpty();
    }

    @Test
    void aLeaderWhoseLeaseWentToAnotherStepsDown() throws InterruptedException {
        election.acquire();
        api.put(ResourceType.LEASE, heldBy("host_thief"));

        assertThat(election.lead()).isEqualTo("the lease went to \"host_thief\"");
        assertThat(election.isLeader()).isFalse();
    }

    @Test
    void aProcessThatSleptStepsDownBeforeItWrites() throws InterruptedException {
        election.acquire();
        api.forgetWrites();
        clock.advance(Duration.ofMinutes(5));

        assertThat(election.isLeader()).isFalse();
        assertThat(election.lead()).isEqualTo("not renewed within 10 s");
        assertThat(api.writes()).isEmpty();
    }

    @Test
    void onlyOneOfTwoThatMakeTheLeaseAtOnceWins() throws InterruptedException {
        api.nextAnswer(new ApiAnswer.Refused(409, "AlreadyExists", "leader exists"));
        interruptAt = clock.instant().plusSeconds(1);

        assertThatThrownBy(election::acquire).isInstanceOf(InterruptedException.class);

        assertThat(election.isLeader()).isFalse();
        assertThat(api.writes()).hasOnlyElementsOfType(ApiWrite.Create.class);
    }

    @Test
    void aLeaseWhoseLastRenewalWasNotHeardOfIsGivenUpAllTheSame() throws InterruptedException {
        election.acquire();
        var renewed = api.find(ResourceType.LEASE, LEASE);
        api.put(ResourceType.LEASE, renewed == null ? heldBy("nobody") : renewed);

        election.release();

        assertThat(lease().holder()).isEmpty();
    }

    @Test
    void givingUpIsTriedAgainWhenTheServerDidNotAnswer() throws InterruptedException {
        election.acquire();
        api.nextAnswer(new ApiAnswer.Unreachable("no route"));

        election.release();

        assertThat(lease().holder()).isEmpty();
    }

    @Test
    void anothersLeaseIsNotGivenUp() throws InterruptedException {
        election.acquire();
        api.put(ResourceType.LEASE, heldBy("host_other"));

        election.release();

        assertThat(lease().holder()).isEqualTo("host_other");
    }

    @Test
    void givingUpWritesNothingWhereNothingIsHeld() {
        election.release();

        assertThat(api.writes()).isEmpty();
    }
}
