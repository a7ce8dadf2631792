package dev.millwright.controllers.node;

import static dev.millwright.controllers.node.PodDraft.pod;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.controllers.metrics.Families;
import dev.millwright.controllers.node.eviction.EvictionQueue.Entry;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.client.ApiAnswer;
import dev.millwright.kube.client.ApiWrite;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.runtime.step.Step;
import dev.millwright.runtime.step.Step.Ending;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;

/// Pods of a condemned node are asked to leave, again and again, and told to in the end.
final class EvictionQueueTest {

    private static final ApiAnswer BUDGET_USED_UP =
            new ApiAnswer.Refused(
                    429, "TooManyRequests", "Cannot evict pod as it would violate the budget");
    private static final ApiAnswer SEVERAL_BUDGETS =
            new ApiAnswer.Refused(
                    500,
                    "InternalError",
                    "This pod has more than one PodDisruptionBudget, which is not supported");

    private final Stage stage = new Stage();

    @BeforeEach
    void condemn() {
        stage.goingNode("n1").deleteClaim("n1-claim");
    }

    private void wanted(String pod, @Nullable Instant deadline) {
        stage.queue.add(
                Stage.name(pod),
                stage.pod(pod).meta().uid(),
                new Entry(deadline, deadline != null));
    }

    private void answer(ApiAnswer answer) {
        stage.rig.api().evictionAnswer(Stage.name("a"), answer);
    }

    private double answered(String code) {
        return stage.rig.count(Families.PODS_EVICTION_REQUESTS, code);
    }

    @Tag("I-EVQ-1")
    @Test
    void aPodThatIsGoneIsForgotten() {
        stage.pods(pod("a", "n1"));
        wanted("a", null);
        answer(new ApiAnswer.Refused(404, "NotFound", "no such pod"));

        assertThat(stage.evict("a")).isEqualTo(new Ending.Done());
        assertThat(stage.queue.size()).isZero();
        assertThat(stage.rig.eventReasons()).isEmpty();
    }

    @Tag("I-EVQ-2")
    @Test
    void aPodWithAnotherUidIsForgotten() {
        stage.pods(pod("a", "n1"));
        wanted("a", null);
        answer(new ApiAnswer.Refused(409, "Conflict", "another uid"));

        assertThat(stage.evict("a")).isEqualTo(new Ending.Done());
        assertThat(stage.queue.size()).isZero();
    }

    @Tag("I-EVQ-2")
    @Test
    void aNewPodOfTheSameNameIsNotTheOneThatWasMeant() {
        stage.pods(pod("a", "n1").uid("old"));
        wanted("a", null);
        stage.vanish("a").pods(pod("a", "n1").uid("new"));

        stage.evict("a");

        assertThat(stage.evictions()).isZero();
        assertThat(stage.queue.size()).isZero();
    }

    @Tag("I-EVQ-3")
    @Test
    void aPodWithoutBudgetIsEvicted() {
        stage.pods(pod("a", "n1"));
        wanted("a", null);

        assertThat(stage.evict("a")).isEqualTo(new Ending.Done());
        assertThat(stage.leaving()).containsExactly("a");
        assertThat(stage.rig.eventReasons()).containsExactly("Evicted");
    }

    @Tag("I-EVQ-3")
    @Test
    void theEvictionNamesTheUid() {
        stage.pods(pod("a", "n1").uid("the-one"));
        wanted("a", null);

        stage.evict("a");

        assertThat(stage.rig.api().writes())
                .contains(new ApiWrite.Evict(Stage.name("a"), "the-one"));
    }

    @Tag("I-EVQ-4")
    @Test
    void aPodWhoseBudgetAllowsItIsEvicted() {
        stage.pods(pod("a", "n1").label("app", "web"));
        stage.rig.apply(
                """
                apiVersion: policy/v1
                kind: PodDisruptionBudget
                metadata: {name: web, namespace: default}
                spec:
                  maxUnavailable: 1
                  selector: {matchLabels: {app: web}}
                status: {disruptionsAllowed: 1}
                """);
        wanted("a", null);

        stage.evict("a");

        assertThat(stage.leaving()).containsExactly("a");
    }

    @Tag("I-EVQ-5")
    @Test
    void aPodWhoseBudgetForbidsItIsAskedForAgain() {
        stage.pods(pod("a", "n1"));
        wanted("a", null);
        answer(BUDGET_USED_UP);

        assertThat(stage.evict("a")).isEqualTo(new Ending.Retry());
        assertThat(stage.evict("a")).isEqualTo(new Ending.Retry());

        assertThat(stage.queue.size()).isEqualTo(1);
        assertThat(stage.rig.events())
                .allSatisfy(
                        event -> {
                            assertThat(event.reason()).isEqualTo("FailedDraining");
                            assertThat(event.subject().kind()).isEqualTo("Node");
                        });
    }

