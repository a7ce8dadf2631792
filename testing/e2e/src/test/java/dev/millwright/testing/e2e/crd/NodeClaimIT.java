package dev.millwright.testing.e2e.crd;

import static dev.millwright.testing.e2e.crd.Sample.nodeClaim;
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

@ExtendWith(AdmissionExtension.class)
final class NodeClaimIT {

    private final Admission admission;

    NodeClaimIT(Admission admission) {
        this.admission = admission;
    }

    private static Sample taint(String field, String taint) {
        return nodeClaim().with(field, yaml("[%s]".formatted(taint)));
    }

    @Tag("L101")
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{key: a, effect: NoSchedule}",
                "{key: a, value: b, effect: PreferNoSchedule}",
                "{key: example.com/a, value: b, effect: NoExecute}",
                "{key: a, effect: NoSchedule}, {key: a, effect: NoExecute}",
            })
    void taintsHaveKeyValueAndEffect(String taints) {
        admission.accepts(taint("taints", taints));
        admission.accepts(taint("startupTaints", taints));
    }

    @Tag("L102")
    @ParameterizedTest
    @FieldSource("dev.millwright.testing.e2e.crd.Grammar#NOT_QUALIFIED_NAMES")
    void aTaintsKeyAndValueAreQualifiedNames(String name) {
        var wrongKey = "{key: '%s', effect: NoSchedule}".formatted(name);
        var wrongValue = "{key: a, value: '%s', effect: NoSchedule}".formatted(name);

        admission.refuses(taint("taints", wrongKey), "spec.taints[0].key");
        admission.refuses(taint("taints", wrongValue), "spec.taints[0].value");
        admission.refuses(taint("startupTaints", wrongKey), "spec.startupTaints[0].key");
        admission.refuses(taint("startupTaints", wrongValue), "spec.startupTaints[0].value");
    }

    @Tag("L103")
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    {effect: NoSchedule}        | key: Required value
                    {key: a}                    | effect: Required value
                    {key: a, effect: anything}  | effect: Unsupported value
                    {key: a, effect: ''}        | effect: Unsupported value
                    """)
    void aTaintHasAKeyAndAnEffectThatIs(String taint, String message) {
        admission.refuses(taint("taints", taint), "spec.taints[0]." + message);
        admission.refuses(taint("startupTaints", taint), "spec.startupTaints[0]." + message);
    }

    @Tag("L104")
    @ParameterizedTest
    @ValueSource(strings = {"group", "kind", "name"})
    void theNodeClassIsNamedInFull(String field) {
        var path = "nodeClassRef." + field;

        admission.refuses(nodeClaim().without(path), "Required value");
        admission.refuses(nodeClaim().with(path, ""), field + " is empty");
    }

    @Tag("L105")
    @Test
    void theNodeClassIsNeededAndItsGroupHasNoVersion() {
        admission.refuses(nodeClaim().without("nodeClassRef"), "spec.nodeClassRef: Required value");
        admission.refuses(
                nodeClaim().with("nodeClassRef.group", "karpenter.kwok.sh/v1alpha1"),
                "spec.nodeClassRef.group");
    }

    @Tag("L106")
    @ParameterizedTest
    @FieldSource("dev.millwright.testing.e2e.crd.Grammar#DURATIONS")
    void theTerminationGracePeriodIsADuration(String value) {
        admission.accepts(nodeClaim().with("terminationGracePeriod", value));
    }

    @Tag("L107")
    @ParameterizedTest
    @FieldSource("dev.millwright.testing.e2e.crd.Grammar#NOT_DURATIONS")
    void theTerminationGracePeriodIsNothingElseAndNotNever(String value) {
        admission.refuses(
                nodeClaim().with("terminationGracePeriod", value), "spec.terminationGracePeriod");
    }

    @Tag("L108")
    @ParameterizedTest
    @FieldSource("dev.millwright.testing.e2e.crd.Grammar#DURATIONS_OR_NEVER")
    void aNodeExpiresAfterADurationOrNever(String value) {
        admission.accepts(nodeClaim().with("expireAfter", value));
    }

    @Tag("L109")
    @ParameterizedTest
    @FieldSource("dev.millwright.testing.e2e.crd.Grammar#NOT_DURATIONS_OR_NEVER")
    void aNodeDoesNotExpireAfterAnythingElse(String value) {
        admission.refuses(nodeClaim().with("expireAfter", value), "spec.expireAfter");
    }

    @Tag("L110")
    @Test
    void aNodeExpiresAfterThirtyDaysUnlessTold() {
        var kept = admission.accepts(nodeClaim());

        assertThat(kept.<Map<String, Object>>get("spec"))
                .containsOnlyKeys("nodeClassRef", "requirements", "expireAfter")
                .containsEntry("expireAfter", "720h");
    }

    @Tag("L111")
    @Test
    void aClaimMayRequireItsPool() {
        admission.accepts(
                nodeClaim().requiring("[{key: karpenter.sh/nodepool, operator: In, values: [a]}]"));
    }

    @Tag("L112")
    @Test
    void aClaimAsksForQuantities() {
        var requests = "resources.requests";

        admission.accepts(
                nodeClaim().with(requests, yaml("{cpu: 2, memory: 4Gi, example.com/device: '1'}")));
        admission.refuses(
                nodeClaim().with(requests, yaml("{cpu: many}")), "spec.resources.requests.cpu");
    }

    @Tag("L113")
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    expireAfter            | 1h
                    terminationGracePeriod | 1h
                    nodeClassRef.name      | other
                    requirements           | [{key: a, operator: Exists}]
                    taints                 | [{key: a, effect: NoSchedule}]
                    startupTaints          | [{key: a, effect: NoSchedule}]
                    resources              | {requests: {cpu: 1}}
                    """)
    void theSpecNeverChanges(String path, String value) {
        admission.refusesChange(
                nodeClaim(),
                claim -> claim.with(path, yaml(value)),
                "the spec of a NodeClaim never changes");
    }

    @Tag("L114")
    @Test
    void theSameSpecMayBeWrittenAgain() {
        admission.acceptsChange(nodeClaim(), claim -> claim.with("expireAfter", "720h"));
    }

    @Tag("L115")
    @Test
    void aSpecIsNeeded() {
        admission.refuses(nodeClaim().bare(), "spec: Required value");
    }
}
