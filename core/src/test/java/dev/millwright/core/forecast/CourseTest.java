package dev.millwright.core.forecast;

import static dev.millwright.core.disruption.FleetBuilder.fleet;
import static dev.millwright.core.disruption.FleetBuilder.running;
import static dev.millwright.core.disruption.FleetBuilder.type;
import static dev.millwright.core.disruption.MachineBuilder.machine;
import static dev.millwright.testing.kit.Given.NOON;
import static dev.millwright.testing.kit.Given.disruptionBudget;
import static dev.millwright.testing.kit.Given.in;
import static dev.millwright.testing.kit.Given.nodePool;
import static dev.millwright.testing.kit.Given.pod;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.cluster.DisruptionBudget;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.cluster.PodState;
import dev.millwright.core.deliberation.Deliberation;
import dev.millwright.core.disruption.Command.Replacement;
import dev.millwright.core.disruption.DisruptionMethod;
import dev.millwright.core.disruption.DisruptionOptions;
import dev.millwright.core.disruption.FleetBuilder;
import dev.millwright.core.forecast.ForecastProblem.Asked;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.label.Requirements;
import dev.millwright.core.quantity.Resources;
import dev.millwright.core.scheduling.PlannedClaim;
import dev.millwright.testing.kit.NodeBuilder;
import dev.millwright.testing.kit.PodBuilder;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/// How things go on where nobody takes nodes away.
final class CourseTest {

    private static final Map<String, String> WEB = Map.of("app", "web");
    private static final InstanceType SMALL = type("small", 4, 1).build();
    private static final int STEPS_MAX = 100;

    private final FleetBuilder fleet = fleet().selling(SMALL);
    private final List<Asked> asked = new ArrayList<>();
    private final List<Deliberation> heard = new ArrayList<>();

    private ForecastProblem problem() {
        return problem(Pace.USUAL);
    }

    private ForecastProblem problem(Pace pace) {
        return new ForecastProblem(
                fleet.scheduling(),
                fleet.problem(),
                DisruptionOptions.NONE,
                new TreeMap<>(),
                asked,
                pace);
    }

    /// All that happens until the moment, or until nothing more does.
    private Course until(Instant end) {
        var course = new Course(problem(), heard::add);
        course.begin();
        for (var step = 0; step < STEPS_MAX; step++) {
            var next = course.agenda().nextAt();
            if (next != null && !next.isAfter(end)) {
                course.agenda().step();
            }
        }
        return course;
    }

    private Course untilEvening() {
        return until(NOON.plus(Duration.ofHours(6)));
    }

    private static List<String> launched(Course course) {
        return course.actions().stream().map(each -> each.node().node()).toList();
    }

    private static Unit unit(Course course, String name) {
        return Objects.requireNonNull(course.scene().unit(name));
    }

    // Plans

    @Test
    void everyPlanIsHeard() {
        fleet.with(pod("web", "1"));

        untilEvening();

        assertThat(heard).hasSize(1).first().isInstanceOf(Deliberation.Provisioning.class);
    }

    @Test
    void everyDecisionOfAForecastIsHeard() {
        fleet.with(machine("a", SMALL)).with(running("1", "a", "1"), pod("web", "4"));

        Forecaster.forecast(problem(), heard::add);

        assertThat(heard)
                .hasAtLeastOneElementOfType(Deliberation.Provisioning.class)
                .hasAtLeastOneElementOfType(Deliberation.Disruption.class);
    }

    @Test
    void aClusterInWhichNothingWaitsNeedsNoPlan() {
        fleet.with(machine("a", SMALL), machine("b", SMALL).node(NodeBuilder::terminating))
                .with(running("1", "a", "1"));

        untilEvening();

        assertThat(heard).isEmpty();
    }

    @Test
    void podsOfANodeThatGoesArePlannedFor() {
        fleet.with(machine("a", SMALL).node(NodeBuilder::terminating)).with(running("1", "a", "1"));

        assertThat(launched(untilEvening())).containsExactly("default-new-1");
    }

    @Test
    void whatWaitsInVainIsToldUntilItGetsANode() {
        fleet.with(pod("huge", "99"), pod("web", "1"));

        assertThat(untilEvening().refused())
                .extracting(each -> each.pod().name())
                .containsExactly("huge");
    }

    @Test
    void onlyNodesThatAPlanGavePodsToAreKeptForThem() {
        fleet.with(
                        machine("a", SMALL).node(NodeBuilder::terminating),
                        machine("b", SMALL),
                        machine("c", SMALL))
                .with(running("1", "a", "1"), running("2", "b", "2"), running("3", "c", "4"));

        var course = until(NOON.plusSeconds(5));

        assertThat(unit(course, "b").isNominated(NOON.plusSeconds(5))).isTrue();
        assertThat(unit(course, "c").isNominated(NOON.plusSeconds(5))).isFalse();
    }

    // Nodes

    @Test
    void aClaimOfAPoolThatIsGoneBecomesNoNode() {
        asked.add(new Asked("asked", "gone", Requirements.NONE));

        assertThat(launched(untilEvening())).isEmpty();
    }

