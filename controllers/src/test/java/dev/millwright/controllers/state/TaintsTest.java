package dev.millwright.controllers.state;

import static dev.millwright.controllers.state.ClusterStage.claimOf;
import static dev.millwright.controllers.state.ClusterStage.ours;
import static dev.millwright.testing.kit.cluster.Manifest.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.label.Taint;
import dev.millwright.testing.kit.cluster.Manifest;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.List;

/// Which taints of a node count: those that will go by themselves do not, until it is initialised.
final class TaintsTest {

    private final ClusterStage given = new ClusterStage();

    /// Registered, and not yet initialised.
    private static Manifest young() {
        return node("n1")
                .providerId("fake://n1")
                .nodePool("default")
                .label(LabelKeys.INSTANCE_TYPE, "small")
                .registered();
    }

    private static Manifest starting(Manifest node) {
        return node.taint("node.kubernetes.io/not-ready", "NoSchedule")
                .taint("node.kubernetes.io/not-ready", "NoExecute")
                .taint("node.kubernetes.io/unreachable", "NoSchedule")
                .taint("node.cloudprovider.kubernetes.io/uninitialized", "NoSchedule");
    }

    private List<String> taints() {
        return given.node("n1").taints().stream().map(Taint::key).distinct().toList();
    }

    @Tag("G56")
    @Test
    void taintsOfAStartDoNotCountOnANodeOfOursThatIsNotInitialised() {
        given.with(starting(young()), claimOf("n1"));

        assertThat(taints()).isEmpty();
    }

    @Tag("G57")
    @Test
    void taintsOfReadinessRulesDoNotCountOnANodeOfOursThatIsNotInitialised() {
        given.with(
                young().taint("readiness.k8s.io/some-rule", "NoSchedule")
                        .taint("readiness.k8s.io/another-rule", "NoExecute"),
                claimOf("n1"));

        assertThat(taints()).isEmpty();
    }

    @Tag("G58")
    @Test
    void taintsOfAStartCountOnANodeOfOursThatIsInitialised() {
        given.with(starting(ours("n1")), claimOf("n1"));

        assertThat(given.node("n1").taints()).hasSize(4);
    }

    @Tag("G59")
    @Test
    void startupTaintsDoNotCountOnANodeOfOursThatIsNotInitialised() {
        given.with(
                young().taint("example.com/agent", "NoSchedule")
                        .taint("example.com/own", "NoSchedule"),
                claimOf("n1").startupTaint("example.com/agent", "NoSchedule"));

        assertThat(taints()).containsExactly("example.com/own");
    }

    @Tag("G60")
    @Test
    void startupTaintsCountOnANodeOfOursThatIsInitialised() {
        given.with(
                ours("n1").taint("example.com/agent", "NoSchedule"),
                claimOf("n1").startupTaint("example.com/agent", "NoSchedule"));

        assertThat(taints()).containsExactly("example.com/agent");
    }

    @Tag("G61")
    @Test
    void allTaintsCountOnANodeOfSomebodyElse() {
        given.with(starting(node("n1").providerId("fake://n1")));

        assertThat(given.node("n1").taints()).hasSize(4);
    }

    @Tag("G62")
    @Test
    void allTaintsCountOnAnInitialisedNodeOfSomebodyElse() {
        given.with(starting(ours("n1")));

        assertThat(given.node("n1").taints()).hasSize(4);
    }
}
