package dev.millwright.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class MigratePlanTest {

    private static String karpenter(String image, String stored) {
        return """
        apiVersion: apps/v1
        kind: Deployment
        metadata: {name: karpenter, namespace: karpenter}
        spec: {template: {spec: {containers: [{name: controller, image: "%s"}]}}}
        ---
        apiVersion: apiextensions.k8s.io/v1
        kind: CustomResourceDefinition
        metadata: {name: nodepools.karpenter.sh}
        status: {storedVersions: [%s]}
        """
                .formatted(image, stored);
    }

    private static final String ALPHA =
            karpenter("public.ecr.aws/karpenter/controller:v0.27.3@sha256:0", "")
                    + """
                    ---
                    apiVersion: apiextensions.k8s.io/v1
                    kind: CustomResourceDefinition
                    metadata: {name: provisioners.karpenter.sh}
                    status: {storedVersions: [v1alpha5]}
                    ---
                    apiVersion: karpenter.sh/v1alpha5
                    kind: Provisioner
                    metadata: {name: default}
                    ---
                    apiVersion: admissionregistration.k8s.io/v1
                    kind: ValidatingWebhookConfiguration
                    metadata: {name: validation.webhook.karpenter.sh}
                    ---
                    apiVersion: v1
                    kind: Node
                    metadata: {name: n, labels: {karpenter.sh/provisioner-name: default}}
                    """;

    private static final String AUTOSCALER =
            """
            apiVersion: apps/v1
            kind: Deployment
            metadata: {name: cluster-autoscaler, namespace: kube-system}
            spec:
              template:
                spec:
                  containers:
                  - name: ca
                    image: registry.k8s.io/autoscaling/cluster-autoscaler:v1.30.0
                    command:
                    - ./cluster-autoscaler
                    - --expander=least-waste
                    - --scale-down-unneeded-time=5m
                    - --nodes=1:10:asg-web
                    - --balance-similar-node-groups
            ---
            apiVersion: v1
            kind: Node
            metadata:
              name: n1
              labels:
                eks.amazonaws.com/nodegroup: web
                eks.amazonaws.com/capacityType: SPOT
                node.kubernetes.io/instance-type: m5.large
                topology.kubernetes.io/zone: eu-west-1a
                kubernetes.io/arch: amd64
                kubernetes.io/os: linux
                tier: web
            spec: {taints: [{key: tier, value: web, effect: NoSchedule}, {key: node.kubernetes.io/unschedulable, effect: NoSchedule}]}
            ---
            apiVersion: v1
            kind: Node
            metadata:
              name: n2
              labels:
                eks.amazonaws.com/nodegroup: web
                node.kubernetes.io/instance-type: m5a.large
                topology.kubernetes.io/zone: eu-west-1b
                kubernetes.io/arch: amd64
                kubernetes.io/os: linux
                tier: web
            ---
            apiVersion: v1
            kind: Pod
            metadata: {name: p, namespace: d, annotations: {cluster-autoscaler.kubernetes.io/safe-to-evict: "false"}}
            """;

    private static CommandRun plan(String from, String input, String... more) {
        var arguments = new String[5 + more.length];
        System.arraycopy(new String[] {"migrate", "--from", from, "-f", "-"}, 0, arguments, 0, 5);
        System.arraycopy(more, 0, arguments, 5, more.length);
        return CommandRun.reading(input, arguments);
    }

    @Test
    void anOldKarpenterIsAdoptedNodeByNode() {
        var run = plan("karpenter", ALPHA);

        assertThat(run.exitCode()).isZero();
        assertThat(run.out())
                .contains(
                        "- karpenter: karpenter/karpenter, public.ecr.aws/karpenter/controller:v0.27.3")
                .contains(
                        "! webhooks: validatingwebhookconfiguration/validation.webhook.karpenter.sh")
                .contains("- nodes: 1 with the label karpenter.sh/provisioner-name")
                .contains("kubectl -n karpenter scale deployment karpenter --replicas=0")
                .contains("millwright migrate --apply", "millwright migrate --undo")
                .contains("since 0.28:", "since 1.12:");
    }

    @Test
    void v1beta1GoesThroughTheWebhook() {
        var run =
                plan(
                        "karpenter",
                        karpenter("public.ecr.aws/karpenter/controller:0.37.0", "v1beta1"));

        assertThat(run.out())
                .contains("! nodepools.karpenter.sh: stored as v1beta1")
                .contains("--set webhook.enabled=true")
                .contains("since 1.0:")
                .doesNotContain("since 0.36:", "migrate --apply");
    }

    @Test
    void v1NeedsOnlyAnotherController() {
        var run = plan("karpenter", karpenter("public.ecr.aws/karpenter/controller:1.14.1", "v1"));

        assertThat(run.out())
                .contains("millwright freeze", "millwright unfreeze")
                .contains("helm -n karpenter rollback karpenter")
                .doesNotContain("webhook.enabled", "since ");
    }

    @Test
    void everyStepOfJsonHasItsNumberCommandsAndWayBack() {
        var run = plan("karpenter", ALPHA, "-o", "json");

        assertThat(run.err()).isEmpty();
        assertThat(run.out())
                .contains("\"from\" : \"karpenter\"")
                .contains("\"checks\" : [")
                .contains("\"number\" : 1", "\"commands\" : [", "\"rollback\" : [");
    }

    @Test
    void groupsOfTheClusterAutoscalerBecomeDraftsOfPools() {
        var run = plan("cluster-autoscaler", AUTOSCALER);

        assertThat(run.exitCode()).isZero();
        assertThat(run.out())
                .contains("- --nodes: 1:10:asg-web")
                .contains("- node group web: 2 nodes, m5.large m5a.large, eu-west-1a eu-west-1b")
                .contains("! pods not safe to evict: 1 have")
                .contains("kubectl drain -l eks.amazonaws.com/nodegroup=web")
                .contains("--scaling-config minSize=2,desiredSize=2")
                .contains("--expander=least-waste: the cheapest machine that fits is taken")
                .contains("name: web\n", "consolidateAfter: 5m", "- spot\n", "tier: web")
                .doesNotContain("unschedulable");
    }

    @Test
    void whatIsNotThereIsTold() {
        assertThat(plan("cluster-autoscaler", "{kind: Service, apiVersion: v1}").out())
                .contains("! cluster-autoscaler: no Deployment of it was found");
        assertThat(plan("karpenter", "{kind: Service, apiVersion: v1}").out())
                .contains("! karpenter: no Deployment of Karpenter was found");
        assertThat(plan("kops", "{}").exitCode()).isEqualTo(2);
    }
}
