package dev.millwright.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ExplainPodCommandTest {

    /// A pool with a taint and two zones; one pod too large for its machine, one with two slips.
    private static final String CLUSTER =
            """
            apiVersion: karpenter.sh/v1
            kind: NodePool
            metadata: {name: general}
            spec:
              template:
                spec:
                  taints: [{key: dedicated, value: shop, effect: NoSchedule}]
                  nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: default}
                  requirements:
                  - {key: topology.kubernetes.io/zone, operator: In, values: [us-east-1a, us-east-1b]}
            ---
            apiVersion: v1
            kind: Pod
            metadata: {name: slips, namespace: shop}
            spec:
              nodeSelector: {zone: us-east-1a}
              containers: [{name: main, resources: {requests: {cpu: 2}}}]
            status: {phase: Pending, conditions: [{type: PodScheduled, status: "False", reason: Unschedulable}]}
            ---
            apiVersion: v1
            kind: Pod
            metadata: {name: large, namespace: shop}
            spec:
              tolerations: [{key: dedicated, operator: Exists}]
              containers: [{name: main, resources: {requests: {cpu: 64}}}]
            status: {phase: Pending, conditions: [{type: PodScheduled, status: "False", reason: Unschedulable}]}
            ---
            apiVersion: v1
            kind: Pod
            metadata: {name: fine, namespace: shop}
            spec:
              tolerations: [{key: dedicated, operator: Exists}]
              containers: [{name: main, resources: {requests: {cpu: 1}}}]
            status: {phase: Pending, conditions: [{type: PodScheduled, status: "False", reason: Unschedulable}]}
            ---
            instanceTypes:
            - {name: small, arch: amd64, os: [linux],
               capacity: {cpuMilli: 4000, memoryBytes: 4294967296, pods: 10},
               offerings: [{zone: us-east-1a, capacityType: on-demand, price: 0.25}]}
            """;

    private static CommandRun explain(String... arguments) {
        var all = new String[arguments.length + 5];
        all[0] = "explain";
        all[1] = "pod";
        all[2] = "-q";
        all[3] = "-f";
        all[4] = "-";
        System.arraycopy(arguments, 0, all, 5, arguments.length);
        return CommandRun.reading(CLUSTER, all);
    }

    @Test
    void twoSlipsAreMendedTogether() {
        var run = explain("slips", "-n", "shop");
        assertThat(run.exitCode()).isZero();
        assertThat(run.out())
                .isEqualTo(
                        """
                        Pod shop/slips waits: no node has room for it and none can be launched
                          NodePool general: does not tolerate taint dedicated=shop:NoSchedule
                          NodePool general: incompatible requirements, label "zone" does not have known values (typo of "topology.kubernetes.io/zone"?)
                        The smallest changes that together give it a place (planned again with them):
                          Pod shop/slips: ask for label topology.kubernetes.io/zone instead of zone, and
                          Pod shop/slips: tolerate taint dedicated=shop:NoSchedule; costs nothing more
                        """);
    }

    @Test
    void theSecondPatchOfAListHoldsWhatTheFirstChanged() {
        var elsewhere =
                CLUSTER.replace(
                        "values: [us-east-1a, us-east-1b]}",
                        "values: [us-east-1b]}\n      - {key: kubernetes.io/arch, operator: In, values: [arm64]}");
        var run =
                CommandRun.reading(
                        elsewhere, "explain", "pod", "-q", "-f", "-", "shop/fine", "-o", "json");

        var second = run.out().substring(run.out().indexOf("\"and\""));
        assertThat(run.out()).contains("require nothing of label kubernetes.io/arch");
        assertThat(second)
                .contains("allow topology.kubernetes.io/zone=us-east-1a instead of us-east-1b")
                .contains("\"values\" : [ \"us-east-1a\" ]")
                .doesNotContain("arm64");
    }

    @Test
    void theJsonKeysAreThoseOfTheContract() {
        assertThat(explain("shop/large", "-o", "json").out())
                .isEqualTo(
                        """
                        {
                          "kind" : "Pod",
                          "name" : "shop/large",
                          "verdict" : "Waits",
                          "message" : "waits: no node has room for it and none can be launched",
                          "reasons" : [ {
                            "reason" : "NoInstanceType",
                            "object" : "NodePool general",
                            "message" : "no instance type had enough resources, requirements: karpenter.k8s.aws/ec2nodeclass In [default], karpenter.sh/initialized In [true], karpenter.sh/nodepool In [general], karpenter.sh/registered In [true], topology.kubernetes.io/zone In [us-east-1a us-east-1b], requested: cpu 64, pods 1, the nearest type lacks: cpu 60"
                          } ],
                          "fix" : {
                            "object" : "Pod shop/large",
                            "change" : "ask for at most 4 of cpu",
                            "patch" : {
                              "spec" : {
                                "resources" : {
                                  "requests" : {
                                    "cpu" : "4"
                                  }
                                }
                              }
                            },
                            "verified" : true,
                            "costPerMonth" : 182.50
                          },
                          "alternatives" : [ ],
                          "packing" : "cheapest"
                        }
                        """);
    }

    @Test
    void aPodThatGetsANodeNeedsNoChange() {
        assertThat(explain("fine", "-n", "shop").out())
                .isEqualTo(
                        "Pod shop/fine gets a new node of NodePool general: small in us-east-1a\npacking: cheapest\n");
    }

    @Test
    void theNodeIsTheOneThatThisPackingBuys() {
        assertThat(explain("fine", "-n", "shop", "--packing", "first-fit").out())
                .endsWith("packing: first-fit\n");
    }

    @Test
    void aNameThatIsNotThereIsAnErrorWithThoseThatBeginLikeIt() {
        var run = CommandRun.reading(CLUSTER, "explain", "pod", "slip", "-n", "shop", "-f", "-");
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).contains("there is no pod shop/slip; maybe shop/slips");
    }

    @Test
    void aKindThatIsMissingIsWrongUsage() {
        var run = CommandRun.of("explain");
        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains("a kind is missing; wanted one of pod, node, nodeclaim");
    }
}
