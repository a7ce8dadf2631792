package dev.millwright.testing.e2e.crd;

import static dev.millwright.testing.e2e.crd.Sample.capacityBuffer;
import static dev.millwright.testing.e2e.crd.Sample.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Map;

@ExtendWith(AdmissionExtension.class)
final class CapacityBufferIT {

    private final Admission admission;

    CapacityBufferIT(Admission admission) {
        this.admission = admission;
    }

    private static Sample spec(String spec) {
        return capacityBuffer().spec(yaml(spec));
    }

    @Tag("L132")
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{podTemplateRef: {name: a}, replicas: 1}",
                "{podTemplateRef: {name: a}, replicas: 0}",
                "{podTemplateRef: {name: a}, limits: {cpu: '4', memory: 1Gi, example.com/device: 2}}",
                "{podTemplateRef: {name: a}, replicas: 1, limits: {cpu: 4}}",
                "{podTemplateRef: {name: a}, replicas: 1, percentage: 10}",
            })
    void aPodTemplateIsHeldSoManyTimes(String spec) {
        admission.accepts(spec(spec));
    }

    @Tag("L133")
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{scalableRef: {apiGroup: apps, kind: Deployment, name: a}}",
                "{scalableRef: {apiGroup: '', kind: ReplicationController, name: a}}",
                "{scalableRef: {kind: StatefulSet, name: a}, replicas: 1}",
                "{scalableRef: {kind: ReplicaSet, name: a}, percentage: 0}",
                "{scalableRef: {kind: Deployment, name: a}, percentage: 250}",
                "{scalableRef: {kind: Deployment, name: a}, replicas: 3, percentage: 20}",
            })
    void aWorkloadIsHeldInPart(String spec) {
        admission.accepts(spec(spec));
    }

    @Tag("L134")
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{podTemplateRef: {name: a}}",
                "{podTemplateRef: {name: a}, percentage: 10}"
            })
    void aPodTemplateAloneDoesNotSayHowMany(String spec) {
        admission.refuses(spec(spec), "set replicas or limits too");
    }

    @Tag("L135")
    @Test
    void templateAndWorkloadExcludeEachOther() {
        admission.refuses(
                spec("{podTemplateRef: {name: a}, scalableRef: {kind: b, name: c}, replicas: 1}"),
                "podTemplateRef and scalableRef exclude each other");
    }

    @Tag("L136")
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    {scalableRef: {kind: a, name: b}, replicas: -1}   | spec.replicas
                    {scalableRef: {kind: a, name: b}, percentage: -1} | spec.percentage
                    {scalableRef: {kind: a, name: b}, limits: {a: x}} | spec.limits.a
                    {podTemplateRef: {name: ''}, replicas: 1}         | spec.podTemplateRef.name
                    {podTemplateRef: {}, replicas: 1}                 | spec.podTemplateRef.name
                    {scalableRef: {kind: '', name: b}}                | spec.scalableRef.kind
                    {scalableRef: {name: b}}                          | spec.scalableRef.kind
                    {scalableRef: {kind: a, name: ''}}                | spec.scalableRef.name
                    {scalableRef: {kind: a}}                          | spec.scalableRef.name
                    """)
    void wrongFieldsAreNamed(String spec, String path) {
        admission.refuses(spec(spec), path);
    }

    @Tag("L137")
    @Test
    void theStrategyIsActiveCapacityUnlessTold() {
        var kept = admission.accepts(capacityBuffer());

        assertThat(kept.<Map<String, Object>>get("spec"))
                .containsOnlyKeys("podTemplateRef", "replicas", "provisioningStrategy")
                .containsEntry("provisioningStrategy", "buffer.x-k8s.io/active-capacity");
    }

    @Tag("L138")
    @Test
    void anyStrategyMayBeNamed() {
        var kept =
                admission.accepts(
                        capacityBuffer().with("provisioningStrategy", "example.com/other"));

        assertThat(kept.<String>get("spec", "provisioningStrategy")).isEqualTo("example.com/other");
    }

    @Tag("L139")
    @Test
    void aSpecIsNeededThoughItMayBeEmpty() {
        admission.refuses(capacityBuffer().bare(), "spec: Required value");
        admission.accepts(spec("{}"));
    }

    @Tag("L140")
    @Test
    void theStatusTellsWhatWasUnderstood() {
        var status =
                yaml(
                        """
                        podTemplateRef: {name: sample}
                        podTemplateGeneration: 7
                        replicas: 1
                        provisioningStrategy: buffer.x-k8s.io/active-capacity
                        """);

        var kept = admission.acceptsStatus(capacityBuffer(), status);

        assertThat(kept.<Object>get("status")).isEqualTo(status);
    }
}
