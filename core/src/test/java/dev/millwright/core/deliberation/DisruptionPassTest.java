package dev.millwright.core.deliberation;

import static dev.millwright.core.disruption.FleetBuilder.fleet;
import static dev.millwright.core.disruption.FleetBuilder.running;
import static dev.millwright.core.disruption.FleetBuilder.type;
import static dev.millwright.core.disruption.MachineBuilder.machine;
import static dev.millwright.testing.kit.Given.NOON;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.cluster.Snapshot;
import dev.millwright.core.deliberation.DisruptionPass.Outcome;
import dev.millwright.core.deliberation.DisruptionPass.Question;
import dev.millwright.core.deliberation.DisruptionPass.Sight;
import dev.millwright.core.disruption.DisruptionMethod;
import dev.millwright.core.disruption.DisruptionOptions;
import dev.millwright.core.disruption.DisruptionProblem;
import dev.millwright.core.disruption.KeepReason;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// One pass after another, with what each leaves for the next.
final class DisruptionPassTest {

    private static final InstanceType TYPE = type("type", 4, 1).build();
    private static final Duration WAIT = DisruptionPass.VALIDATION_WAIT;

    private static final DisruptionProblem EMPTY =
            fleet().selling(TYPE).with(machine("a", TYPE)).problem();

    private static final DisruptionProblem FULL =
            fleet().selling(TYPE).with(machine("a", TYPE)).with(running("web", "a", "3")).problem();

    /// Either node takes the pods of the other.
    private static final DisruptionProblem HALF_FULL =
            fleet().selling(TYPE)
                    .with(machine("a", TYPE), machine("b", TYPE))
                    .with(running("one", "a", "1"), running("two", "b", "1"))
                    .problem();

    private static Sight sight(long number, long takenBack) {
        return new Sight(number, number, null, takenBack, true);
    }

    private static Question question(DisruptionProblem problem, Sight sight) {
        return new Question(problem, DisruptionOptions.NONE, Map.of(), sight);
    }

    private static Question question(DisruptionProblem problem) {
        return question(problem, sight(1, 0));
    }

    /// The same cluster, looked at later.
    private static DisruptionProblem later(DisruptionProblem problem, Duration after) {
        var seen = problem.scheduling().snapshot();
        var snapshot =
                new Snapshot(
                        seen.nodes(),
                        seen.pods(),
                        seen.daemonSets(),
                        seen.namespaces(),
                        seen.storage(),
                        seen.disruptionBudgets(),
                        seen.workloads(),
                        seen.takenAt().plus(after));
        return new DisruptionProblem(
                problem.scheduling().withSnapshot(snapshot),
                problem.machines(),
                problem.pools(),
                problem.isSpotToSpot());
    }

    private static Outcome first(DisruptionProblem problem) {
        return DisruptionPass.next(DisruptionMemory.NONE, question(problem));
    }

    private static List<String> nodes(Outcome outcome) {
        return outcome.commands().stream().flatMap(each -> each.nodes().stream()).toList();
    }

    private static List<DisruptionMethod> decided(Outcome outcome) {
        return outcome.decisions().stream()
                .filter(each -> each instanceof Deliberation.Disruption)
                .map(each -> ((Deliberation.Disruption) each).asked().method())
                .toList();
    }

    @Test
    void aChoiceWaitsBeforeItBegins() {
        var outcome = first(EMPTY);
        var pending = outcome.memory().pending();

        assertThat(outcome.commands()).isEmpty();
        assertThat(outcome.again()).isEqualTo(WAIT);
        assertThat(pending).isNotNull();
        assertThat(pending.method()).isEqualTo(DisruptionMethod.EMPTINESS);
        assertThat(pending.validAt()).isEqualTo(NOON.plus(WAIT));
        assertThat(decided(outcome)).containsExactly(DisruptionMethod.EMPTINESS);
    }

