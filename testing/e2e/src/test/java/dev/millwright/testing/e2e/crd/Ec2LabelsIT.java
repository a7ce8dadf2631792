package dev.millwright.testing.e2e.crd;

import static dev.millwright.testing.e2e.crd.Sample.nodeClaim;
import static dev.millwright.testing.e2e.crd.Sample.nodeOverlay;
import static dev.millwright.testing.e2e.crd.Sample.nodePool;

import dev.millwright.core.label.LabelVocabulary;
import dev.millwright.spi.ec2.Ec2Labels;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// What EC2 adds to the rules of pools, claims and overlays.
@Tag("AWS-A15")
@ExtendWith(AdmissionExtension.class)
final class Ec2LabelsIT {

    private final Admission admission;

    Ec2LabelsIT(Admission admission) {
        this.admission = admission;
    }

    /// All that the provider says of its nodes.
    static Stream<String> keys() {
        return Stream.concat(
                Stream.of("karpenter.k8s.aws/ec2nodeclass"),
                Ec2Labels.VOCABULARY.wellKnown().stream()
                        .filter(key -> !LabelVocabulary.CORE.wellKnown().contains(key)));
    }

    private static Object requirement(String key) {
        return List.of(Map.of("key", key, "operator", "Exists"));
    }

    @ParameterizedTest
    @MethodSource("keys")
    void labelsOfEc2MayBeRequiredAndSet(String key) {
        admission.accepts(nodePool().requiring(requirement(key)));
        admission.accepts(nodeClaim().requiring(requirement(key)));
        admission.accepts(nodePool().with("template.metadata.labels", Map.of(key, "a")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "karpenter.k8s.aws/anything",
                "karpenter.k8s.aws/instance-cpus",
                "karpenter.k8s.aws/instance-pods",
                "sub.karpenter.k8s.aws/instance-cpu",
                "karpenter.k8s.aws"
            })
    void otherKeysOfEc2sDomainMayNot(String key) {
        var message = "keys of the domain karpenter.k8s.aws belong to the provider";

        admission.refuses(nodePool().requiring(requirement(key)), message);
        admission.refuses(nodeClaim().requiring(requirement(key)), message);
        admission.refuses(nodeOverlay().requiring(requirement(key)), message);
        admission.refuses(nodePool().with("template.metadata.labels", Map.of(key, "a")), message);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "karpenter.k8s.aws/instance-tenancy",
                "karpenter.k8s.aws/capacity-reservation-id",
                "karpenter.k8s.aws/capacity-reservation-type",
                "karpenter.k8s.aws/capacity-reservation-interruptible",
                "karpenter.k8s.aws/placement-group-id",
                "karpenter.k8s.aws/placement-group-partition"
            })
    void overlaysAreAboutInstanceTypes(String key) {
        admission.refuses(
                nodeOverlay().requiring(requirement(key)),
                "keys of the domain karpenter.k8s.aws belong to the provider");
        admission.accepts(
                nodeOverlay().requiring(requirement("karpenter.k8s.aws/instance-family")));
    }
}
