package dev.millwright.kube.conversion;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.kube.document.DocumentReader;
import dev.millwright.kube.document.Source;
import dev.millwright.kube.document.Value;
import dev.millwright.kube.document.YamlWriter;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// v1beta1 and v1, as the webhook turns one into the other.
final class BothWaysTest {

    private static Value.Mapping read(String yaml) {
        return (Value.Mapping) DocumentReader.readAll(Source.text("test", yaml)).getFirst();
    }

    private static String text(Value value) {
        return YamlWriter.text(value);
    }

    private static Value.Mapping pool(String inner, String disruption) {
        return read(
                """
                apiVersion: karpenter.sh/v1beta1
                kind: NodePool
                metadata: {name: p}
                spec:
                  template:
                    spec:
                      requirements: [{key: a, operator: Exists, minValues: 2}]
                      nodeClassRef: {kind: EC2NodeClass, name: c, apiVersion: karpenter.k8s.aws/v1beta1}
                      %s
                  disruption: {%s}
                  weight: 3
                status: {resources: {cpu: "1"}}
                """
                        .formatted(inner, disruption));
    }

    private static Value.Mapping nodeClass(String annotations, String spec) {
        return read(
                """
                apiVersion: karpenter.k8s.aws/v1beta1
                kind: EC2NodeClass
                metadata: {name: c%s}
                spec: {role: r, %s}
                """
                        .formatted(annotations, spec));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "consolidationPolicy: WhenUnderutilized, expireAfter: 720h, budgets: [{nodes: 10%, schedule: '@daily', duration: 8h}]",
                "consolidationPolicy: WhenEmpty, consolidateAfter: 30s, expireAfter: Never",
            })
    void aPoolComesBackAsItWas(String disruption) {
        var old = pool("kubelet: {maxPods: 3, clusterDNS: [10.0.0.1]}", disruption);

        assertThat(NodePools.toBeta(NodePools.toCurrent(old)))
                .usingRecursiveComparison()
                .ignoringFieldsOfTypes(dev.millwright.kube.document.Position.class)
                .isEqualTo(old);
    }

    @Test
    void aPoolOfV1SaysWhatV1Wants() {
        var made =
                NodePools.toCurrent(
                        pool(
                                "kubelet: {maxPods: 3}",
                                "consolidationPolicy: WhenUnderutilized, expireAfter: 48h"));

        assertThat(text(made))
                .isEqualTo(
                        """
                        apiVersion: karpenter.sh/v1
                        kind: NodePool
                        metadata:
                          name: p
                          annotations:
                            compatibility.karpenter.sh/v1beta1-nodeclass-reference: "{\\"kind\\":\\"EC2NodeClass\\",\\"name\\":\\"c\\",\\"apiVersion\\":\\"karpenter.k8s.aws/v1beta1\\"}"
                            compatibility.karpenter.sh/v1beta1-kubelet-conversion: "{\\"maxPods\\":3}"
                        spec:
                          template:
                            spec:
                              requirements:
                              - key: a
                                operator: Exists
                                minValues: 2
                              nodeClassRef:
                                group: karpenter.k8s.aws
                                kind: EC2NodeClass
                                name: c
                              expireAfter: 48h
                          disruption:
                            consolidationPolicy: WhenEmptyOrUnderutilized
                            consolidateAfter: 0s
                          weight: 3
                        status:
                          resources:
                            cpu: "1"
                        """);
    }

    @Test
    void whatOnlyV1HasIsLostOnTheWayBack() {
        var back =
                text(
                        NodePools.toBeta(
                                read(
                                        """
                                        apiVersion: karpenter.sh/v1
                                        kind: NodePool
                                        metadata: {name: p, annotations: {karpenter.sh/stored-version-migrated: "true"}}
                                        spec:
                                          replicas: 2
                                          template:
                                            spec:
                                              terminationGracePeriod: 1h
                                              expireAfter: Never
                                              nodeClassRef: {group: g, kind: K, name: c}
                                          disruption:
                                            consolidationPolicy: Balanced
                                            consolidateAfter: 5m
                                            budgets: [{nodes: "1", reasons: [Drifted]}]
                                        """)));

        assertThat(back)
                .isEqualTo(
                        """
                        apiVersion: karpenter.sh/v1beta1
                        kind: NodePool
                        metadata:
                          name: p
                        spec:
                          template:
                            spec:
                              nodeClassRef:
                                kind: K
                                name: c
                          disruption:
                            consolidationPolicy: WhenUnderutilized
                            budgets:
                            - nodes: "1"
                            expireAfter: Never
                        """);
    }

    @Test
    void aReferenceThatWasChangedInV1OutweighsTheOneThatWasKept() {
        var changed =
                Nested.with(
                        NodePools.toCurrent(pool("", "")),
                        "other",
                        "spec",
                        "template",
                        "spec",
                        "nodeClassRef",
                        "name");

        assertThat(text(NodePools.toBeta(changed)))
                .contains("name: other")
                .doesNotContain("name: c");
    }

    @Test
    void aClaimTakesTheExpiryOfItsPool() {
        var old =
                read(
                        """
                        apiVersion: karpenter.sh/v1beta1
                        kind: NodeClaim
                        metadata: {name: n, labels: {karpenter.sh/nodepool: p}}
                        spec:
                          requirements: []
                          resources: {requests: {cpu: "1"}}
                          nodeClassRef: {name: c}
                          kubelet: {maxPods: 3}
                        status: {providerID: x, imageID: i}
                        """);
        var made = NodeClaims.toCurrent(old, "48h");

        assertThat(text(made))
                .contains("expireAfter: 48h", "group: karpenter.k8s.aws", "kind: EC2NodeClass")
                .contains("v1beta1-kubelet-conversion")
                .contains("imageID: i");
        assertThat(text(NodeClaims.toCurrent(old, null))).doesNotContain("expireAfter");
        assertThat(NodeClaims.toBeta(made))
                .usingRecursiveComparison()
                .ignoringFieldsOfTypes(dev.millwright.kube.document.Position.class)
                .isEqualTo(old);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "amiFamily: AL2",
                "amiFamily: AL2023",
                "amiFamily: Bottlerocket, amiSelectorTerms: [{id: ami-1}]",
                "amiFamily: Windows2019",
                "amiFamily: Windows2022",
                "amiFamily: Custom, amiSelectorTerms: [{tags: {a: b}}]",
                "amiFamily: Ubuntu",
                "amiFamily: Ubuntu, amiSelectorTerms: [{id: ami-1}]",
                "amiFamily: Ubuntu, blockDeviceMappings: [{deviceName: /dev/sda1}]",
            })
    void aClassComesBackAsItWas(String spec) {
        var old = nodeClass("", spec);

        assertThat(sorted(Ec2NodeClasses.toBeta(Ec2NodeClasses.toCurrent(old))))
                .isEqualTo(sorted(old));
    }

    /// Fields that were taken out and put in again stand elsewhere.
    private static java.util.List<String> sorted(Value.Mapping object) {
        return text(object).lines().sorted().toList();
    }

    @Test
    void anAliasThatIsPinnedIsRememberedBothWays() {
        var pinned =
                nodeClass(
                        ", annotations: {compatibility.karpenter.k8s.aws/v1-alias-version: v20240807}",
                        "amiFamily: AL2023");
        var made = Ec2NodeClasses.toCurrent(pinned);

        assertThat(text(made))
                .contains("alias: al2023@v20240807")
                .doesNotContain("annotations", "amiFamily");
        assertThat(sorted(Ec2NodeClasses.toBeta(made))).isEqualTo(sorted(pinned));
    }

    @Test
    void ubuntuIsMadeUpAndMarked() {
        assertThat(text(Ec2NodeClasses.toCurrent(nodeClass("", "amiFamily: Ubuntu"))))
                .contains(
                        "compatibility.karpenter.k8s.aws/v1beta1-ubuntu: \"amiFamily,blockDeviceMappings,incompatible\"")
                .contains("amiFamily: AL2\n", "deviceName: /dev/sda1", "- id: ami-placeholder");
    }

    @Test
    void noFamilyMeansCustom() {
        assertThat(text(Ec2NodeClasses.toCurrent(nodeClass("", "amiSelectorTerms: [{id: ami-1}]"))))
                .contains("amiFamily: Custom");
    }

    @Test
    void fieldsThatOnlyV1HasAreNotCarriedBack() {
        var back =
                text(
                        Ec2NodeClasses.toBeta(
                                read(
                                        """
                                        apiVersion: karpenter.k8s.aws/v1
                                        kind: EC2NodeClass
                                        metadata: {name: c}
                                        spec:
                                          kubelet: {maxPods: 3}
                                          amiSelectorTerms: [{alias: bottlerocket@latest}]
                                          capacityReservationSelectorTerms: [{id: cr-1}]
                                        """)));

        assertThat(back)
                .contains("amiFamily: Bottlerocket")
                .doesNotContain("kubelet", "alias", "capacityReservation");
    }
}
