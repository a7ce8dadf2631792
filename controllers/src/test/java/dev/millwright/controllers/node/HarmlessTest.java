package dev.millwright.controllers.node;

import static dev.millwright.controllers.node.PodDraft.pod;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.controllers.metrics.Families;
import dev.millwright.controllers.node.eviction.EvictionQueue.Entry;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.client.ApiAnswer;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Tree;
import dev.millwright.runtime.step.Step.Ending;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;

/// No pod loses its place unless its node and its claim are both being deleted; and what is done
/// twice, late or after a restart does no more than once.
final class HarmlessTest {

    private static final Entry LATE = new Entry(Instant.EPOCH, true);

    private static final ApiAnswer GRANTED =
            new ApiAnswer.Done(Tree.of("kind", "Status").mapping());

    private final Stage stage = new Stage();

    private void wanted(String pod) {
        stage.queue.add(Stage.name(pod), stage.pod(pod).meta().uid(), LATE);
    }

    @Test
    void podsOfANodeThatNobodyDeletesStay() {
        stage.node("n1").pods(pod("a", "n1"));
        wanted("a");

        stage.terminate("n1");
        stage.evict("a");

        assertThat(stage.rig.api().writes()).isEmpty();
        assertThat(stage.queue.size()).isZero();
    }

    @Test
    void podsStayWhileOnlyTheNodeIsDeleted() {
        stage.goingNode("n1").pods(pod("a", "n1"));
        wanted("a");

        stage.evict("a");

        assertThat(stage.leaving()).isEmpty();
        assertThat(stage.rig.api().writes()).isEmpty();
    }

    @Test
    void podsStayWhileOnlyTheClaimIsDeleted() {
        stage.node("n1").deleteClaim("n1-claim").pods(pod("a", "n1"));
        wanted("a");

        stage.terminate("n1");
        stage.evict("a");

        assertThat(stage.leaving()).isEmpty();
        assertThat(stage.rig.api().writes()).isEmpty();
    }

    @Test
    void podsStayWhenTheClaimCouldNotBeDeleted() {
        stage.goingNode("n1").pods(pod("a", "n1"));
        stage.rig.api().nextAnswer(new ApiAnswer.Unreachable("timeout"));

        assertThat(stage.drain("n1")).isInstanceOf(Ending.Failed.class);

        assertThat(stage.leaving()).isEmpty();
        assertThat(stage.queue.size()).isZero();
        assertThat(stage.rig.node("n1").node().taints()).isEmpty();
    }

    @Test
    void podsStayWhenTheTaintCouldNotBeWritten() {
        stage.goingNode("n1").deleteClaim("n1-claim").pods(pod("a", "n1"));
        stage.rig.api().nextAnswer(new ApiAnswer.Refused(409, "Conflict", "modified"));

        assertThat(stage.drain("n1")).isEqualTo(new Ending.Retry());

        assertThat(stage.leaving()).isEmpty();
        assertThat(stage.queue.size()).isZero();
    }

    @Test
    void podsOfANodeThatCameBackUnderItsNameStay() {
        stage.goingNode("n1").pods(pod("a", "n1"));
        stage.terminate("n1");
        stage.rig.api().vanish(ResourceType.NODE, new ObjectName("", "n1"));
        stage.rig.api().vanish(ResourceType.NODE_CLAIM, new ObjectName("", "n1-claim"));
        stage.evict("a");
        assertThat(stage.leaving()).isEmpty();

        stage.node("n1");
        wanted("a");
        stage.evict("a");
        stage.terminate("n1");

        assertThat(stage.leaving()).isEmpty();
        assertThat(stage.evictions()).isZero();
    }

    @Test
    void everyPassOfADrainDoneTwiceWritesNothingMore() {
        stage.goingNode("n1").pods(pod("a", "n1"), pod("b", "n1").daemon());
        stage.drain("n1");
        var writes = stage.rig.api().writes().size();
        var rings = stage.rig.rings().size();

        stage.drain("n1");
        stage.drain("n1");

        assertThat(stage.rig.api().writes()).hasSize(writes);
        assertThat(stage.rig.rings()).hasSize(rings);
        assertThat(stage.evictions()).isEqualTo(1);
    }

    @Test
    void anEvictionDoneTwiceIsAskedForOnce() {
        stage.goingNode("n1").pods(pod("a", "n1"));
        stage.drain("n1");

        assertThat(stage.evict("a")).isEqualTo(new Ending.Done());
        assertThat(stage.evict("a")).isEqualTo(new Ending.Done());

        assertThat(stage.evictions()).isEqualTo(1);
        assertThat(stage.rig.count(Families.PODS_DRAINED, "Forceful Termination")).isEqualTo(1);
    }