    @Tag("I-EVQ-6")
    @Test
    void aPodUnderTwoBudgetsIsAskedForAgain() {
        stage.pods(pod("a", "n1"));
        wanted("a", null);
        answer(SEVERAL_BUDGETS);

        assertThat(stage.evict("a")).isEqualTo(new Ending.Retry());
        assertThat(stage.queue.size()).isEqualTo(1);
        assertThat(stage.rig.eventReasons()).containsExactly("FailedDraining");
    }

    @Tag("I-EVQ-6")
    @Test
    void anyOtherErrorIsAFailureAndTriedAgain() {
        stage.pods(pod("a", "n1"));
        wanted("a", null);
        answer(new ApiAnswer.Refused(500, "InternalError", "the disk is full"));

        assertThat(stage.evict("a")).isInstanceOf(Ending.Failed.class);
        assertThat(stage.queue.size()).isEqualTo(1);
        assertThat(stage.rig.eventReasons()).isEmpty();
    }

    @Tag("I-EVQ-7")
    @Test
    void manyDrainsMayAddAtOnce() throws InterruptedException {
        var start = stage.rig.now();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            threads.invokeAll(
                    IntStream.range(0, 200)
                            .mapToObj(
                                    index ->
                                            Executors.callable(
                                                    () ->
                                                            stage.queue.add(
                                                                    Stage.name("p" + index % 20),
                                                                    "uid",
                                                                    new Entry(
                                                                            start.plusSeconds(
                                                                                    index),
                                                                            false))))
                            .toList());
        }

