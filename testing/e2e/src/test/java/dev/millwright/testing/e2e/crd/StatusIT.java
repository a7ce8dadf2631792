package dev.millwright.testing.e2e.crd;

import static dev.millwright.testing.e2e.crd.Sample.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;
import java.util.Map;

@ExtendWith(AdmissionExtension.class)
final class StatusIT {
    private static final String CONDITION =
            "type: Ready, status: 'True', lastTransitionTime: '2026-01-01T00:00:00Z'";

    private final Admission admission;

    StatusIT(Admission admission) {
        this.admission = admission;
    }

    static List<Sample> kinds() {
        return Sample.ofEveryKind();
    }

    static List<Sample> kindsWithReasons() {
        return kinds().stream().filter(kind -> !kind.toString().equals("NodeClaim")).toList();
    }

    static List<Sample> kindsWithKeys() {
        return kinds().stream().filter(kind -> !kind.toString().endsWith("NodeClass")).toList();
    }

    @Tag("L92")
    @ParameterizedTest
    @MethodSource("kinds")
    void aStatusHasConditions(Sample kind) {
        var conditions =
                yaml(
                        "[{%s, reason: Ready, message: '', observedGeneration: 1}]"
                                .formatted(CONDITION));

        var kept = admission.acceptsStatus(kind, Map.of("conditions", conditions));

        assertThat(kept.<Object>get("status", "conditions")).isEqualTo(conditions);
    }

    @Tag("L93")
    @ParameterizedTest
    @MethodSource("kinds")
    void statusIsNotWrittenWithTheSpec(Sample kind) {
        var made = admission.accepts(kind.status(yaml("{conditions: []}")));

        assertThat(made.<Object>get("status", "conditions")).isNotEqualTo(List.of());
    }

    @Tag("L94")
    @ParameterizedTest
    @MethodSource("kindsWithReasons")
    void aConditionHasAReasonAndAMessage(Sample kind) {
        admission.refusesStatus(
                kind,
                yaml("conditions: [{%s, message: ''}]".formatted(CONDITION)),
                "reason: Required value");
        admission.refusesStatus(
                kind,
                yaml("conditions: [{%s, message: '', reason: ''}]".formatted(CONDITION)),
                "conditions[0].reason");
        admission.refusesStatus(
                kind,
                yaml("conditions: [{%s, reason: Ready}]".formatted(CONDITION)),
                "message: Required value");
    }

    @Tag("L95")
    @ParameterizedTest
    @ValueSource(strings = {"", ", reason: ''", ", message: '', reason: ''"})
    void aConditionOfAClaimMayDoWithoutReason(String more) {
        admission.acceptsStatus(
                Sample.nodeClaim(), yaml("conditions: [{%s%s}]".formatted(CONDITION, more)));
    }

    @Tag("L96")
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{status: 'True', lastTransitionTime: '2026-01-01T00:00:00Z'}",
                "{type: Ready, lastTransitionTime: '2026-01-01T00:00:00Z'}",
                "{type: Ready, status: 'True'}",
            })
    void aConditionOfAClaimHasTypeStatusAndTime(String condition) {
        admission.refusesStatus(
                Sample.nodeClaim(),
                yaml("conditions: [%s]".formatted(condition)),
                "Required value");
    }

    @Tag("L97")
    @ParameterizedTest
    @MethodSource("kindsWithKeys")
    void aConditionIsThereOnce(Sample kind) {
        var condition = "{%s, reason: Ready, message: ''}".formatted(CONDITION);

        admission.refusesStatus(
                kind,
                yaml("conditions: [%s, %s]".formatted(condition, condition)),
                "Duplicate value");
    }

    @Tag("L98")
    @Test
    void aPoolsStatusCountsNodesFromZero() {
        var kept = admission.acceptsStatus(Sample.nodePool(), yaml("{resources: {cpu: 1}}"));

        assertThat(kept.<Object>get("status"))
                .isEqualTo(Map.of("resources", Map.of("cpu", 1), "nodes", 0));
    }

    @Tag("L99")
    @Test
    void aClaimsStatusTellsOfNodeAndMachine() {
        var status =
                yaml(
                        """
                        nodeName: node
                        providerID: kwok://node
                        imageID: image
                        capacity: {cpu: "4", memory: 8Gi, example.com/device: 1}
                        allocatable: {cpu: 3900m}
                        lastPodEventTime: "2026-01-01T00:00:00Z"
                        """);

        var kept = admission.acceptsStatus(Sample.nodeClaim(), status);

        assertThat(kept.<Object>get("status")).isEqualTo(status);
    }
}
