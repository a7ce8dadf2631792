package dev.millwright.testing.e2e.crd;

import static dev.millwright.testing.e2e.crd.Sample.nodePool;
import static dev.millwright.testing.e2e.crd.Sample.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.Map;

@ExtendWith(AdmissionExtension.class)
final class NodePoolDefaultsIT {

    private final Admission admission;

    NodePoolDefaultsIT(Admission admission) {
        this.admission = admission;
    }

    @Tag("L86")
    @Test
    void aPoolWithoutDisruptionIsConsolidatedAtOnceByATenth() {
        var kept = admission.accepts(nodePool());

        assertThat(kept.<Object>get("spec", "disruption"))
                .isEqualTo(
                        yaml(
                                """
                                consolidateAfter: 0s
                                consolidationPolicy: WhenEmptyOrUnderutilized
                                budgets: [{nodes: 10%}]
                                """));
    }

    @Tag("L87")
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    {}                               | {consolidateAfter: 0s, consolidationPolicy: WhenEmptyOrUnderutilized, budgets: [{nodes: 10%}]}
                    {consolidateAfter: Never}        | {consolidateAfter: Never, consolidationPolicy: WhenEmptyOrUnderutilized, budgets: [{nodes: 10%}]}
                    {consolidationPolicy: WhenEmpty} | {consolidateAfter: 0s, consolidationPolicy: WhenEmpty, budgets: [{nodes: 10%}]}
                    {budgets: []}                    | {consolidateAfter: 0s, consolidationPolicy: WhenEmptyOrUnderutilized, budgets: []}
                    {budgets: [{reasons: [Empty]}]}  | {consolidateAfter: 0s, consolidationPolicy: WhenEmptyOrUnderutilized, budgets: [{nodes: 10%, reasons: [Empty]}]}
                    """)
    void whatDisruptionLeavesOutIsFilledIn(String given, String wanted) {
        var kept = admission.accepts(nodePool().with("disruption", yaml(given)));

        assertThat(kept.<Object>get("spec", "disruption")).isEqualTo(yaml(wanted));
    }

    @Tag("L88")
    @Test
    void aStaticPoolIsFilledInAlike() {
        var kept = admission.accepts(nodePool().with("replicas", 1));

        assertThat(kept.<String>get("spec", "disruption", "consolidateAfter")).isEqualTo("0s");
    }

    @Tag("L89")
    @Test
    void nodesExpireAfterThirtyDaysUnlessTold() {
        var kept = admission.accepts(nodePool());

        assertThat(kept.<String>get("spec", "template", "spec", "expireAfter")).isEqualTo("720h");
    }

    @Tag("L90")
    @Test
    void nothingElseIsFilledIn() {
        var kept = admission.accepts(nodePool());

        assertThat(kept.<Map<String, Object>>get("spec"))
                .containsOnlyKeys("template", "disruption");
        assertThat(kept.<Map<String, Object>>get("spec", "template", "spec"))
                .containsOnlyKeys("nodeClassRef", "requirements", "expireAfter");
        assertThat(kept.<Object>get("status")).isNull();
    }

    @Tag("L91")
    @Test
    void durationsAreKeptAsWritten() {
        var kept = admission.accepts(nodePool().with("template.spec.expireAfter", "24h60m0s"));

        assertThat(kept.<String>get("spec", "template", "spec", "expireAfter"))
                .isEqualTo("24h60m0s");
    }
}
