package dev.millwright.capi.machine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.capi.object.CaptTypes;
import dev.millwright.kube.client.ApiWrite.Subresource;

import org.junit.jupiter.api.Test;

/// A managed node group as the infrastructure of a MachinePool.
final class MachinePoolTest {

    private final Yard yard = new Yard();

    private void pool(String annotations) {
        yard.rig.apply(
                """
                apiVersion: cluster.x-k8s.io/v1beta2
                kind: Cluster
                metadata: {name: shop, namespace: shop}
                spec: {}
                status: {initialization: {infrastructureProvisioned: true}}
                ---
                apiVersion: cluster.x-k8s.io/v1beta2
                kind: MachinePool
                metadata: {name: pool, namespace: shop, uid: pool-uid, annotations: %s}
                spec:
                  clusterName: shop
                  replicas: 3
                  template:
                    spec:
                      clusterName: shop
                      bootstrap: {dataSecretName: none}
                      infrastructureRef: {kind: CaptMachinePool, name: pool}
                ---
                apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
                kind: CaptMachinePool
                metadata:
                  name: pool
                  namespace: shop
                  ownerReferences: [{apiVersion: cluster.x-k8s.io/v1beta2, kind: MachinePool, name: pool, uid: pool-uid}]
                spec:
                  workspaceTemplateRef: {name: eks-node-template}
                  instanceType: m7g.large
                  scaling: {minSize: 1, maxSize: 6, desiredSize: 2}
                """
                        .formatted(annotations));
        yard.settle();
    }

    private void instances(String ids) {
        yard.rig.apply(
                """
                apiVersion: tf.upbound.io/v1beta1
                kind: Workspace
                metadata: {name: pool-pool, annotations: {millwright.dev/apply: shop/pool-pool}}
                spec: {}
                status: {atProvider: {outputs: {provider_ids: %s, node_group_name: pool}}}
                """
                        .formatted(ids));
        yard.settle().applied();
    }

    private String variable(String name) {
        return yard.find(CaptTypes.APPLY, "pool-pool").spec().at("variables").at(name).text("-");
    }

    @Test
    void thePoolHasTheSizeOfItsMachinePool() {
        pool("{}");

        assertThat(variable("desired_size")).isEqualTo("3");
        assertThat(variable("min_size")).isEqualTo("1");
        assertThat(variable("max_size")).isEqualTo("6");
        assertThat(variable("node_group")).isEqualTo("pool");
        assertThat(variable("node_type")).isEqualTo("ManagedNodeGroup");
        assertThat(variable("taints")).isEqualTo("[]");
    }

    @Test
    void everyInstanceIsListedAndTheListFollows() {
        pool("{}");
        instances("['aws:///b/i-2', 'aws:///a/i-1']");

        var pool = yard.find(CaptTypes.MACHINE_POOL, "pool");
        assertThat(pool.spec().at("providerIDList").textList())
                .containsExactly("aws:///a/i-1", "aws:///b/i-2");
        assertThat(pool.spec().at("providerID").text()).isEqualTo("pool");
        assertThat(pool.status().at("ready").isTrue()).isTrue();
        assertThat(pool.status().at("initialization").at("provisioned").isTrue()).isTrue();
        assertThat(pool.status().at("replicas").whole(0, 9, -1)).isEqualTo(2);

        yard.patch(
                CaptTypes.WORKSPACE,
                "pool-pool",
                "status: {atProvider: {outputs: {provider_ids: ['aws:///a/i-3']}}}",
                Subresource.STATUS);
        yard.settle();
        assertThat(yard.find(CaptTypes.MACHINE_POOL, "pool").spec().at("providerIDList").textList())
                .containsExactly("aws:///a/i-3");
    }

    @Test
    void aSizeThatOthersManageIsWrittenBackAndNotEnforced() {
        pool("{cluster.x-k8s.io/replicas-managed-by: autoscaler}");
        assertThat(variable("desired_size")).isEqualTo("2");

        instances("['aws:///a/i-1', 'aws:///a/i-2', 'aws:///a/i-3', 'aws:///a/i-4']");

        assertThat(yard.find(Yard.API.machinePool(), "pool").spec().at("replicas").whole(0, 9, -1))
                .isEqualTo(4);
        assertThat(variable("desired_size")).isEqualTo("4");
    }

    @Test
    void aPoolGoesWithItsApply() {
        pool("{}");
        yard.delete(CaptTypes.MACHINE_POOL, "pool");
        yard.settle();

        assertThat(yard.has(CaptTypes.MACHINE_POOL, "pool")).isFalse();
        assertThat(yard.all(CaptTypes.APPLY)).isEmpty();
    }
}
