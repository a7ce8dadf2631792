package dev.millwright.testing.e2e.crd;

import static dev.millwright.testing.e2e.crd.Sample.nodePool;
import static dev.millwright.testing.e2e.crd.Sample.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Map;

/// Limits, weight and the difference between static and dynamic pools.
@ExtendWith(AdmissionExtension.class)
final class NodePoolReplicasIT {

    private final Admission admission;

    NodePoolReplicasIT(Admission admission) {
        this.admission = admission;
    }

    private static Sample staticPool() {
        return nodePool().with("replicas", 3);
    }

    @Tag("L71")
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 10, 1_000_000, Integer.MAX_VALUE})
    void replicasAreANumber(int replicas) {
        admission.accepts(nodePool().with("replicas", replicas));
    }

    @Tag("L72")
    @Test
    void replicasAreNeverNegative() {
        admission.refuses(nodePool().with("replicas", -1), "spec.replicas");
    }

    @Tag("L73")
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{cpu: '10'}",
                "{memory: 10Gi}",
                "{pods: 10}",
                "{ephemeral-storage: 10Gi}",
                "{nodes: 10, cpu: '10'}",
            })
    void aStaticPoolLimitsNodesAlone(String limits) {
        admission.refuses(
                staticPool().with("limits", yaml(limits)),
                "a pool with replicas may only limit nodes");
    }

    @Tag("L74")
    @Test
    void aStaticPoolHasNoWeight() {
        admission.refuses(
                staticPool().with("weight", 10), "a pool with replicas is not chosen by weight");
    }

    @Tag("L75")
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    limits                               | {nodes: 10}
                    limits                               | {}
                    disruption.budgets                   | [{nodes: '1'}, {nodes: 50%, schedule: '@daily', duration: 1h}]
                    disruption.consolidateAfter          | 30s
                    disruption.consolidationPolicy       | WhenEmpty
                    template.metadata.labels             | {team: a}
                    template.metadata.annotations        | {note: a}
                    template.spec.taints                 | [{key: a, effect: NoSchedule}]
                    template.spec.startupTaints          | [{key: a, effect: NoSchedule}]
                    template.spec.requirements           | [{key: a, operator: Exists}]
                    template.spec.expireAfter            | 24h
                    template.spec.terminationGracePeriod | 1h
                    """)
    void aStaticPoolHasAllElse(String path, String value) {
        admission.accepts(staticPool().with(path, yaml(value)));
    }

    @Tag("L76")
    @Test
    void aStaticPoolBecomesNeverDynamic() {
        admission.refusesChange(
                staticPool(),
                pool -> pool.without("replicas"),
                "replicas may not be added or taken away");
    }

    @Tag("L77")
    @Test
    void aDynamicPoolBecomesNeverStatic() {
        admission.refusesChange(
                nodePool(), pool -> staticPool(), "replicas may not be added or taken away");
    }

    @Tag("L78")
    @ParameterizedTest
    @ValueSource(ints = {0, 2, 5})
    void aStaticPoolMayGrowAndShrink(int replicas) {
        admission.acceptsChange(staticPool(), pool -> pool.with("replicas", replicas));
    }

    @Tag("L79")
    @Test
    void theLimitOfAStaticPoolMayChange() {
        admission.acceptsChange(
                staticPool().with("limits", Map.of("nodes", 5)),
                pool -> pool.with("limits", Map.of("nodes", 10)));
    }

    @Tag("L80")
    @ParameterizedTest
    @ValueSource(ints = {1, 50, 100})
    void aWeightIsBetweenOneAndAHundred(int weight) {
        admission.accepts(nodePool().with("weight", weight));
    }

    @Tag("L81")
    @ParameterizedTest
    @ValueSource(ints = {-1, 0, 101})
    void aWeightIsNothingElse(int weight) {
        admission.refuses(nodePool().with("weight", weight), "spec.weight");
    }

    @Tag("L82")
    @ParameterizedTest
    @FieldSource("dev.millwright.testing.e2e.crd.Grammar#QUANTITIES")
    void aLimitIsAQuantity(String quantity) {
        admission.accepts(nodePool().with("limits", Map.of("cpu", quantity)));
    }

    @Tag("L83")
    @ParameterizedTest
    @FieldSource("dev.millwright.testing.e2e.crd.Grammar#NOT_QUANTITIES")
    void aLimitIsNothingElse(String quantity) {
        admission.refuses(nodePool().with("limits", Map.of("cpu", quantity)), "spec.limits.cpu");
    }

    @Tag("L84")
    @Test
    void aLimitMayBeANumber() {
        var kept = admission.accepts(nodePool().with("limits", yaml("{cpu: 10, nodes: '5'}")));

        assertThat(kept.<Object>get("spec", "limits")).isEqualTo(Map.of("cpu", 10, "nodes", "5"));
    }

    @Tag("L85")
    @Test
    void theScaleOfAStaticPoolIsItsReplicasAndNodes() {
        var scale = admission.scaleOf(staticPool(), Map.of("nodes", 2));

        assertThat(scale.<Object>get("spec")).isEqualTo(Map.of("replicas", 3));
        assertThat(scale.<Object>get("status")).isEqualTo(Map.of("replicas", 2));
    }
}
