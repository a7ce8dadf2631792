package dev.millwright.capi.machine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.capi.object.CaptTypes;
import dev.millwright.kube.client.ApiWrite.Subresource;

import org.junit.jupiter.api.Test;

/// A machine by itself, or for a Machine of core Cluster API.
final class MachineTest {

    private static final String SINGLE =
            """
            apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
            kind: CaptMachine
            metadata: {name: one, namespace: shop}
            spec:
              workspaceTemplateRef: {name: eks-node-template}
              nodeGroupRef: {name: workers, namespace: shop}
              instanceType: m7g.large
              labels: {role: worker, tier: "a\\"b"}
              tags: {team: shop}
            """;

    private static final String CORE =
            """
            apiVersion: cluster.x-k8s.io/v1beta2
            kind: Cluster
            metadata: {name: shop, namespace: shop}
            spec: {infrastructureRef: {kind: CAPTCluster, name: shop, apiGroup: infrastructure.cluster.x-k8s.io}}
            ---
            apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
            kind: CAPTCluster
            metadata: {name: shop, namespace: shop}
            spec: {region: eu-west-1}
            ---
            apiVersion: cluster.x-k8s.io/v1beta2
            kind: Machine
            metadata: {name: m, namespace: shop, uid: machine-uid}
            spec:
              clusterName: shop
              failureDomain: eu-west-1b
              bootstrap: {}
              infrastructureRef: {kind: CaptMachine, name: cloned, apiGroup: infrastructure.cluster.x-k8s.io}
            ---
            apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
            kind: CaptMachine
            metadata:
              name: cloned
              namespace: shop
              annotations: {cluster.x-k8s.io/cloned-from-name: workers}
            spec:
              workspaceTemplateRef: {name: eks-node-template}
              nodeType: ManagedNodeGroup
              instanceType: m7g.large
              taints: [{key: dedicated, value: shop, effect: NoSchedule}]
              additionalTags: {team: shop}
            """;

    private static final String OWNED =
            "metadata: {ownerReferences: [{apiVersion: cluster.x-k8s.io/v1beta2, kind: Machine,"
                    + " name: m, uid: machine-uid, controller: true}]}";

    private final Yard yard = new Yard();

    private String variable(String apply, String name) {
        return yard.find(CaptTypes.APPLY, apply).spec().at("variables").at(name).text("-");
    }

    private void workspace(String name, String outputs) {
        yard.rig.apply(
                """
                apiVersion: tf.upbound.io/v1beta1
                kind: Workspace
                metadata: {name: %1$s, annotations: {millwright.dev/apply: shop/%1$s}}
                spec: {}
                status: {atProvider: {outputs: %2$s}}
                """
                        .formatted(name, outputs));
    }

    @Test
    void aMachineByItselfIsMadeByAnApplyWithItsFieldsAsJson() {
        yard.rig.apply(SINGLE);
        yard.settle();

        var apply = yard.find(CaptTypes.APPLY, "one-machine");
        assertThat(apply.spec().at("templateRef").at("namespace").text()).isEqualTo("shop");
        assertThat(variable("one-machine", "instance_type")).isEqualTo("m7g.large");
        assertThat(variable("one-machine", "node_group")).isEqualTo("workers");
        assertThat(variable("one-machine", "labels"))
                .isEqualTo("{\"role\":\"worker\",\"tier\":\"a\\\"b\"}");
        assertThat(variable("one-machine", "tags")).isEqualTo("{\"team\":\"shop\"}");
        assertThat(variable("one-machine", "machine_name")).isEqualTo("one");
        assertThat(apply.spec().at("variables").entries()).hasSize(5);
        assertThat(apply.meta().owners().getFirst().kind()).isEqualTo("CaptMachine");
        assertThat(yard.find(CaptTypes.MACHINE, "one").meta().finalizers())
                .containsExactly("captmachine.infrastructure.cluster.x-k8s.io");
        assertThat(yard.reason(CaptTypes.MACHINE, "one", "Ready")).isEqualTo("False Applying");
    }

