package dev.millwright.core.cluster;

import static dev.millwright.testing.kit.Given.NOON;
import static dev.millwright.testing.kit.Given.disruptionBudget;
import static dev.millwright.testing.kit.Given.pod;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.cluster.PodState.Owner;
import dev.millwright.core.cluster.PodState.Phase;
import dev.millwright.core.label.ControlKeys;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.label.Taint;
import dev.millwright.core.quantity.Resources;
import dev.millwright.testing.kit.PodBuilder;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Where a pod is in its life, and what may be done to it there.
final class PodLifeTest {

    private static final PodBuilder WEB = pod("web").ownedBy("ReplicaSet", "web");
    private static final DisruptionBudgets NO_BUDGETS = new DisruptionBudgets(List.of());

    private static PodState state(PodBuilder pod) {
        return pod.pod().state();
    }

    private static PodState startedAt(Instant instant) {
        return new PodState(Phase.RUNNING, "a", null, false, false, false, instant, List.of());
    }

    // Phases
    // ---------------------------------------------------------------------------------------

    @ParameterizedTest
    @CsvSource({
        "NONE, false", "PENDING, false", "RUNNING, false",
        "SUCCEEDED, true", "FAILED, true", "UNKNOWN, false"
    })
    void aPodThatSucceededOrFailedHasEnded(Phase phase, boolean isTerminal) {
        assertThat(state(WEB.phase(phase)).isTerminal()).isEqualTo(isTerminal);
        assertThat(state(WEB.phase(phase)).isActive()).isEqualTo(!isTerminal);
    }

    @Test
    void aPodThatRunsOnANodeIsBoundToIt() {
        var running = PodState.runningOn("a");

        assertThat(running.nodeName()).isEqualTo("a");
        assertThat(running.isBound()).isTrue();
        assertThat(running.isActive()).isTrue();
        assertThat(running.isProvisionable()).isFalse();
    }

    @Test
    void aPodOnItsWayOutIsNotActive() {
        assertThat(state(WEB.terminating()).isActive()).isFalse();
    }

    @Test
    void aPodWithANodeIsBound() {
        assertThat(state(WEB.onNode("a")).isBound()).isTrue();
        assertThat(state(WEB).isBound()).isFalse();
    }

    // Owners
    // ---------------------------------------------------------------------------------------

    @Test
    void theControllerIsTheOwnerThatMakesThePodAnew() {
        var shared = new Owner("v1", "ConfigMap", "shared", "uid", false);

        assertThat(state(pod("web").ownedBy(shared).ownedBy("ReplicaSet", "web")).controller())
                .isEqualTo(new Owner("apps/v1", "ReplicaSet", "web", "uid-web", true));
        assertThat(state(pod("web").ownedBy(shared)).controller()).isNull();
    }

    @Test
    void anOwnerIsKnownByItsExactKind() {
        var other = pod("web").ownedBy(new Owner("example.com/v1", "DaemonSet", "x", "u", true));

        assertThat(state(pod("log").ownedBy("DaemonSet", "log")).isOwnedByDaemonSet()).isTrue();
        assertThat(state(other).isOwnedByDaemonSet()).isFalse();
        assertThat(state(WEB).isOwnedByDaemonSet()).isFalse();
        assertThat(state(pod("static").ownedBy("Node", "a")).isMirror()).isTrue();
        assertThat(state(WEB).isMirror()).isFalse();
    }

    // What is provided for
    // -------------------------------------------------------------------------

    @Test
    void aNodeMayBeLaunchedForAPodThatKubeSchedulerGaveUpOn() {
        assertThat(state(WEB).isProvisionable()).isTrue();
        assertThat(state(WEB.unseen()).isProvisionable()).isFalse();
        assertThat(state(WEB.onNode("a")).isProvisionable()).isFalse();
        assertThat(state(WEB.nominatedFor("a")).isProvisionable()).isFalse();
        assertThat(state(pod("log").ownedBy("DaemonSet", "log")).isProvisionable()).isFalse();
        assertThat(state(pod("static").ownedBy("Node", "a")).isProvisionable()).isFalse();
    }

    // What comes back
    // ------------------------------------------------------------------------------

    @Test
    void aPodComesBackElsewhereUnlessItBelongsToItsNode() {
        assertThat(state(WEB).isReschedulable()).isTrue();
        assertThat(state(WEB.phase(Phase.SUCCEEDED)).isReschedulable()).isFalse();
        assertThat(state(pod("log").ownedBy("DaemonSet", "log")).isReschedulable()).isFalse();
        assertThat(state(pod("static").ownedBy("Node", "a")).isReschedulable()).isFalse();
    }

    @Test
    void aPodOnItsWayOutComesBackWhereItsSetKeepsItsName() {
        assertThat(state(WEB.terminating()).isReschedulable()).isFalse();
        assertThat(state(pod("db").ownedBy("StatefulSet", "db").terminating()).isReschedulable())
                .isTrue();
    }

    // Evictions
    // ------------------------------------------------------------------------------------

    @Test
    void anEvictionMakesSenseForAPodThatRunsAndHasNotAskedToBeLeftAlone() {
        assertThat(WEB.pod().isEvictable()).isTrue();
        assertThat(WEB.terminating().pod().isEvictable()).isFalse();
        assertThat(pod("static").ownedBy("Node", "a").pod().isEvictable()).isFalse();
        assertThat(WEB.tolerates(Taint.DISRUPTED).pod().isEvictable()).isFalse();
        assertThat(WEB.tolerates(Taint.DISRUPTED).pod().toleratesDisruption()).isTrue();
        assertThat(WEB.tolerates(Taint.REBOOTING).pod().toleratesDisruption()).isFalse();
    }

