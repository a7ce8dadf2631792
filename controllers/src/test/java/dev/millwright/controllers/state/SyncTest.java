package dev.millwright.controllers.state;

import static dev.millwright.controllers.state.ClusterStage.claimOf;
import static dev.millwright.controllers.state.ClusterStage.ours;
import static dev.millwright.testing.kit.cluster.Manifest.claim;
import static dev.millwright.testing.kit.cluster.Manifest.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.controllers.metrics.Families;
import dev.millwright.controllers.metrics.sync.SyncMetrics;
import dev.millwright.kube.cache.Kind;
import dev.millwright.kube.client.ApiAnswer;
import dev.millwright.kube.client.ApiWrite;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;
import dev.millwright.testing.kit.cluster.Manifest;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/// When we know enough to act. What the caches hold is known; only the cloud may owe an answer.
final class SyncTest {

    private static final int MANY = 200;

    private final ClusterStage given = new ClusterStage();
    private final SyncMetrics metrics = new SyncMetrics();

    private void many(IntFunction<Manifest> made) {
        IntStream.range(0, MANY).forEach(index -> given.with(made.apply(index)));
    }

    @Tag("G33")
    @Test
    void nodesThatAreThereAreKnown() {
        many(index -> node("n" + index).providerId("fake://" + index));

        assertThat(given.isSynced()).isTrue();
        assertThat(given.nodes()).hasSize(MANY);
    }

    @Tag("G34")
    @Test
    void theTimeOfNotKnowingIsTold() {
        given.with(claim("one"));
        given.rig().run(metrics);
        given.rig().advance(Duration.ofMinutes(2));

        given.rig().run(metrics);

        assertThat(given.rig().gauge(Families.CLUSTER_STATE_UNSYNCED_TIME)).isEqualTo(120);
        assertThat(given.rig().gauge(Families.CLUSTER_STATE_SYNCED)).isZero();
    }

    @Tag("G35")
    @Test
    void nodesWithoutAProviderIdAreKnownByName() {
        many(index -> node("n" + index));

        assertThat(given.isSynced()).isTrue();
        assertThat(given.nodes()).hasSize(MANY);
    }

    @Tag("G36")
    @Test
    void nodesThatGetTheirProviderIdLaterStayKnown() {
        many(index -> node("n" + index));

        many(index -> node("n" + index).providerId("fake://" + index));

        assertThat(given.isSynced()).isTrue();
        assertThat(given.nodes()).hasSize(MANY);
    }

    @Tag("G37")
    @Test
    void claimsThatWereLaunchedAreKnown() {
        many(index -> claim("c" + index).providerId("fake://" + index));

        assertThat(given.isSynced()).isTrue();
        assertThat(given.nodes()).hasSize(MANY);
    }

    @Tag("G38")
    @Test
    void claimsAndNodesOfDifferentMachinesAreKnownEachForItself() {
        many(index -> claim("c" + index).providerId("fake://" + index));
        many(index -> node("n" + index).providerId("other://" + index));

        assertThat(given.isSynced()).isTrue();
        assertThat(given.nodes()).hasSize(2 * MANY);
    }

    @Tag("G39")
    @Test
    void aClaimAndTheNodeOfItsMachineAreOne() {
        many(index -> ours("n" + index));
        many(index -> claimOf("n" + index));

        assertThat(given.isSynced()).isTrue();
        assertThat(given.nodes()).hasSize(MANY).allMatch(each -> each.isManaged());
    }

    @Tag("G40")
    @Test
    void aClaimWithoutAProviderIdHoldsEverythingUp() {
        many(index -> claim("c" + index).providerId("fake://" + index));

        given.with(claim("late"));

        assertThat(given.isSynced()).isFalse();
    }

    @Tag("G41")
    @Test
    void aClaimIsKnownTheMomentTheCacheHearsOfIt() {
        many(index -> claim("c" + index).providerId("fake://" + index));

        given.rig().view().cache(Kind.NODE_CLAIM).put(claim("new").value());

        assertThat(given.isSynced()).isFalse();
    }

    @Tag("G42")
    @Test
    void aNodeIsKnownTheMomentTheCacheHearsOfIt() {
        given.rig().view().cache(Kind.NODE).put(node("new").value());

        assertThat(given.names()).containsExactly("new");
    }

