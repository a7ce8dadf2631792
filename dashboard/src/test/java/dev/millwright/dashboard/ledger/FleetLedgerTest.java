package dev.millwright.dashboard.ledger;

import static dev.millwright.testing.kit.Given.cluster;
import static dev.millwright.testing.kit.Given.pod;
import static dev.millwright.testing.kit.Given.pods;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.deliberation.Deliberation;
import dev.millwright.core.disruption.DisruptionMethod;
import dev.millwright.core.disruption.DisruptionOptions;
import dev.millwright.core.disruption.DisruptionProblem;
import dev.millwright.core.disruption.MethodCase;
import dev.millwright.core.scheduling.FleetBound;
import dev.millwright.core.scheduling.Planner;
import dev.millwright.core.scheduling.SchedulingProblem;
import dev.millwright.dashboard.picture.Answers.Kind;
import dev.millwright.dashboard.picture.Answers.Reply;
import dev.millwright.dashboard.picture.Answers.Subject;
import dev.millwright.dashboard.picture.Picture;
import dev.millwright.dashboard.picture.Picture.Stage;
import dev.millwright.testing.kit.disruption.DisruptionStage;
import dev.millwright.testing.kit.disruption.FleetNode;

import org.junit.jupiter.api.Test;

import java.util.List;

/// Decisions as a picture, and as answers.
final class FleetLedgerTest {

    private final DisruptionStage stage = new DisruptionStage();
    private final FleetLedger ledger = new FleetLedger("test");

    private static Deliberation.Provisioning planned(SchedulingProblem problem) {
        return new Deliberation.Provisioning(problem, Planner.plan(problem));
    }

    private static Deliberation.Disruption asked(
            DisruptionProblem problem, DisruptionMethod method) {
        var asked = new MethodCase(problem, method, DisruptionOptions.NONE, MethodCase.Memory.NONE);
        return new Deliberation.Disruption(asked, asked.decide());
    }

    /// One node that holds a pod, and one that holds none.
    private void twoNodes() {
        stage.pool("100%").add(new FleetNode("full"), new FleetNode("idle"));
        stage.rig.apply(DisruptionStage.pod("web", "full").requests("cpu", "1"));
    }

    @Test
    void beforeTheFirstDecisionThereIsNothing() {
        assertThat(ledger.picture().nodes()).isEmpty();
        assertThat(ledger.problem()).isNull();
    }

    @Test
    void nodesArePricedAndFilledWithTheirPods() {
        twoNodes();
        ledger.hear(asked(stage.problem(), DisruptionMethod.EMPTINESS));

        var picture = ledger.picture();

        assertThat(picture.nodes()).extracting(Picture.Node::name).containsExactly("full", "idle");
        var full = picture.nodes().getFirst();
        assertThat(full.pods()).extracting(Picture.Pod::name).containsExactly("default/web");
        assertThat(full.cpuMillis().used()).isEqualTo(1_000);
        assertThat(full.machine().pool()).isEqualTo("default");
        assertThat(full.machine().pricePerHour()).isPositive();
        assertThat(picture.price().perHour())
                .isEqualTo(
                        picture.nodes().stream()
                                .mapToDouble(node -> node.machine().pricePerHour())
                                .sum());
    }

    @Test
    void anEmptyNodeIsAnnouncedThenLookedAtAgainThenBegun() {
        twoNodes();
        var decided = asked(stage.problem(), DisruptionMethod.EMPTINESS);

        ledger.hear(decided);

        assertThat(ledger.picture().upcoming())
                .singleElement()
                .satisfies(
                        upcoming -> {
                            assertThat(upcoming.nodes()).containsExactly("idle");
                            assertThat(upcoming.reason()).isEqualTo("empty, by emptiness");
                            assertThat(upcoming.stage()).isEqualTo(Stage.DECIDED);
                            assertThat(upcoming.savedPerHour()).isPositive();
                        });

        ledger.hear(Deliberation.SecondLook.of(stage.problem(), decided.decision().commands()));

        assertThat(ledger.picture().upcoming())
                .singleElement()
                .extracting(Picture.Upcoming::stage)
                .isEqualTo(Stage.BEGUN);
        assertThat(ledger.picture().counters().nodesTerminated()).isEqualTo(1);
    }

    @Test
    void whatIsGoneIsNoLongerUpcoming() {
        twoNodes();
        var decided = asked(stage.problem(), DisruptionMethod.EMPTINESS);
        ledger.hear(decided);
        ledger.hear(Deliberation.SecondLook.of(stage.problem(), decided.decision().commands()));
        var without = new DisruptionStage();
        without.pool("100%").add(new FleetNode("full"));
        without.rig.apply(DisruptionStage.pod("web", "full").requests("cpu", "1"));

        ledger.hear(asked(without.problem(), DisruptionMethod.EMPTINESS));

        assertThat(ledger.picture().upcoming()).isEmpty();
    }

    @Test
    void aNodeThatStaysSaysWhy() {
        twoNodes();
        ledger.hear(asked(stage.problem(), DisruptionMethod.EMPTINESS));

        assertThat(ledger.picture().nodes().getFirst().kept())
                .isEqualTo("pods on it would have to move");
    }