    @Test
    void aMachineIsReadyWithItsApplyAndShowsWhatTerraformTold() {
        yard.rig.apply(SINGLE);
        workspace(
                "one-machine",
                "{instance_id: i-0abc, private_ip: 10.0.0.7, availability_zone: eu-west-1a}");
        yard.settle().applied();

        var machine = yard.find(CaptTypes.MACHINE, "one");
        assertThat(machine.status().at("ready").isTrue()).isTrue();
        assertThat(machine.status().at("initialization").at("provisioned").isTrue()).isTrue();
        assertThat(machine.status().at("instanceId").text()).isEqualTo("i-0abc");
        assertThat(machine.status().at("privateIp").text()).isEqualTo("10.0.0.7");
        assertThat(machine.status().at("failureDomain").text()).isEqualTo("eu-west-1a");
        assertThat(machine.status().at("addresses").elements().getFirst().at("type").text())
                .isEqualTo("InternalIP");
        assertThat(machine.spec().at("providerID").text()).isEqualTo("aws:///eu-west-1a/i-0abc");
    }

    @Test
    void aMachineThatWasProvisionedStaysSoWhenItsApplyIsNoLongerReady() {
        yard.rig.apply(SINGLE);
        yard.settle().applied();
        yard.status(
                CaptTypes.APPLY,
                "one-machine",
                "{conditions: [{type: Ready, status: 'False', reason: Unavailable, message:"
                        + " gone}]}");
        yard.settle();

        var machine = yard.find(CaptTypes.MACHINE, "one");
        assertThat(machine.status().at("ready").isTrue()).isFalse();
        assertThat(machine.status().at("initialization").at("provisioned").isTrue()).isTrue();
        assertThat(yard.reason(CaptTypes.MACHINE, "one", "Ready")).isEqualTo("False ApplyFailed");
    }

    @Test
    void anInstanceThatTerraformReplacedIsNotTheMachineAnyMore() {
        yard.rig.apply(SINGLE);
        workspace("one-machine", "{provider_id: 'aws:///a/i-1'}");
        yard.settle().applied();
        yard.patch(
                CaptTypes.WORKSPACE,
                "one-machine",
                "status: {atProvider: {outputs: {provider_id: 'aws:///a/i-2'}}}",
                Subresource.STATUS);
        yard.settle();

        assertThat(yard.reason(CaptTypes.MACHINE, "one", "Ready"))
                .isEqualTo("False InstanceReplaced");
        assertThat(yard.find(CaptTypes.MACHINE, "one").spec().at("providerID").text())
                .isEqualTo("aws:///a/i-1");
    }

    @Test
    void anApplyThatSomethingElseOwnsIsLeftAlone() {
        yard.rig.apply(
                """
                apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
                kind: WorkspaceTemplateApply
                metadata: {name: one-machine, namespace: shop}
                spec: {templateRef: {name: mine}}
                """);
        yard.rig.apply(SINGLE);
        yard.settle();

        assertThat(yard.find(CaptTypes.APPLY, "one-machine").spec().at("variables").isPresent())
                .isFalse();
        assertThat(yard.reason(CaptTypes.MACHINE, "one", "Ready")).isEqualTo("False ApplyNotOurs");
    }

    @Test
    void aMachineGoesOnlyAfterItsApply() {
        yard.rig.apply(SINGLE);
        yard.settle();
        yard.patch(
                CaptTypes.APPLY,
                "one-machine",
                "metadata: {finalizers: [infrastructure.cluster.x-k8s.io/finalizer]}",
                Subresource.NONE);
        yard.delete(CaptTypes.MACHINE, "one");
        yard.settle();

        assertThat(yard.has(CaptTypes.MACHINE, "one")).isTrue();
        assertThat(yard.find(CaptTypes.APPLY, "one-machine").meta().isDeleting()).isTrue();
        assertThat(yard.reason(CaptTypes.MACHINE, "one", "Ready")).isEqualTo("False Deleting");

        yard.patch(
                CaptTypes.APPLY, "one-machine", "metadata: {finalizers: null}", Subresource.NONE);
        yard.settle();

        assertThat(yard.has(CaptTypes.MACHINE, "one")).isFalse();
    }