    @Test
    void aGrantedEvictionThatNoWatchHasToldOfIsNotAskedForAgain() {
        stage.goingNode("n1").pods(pod("a", "n1"));
        stage.rig.api().evictionAnswer(Stage.name("a"), GRANTED);

        stage.drain("n1");
        stage.drain("n1");
        assertThat(stage.evict("a")).isEqualTo(new Ending.Again(Duration.ofSeconds(1)));

        assertThat(stage.evictions()).isEqualTo(1);
        assertThat(stage.rig.count(Families.PODS_DRAINED, "Forceful Termination")).isEqualTo(1);
    }

    @Test
    void aGrantedEvictionThatCameToNothingIsAskedForAgain() {
        stage.goingNode("n1").pods(pod("a", "n1"));
        stage.rig.api().evictionAnswer(Stage.name("a"), GRANTED);
        stage.drain("n1");

        stage.rig.advance(Duration.ofSeconds(10));
        stage.evict("a");

        assertThat(stage.evictions()).isEqualTo(2);
    }

    @Test
    void aGrantedEvictionIsForgottenOnceThePodIsSeenToGo() {
        stage.goingNode("n1").pods(pod("a", "n1"));
        stage.rig.api().evictionAnswer(Stage.name("a"), GRANTED);
        stage.drain("n1");
        stage.pods(pod("a", "n1").endingAt(stage.rig.now().plusSeconds(30)));

        stage.evict("a");

        assertThat(stage.queue.size()).isZero();
    }

    @Test
    void aPodThatWaitsInTheQueueIsNotRungForEverySecond() {
        stage.goingNode("n1").pods(pod("a", "n1").doNotDisrupt("true"));

        stage.drain("n1");
        stage.drain("n1");
        stage.drain("n1");

        assertThat(stage.rig.rings()).hasSize(1);
    }

    @Test
    void aPodWhoseTimeRunsOutIsRungForOnceMore() {
        stage.goingNode("n1")
                .deadline("n1", stage.rig.now().plusSeconds(100))
                .pods(pod("a", "n1").doNotDisrupt("true"));
        stage.terminate("n1");
        stage.terminate("n1");
        assertThat(stage.rig.rings()).hasSize(1);

        stage.rig.advance(Duration.ofSeconds(80));
        stage.terminate("n1");
        stage.terminate("n1");

        assertThat(stage.rig.rings()).hasSize(2);
    }

    @Test
    void aRestartTakesUpTheDrainWhereItWas() {
        stage.goingNode("n1").pods(pod("a", "n1"));
        stage.terminate("n1");
        var restarted = new Stage(stage.rig);

        restarted.drain("n1");

        assertThat(restarted.leaving()).containsExactly("a");
    }

    @Test
    void aNodeThatIsGoneIsNoConcernOfAnybody() {
        stage.goingNode("n1");
        stage.terminateFor("n1", 6);
        var writes = stage.rig.api().writes().size();

        assertThat(stage.terminate("n1")).isEqualTo(new Ending.Done());
        assertThat(stage.terminate("n1")).isEqualTo(new Ending.Done());

        assertThat(stage.rig.api().writes()).hasSize(writes);
        assertThat(stage.rig.count(Families.NODES_TERMINATED, "default", "zone-1")).isEqualTo(1);
    }

    @Test
    void aMachineThatIsAskedToGoTwiceIsAskedOncePerPass() {
        stage.goingNode("n1");
        stage.terminate("n1");
        stage.rig.advance(Duration.ofSeconds(5));

        stage.terminate("n1");
        stage.terminate("n1");

        assertThat(stage.rig.cloud().terminations()).hasSize(2);
        assertThat(stage.isThere("n1")).isFalse();
    }

    @Test
    void theFinalizersOfOthersStay() {
        stage.node("n1");
        stage.addFinalizer("n1", "example.com/mine").deleteNode("n1");

        stage.terminateFor("n1", 6);

        assertThat(stage.rig.node("n1").meta().finalizers()).containsExactly("example.com/mine");
        assertThat(stage.rig.count(Families.NODES_TERMINATED, "default", "zone-1")).isEqualTo(1);
    }

    @Test
    void aClaimThatVanishesMeanwhileDoesNotHoldTheNode() {
        stage.goingNode("n1").pods(pod("a", "n1"));
        stage.drain("n1");
        stage.rig.api().vanish(ResourceType.NODE_CLAIM, new ObjectName("", "n1-claim"));
        stage.vanish("a");

        stage.terminateFor("n1", 2);

        assertThat(stage.isThere("n1")).isFalse();
    }
}