    @Test
    void podsWaitWithTheReasonOfThePlan() {
        ledger.hear(
                planned(
                        cluster()
                                .with(pods(3, pod("web", "1")))
                                .with(pod("huge", "1000"))
                                .problem()));

        var picture = ledger.picture();

        assertThat(picture.workload().waiting())
                .extracting(each -> each.pod().name(), Picture.WaitingPod::reason)
                .anySatisfy(
                        each -> {
                            assertThat(each.toList().getFirst()).isEqualTo("default/huge");
                            assertThat((String) each.toList().getLast()).contains("instance type");
                        })
                .anySatisfy(
                        each -> {
                            assertThat(each.toList().getFirst()).isEqualTo("default/web-1");
                            assertThat((String) each.toList().getLast())
                                    .startsWith("a node is on its way: ");
                        });
    }

    @Test
    void theTimelineTellsWhatCameOfADecisionAndSkipsThoseThatChangeNothing() {
        ledger.hear(planned(cluster().problem()));
        ledger.hear(planned(cluster().with(pods(3, pod("web", "1"))).problem()));

        var decisions = ledger.picture().decisions();

        assertThat(decisions)
                .singleElement()
                .satisfies(
                        decision -> {
                            assertThat(decision.number()).isEqualTo(1);
                            assertThat(decision.kind()).isEqualTo(Picture.Kind.LAUNCH);
                            assertThat(decision.text()).contains("for 3 pods").contains("an hour");
                        });
        assertThat(ledger.decision(1).reasons())
                .anySatisfy(line -> assertThat(line).startsWith("launch "));
        assertThat(ledger.decision(0)).isNull();
    }

    @Test
    void theTimelineIsBounded() {
        var one = planned(cluster().with(pod("web", "1")).problem());
        for (var number = 0; number < FleetLedger.DECISIONS_MAX + 10; number++) {
            ledger.hear(one);
        }

        assertThat(ledger.picture().decisions())
                .hasSize(FleetLedger.DECISIONS_MAX)
                .first()
                .extracting(Picture.Decision::number)
                .isEqualTo(10L);
    }

    @Test
    void thePriceIsHeldAgainstItsBound() {
        twoNodes();
        var problem = stage.problem();
        ledger.hear(asked(problem, DisruptionMethod.EMPTINESS));
        ledger.bounded(FleetBound.of(problem.scheduling()).lowerBoundPerHour());

        var price = ledger.picture().price();

        assertThat(price.lowerBoundPerHour()).isPositive().isLessThan(price.perHour());
        assertThat(price.history()).hasSize(1);
    }

    @Test
    void theSameDecisionsMakeTheSamePicture() {
        twoNodes();
        var other = new FleetLedger("test");
        var decided = asked(stage.problem(), DisruptionMethod.EMPTINESS);
        ledger.hear(decided);
        other.hear(decided.again());

        assertThat(other.picture()).isEqualTo(ledger.picture());
    }

    @Test
    void whyANodeStaysIsAnsweredWithWhatWouldLetItGo() throws InterruptedException {
        stage.rig.apply(DisruptionStage.pool("default", DisruptionStage.disruption("0").mapping()));
        stage.add(new FleetNode("idle"));
        ledger.hear(asked(stage.problem(), DisruptionMethod.EMPTINESS));
        var answers = new LedgerAnswers();
        answers.hear(ledger.problem(), ledger.standing(), _ -> null);

        var reply = answers.explain(new Subject(Kind.NODE, "idle"));

        assertThat(reply)
                .isInstanceOfSatisfying(
                        Reply.Known.class,
                        known -> {
                            assertThat(known.answer().verdict()).isEqualTo("It stays.");
                            assertThat(known.answer().reasons()).isNotEmpty();
                            assertThat(known.answer().changes())
                                    .singleElement()
                                    .asString()
                                    .contains("default");
                        });
        assertThat(answers.explain(new Subject(Kind.NODE, "idle"))).isSameAs(reply);
        assertThat(answers.explain(new Subject(Kind.NODE, "nobody")))
                .isInstanceOf(Reply.Unknown.class);
    }

    @Test
    void whyAPodWaitsIsAnsweredWithWhatWouldGiveItAPlace() throws InterruptedException {
        ledger.hear(
                planned(cluster().with(pod("picky").nodeSelector("size", "enormous")).problem()));
        var answers = new LedgerAnswers();
        answers.hear(ledger.problem(), ledger.standing(), _ -> null);

        assertThat(answers.explain(new Subject(Kind.POD, "default/picky")))
                .isInstanceOfSatisfying(
                        Reply.Known.class,
                        known -> {
                            assertThat(known.answer().verdict()).startsWith("It waits");
                            assertThat(known.answer().changes()).isNotEmpty();
                        });
        assertThat(answers.explain(new Subject(Kind.NODE, "a"))).isInstanceOf(Reply.Unknown.class);
        assertThat(answers.decision(3)).isInstanceOf(Reply.Unknown.class);
    }

    @Test
    void aRecordIsLookedAtDecisionByDecision() {
        twoNodes();
        var launch = planned(cluster().with(pods(3, pod("web", "1"))).problem());
        var removal = asked(stage.problem(), DisruptionMethod.EMPTINESS);
        var reel = DeliberationReel.of("record", List.of(launch, removal));

        assertThat(reel.length()).isEqualTo(2);
        assertThat(reel.picture(0).workload().waiting()).hasSize(3);
        assertThat(reel.picture(1).upcoming()).hasSize(1);
        assertThat(reel.picture(1).decisions())
                .extracting(Picture.Decision::number)
                .containsExactly(0L, 1L);
        assertThat(reel.picture(0)).isEqualTo(reel.picture(0));
        assertThat(reel.answers(1).decision(0)).isInstanceOf(Reply.Known.class);
        assertThat(reel.answers(1).decision(2)).isInstanceOf(Reply.Unknown.class);
    }
}
