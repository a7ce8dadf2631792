package dev.millwright.capi.tree;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.capi.tree.Standing.State;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.document.DocumentReader;
import dev.millwright.kube.document.Source;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

final class ClusterTreeTest {

    private static TreeNode tree(String yaml) {
        var estate = new Estate(DocumentReader.readAll(Source.text("objects", yaml)));
        var cluster = ClusterTree.find(estate, new ObjectName("a", "shop"));
        return ClusterTree.of(cluster, estate, StateReading.Keeper.NOBODY);
    }

    private static List<String> titles(TreeNode tree) {
        var titles = new ArrayList<String>();
        titles.add(tree.title());
        tree.children().forEach(child -> titles.addAll(titles(child)));
        return titles;
    }

    private static final String CLUSTER =
            """
            apiVersion: cluster.x-k8s.io/v1beta1
            kind: Cluster
            metadata: {name: shop, namespace: a}
            spec:
              infrastructureRef: {apiVersion: infrastructure.cluster.x-k8s.io/v1beta1, kind: CAPTCluster, name: other, namespace: b}
            """;

    @Test
    void aReferenceToNothingIsNamedWithWhoNamesIt() {
        var child = tree(CLUSTER).children().getFirst();
        assertThat(child.title()).isEqualTo("CAPTCluster/other");
        assertThat(child.namespace()).isEqualTo("b");
        assertThat(child.standing().state()).isEqualTo(State.MISSING);
        assertThat(child.standing().message())
                .isEqualTo("Cluster/shop names it by spec.infrastructureRef");
    }

    @Test
    void aReferenceOfTheOlderVersionFindsAnotherNamespace() {
        var tree =
                tree(
                        CLUSTER
                                + """
                                ---
                                apiVersion: infrastructure.cluster.x-k8s.io/v1beta2
                                kind: CAPTCluster
                                metadata: {name: other, namespace: b}
                                """);
        assertThat(tree.children().getFirst().standing().state()).isEqualTo(State.PRESENT);
        assertThat(tree.children().getFirst().role()).isEqualTo("infrastructure");
    }

    @Test
    void machinesStandBelowTheirOwnersAndOnce() {
        var tree =
                tree(
                        """
                        apiVersion: v1
                        kind: List
                        items:
                        - apiVersion: cluster.x-k8s.io/v1beta2
                          kind: Cluster
                          metadata: {name: shop, namespace: a}
                        - apiVersion: cluster.x-k8s.io/v1beta2
                          kind: MachineDeployment
                          metadata: {name: md, namespace: a}
                          spec: {clusterName: shop}
                        - apiVersion: cluster.x-k8s.io/v1beta2
                          kind: MachineSet
                          metadata:
                            name: ms
                            namespace: a
                            ownerReferences: [{apiVersion: cluster.x-k8s.io/v1beta2, kind: MachineDeployment, name: md, uid: u}]
                          spec: {clusterName: shop}
                        - apiVersion: cluster.x-k8s.io/v1beta2
                          kind: Machine
                          metadata:
                            name: m
                            namespace: a
                            ownerReferences: [{apiVersion: cluster.x-k8s.io/v1beta2, kind: MachineSet, name: ms, uid: u}]
                          spec:
                            clusterName: shop
                            infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: CaptMachine, name: m}
                        - apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
                          kind: CaptMachine
                          metadata:
                            name: m
                            namespace: a
                            labels: {cluster.x-k8s.io/cluster-name: shop}
                            ownerReferences: [{apiVersion: cluster.x-k8s.io/v1beta2, kind: Machine, name: m, uid: u}]
                        - apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
                          kind: CaptMachine
                          metadata: {name: alone, namespace: a, labels: {cluster.x-k8s.io/cluster-name: shop}}
                        - apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
                          kind: CaptMachine
                          metadata: {name: foreign, namespace: a, labels: {cluster.x-k8s.io/cluster-name: shed}}
                        """);
        assertThat(titles(tree))
                .containsExactly(
                        "Cluster/shop",
                        "MachineDeployment/md",
                        "MachineSet/ms",
                        "Machine/m",
                        "CaptMachine/m",
                        "CaptMachine/alone");
    }

