package dev.millwright.core.scheduling;

import static dev.millwright.testing.kit.Given.cluster;
import static dev.millwright.testing.kit.Given.disruptionBudget;
import static dev.millwright.testing.kit.Given.node;
import static dev.millwright.testing.kit.Given.pod;
import static dev.millwright.testing.kit.Given.pods;
import static dev.millwright.testing.kit.PlanAssert.assertThat;

import dev.millwright.core.cluster.PodState.Phase;
import dev.millwright.testing.kit.ClusterBuilder;
import dev.millwright.testing.kit.PodBuilder;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.Map;

/// Pods whose node goes get a place before it is gone, unless they will not come back.
final class DeletingNodesTest {

    private static final Map<String, String> WEB = Map.of("app", "web");

    private static ClusterBuilder going(PodBuilder pod) {
        return cluster().with(node("n1").markedForDeletion(), pod.onNode("n1"));
    }

    @Tag("B132")
    @Test
    void runningPodsOfADeletingNodeAreReplaced() {
        var plan = going(pod("a", "10m")).plan();

        assertThat(plan).launches(1).puts("a").onNewNodes();
    }

    @Tag("B132")
    @Test
    void theyMayMoveToANodeThatIsThere() {
        var plan = going(pod("a", "10m")).with(node("n2")).plan();

        assertThat(plan).launchesNothing().puts("a").on("n2");
    }

    @Tag("F18")
    @Test
    void allPodsOfADeletingNodeGetOneReplacement() {
        var plan =
                cluster()
                        .with(node("n1").markedForDeletion())
                        .with(pods(3, pod("a", "10m").onNode("n1")))
                        .with(pod("b", "10m"))
                        .plan();

        assertThat(plan).launches(1).puts("a-1", "a-2", "a-3", "b").together();
    }

    @Tag("B133")
    @ParameterizedTest
    @EnumSource(names = {"SUCCEEDED", "FAILED"})
    void finishedPodsOfADeletingNodeAreNotReplaced(Phase phase) {
        var plan =
                cluster()
                        .with(node("n1").markedForDeletion(), pod("a").onNode("n1").phase(phase))
                        .plan();

        assertThat(plan).launchesNothing().leavesAlone("a");
    }

    @Tag("B134")
    @Test
    void daemonPodsOfADeletingNodeAreNotReplaced() {
        var plan = going(pod("a").ownedBy("DaemonSet", "agent")).plan();

        assertThat(plan).launchesNothing().leavesAlone("a");
    }

    @Tag("B134")
    @Test
    void mirrorPodsOfADeletingNodeAreNotReplaced() {
        var plan = going(pod("a").ownedBy("Node", "n1")).plan();

        assertThat(plan).launchesNothing().leavesAlone("a");
    }

    @Tag("B135")
    @Test
    void terminatingPodsOfAReplicaSetAreNotReplaced() {
        var plan = going(pod("a").ownedBy("ReplicaSet", "web").terminating()).plan();

        assertThat(plan).launchesNothing().leavesAlone("a");
    }

    @Tag("B136")
    @Test
    void terminatingPodsOfAStatefulSetAreReplaced() {
        var plan = going(pod("a").ownedBy("StatefulSet", "web").terminating()).plan();

        assertThat(plan).launches(1).puts("a").onNewNodes();
    }

    @Tag("B136")
    @Test
    void noBudgetHoldsBackAPodThatIsOnItsWayOut() {
        var plan =
                going(pod("a").labels(WEB).ownedBy("StatefulSet", "web").terminating())
                        .with(disruptionBudget("web", WEB).maxUnavailable("0"))
                        .plan();

        assertThat(plan).launches(1).puts("a").onNewNodes();
    }

    @Tag("B137")
    @Test
    void podsThatMayNeverBeUnavailableAreNotReplaced() {
        var plan =
                going(pod("a").labels(WEB))
                        .with(disruptionBudget("web", WEB).maxUnavailable("0"))
                        .plan();

        assertThat(plan).launchesNothing().leavesAlone("a");
    }

    @Tag("B138")
    @Test
    void podsOfWhichZeroPercentMayBeUnavailableAreNotReplaced() {
        var plan =
                going(pod("a").labels(WEB))
                        .with(disruptionBudget("web", WEB).maxUnavailable("0%"))
                        .plan();

        assertThat(plan).launchesNothing().leavesAlone("a");
    }

    @Tag("B139")
    @Test
    void podsOfWhichAllMustBeAvailableAreNotReplaced() {
        var plan =
                going(pod("a").labels(WEB))
                        .with(disruptionBudget("web", WEB).minAvailable("100%"))
                        .plan();

        assertThat(plan).launchesNothing().leavesAlone("a");
    }

    @Tag("B140")
    @Test
    void podsUnderTwoBudgetsAreNotReplaced() {
        var plan =
                going(pod("a").labels(WEB))
                        .with(disruptionBudget("one", WEB).maxUnavailable("1"))
                        .with(disruptionBudget("two", WEB).maxUnavailable("1"))
                        .plan();

        assertThat(plan).launchesNothing().leavesAlone("a");
    }

    @Tag("B137")
    @Test
    void aBudgetOfOtherPodsDoesNotMatter() {
        var plan =
                going(pod("a").labels(WEB))
                        .with(disruptionBudget("db", Map.of("app", "db")).maxUnavailable("0"))
                        .plan();

        assertThat(plan).launches(1).puts("a").onNewNodes();
    }

    @Tag("B137")
    @Test
    void aBudgetThatLetsUnhealthyPodsGoDoesNotBlockOne() {
        var plan =
                going(pod("a").labels(WEB).notReady())
                        .with(
                                disruptionBudget("web", WEB)
                                        .maxUnavailable("0")
                                        .alwaysAllowingUnhealthy())
                        .plan();

        assertThat(plan).launches(1).puts("a").onNewNodes();
    }

    @Test
    void podsThatMustNotBeDisruptedAreNotReplaced() {
        var plan = going(pod("a").annotation("karpenter.sh/do-not-disrupt", "true")).plan();

        assertThat(plan).launchesNothing().leavesAlone("a");
    }

    // Pods that are nobody's business ----------------------------------------------------------

    @Test
    void podsKubeSchedulerHasNotSeenAreLeftAlone() {
        var plan = cluster().with(pod("a").unseen()).plan();

        assertThat(plan).launchesNothing().leavesAlone("a");
    }

    @Test
    void podsNominatedForANodeAreLeftAlone() {
        var plan = cluster().with(pod("a").nominatedFor("n1")).plan();

        assertThat(plan).launchesNothing().leavesAlone("a");
    }

    @Test
    void daemonPodsThatWaitAreLeftAlone() {
        var plan = cluster().with(pod("a").ownedBy("DaemonSet", "agent")).plan();

        assertThat(plan).launchesNothing().leavesAlone("a");
    }
}