        assertThat(stage.queue.size()).isEqualTo(20);
        assertThat(stage.queue.find(Stage.name("p7"), "uid"))
                .isEqualTo(new Entry(start.plusSeconds(7), false));
    }

    @Tag("I-EVQ-8")
    @Test
    void everyAnswerIsCountedByItsCode() {
        stage.pods(pod("a", "n1"));
        wanted("a", null);
        answer(BUDGET_USED_UP);
        stage.evict("a");
        answer(SEVERAL_BUDGETS);
        stage.evict("a");
        stage.rig.api().evictionAnswer(Stage.name("a"), null);
        stage.evict("a");

        assertThat(answered("429")).isEqualTo(1);
        assertThat(answered("500")).isEqualTo(1);
        assertThat(answered("200")).isEqualTo(1);
    }

    @Tag("I-EVQ-8")
    @Test
    void silenceIsNotCounted() {
        stage.pods(pod("a", "n1"));
        wanted("a", null);
        answer(new ApiAnswer.Unreachable("timeout"));

        assertThat(stage.evict("a")).isInstanceOf(Ending.Failed.class);
        assertThat(stage.queue.size()).isEqualTo(1);
    }

    @Tag("I-EVQ-9")
    @Test
    void whyAPodHadToGoIsCounted() {
        stage.pods(pod("a", "n1"), pod("b", "n1"));
        wanted("a", null);
        wanted("b", null);

        stage.evict("a");
        assertThat(stage.rig.count(Families.PODS_DRAINED, "Forceful Termination")).isEqualTo(1);

        stage.disruptedBecause("n1", "Underutilized");
        stage.evict("b");
        assertThat(stage.rig.count(Families.PODS_DRAINED, "Underutilized")).isEqualTo(1);
    }

    @Tag("I-EVQ-9")
    @Test
    void ofANodeWithoutClaimThereIsNoReason() {
        stage.bareNode("n2", "True").deleteNode("n2").pods(pod("a", "n2"));
        wanted("a", null);

        stage.evict("a");

        assertThat(stage.rig.count(Families.PODS_DRAINED, "")).isEqualTo(1);
    }

    @Tag("I-EVQ-10")
    @Test
    void withoutTimeLeftAPodIsDeletedPastBudgetAndAnnotation() {
        stage.pods(pod("a", "n1").doNotDisrupt("true"));
        answer(BUDGET_USED_UP);
        wanted("a", stage.rig.now().plusSeconds(20));

        assertThat(stage.evict("a")).isEqualTo(new Ending.Done());

        assertThat(stage.evictions()).isZero();
        assertThat(stage.end("a")).isEqualTo(stage.rig.now().plusSeconds(20));
        assertThat(stage.rig.eventReasons()).containsExactly("Disrupted");
        assertThat(stage.rig.count(Families.PODS_DRAINED, "Forceful Termination")).isEqualTo(1);
        assertThat(answered("200")).isZero();
    }

    @Tag("I-EVQ-10")
    @Test
    void aDeletionThatMeetsAConflictIsTriedAgain() {
        stage.pods(pod("a", "n1"));
        wanted("a", stage.rig.now());
        stage.rig.advance(Duration.ofSeconds(1));
        stage.rig.api().nextAnswer(new ApiAnswer.Refused(409, "Conflict", "another uid"));

        assertThat(stage.evict("a")).isEqualTo(new Ending.Retry());
        assertThat(stage.queue.size()).isEqualTo(1);
    }

    @Tag("I-EVQ-11")
    @Test
    void anEvictionBecomesADeletionWhenADeadlineComesUp() {
        stage.pods(pod("a", "n1"));
        answer(BUDGET_USED_UP);
        wanted("a", null);
        stage.evict("a");

        wanted("a", stage.rig.now().plusSeconds(10));
        stage.evict("a");

        assertThat(stage.podDeletions()).isEqualTo(1);
        assertThat(stage.leaving()).containsExactly("a");
    }

    @Tag("I-EVQ-12")
    @Test
    void theEarliestDeadlineCounts() {
        stage.pods(pod("a", "n1"));
        wanted("a", stage.rig.now().plusSeconds(10));
        wanted("a", stage.rig.now().plusSeconds(1_000));
        wanted("a", null);

        stage.evict("a");

        assertThat(stage.end("a")).isEqualTo(stage.rig.now().plusSeconds(10));
    }

    @Tag("I-EVQ-13")
    @Test
    void podsThatAreDoneWithLeaveNothingBehind() {
        stage.pods(
                pod("a", "n1"),
                pod("ended", "n1").phase("Failed"),
                pod("ending", "n1").endingAt(stage.rig.now()));
        wanted("a", null);
        wanted("ended", null);
        wanted("ending", null);

        stage.evict("a");
        stage.evict("ended");
        stage.evict("ending");

        assertThat(stage.queue.size()).isZero();
    }

    @Tag("I-EVQ-13")
    @Test
    void aPodThatVanishesIsForgottenByItsRemoval() {
        stage.pods(pod("a", "n1"));
        wanted("a", null);
        stage.vanish("a");

        assertThat(stage.evict("a")).isEqualTo(new Ending.Done());
        assertThat(stage.queue.size()).isZero();
    }

    @Tag("I-EVQ-14")
    @Test
    void aDeletionLeavesAPodASecondAtLeast() {
        stage.pods(pod("a", "n1"));
        wanted("a", stage.rig.now().minusSeconds(100));

        stage.evict("a");

        assertThat(stage.rig.api().writes())
                .contains(new ApiWrite.Delete(ResourceType.POD, Stage.name("a"), "uid-a", 1L));
    }

    @Test
    void aPodGuardedForAWhileIsEvictedWhenTheWhileIsOver() {
        stage.pods(pod("a", "n1").startedAt(stage.rig.now()).doNotDisrupt("1h"));
        wanted("a", null);

        assertThat(stage.evict("a")).isEqualTo(new Ending.Retry());
        assertThat(stage.rig.eventReasons()).containsExactly("DoNotDisruptUntil");

        stage.rig.advance(Duration.ofHours(1));
        stage.evict("a");
        assertThat(stage.leaving()).containsExactly("a");
        assertThat(stage.rig.eventReasons())
                .containsExactly("DoNotDisruptUntil", "DoNotDisruptGracePeriodElapsed", "Evicted");
    }

    @Test
    void anAnnotationThatMeansNothingIsToldAndIgnored() {
        stage.pods(pod("a", "n1").doNotDisrupt("false"));
        wanted("a", null);

        stage.evict("a");

        assertThat(stage.leaving()).containsExactly("a");
        assertThat(stage.rig.eventReasons())
                .containsExactly("InvalidDoNotDisruptAnnotation", "Evicted");
    }

    @Test
    void aHundredPodsAreAskedForAtOnceOnOneCore() {
        var pace = stage.eviction.pace();

        assertThat(pace.atOnce()).isEqualTo(100);
        assertThat(pace.perSecond()).isEqualTo(100);
        assertThat(pace.burst()).isEqualTo(1_000);
        assertThat(pace.backoffMin()).isEqualTo(Duration.ofMillis(100));
        assertThat(pace.backoffMax()).isEqualTo(Duration.ofSeconds(10));
        assertThat(stage.eviction.step(stage.rig.view(), new ObjectName("x", "y"), stage.rig.now()))
                .isEqualTo(Step.DONE);
    }
}