    @Test
    void aChoiceThatHoldsBeginsAfterASecondLook() {
        var outcome = DisruptionPass.next(first(EMPTY).memory(), question(later(EMPTY, WAIT)));

        assertThat(nodes(outcome)).containsExactly("a");
        assertThat(outcome.again()).isZero();
        assertThat(outcome.memory().pending()).isNull();
        assertThat(outcome.decisions()).singleElement().isInstanceOf(Deliberation.SecondLook.class);
    }

    @Test
    void afterAChoiceThatDoesNotHoldOnlyLaterMethodsAreAsked() {
        var outcome = DisruptionPass.next(first(EMPTY).memory(), question(later(FULL, WAIT)));

        assertThat(outcome.commands()).isEmpty();
        assertThat(outcome.memory().pending()).isNull();
        assertThat(decided(outcome))
                .doesNotContain(DisruptionMethod.EMPTINESS)
                .contains(DisruptionMethod.SINGLE_NODE);
        assertThat(outcome.memory().quiet().isSince(1, NOON.plus(WAIT))).isFalse();
    }

    @Test
    void aChoiceThatSomebodyForbadeIsForgotten() {
        var outcome =
                DisruptionPass.next(
                        first(EMPTY).memory().withoutPending(), question(later(EMPTY, WAIT)));

        assertThat(outcome.commands()).isEmpty();
        assertThat(decided(outcome)).containsExactly(DisruptionMethod.EMPTINESS);
    }

    @Test
    void aDriftedNodeGoesAtOnce() {
        var outcome =
                first(
                        fleet().selling(TYPE)
                                .with(machine("a", TYPE).drifted())
                                .with(running("web", "a", "1"))
                                .problem());

        assertThat(nodes(outcome)).containsExactly("a");
        assertThat(outcome.again()).isZero();
    }

    @Test
    void methodsThatFoundNothingAreNotAskedTheSameAgain() {
        var before = first(FULL);
        var outcome =
                DisruptionPass.next(before.memory(), question(later(FULL, Duration.ofMinutes(4))));

        assertThat(decided(before)).contains(DisruptionMethod.SINGLE_NODE);
        assertThat(decided(outcome)).doesNotContain(DisruptionMethod.SINGLE_NODE);
        assertThat(outcome.said().get(DisruptionMethod.SINGLE_NODE))
                .isEqualTo(before.said().get(DisruptionMethod.SINGLE_NODE));
    }

    @Test
    void methodsThatFoundNothingAreAskedAgainAfterFiveMinutes() {
        var outcome =
                DisruptionPass.next(
                        first(FULL).memory(), question(later(FULL, Duration.ofMinutes(5))));

        assertThat(decided(outcome)).contains(DisruptionMethod.SINGLE_NODE);
    }

    @Test
    void methodsThatFoundNothingAreAskedAgainWhenSomethingChanged() {
        var outcome = DisruptionPass.next(first(FULL).memory(), question(FULL, sight(2, 0)));

        assertThat(decided(outcome)).contains(DisruptionMethod.SINGLE_NODE);
    }

    @Test
    void nothingToDoIsTrustedUntilSomethingChanges() {
        var outcome = first(FULL);
        var quiet = outcome.memory().quiet();

        assertThat(outcome.again()).isEqualTo(DisruptionPass.PERIOD);
        assertThat(quiet.isSince(1, NOON.plus(Duration.ofMinutes(4)))).isTrue();
        assertThat(quiet.isSince(1, NOON.plus(Duration.ofMinutes(5)))).isFalse();
        assertThat(quiet.isSince(2, NOON)).isFalse();
    }

    @Test
    void nothingToDoIsTrustedForAMinuteWhereTheHourCounts() {
        var quiet =
                first(
                                fleet().selling(TYPE)
                                        .with(machine("a", TYPE).nominated())
                                        .with(running("web", "a", "3"))
                                        .problem())
                        .memory()
                        .quiet();

        assertThat(quiet.isSince(1, NOON.plus(Duration.ofSeconds(59)))).isTrue();
        assertThat(quiet.isSince(1, NOON.plus(Duration.ofMinutes(1)))).isFalse();
    }

