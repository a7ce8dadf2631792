package dev.millwright.testing.e2e.crd;

import static dev.millwright.testing.e2e.crd.Sample.kwokNodeClass;
import static dev.millwright.testing.e2e.crd.Sample.nodeClaim;
import static dev.millwright.testing.e2e.crd.Sample.nodePool;
import static dev.millwright.testing.e2e.crd.Sample.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;
import java.util.Map;

/// Kwok's node class, and what kwok adds to the rules of pools and claims.
@ExtendWith(AdmissionExtension.class)
final class KwokNodeClassIT {

    private final Admission admission;

    KwokNodeClassIT(Admission admission) {
        this.admission = admission;
    }

    private static Object requirement(String key) {
        return List.of(Map.of("key", key, "operator", "Exists"));
    }

    @Tag("L141")
    @Test
    void aKwokNodeClassIsReadyFromTheBeginning() {
        var kept = admission.accepts(kwokNodeClass());

        assertThat(kept.<Object>get("status"))
                .isEqualTo(
                        yaml(
                                """
                                conditions:
                                - type: Ready
                                  status: "True"
                                  reason: Ready
                                  message: ""
                                  lastTransitionTime: "2024-01-01T01:01:01Z"
                                """));
    }

    @Tag("L142")
    @Test
    void aKwokNodeClassNeedsNoSpec() {
        admission.accepts(kwokNodeClass().bare());
    }

    @Tag("L143")
    @ParameterizedTest
    @FieldSource("dev.millwright.testing.e2e.crd.Grammar#DURATIONS")
    void nodesRegisterAfterADuration(String value) {
        admission.accepts(kwokNodeClass().with("nodeRegistrationDelay", value));
    }

    @Tag("L144")
    @ParameterizedTest
    @FieldSource("dev.millwright.testing.e2e.crd.Grammar#NOT_DURATIONS")
    void nodesDoNotRegisterAfterAnythingElse(String value) {
        admission.refuses(
                kwokNodeClass().with("nodeRegistrationDelay", value), "spec.nodeRegistrationDelay");
    }

    @Tag("L145")
    @ParameterizedTest
    @ValueSource(
            strings = {
                "karpenter.kwok.sh/kwoknodeclass",
                "karpenter.kwok.sh/instance-cpu",
                "karpenter.kwok.sh/instance-memory",
                "karpenter.kwok.sh/instance-family",
                "karpenter.kwok.sh/instance-size",
            })
    void kwoksLabelsMayBeRequired(String key) {
        admission.accepts(nodePool().requiring(requirement(key)));
        admission.accepts(nodeClaim().requiring(requirement(key)));
    }

    @Tag("L146")
    @ParameterizedTest
    @ValueSource(
            strings = {
                "karpenter.kwok.sh/anything",
                "karpenter.kwok.sh/instance-cpus",
                "sub.karpenter.kwok.sh/instance-cpu",
                "karpenter.kwok.sh",
            })
    void otherKeysOfKwoksDomainMayNotBeRequired(String key) {
        var message = "keys of the domain karpenter.kwok.sh belong to the provider";

        admission.refuses(nodePool().requiring(requirement(key)), message);
        admission.refuses(nodeClaim().requiring(requirement(key)), message);
    }
}