    @Test
    void aClaimForWhatNobodySellsBecomesNoNode() {
        asked.add(
                new Asked(
                        "asked", "default", Requirements.of(in(LabelKeys.INSTANCE_TYPE, "gone"))));

        assertThat(launched(untilEvening())).isEmpty();
    }

    @Test
    void aStaticPoolThatHasNothingToBuyStaysShort() {
        fleet.pool(nodePool("fixed").replicas(2).requirement(in(LabelKeys.INSTANCE_TYPE, "gone")));

        assertThat(launched(untilEvening())).isEmpty();
    }

    @Test
    void nothingReplacesANodeOfAPoolThatIsGone() {
        var course = new Course(problem(), heard::add);
        var claim =
                new PlannedClaim(
                        "gone",
                        Requirements.NONE,
                        List.of(),
                        List.of(),
                        Resources.NONE,
                        List.of(),
                        false);

        assertThat(course.replace(new Replacement.Template("gone"), DisruptionMethod.STATIC_DRIFT))
                .isNull();
        assertThat(course.replace(new Replacement.Planned(claim), DisruptionMethod.DRIFT)).isNull();
        assertThat(course.actions()).isEmpty();
    }

    @Test
    void nothingReplacesANodeWhereNothingIsForSale() {
        fleet.sellingTo("default");
        var course = new Course(problem(), heard::add);
        var claim =
                new PlannedClaim(
                        "default",
                        Requirements.NONE,
                        List.of(
                                new PlannedClaim.TypeOption(
                                        "small", "test-zone-1", "spot", 1, Resources.NONE)),
                        List.of(new ObjectName("default", "web")),
                        Resources.NONE,
                        List.of(),
                        false);

        assertThat(course.replace(new Replacement.Planned(claim), DisruptionMethod.DRIFT)).isNull();
    }

    @Test
    void aNodeThatIsGoneBeforeItIsUpStaysAway() {
        fleet.with(machine("a", SMALL).node(NodeBuilder::inFlight));
        var course = new Course(problem(), heard::add);
        course.begin();
        course.scene().remove(unit(course, "a"));

        course.agenda().step();
        course.agenda().step();

        assertThat(course.scene().units()).isEmpty();
    }

    // Pods that start

    private int allowedLater(PodBuilder web) {
        fleet.with(machine("a", SMALL))
                .with(web.labels(WEB), disruptionBudget("web", WEB).disruptionsAllowed(0));
        return untilEvening().scene().provisioning(NOON).snapshot().disruptionBudgets().stream()
                .mapToInt(DisruptionBudget::disruptionsAllowed)
                .sum();
    }

    private static PodBuilder notReady(Instant startedAt) {
        return pod("web")
                .state(
                        new PodState(
                                PodState.Phase.RUNNING,
                                "a",
                                null,
                                false,
                                false,
                                true,
                                startedAt,
                                List.of()));
    }

    @Test
    void aPodThatStartsWillBeReady() {
        assertThat(allowedLater(notReady(NOON.minusSeconds(119)))).isEqualTo(1);
    }

    @Test
    void aPodThatHasNotStartedWillBeReady() {
        assertThat(allowedLater(notReady(null))).isEqualTo(1);
    }

    @Test
    void aPodThatIsNotReadyForLongWillNotBe() {
        assertThat(allowedLater(notReady(NOON.minusSeconds(120)))).isZero();
    }

    @Test
    void aPodThatIsReadyBecomesItNoSecondTime() {
        assertThat(allowedLater(running("web", "a", "1"))).isZero();
    }

    @Test
    void aPodThatIsBoundAndPendingWillBeReady() {
        assertThat(allowedLater(running("web", "a", "1").phase(PodState.Phase.PENDING)))
                .isEqualTo(1);
    }

    @Test
    void aPodThatFailedStartsNoMore() {
        assertThat(allowedLater(running("web", "a", "1").phase(PodState.Phase.FAILED))).isZero();
    }

    // The end

    private Forecast.Ending endingWhenAPodStartsFor(Duration podStart) {
        fleet.with(machine("a", SMALL)).with(notReady(null).cpu("4"));
        var usual = Pace.USUAL;
        var pace =
                new Pace(
                        usual.batch(),
                        usual.launch(),
                        podStart,
                        usual.drainMin(),
                        usual.termination(),
                        usual.nomination());
        return Forecaster.forecast(problem(pace)).ending();
    }

    @Test
    void aForecastTellsWhatHappensWithinADay() {
        assertThat(endingWhenAPodStartsFor(Duration.ofHours(24)))
                .isInstanceOf(Forecast.Ending.Quiet.class);
    }

    @Test
    void aDayIsEnough() {
        assertThat(endingWhenAPodStartsFor(Duration.ofHours(24).plusSeconds(1)))
                .isInstanceOfSatisfying(
                        Forecast.Ending.Unfinished.class,
                        ending -> assertThat(ending.why()).isEqualTo("a day is enough"));
    }
}
