package dev.millwright.kube.conversion;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.kube.document.DocumentReader;
import dev.millwright.kube.document.JsonWriter;
import dev.millwright.kube.document.Source;
import dev.millwright.kube.document.Value;
import dev.millwright.kube.document.YamlWriter;

import org.junit.jupiter.api.Test;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Objects;

final class AdoptionTest {

    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

    private static final Value.Mapping POOL =
            read(
                    """
                    metadata: {name: old, uid: pool-uid}
                    spec:
                      template:
                        metadata: {labels: {team: shop}}
                        spec:
                          requirements:
                          - {key: node.kubernetes.io/instance-type, operator: In, values: [m5.large]}
                          - {key: karpenter.k8s.aws/instance-generation, operator: Gt, values: ["2"]}
                          nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: c}
                          expireAfter: Never
                    """);

    private static final Value.Mapping NODE =
            read(
                    """
                    metadata:
                      name: ip-1
                      resourceVersion: "7"
                      labels:
                        karpenter.sh/provisioner-name: old
                        karpenter.sh/capacity-type: spot
                        node.kubernetes.io/instance-type: m5.large
                        karpenter.k8s.aws/instance-pods: "29"
                        team: shop
                        other: thing
                      annotations: {karpenter.sh/do-not-consolidate: "true"}
                      ownerReferences: [{apiVersion: karpenter.sh/v1alpha5, kind: Provisioner, name: old, uid: u}]
                    spec: {providerID: "aws:///a/i-1"}
                    status:
                      capacity: {cpu: "2"}
                      allocatable: {cpu: 1900m}
                      conditions: [{type: Ready, status: "True"}]
                    """);

    private static Value.Mapping read(String yaml) {
        return (Value.Mapping) DocumentReader.readAll(Source.text("test", yaml)).getFirst();
    }

    /// As an API server merges.
    private static Value.Mapping merged(Value.Mapping object, Value.Mapping patch) {
        var fields = new LinkedHashMap<>(object.fields());
        patch.fields()
                .forEach(
                        (name, value) -> {
                            switch (value) {
                                case Value.Nothing _ -> fields.remove(name);
                                case Value.Mapping below ->
                                        fields.put(
                                                name, merged(Nested.mapping(object, name), below));
                                case Value other -> fields.put(name, other);
                            }
                        });
        return new Value.Mapping(object.position(), fields);
    }

    @Test
    void aClaimSaysWhatItsMachineIs() {
        var adoption = Adoption.of(NODE, null, POOL, NOON);

        assertThat(YamlWriter.text(adoption.claim()))
                .contains("karpenter.sh/nodepool: old", "karpenter.k8s.aws/ec2nodeclass: c")
                .contains("team: shop", "millwright.dev/adopted: ip-1", "uid: pool-uid")
                .contains("karpenter.sh/do-not-disrupt: \"true\"")
                .contains("- karpenter.sh/termination", "expireAfter: Never")
                .doesNotContain("instance-pods", "provisioner-name", "other");
        assertThat(JsonWriter.text(adoption.status()))
                .contains("\"providerID\":\"aws:///a/i-1\"", "\"type\":\"Initialized\"")
                .contains("\"lastTransitionTime\":\"2026-01-01T12:00:00Z\"");
        assertThat(adoption.name()).isEqualTo(Adoption.of(NODE, null, POOL, NOON).name());
    }

    @Test
    void aMachineGivesItsNameAndItsSize() {
        var machine = read("{metadata: {name: m-1}, spec: {resources: {requests: {cpu: 1}}}}");
        var adoption = Adoption.of(NODE, machine, POOL, NOON);

        assertThat(adoption.name()).isEqualTo("m-1");
        assertThat(JsonWriter.text(adoption.claim())).contains("\"requests\":{\"cpu\":1}");
    }

    @Test
    void aNodeThatIsNotReadyIsWatchedOn() {
        var young = Nested.without(NODE, "status", "conditions");

        assertThat(JsonWriter.text(Adoption.of(young, null, POOL, NOON).status()))
                .contains("Registered")
                .doesNotContain("Initialized");
    }

    @Test
    void requirementsThatTheNodeDoesNotMeetAreNamed() {
        assertThat(Adoption.of(NODE, null, POOL, NOON).unmet(POOL))
                .containsExactly("karpenter.k8s.aws/instance-generation");
    }

    @Test
    void aNodeIsGivenBackAsItWas() {
        var adoption = Adoption.of(NODE, null, POOL, NOON);
        var patch = Objects.requireNonNull(NodeMark.adopted(NODE, adoption, "claim-uid"));
        var adopted = merged(NODE, patch);

        assertThat(YamlWriter.text(adopted))
                .contains("karpenter.sh/registered: \"true\"", "uid: claim-uid", "uid: u\n");
        assertThat(NodeMark.isOn(adopted)).isTrue();
        assertThat(NodeMark.adopted(adopted, adoption, "claim-uid")).isNull();

        var restored = merged(adopted, NodeMark.restored(adopted, true));
        assertThat(YamlWriter.text(Nested.without(restored, "metadata", "finalizers")))
                .isEqualTo(YamlWriter.text(NODE));
        assertThat(Nested.list(restored, "metadata", "finalizers")).isEmpty();
    }

    @Test
    void aNodeThatCameLaterGetsTheOldLabelAndLosesOurTaint() {
        var late =
                read(
                        """
                        metadata:
                          name: n
                          resourceVersion: "1"
                          labels: {karpenter.sh/nodepool: old}
                          ownerReferences: [{apiVersion: karpenter.sh/v1, kind: NodeClaim, name: x, uid: y}]
                        spec: {taints: [{key: karpenter.sh/disrupted, effect: NoSchedule}, {key: a, effect: NoSchedule}]}
                        """);

        assertThat(JsonWriter.text(NodeMark.restored(late, true)))
                .isEqualTo(
                        "{\"metadata\":{\"resourceVersion\":\"1\",\"ownerReferences\":[],\"labels\":{\"karpenter.sh/provisioner-name\":\"old\"}},\"spec\":{\"taints\":[{\"key\":\"a\",\"effect\":\"NoSchedule\"}]}}");
    }
}
