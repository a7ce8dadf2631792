package dev.millwright.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ExplainNodeCommandTest {

    /// A large node with one small pod that is guarded, of a pool that only lets empty nodes go.
    private static final String CLUSTER =
            """
            apiVersion: karpenter.sh/v1
            kind: NodePool
            metadata: {name: general}
            spec:
              disruption: {consolidationPolicy: WhenEmpty, consolidateAfter: 0s, budgets: [{nodes: 100%}]}
              template:
                spec:
                  nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: default}
                  requirements: []
            status: {conditions: [{type: Ready, status: "True"}]}
            ---
            apiVersion: karpenter.sh/v1
            kind: NodeClaim
            metadata:
              name: general-a
              uid: claim-a
              labels: {karpenter.sh/nodepool: general, node.kubernetes.io/instance-type: large,
                       topology.kubernetes.io/zone: a, karpenter.sh/capacity-type: on-demand}
            spec:
              nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: default}
              requirements: []
            status:
              providerID: aws:///a/i-1
              nodeName: ip-1
              capacity: {cpu: "8", memory: 8Gi, pods: "10"}
              allocatable: {cpu: "8", memory: 8Gi, pods: "10"}
              conditions:
              - {type: Launched, status: "True"}
              - {type: Registered, status: "True"}
              - {type: Initialized, status: "True"}
              - {type: Consolidatable, status: "True"}
            ---
            apiVersion: v1
            kind: Node
            metadata:
              name: ip-1
              labels: {karpenter.sh/nodepool: general, node.kubernetes.io/instance-type: large,
                       topology.kubernetes.io/zone: a, karpenter.sh/capacity-type: on-demand,
                       karpenter.sh/registered: "true", karpenter.sh/initialized: "true", kubernetes.io/hostname: ip-1}
            spec: {providerID: aws:///a/i-1}
            status:
              capacity: {cpu: "8", memory: 8Gi, pods: "10"}
              allocatable: {cpu: "8", memory: 8Gi, pods: "10"}
              conditions: [{type: Ready, status: "True"}]
            ---
            apiVersion: v1
            kind: Pod
            metadata:
              name: web
              namespace: shop
              annotations: {karpenter.sh/do-not-disrupt: "true"}
              ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, name: web, uid: web, controller: true}]
            spec:
              nodeName: ip-1
              containers: [{name: main, resources: {requests: {cpu: 1}}}]
            status: {phase: Running}
            ---
            instanceTypes:
            - {name: small, arch: amd64, os: [linux], capacity: {cpuMilli: 2000, memoryBytes: 4294967296, pods: 10},
               offerings: [{zone: a, capacityType: on-demand, price: 0.1}]}
            - {name: large, arch: amd64, os: [linux], capacity: {cpuMilli: 8000, memoryBytes: 8589934592, pods: 10},
               offerings: [{zone: a, capacityType: on-demand, price: 0.4}]}
            """;

    @Test
    void whatGuardsANodeIsToldAndWhatBecomesOfItWithout() {
        var run = CommandRun.reading(CLUSTER, "explain", "node", "-q", "ip-1", "-f", "-");
        assertThat(run.err()).isEmpty();
        assertThat(run.exitCode()).isZero();
        assertThat(run.out())
                .isEqualTo(
                        """
                        Node ip-1 stays
                          Empty: pod shop/web has an active karpenter.sh/do-not-disrupt annotation
                          Underutilized: pod shop/web has an active karpenter.sh/do-not-disrupt annotation
                        The smallest changes that together let it go (decided again with them):
                          Pod shop/web: remove the annotation karpenter.sh/do-not-disrupt
                          NodePool general: set disruption.consolidationPolicy to WhenEmptyOrUnderutilized
                        Then it is replaced by 1 cheaper node.
                        """);
    }

    @Test
    void aClaimIsExplainedByItsNode() {
        var run =
                CommandRun.reading(
                        CLUSTER,
                        "explain",
                        "nodeclaim",
                        "-q",
                        "general-a",
                        "-o",
                        "json",
                        "-f",
                        "-");
        assertThat(run.exitCode()).isZero();
        assertThat(run.out())
                .contains(
                        "\"kind\" : \"NodeClaim\"",
                        "\"verdict\" : \"Kept\"",
                        "\"reason\" : \"PodGuarded\"",
                        "\"object\" : \"Pod shop/web\"",
                        "\"verified\" : true",
                        "\"consolidationPolicy\" : \"WhenEmptyOrUnderutilized\"");
    }

    @Test
    void aNameThatIsNotThereIsAnError() {
        var run = CommandRun.reading(CLUSTER, "explain", "node", "ip-2", "-f", "-");
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err()).contains("there is no Node ip-2");
    }
}
