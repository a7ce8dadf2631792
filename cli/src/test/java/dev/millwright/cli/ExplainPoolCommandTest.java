package dev.millwright.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

class ExplainPoolCommandTest {

    private static final String TYPES =
            """
            ---
            instanceTypes:
            - {name: small, arch: amd64, os: [linux], capacity: {cpuMilli: 2000, memoryBytes: 4294967296, pods: 10},
               offerings: [{zone: a, capacityType: on-demand, price: 0.1}, {zone: b, capacityType: spot, price: 0.04}]}
            - {name: large, arch: amd64, os: [linux], capacity: {cpuMilli: 8000, memoryBytes: 8589934592, pods: 10},
               offerings: [{zone: a, capacityType: on-demand, price: 0.4}]}
            """;

    private static final String NODE =
            """
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
            """;

    private static String pool(String spec, String requirements) {
        return """
        apiVersion: karpenter.sh/v1
        kind: NodePool
        metadata: {name: general}
        spec:
          %s
          template:
            spec:
              nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: default}
              requirements: [%s]
        status: {conditions: [{type: Ready, status: "True"}]}
        """
                .formatted(spec, requirements);
    }

    private static CommandRun explain(String cluster, String... more) {
        var arguments = new ArrayList<>(List.of("explain", "nodepool", "-q", "general", "-f", "-"));
        arguments.addAll(List.of(more));
        return CommandRun.reading(cluster + TYPES, arguments.toArray(String[]::new));
    }

    @Test
    void aRequirementThatExcludesEverythingIsToldWithTheValueThatWasMeant() {
        var run =
                explain(
                        pool(
                                "weight: 1",
                                "{key: kubernetes.io/os, operator: In, values: [linux]},"
                                        + " {key: kubernetes.io/arch, operator: In, values: [amd46]}"));
        assertThat(run.err()).isEmpty();
        assertThat(run.exitCode()).isZero();
        assertThat(run.out())
                .isEqualTo(
                        """
                        NodePool general buys nothing: it has no node for any pod
                          Types: no instance type of 2 meets kubernetes.io/arch In [amd46]; maybe "amd64"?
                        The smallest change that mends it (planned again with it):
                          NodePool general: allow kubernetes.io/arch=amd64 instead of amd46
                        """);
    }

    @Test
    void aLimitThatIsReachedIsToldWithTheOneThatIsNeeded() {
        var run = explain(pool("limits: {cpu: 9}", "") + NODE, "-o", "json");
        assertThat(run.exitCode()).isZero();
        assertThat(run.out())
                .contains(
                        "\"verdict\" : \"BuysNothing\"",
                        "\"about\" : \"Limits\"",
                        "\"message\" : \"limits.cpu is 9 and 8 of it is used; one more node needs 10\"",
                        "\"object\" : \"NodePool general\"",
                        "\"limits\" : {",
                        "\"cpu\" : \"10\"",
                        "\"verified\" : true");
    }

    @Test
    void aBudgetThatKeepsNodesIsToldByItsPlace() {
        var budgets =
                "disruption: {consolidateAfter: 0s, budgets: [{nodes: 100%},"
                        + " {nodes: '0', reasons: [Underutilized]}]}";
        var run = explain(pool(budgets, "") + NODE, "-o", "json");
        assertThat(run.exitCode()).isZero();
        assertThat(run.out())
                .contains(
                        "\"verdict\" : \"KeepsNodes\"",
                        "Underutilized: disruption.budgets[1] lets no node go",
                        "\"change\" : \"set disruption.budgets[1].nodes to 1\"",
                        "\"nodes\" : \"100%\"",
                        "\"nodes\" : \"1\"");
    }

    @Test
    void aPoolThatIsNotReadyIsToldByItsConditions() {
        var run =
                explain(
                        pool("weight: 1", "")
                                .replace(
                                        "{type: Ready, status: \"True\"}",
                                        "{type: NodeClassReady, status: \"False\", reason: NodeClassNotFound, message: no such class},"
                                                + " {type: Ready, status: \"False\", reason: UnhealthyDependents, message: ''}"));
        assertThat(run.exitCode()).isZero();
        assertThat(run.out())
                .startsWith("NodePool general is not ready")
                .contains("NodeClassReady is False (NodeClassNotFound): no such class")
                .contains("No change was found");
    }

    @Test
    void aLabelThatLooksLikeAWellKnownOneIsToldThoughThePoolWorks() {
        var run =
                explain(
                        pool(
                                "weight: 1",
                                "{key: topology.kubernetes.io/zoen, operator: In, values: [a]}"));
        assertThat(run.err()).isEmpty();
        assertThat(run.out())
                .isEqualTo(
                        """
                        NodePool general works: it buys nodes, refuses no pod that waits, and lets nodes go
                          Types: label "topology.kubernetes.io/zoen" is known to nobody else; maybe "topology.kubernetes.io/zone"?
                        """);
    }

    @Test
    void theCommonestReasonToRefusePodsIsToldAndMended() {
        var pod =
                """
                ---
                apiVersion: v1
                kind: Pod
                metadata: {name: %s, namespace: shop}
                spec:
                  nodeSelector: {karpenter.sh/capacity-type: spot}
                  containers: [{name: main, resources: {requests: {cpu: 1}}}]
                status:
                  phase: Pending
                  conditions: [{type: PodScheduled, status: "False", reason: Unschedulable}]
                """;
        var run =
                explain(
                        pool(
                                        "weight: 1",
                                        "{key: karpenter.sh/capacity-type, operator: In, values: [on-demand]}")
                                + pod.formatted("web-1")
                                + pod.formatted("web-2"));
        assertThat(run.err()).isEmpty();
        assertThat(run.out())
                .isEqualTo(
                        """
                        NodePool general buys nodes, but refuses pods that wait
                          Pods: refuses 2 waiting pods, such as shop/web-1: incompatible requirements, label "karpenter.sh/capacity-type": wanted karpenter.sh/capacity-type In [spot], offered karpenter.sh/capacity-type In [on-demand]
                        The smallest change that mends it (planned again with it):
                          NodePool general: allow karpenter.sh/capacity-type=spot
                        """);
    }

    @Test
    void aPoolThatWorksNeedsNoChange() {
        var run = explain(pool("weight: 1", ""), "-o", "json");
        assertThat(run.exitCode()).isZero();
        assertThat(run.out()).contains("\"verdict\" : \"Works\"", "\"fix\" : null");
    }

    @Test
    void aNameThatIsNotThereIsAnErrorWithThoseThatAre() {
        var run =
                CommandRun.reading(
                        pool("weight: 1", "") + TYPES, "explain", "nodepool", "generl", "-f", "-");
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err()).contains("there is no NodePool generl; there are general");
    }
}