    @Test
    void nothingToDoIsNotTrustedWhileCommandsAreUnderWay() {
        var busy = new Sight(1, 1, null, 0, false);
        var memory = DisruptionPass.next(DisruptionMemory.NONE, question(FULL, busy)).memory();

        assertThat(memory.quiet().isSince(1, NOON)).isFalse();
    }

    @Test
    void aNodeThatTheCallerHoldsStays() {
        var held = new TreeMap<String, KeepReason>();
        held.put("a", new KeepReason.DecidedAlready(NOON));
        var outcome =
                DisruptionPass.next(
                        DisruptionMemory.NONE,
                        new Question(
                                EMPTY,
                                DisruptionOptions.NONE,
                                List.of(DisruptionMethod.values()),
                                held,
                                new TreeMap<>(),
                                sight(1, 0)));

        assertThat(outcome.memory().pending()).isNull();
        assertThat(outcome.said().get(DisruptionMethod.EMPTINESS).kept())
                .containsEntry("a", new KeepReason.DecidedAlready(NOON));
    }

    @Test
    void onlyTheMethodsAskedForAreTriedInTheirOrder() {
        var outcome =
                DisruptionPass.next(
                        DisruptionMemory.NONE,
                        new Question(
                                FULL,
                                DisruptionOptions.NONE,
                                List.of(DisruptionMethod.SINGLE_NODE, DisruptionMethod.DRIFT),
                                new TreeMap<>(),
                                new TreeMap<>(),
                                sight(1, 0)));

        assertThat(decided(outcome))
                .containsExactly(DisruptionMethod.DRIFT, DisruptionMethod.SINGLE_NODE);
    }

    @Test
    void repairIsNotAskedWithoutRules() {
        assertThat(decided(first(FULL))).doesNotContain(DisruptionMethod.REPAIR);
    }

    private static DisruptionMemory afterTheMove() {
        var chosen = first(HALF_FULL).memory();
        return DisruptionPass.next(chosen, question(later(HALF_FULL, WAIT))).memory();
    }

    @Test
    void aNodeIsNotTakenFromTheSameFleetAgain() {
        var before = first(HALF_FULL);
        var again =
                DisruptionPass.next(
                        afterTheMove(), question(later(HALF_FULL, Duration.ofHours(1))));

        assertThat(before.memory().pending()).isNotNull();
        assertThat(again.said().get(DisruptionMethod.SINGLE_NODE).kept().values())
                .anyMatch(reason -> reason instanceof KeepReason.LeadsBack);
    }

    @Test
    void aWayIsForgottenAfterADay() {
        var again =
                DisruptionPass.next(
                        afterTheMove(), question(later(HALF_FULL, Duration.ofHours(25))));

        assertThat(again.memory().pending()).isNotNull();
    }

    @Test
    void aWayIsForgottenWhenACommandIsTakenBack() {
        var again =
                DisruptionPass.next(
                        afterTheMove(),
                        question(later(HALF_FULL, Duration.ofHours(1)), sight(1, 1)));

        assertThat(again.memory().pending()).isNotNull();
    }

    @Test
    void aWayIsForgottenWhenPeopleAskForOtherPods() {
        var asked = new Sight(1, 1, 17L, 0, true);
        var again =
                DisruptionPass.next(
                        afterTheMove(), question(later(HALF_FULL, Duration.ofHours(1)), asked));

        assertThat(again.memory().pending()).isNotNull();
    }

    @Test
    void theSameQuestionHasTheSameOutcome() {
        var one = first(HALF_FULL);
        var other = first(HALF_FULL);

        assertThat(other.memory()).isEqualTo(one.memory());
        assertThat(other.commands()).isEqualTo(one.commands());
    }

    @Test
    void decisionsAreToldAsTheyAreMade() {
        var told = new ArrayList<Deliberation>();
        var outcome = DisruptionPass.next(DisruptionMemory.NONE, question(FULL), told::add);

        assertThat(told).isEqualTo(outcome.decisions());
    }
}
