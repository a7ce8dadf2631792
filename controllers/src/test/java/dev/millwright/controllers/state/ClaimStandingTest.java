package dev.millwright.controllers.state;

import static dev.millwright.controllers.state.ClusterStage.claimOf;
import static dev.millwright.controllers.state.ClusterStage.ours;
import static dev.millwright.testing.kit.cluster.Manifest.claim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.controllers.nodepool.PoolUsage;
import dev.millwright.controllers.nodepool.PoolUsage.Claims;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.object.ClaimObject;
import dev.millwright.testing.kit.Given;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

/// How many claims a pool has, by how long they will stay.
final class ClaimStandingTest {

    private final ClusterStage given = new ClusterStage();

    private Claims claims() {
        return claims("default");
    }

    private Claims claims(String pool) {
        return PoolUsage.claims(given.rig().view(), given.marks(), pool);
    }

    private static Claims counts(long active, long pending, long deleting) {
        return new Claims(active, pending, deleting);
    }

    @Tag("G71")
    @Test
    void aClaimThatWasLaunchedIsActive() {
        given.with(claimOf("n1"));

        assertThat(claims()).isEqualTo(counts(1, 0, 0));
    }

    @Tag("G72")
    @Test
    void aClaimThatWaitsForItsLaunchIsActive() {
        given.with(claim("one"));

        assertThat(claims()).isEqualTo(counts(1, 0, 0));
    }

    @Tag("G73")
    @Test
    void aClaimThatStandsAloneIsOfNoPool() {
        given.with(claim("alone").withoutNodePool());

        assertThat(claims()).isEqualTo(counts(0, 0, 0));
        assertThat(given.isSynced()).isFalse();
    }

    @Tag("G74")
    @Test
    void claimsOfOnePoolAreAddedUp() {
        given.with(claimOf("n1"), claimOf("n2"), claimOf("n3"));

        assertThat(claims()).isEqualTo(counts(3, 0, 0));
    }

    @Tag("G75")
    @Test
    void claimsOfDifferentPoolsAreNot() {
        given.with(claimOf("n1"), claimOf("n2").nodePool("other"));

        assertThat(claims()).isEqualTo(counts(1, 0, 0));
        assertThat(claims("other")).isEqualTo(counts(1, 0, 0));
    }

    @Tag("G76")
    @Test
    void aChangeOfAClaimCountsItNoSecondTime() {
        given.with(claimOf("n1"));

        given.with(claimOf("n1").annotation("example.com/note", "changed"));

        assertThat(claims()).isEqualTo(counts(1, 0, 0));
    }

    @Tag("G77")
    @Test
    void aMarkIsForTheMachineThatTheClaimHasNow() {
        given.with(claimOf("n1"));
        given.with(claimOf("n1").providerId("fake://moved"));

        given.marks().mark("fake://n1");
        assertThat(claims()).isEqualTo(counts(1, 0, 0));

        given.marks().mark("fake://moved");
        assertThat(claims()).isEqualTo(counts(0, 0, 1));
    }

    @Tag("G78")
    @Test
    void aMarkedClaimStaysDeletingWhenItChanges() {
        given.with(ours("n1"), claimOf("n1"));
        given.marks().mark("fake://n1");

        given.with(claimOf("n1").annotation("example.com/note", "changed"));

        assertThat(claims()).isEqualTo(counts(0, 0, 1));
    }

    @Tag("G79")
    @Test
    void aDeletedClaimIsDeletingUntilItIsGone() {
        given.with(claimOf("n1").finalizer("karpenter.sh/termination").deletedAt(Given.NOON));
        assertThat(claims()).isEqualTo(counts(0, 0, 1));

        given.gone(ResourceType.NODE_CLAIM, "n1-claim");

        assertThat(claims()).isEqualTo(counts(0, 0, 0));
    }

    @Tag("G80")
    @Test
    void claimsThatADisruptionHasBegunWithArePending() {
        given.with(claimOf("n1"), claimOf("n2"));

        given.with(claimOf("n1").condition(ClaimObject.DISRUPTION_REASON, "True", Given.NOON));
        assertThat(claims()).isEqualTo(counts(1, 1, 0));

        given.with(claimOf("n2").condition(ClaimObject.DISRUPTION_REASON, "True", Given.NOON));
        assertThat(claims()).isEqualTo(counts(0, 2, 0));
    }

    @Tag("G81")
    @Test
    void aClaimThatIsGoneIsNotCounted() {
        given.with(claimOf("n1"));

        given.gone(ResourceType.NODE_CLAIM, "n1-claim");

        assertThat(claims()).isEqualTo(counts(0, 0, 0));
        assertThat(given.nodes()).isEmpty();
    }

    @Tag("G82")
    @Test
    void severalClaimsAreMarkedEachForItself() {
        given.with(claimOf("n1"), claimOf("n2"), claimOf("n3"));

        given.marks().mark("fake://n1");
        given.marks().mark("fake://n2");

        assertThat(claims()).isEqualTo(counts(1, 0, 2));
    }

    @Tag("G83")
    @Test
    void aMarkedClaimIsDeleting() {
        given.with(claimOf("n1"));

        given.marks().mark("fake://n1");

        assertThat(claims()).isEqualTo(counts(0, 0, 1));
    }

    @Tag("G84")
    @Test
    void aClaimWhoseMarkIsTakenBackIsActive() {
        given.with(claimOf("n1"));
        given.marks().mark("fake://n1");

        given.marks().unmark("fake://n1");

        assertThat(claims()).isEqualTo(counts(1, 0, 0));
    }

    @Tag("G85")
    @Test
    void marksAreTakenBackEachForItself() {
        given.with(claimOf("n1"), claimOf("n2"));
        given.marks().mark("fake://n1");
        given.marks().mark("fake://n2");

        given.marks().unmark("fake://n1");
        given.marks().unmark("fake://n1");

        assertThat(claims()).isEqualTo(counts(1, 0, 1));
    }

    @Tag("G86")
    @Test
    void claimsMayChangeAndBeMarkedAtOnce() throws Exception {
        together(
                index -> {
                    given.with(claimOf("n" + index));
                    given.marks().mark("fake://n" + index);
                    given.marks().unmark("fake://n" + index / 2 * 2);
                    return claims();
                });
        IntStream.range(0, 50).forEach(index -> given.marks().unmark("fake://n" + index * 2));

        assertThat(claims()).isEqualTo(counts(50, 0, 50));
    }

    private interface Work {
        Object of(int index) throws Exception;
    }

    private static void together(Work work) throws Exception {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var all =
                    IntStream.range(0, 100)
                            .<Future<Object>>mapToObj(
                                    index ->
                                            threads.submit((Callable<Object>) () -> work.of(index)))
                            .toList();
            for (var each : all) {
                each.get();
            }
        }
    }
}
