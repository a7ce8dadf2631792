package dev.millwright.world.workload;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Value;
import dev.millwright.world.cluster.Reading;

import org.junit.jupiter.api.Test;

import java.util.List;

/// What budgets allow, for a Deployment of four on nodes with room for three.
final class DisruptionBudgetsTest {

    private static Value.Mapping status(String bound) {
        return status(ChainTest.WEB, bound);
    }

    private static Value.Mapping status(String workload, String bound) {
        var cluster = new SmallCluster().withNodes(1, "3", "16Gi").apply(workload);
        cluster.apply(
                """
                apiVersion: policy/v1
                kind: PodDisruptionBudget
                metadata: {name: web}
                spec: {%s, selector: {matchLabels: {app: web}}}
                """
                        .formatted(bound));
        return Reading.mapping(
                cluster.run(60).object(ResourceType.POD_DISRUPTION_BUDGET, "web"), "status");
    }

    private static List<Integer> numbers(Value.Mapping status) {
        return List.of(
                Reading.number(-1, status, "expectedPods"),
                Reading.number(-1, status, "currentHealthy"),
                Reading.number(-1, status, "desiredHealthy"),
                Reading.number(-1, status, "disruptionsAllowed"));
    }

    @Test
    void aNumberThatMustBeAvailable() {
        assertThat(numbers(status("minAvailable: 2"))).containsExactly(4, 3, 2, 1);
    }

    @Test
    void aShareThatMustBeAvailableIsRoundedUp() {
        assertThat(numbers(status("minAvailable: 60%"))).containsExactly(4, 3, 3, 0);
    }

    @Test
    void aNumberThatMayBeUnavailable() {
        assertThat(numbers(status("maxUnavailable: 3"))).containsExactly(4, 3, 1, 2);
    }

    @Test
    void aShareThatMayBeUnavailableIsRoundedUp() {
        assertThat(numbers(status("maxUnavailable: 30%"))).containsExactly(4, 3, 2, 1);
    }

    @Test
    void aBudgetForNothingAllowsNothing() {
        assertThat(
                        numbers(
                                        status(
                                                ChainTest.WEB.replace("app: web", "app: other"),
                                                "maxUnavailable: 1"))
                                .getLast())
                .isZero();
    }
}