    @Tag("G43")
    @Test
    void aClaimThatWeMadeHoldsEverythingUpBeforeAnyWatchTellsOfIt() {
        var api = given.rig().api();
        api.listen((_, _, _) -> {});

        var answer =
                api.write(new ApiWrite.Create(ResourceType.NODE_CLAIM, "", claim("mine").value()));
        given.rig().view().cache(Kind.NODE_CLAIM).put(((ApiAnswer.Done) answer).object());

        assertThat(given.isSynced()).isFalse();
    }

    @Tag("G44")
    @Test
    void aClaimThatIsDeletedBeforeItsLaunchHoldsNothingUp() {
        given.with(claim("late"));
        assertThat(given.isSynced()).isFalse();

        given.gone(ResourceType.NODE_CLAIM, "late");

        assertThat(given.isSynced()).isTrue();
    }

    @Tag("G45")
    @Test
    void aNodeThatComesLaterHoldsNothingUp() {
        many(index -> ours("n" + index));
        many(index -> claimOf("n" + index));
        assertThat(given.isSynced()).isTrue();

        given.with(node("late").providerId("fake://late"));

        assertThat(given.isSynced()).isTrue();
    }

    @Test
    void aClaimOfAnotherProviderHoldsNothingUp() {
        given.with(claim("theirs").ofOtherProvider());

        assertThat(given.isSynced()).isTrue();
    }

    // Races ------------------------------------------------------------------------------------

    @Tag("G54")
    @Test
    void nodesMayChangeWhileSomebodyLooks() throws Exception {
        race(index -> ours("n" + index % 20).annotation("round", "r" + index));

        assertThat(given.isSynced()).isTrue();
        assertThat(given.nodes()).hasSize(20);
    }

    @Tag("G55")
    @Test
    void claimsMayChangeWhileSomebodyLooks() throws Exception {
        race(index -> claimOf("n" + index % 20).annotation("round", "r" + index));

        assertThat(given.isSynced()).isTrue();
        assertThat(given.nodes()).hasSize(20);
    }

    private void race(IntFunction<Manifest> made) throws Exception {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var all =
                    IntStream.range(0, MANY)
                            .<Future<?>>mapToObj(
                                    index ->
                                            threads.submit(
                                                    () -> {
                                                        given.with(made.apply(index));
                                                        given.isSynced();
                                                        given.nodes();
                                                    }))
                            .toList();
            for (var each : all) {
                each.get();
            }
        }
    }

    // A claim that nobody holds any more ---------------------------------------------------------

    @Tag("G-GC-1")
    @Test
    void theLateAnswerOfACreationDoesNotBringBackAClaimThatIsGone() {
        var made = stored("gone", "500");
        var cache = given.rig().view().cache(Kind.NODE_CLAIM);
        cache.put(made);
        cache.remove(made);

        cache.put(made);

        assertThat(given.isSynced()).isTrue();
    }

    @Tag("G-GC-2")
    @Test
    void aClaimThatWaitsForItsLaunchIsKeptHoweverLongItTakes() {
        given.with(claim("late"));

        given.rig().advance(Duration.ofMinutes(4));

        assertThat(given.isSynced()).isFalse();
    }

    @Tag("G-GC-3")
    @Test
    void theMachineOfAClaimThatIsGoneStaysKnownByItsNode() {
        given.with(ours("n1"), claimOf("n1"));

        given.gone(ResourceType.NODE_CLAIM, "n1-claim");

        assertThat(given.names()).containsExactly("n1");
    }

    @Tag("G-GC-4")
    @Test
    void goingTwiceIsGoingOnce() {
        var made = stored("gone", "500");
        var cache = given.rig().view().cache(Kind.NODE_CLAIM);
        cache.put(made);

        cache.remove(made);
        cache.remove(made);
        cache.replaceAll(List.of(), "600");

        assertThat(given.isSynced()).isTrue();
        assertThat(cache.size()).isZero();
    }

    private static Value.Mapping stored(String name, String version) {
        var object = claim(name).value();
        var metadata = Tree.of("name", name).put("uid", name + "-uid");
        metadata.put("resourceVersion", version);
        var tree = Tree.of();
        object.fields().forEach(tree::put);
        return tree.put("metadata", metadata).mapping();
    }
}
