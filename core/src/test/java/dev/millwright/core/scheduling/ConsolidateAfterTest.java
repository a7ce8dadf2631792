package dev.millwright.core.scheduling;

import static dev.millwright.testing.kit.Given.cluster;
import static dev.millwright.testing.kit.Given.node;
import static dev.millwright.testing.kit.Given.pod;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.cluster.Pod;
import dev.millwright.core.cluster.PodState;
import dev.millwright.core.cluster.StateNode;

import org.junit.jupiter.api.Test;

import java.util.List;

/// A node inside its consolidateAfter window takes only pods that cannot wait for it to pass.
final class ConsolidateAfterTest {

    @Test
    void aPendingPodGoesToANodeInsideItsWindow() {
        var plan = Planner.plan(insideWindow());
        assertThat(plan.existing()).singleElement().extracting("node").isEqualTo("n1");
        assertThat(plan.claims()).isEmpty();
    }

    @Test
    void aPodThatIsNotPendingIsNotMovedToANodeInsideItsWindow() {
        var problem = insideWindow();
        var moved = problem.snapshot().pods().stream().map(ConsolidateAfterTest::virtual).toList();
        var plan = Planner.plan(problem.withSnapshot(problem.snapshot().withPods(moved)));
        assertThat(plan.existing()).isEmpty();
        assertThat(plan.claims()).hasSize(1);
    }

    private static SchedulingProblem insideWindow() {
        var problem = cluster().with(node("n1")).with(pod("a", "500m")).problem();
        var nodes =
                problem.snapshot().nodes().stream().map(StateNode::insideConsolidateAfter).toList();
        return problem.withSnapshot(problem.snapshot().withNodes(nodes));
    }

    /// A capacity buffer's pod has no phase.
    private static Pod virtual(Pod pod) {
        return pod.withState(
                new PodState(PodState.Phase.NONE, null, null, false, true, false, null, List.of()));
    }
}