    /// The tree of document 002; the second machine has not been given its owner yet.
    @Test
    void machinesStandBelowTheControlPlaneAndTemplatesOnce() {
        var tree =
                tree(
                        """
                        apiVersion: v1
                        kind: List
                        items:
                        - apiVersion: cluster.x-k8s.io/v1beta2
                          kind: Cluster
                          metadata: {name: shop, namespace: a}
                          spec:
                            infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: CAPTCluster, name: shop}
                            controlPlaneRef: {apiGroup: controlplane.cluster.x-k8s.io, kind: CAPTControlPlane, name: shop}
                        - apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
                          kind: CAPTCluster
                          metadata: {name: shop, namespace: a}
                          spec: {vpcTemplateRef: {name: vpc}}
                        - apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
                          kind: WorkspaceTemplate
                          metadata: {name: vpc, namespace: a}
                        - apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
                          kind: WorkspaceTemplate
                          metadata: {name: nodes, namespace: a}
                        - apiVersion: controlplane.cluster.x-k8s.io/v1beta1
                          kind: CAPTControlPlane
                          metadata: {name: shop, namespace: a}
                          spec: {workspaceTemplateRef: {name: eks}}
                        - apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
                          kind: CaptMachineDeployment
                          metadata:
                            name: workers
                            namespace: a
                            labels: {cluster.x-k8s.io/cluster-name: shop}
                            ownerReferences: [{apiVersion: controlplane.cluster.x-k8s.io/v1beta1, kind: CAPTControlPlane, name: shop, uid: u}]
                          spec: {template: {spec: {workspaceTemplateRef: {name: nodes}}}}
                        - apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
                          kind: CaptMachineSet
                          metadata:
                            name: workers-1
                            namespace: a
                            labels: {cluster.x-k8s.io/cluster-name: shop}
                            ownerReferences: [{apiVersion: infrastructure.cluster.x-k8s.io/v1beta1, kind: CaptMachineDeployment, name: workers, uid: u}]
                          spec: {template: {spec: {workspaceTemplateRef: {name: nodes}}}}
                        - apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
                          kind: CaptMachine
                          metadata:
                            name: workers-1-a
                            namespace: a
                            labels: {cluster.x-k8s.io/cluster-name: shop}
                            ownerReferences: [{apiVersion: infrastructure.cluster.x-k8s.io/v1beta1, kind: CaptMachineSet, name: workers-1, uid: u}]
                          spec: {workspaceTemplateRef: {name: nodes}}
                        - apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
                          kind: CaptMachine
                          metadata: {name: new, namespace: a, labels: {cluster.x-k8s.io/cluster-name: shop}}
                          spec: {workspaceTemplateRef: {name: nodes}}
                        """);
        assertThat(titles(tree))
                .containsExactly(
                        "Cluster/shop",
                        "CAPTCluster/shop",
                        "WorkspaceTemplate/vpc",
                        "CAPTControlPlane/shop",
                        "WorkspaceTemplate/eks",
                        "CaptMachineDeployment/workers",
                        "WorkspaceTemplate/nodes",
                        "CaptMachineSet/workers-1",
                        "CaptMachine/workers-1-a",
                        "CaptMachine/new",
                        "WorkspaceTemplate/nodes");
        var templates = tree.children().stream().map(each -> each.children().getFirst()).toList();
        assertThat(templates.getFirst().standing().state()).isEqualTo(State.PRESENT);
        assertThat(templates.getLast().standing().state()).isEqualTo(State.MISSING);
    }

    @Test
    void aStateThatCannotBeReadIsSaid() {
        var estate =
                new Estate(
                        DocumentReader.readAll(
                                Source.text(
                                        "objects",
                                        """
                                        apiVersion: cluster.x-k8s.io/v1beta2
                                        kind: Cluster
                                        metadata: {name: shop, namespace: a}
                                        spec: {infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: CAPTCluster, name: shop}}
                                        ---
                                        apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
                                        kind: CAPTCluster
                                        metadata: {name: shop, namespace: a}
                                        spec: {workspaceTemplateApplyName: own-apply}
                                        ---
                                        apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
                                        kind: WorkspaceTemplateApply
                                        metadata: {name: own-apply, namespace: a}
                                        ---
                                        apiVersion: tf.upbound.io/v1beta1
                                        kind: Workspace
                                        metadata: {name: own}
                                        """)));
        var tree =
                ClusterTree.of(
                        ClusterTree.find(estate, new ObjectName("a", "shop")),
                        estate,
                        _ -> new StateReading.Unreadable("forbidden"));
        assertThat(titles(tree))
                .containsExactly(
                        "Cluster/shop",
                        "CAPTCluster/shop",
                        "WorkspaceTemplateApply/own-apply",
                        "Workspace/own",
                        "state not readable");
    }

    @Test
    void aBrokenStateIsNotReadable() {
        assertThat(
                        StateReading.of(
                                StandingTest.object(
                                        "{metadata: {name: s, namespace: n}, data: {tfstate:"
                                                + " aGVsbG8=}}")))
                .isEqualTo(new StateReading.Unreadable("Secret n/s holds no state"));
        assertThat(StateReading.of(StandingTest.object("{metadata: {name: s, namespace: n}}")))
                .isEqualTo(new StateReading.Unreadable("Secret n/s has no key tfstate"));
    }

    @Test
    void theNearestNameIsSuggestedIfItIsNear() {
        assertThat(Nearest.of("shpo", List.of("shop", "production"))).isEqualTo("shop");
        assertThat(Nearest.of("test", List.of("shop", "production"))).isNull();
    }
}