    @Test
    void onlyPodsOfReplicaSetsMoveByCopy() {
        assertThat(WEB.annotation(ControlKeys.MAKE_BEFORE_BREAK, "true").pod().wantsCopyFirst())
                .isTrue();
        assertThat(WEB.annotation(ControlKeys.MAKE_BEFORE_BREAK, "yes").pod().wantsCopyFirst())
                .isFalse();
        assertThat(
                        pod("db")
                                .ownedBy("StatefulSet", "db")
                                .annotation(ControlKeys.MAKE_BEFORE_BREAK, "true")
                                .pod()
                                .wantsCopyFirst())
                .isFalse();
    }

    @Test
    void aPodThatNothingKeepsComesBackElsewhere() {
        assertThat(WEB.pod().isReschedulable(NO_BUDGETS, NOON)).isTrue();
        assertThat(WEB.phase(Phase.FAILED).pod().isReschedulable(NO_BUDGETS, NOON)).isFalse();
        assertThat(
                        WEB.annotation(LabelKeys.DO_NOT_DISRUPT, "true")
                                .pod()
                                .isReschedulable(NO_BUDGETS, NOON))
                .isFalse();
    }

    @Test
    void aBudgetThatLetsNobodyGoKeepsAPodUnlessItMovesByCopy() {
        var labelled = WEB.label("app", "web");
        var blocking =
                new DisruptionBudgets(
                        List.of(
                                disruptionBudget("web", Map.of("app", "web"))
                                        .maxUnavailable("0")
                                        .budget()));

        assertThat(labelled.pod().isReschedulable(blocking, NOON)).isFalse();
        assertThat(
                        labelled.annotation(ControlKeys.MAKE_BEFORE_BREAK, "true")
                                .pod()
                                .isReschedulable(blocking, NOON))
                .isTrue();
    }

    // Guards
    // ---------------------------------------------------------------------------------------

    private static DoNotDisrupt guard(String text, PodState state) {
        return DoNotDisrupt.of(
                WEB.annotation(LabelKeys.DO_NOT_DISRUPT, text).pod().withState(state), NOON);
    }

    @Test
    void aPodSaysForHowLongItMustNotBeDisturbed() {
        var earlier = startedAt(NOON.minusSeconds(60));

        assertThat(DoNotDisrupt.of(WEB.pod(), NOON)).isEqualTo(new DoNotDisrupt.Absent());
        assertThat(guard("true", earlier)).isEqualTo(new DoNotDisrupt.Forever());
        assertThat(guard("61s", earlier)).isEqualTo(new DoNotDisrupt.Until(NOON.plusSeconds(1)));
        assertThat(guard("60s", earlier)).isEqualTo(new DoNotDisrupt.Elapsed(NOON));
        assertThat(guard("1h", startedAt(null)))
                .isEqualTo(new DoNotDisrupt.BeforeStart(Duration.ofHours(1)));
        assertThat(guard("0s", earlier)).isEqualTo(new DoNotDisrupt.Invalid("0s"));
        assertThat(guard("-1h", earlier)).isEqualTo(new DoNotDisrupt.Invalid("-1h"));
        assertThat(guard("yes", earlier)).isEqualTo(new DoNotDisrupt.Invalid("yes"));
    }

    @Test
    void aGuardIsActiveUntilItEnds() {
        var earlier = startedAt(NOON.minusSeconds(60));

        assertThat(new DoNotDisrupt.Absent().isActive()).isFalse();
        assertThat(guard("true", earlier).isActive()).isTrue();
        assertThat(guard("61s", earlier).isActive()).isTrue();
        assertThat(guard("1h", startedAt(null)).isActive()).isTrue();
        assertThat(guard("60s", earlier).isActive()).isFalse();
        assertThat(guard("yes", earlier).isActive()).isFalse();
    }

    @Test
    void aPodThatHasEndedNeedsNoGuard() {
        var guarded = WEB.annotation(LabelKeys.DO_NOT_DISRUPT, "true");

        assertThat(guarded.pod().isGuarded(NOON)).isTrue();
        assertThat(guarded.phase(Phase.SUCCEEDED).pod().isGuarded(NOON)).isFalse();
        assertThat(WEB.pod().isGuarded(NOON)).isFalse();
        assertThat(WEB.annotation(LabelKeys.DO_NOT_DISRUPT, "no").pod().isGuarded(NOON)).isFalse();
    }

    // Copies
    // ---------------------------------------------------------------------------------------

    @Test
    void aPodWithOneThingChangedIsOtherwiseTheSame() {
        var plain = WEB.pod();
        var annotations = new TreeMap<>(Map.of("a", "b"));

        assertThat(plain.withAnnotations(annotations).annotations()).isEqualTo(annotations);
        assertThat(plain.withAnnotations(annotations).withAnnotations(plain.annotations()))
                .isEqualTo(plain);
        assertThat(plain.withRequests(Resources.NONE).requests()).isEqualTo(Resources.NONE);
        assertThat(plain.withRequests(Resources.NONE).withRequests(plain.requests()))
                .isEqualTo(plain);
        assertThat(plain.withHostPorts(List.of(new HostPort("", 80, ""))).hostPorts())
                .containsExactly(new HostPort("0.0.0.0", 80, "TCP"));
        assertThat(plain.withPlacement(plain.placement())).isEqualTo(plain);
        assertThat(plain).hasToString("default/web");
    }
}