    @Test
    void aPausedMachineIsLeftAloneEvenWhenItIsDeleted() {
        yard.rig.apply(SINGLE);
        yard.settle();
        yard.patch(
                CaptTypes.MACHINE,
                "one",
                "metadata: {annotations: {cluster.x-k8s.io/paused: ''}}",
                Subresource.NONE);
        yard.delete(CaptTypes.MACHINE, "one");
        yard.settle();

        assertThat(yard.has(CaptTypes.APPLY, "one-machine")).isTrue();
        assertThat(yard.reason(CaptTypes.MACHINE, "one", "Paused")).isEqualTo("True Paused");
    }

    @Test
    void aCloneWaitsForItsMachineItsClustersInfrastructureAndItsBootstrapData() {
        yard.rig.apply(CORE);
        yard.settle();
        assertThat(yard.find(CaptTypes.MACHINE, "cloned").meta().finalizers()).isEmpty();

        owned();
        yard.settle();
        assertThat(yard.reason(CaptTypes.MACHINE, "cloned", "Ready"))
                .isEqualTo("False WaitingForClusterInfrastructure");

        yard.status(
                Yard.API.cluster(), "shop", "{initialization: {infrastructureProvisioned: true}}");
        yard.settle();
        assertThat(yard.reason(CaptTypes.MACHINE, "cloned", "Ready"))
                .isEqualTo("False WaitingForBootstrapData");
        assertThat(yard.all(CaptTypes.APPLY)).isEmpty();

        yard.spec(Yard.API.machine(), "m", "{bootstrap: {dataSecretName: m-boot}}").settle();
        assertThat(variable("cloned-machine", "failure_domain")).isEqualTo("eu-west-1b");
        assertThat(variable("cloned-machine", "bootstrap_data_secret_name")).isEqualTo("m-boot");
        assertThat(variable("cloned-machine", "cluster_name")).isEqualTo("shop");
        assertThat(variable("cloned-machine", "region")).isEqualTo("eu-west-1");
        assertThat(variable("cloned-machine", "node_group")).isEqualTo("cloned");
        assertThat(variable("cloned-machine", "node_type")).isEqualTo("ManagedNodeGroup");
        assertThat(variable("cloned-machine", "tags")).isEqualTo("{\"team\":\"shop\"}");
        assertThat(variable("cloned-machine", "taints"))
                .isEqualTo(
                        "[{\"effect\":\"NoSchedule\",\"key\":\"dedicated\",\"value\":\"shop\"}]");
    }

    @Test
    void aCloneIsNotReadyBeforeItsProviderIdIsKnown() {
        yard.rig.apply(CORE);
        owned();
        // A v1beta1 core says it by the older field.
        yard.status(Yard.API.cluster(), "shop", "{infrastructureReady: true}");
        yard.spec(Yard.API.machine(), "m", "{bootstrap: {dataSecretName: m-boot}}");
        yard.settle().applied();
        assertThat(yard.reason(CaptTypes.MACHINE, "cloned", "Ready"))
                .isEqualTo("False WaitingForProviderID");

        workspace("cloned-machine", "{provider_id: 'aws:///eu-west-1b/i-0def'}");
        yard.settle();

        var machine = yard.find(CaptTypes.MACHINE, "cloned");
        assertThat(machine.status().at("ready").isTrue()).isTrue();
        assertThat(machine.status().at("instanceId").text()).isEqualTo("i-0def");
        assertThat(machine.spec().at("providerID").text()).isEqualTo("aws:///eu-west-1b/i-0def");
    }

    @Test
    void noWaitHoldsUpTheDeletionOfAClone() {
        yard.rig.apply(CORE);
        owned();
        yard.settle();
        yard.delete(CaptTypes.MACHINE, "cloned");
        yard.settle();

        assertThat(yard.has(CaptTypes.MACHINE, "cloned")).isFalse();
    }

    private void owned() {
        yard.patch(CaptTypes.MACHINE, "cloned", OWNED, Subresource.NONE);
    }
}
