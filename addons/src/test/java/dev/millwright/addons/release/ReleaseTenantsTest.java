package dev.millwright.addons.release;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.addons.object.AddonTypes;
import dev.millwright.addons.object.WorkloadCluster;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.cache.Kind;
import dev.millwright.kube.client.ApiWrite;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.grant.ReferenceGrants;
import dev.millwright.kube.grant.ReferencePolicy;
import dev.millwright.kube.object.RawObject;
import dev.millwright.testing.kit.addons.FakeHelm;
import dev.millwright.testing.kit.step.StepRig;

import org.junit.jupiter.api.Test;

import java.util.List;

/// Release proxies of one namespace that name what belongs to another.
final class ReleaseTenantsTest {

    private static final Kind<RawObject> CLUSTERS = WorkloadCluster.kind("v1beta2");
    private static final ObjectName PROXY = new ObjectName("team", "p");

    private final StepRig rig =
            StepRig.keeping(List.of(CLUSTERS, AddonTypes.CHART_PROXY, AddonTypes.RELEASE_PROXY));
    private final FakeHelm helm = new FakeHelm(rig.clock());
    private final ReleaseController controller =
            new ReleaseController(
                    CLUSTERS,
                    new ReleasePorts(helm, helm, helm, helm, new ReferenceGrants(rig.api())),
                    ReleaseSettings.of("process"));

    private void proxy(String clusterNamespace, String more) {
        rig.apply(
                """
                apiVersion: cluster.x-k8s.io/v1beta2
                kind: Cluster
                metadata: {name: c1, namespace: %s, uid: c}
                status: {initialization: {controlPlaneInitialized: true}}
                ---
                apiVersion: addons.cluster.x-k8s.io/v1alpha1
                kind: HelmReleaseProxy
                metadata:
                  name: p
                  namespace: team
                  uid: p1
                  generation: 1
                  finalizers: [helmreleaseproxy.addons.cluster.x-k8s.io]
                spec:
                  clusterRef: {kind: Cluster, name: c1, namespace: %s}
                  chartName: nginx
                  repoURL: https://charts.example.com
                  releaseName: nginx
                  version: 1.2.3
                  %s
                """
                        .formatted(clusterNamespace, clusterNamespace, more));
        rig.run(controller, PROXY);
    }

    private String message() {
        var condition =
                rig.find(AddonTypes.RELEASE_PROXY, PROXY).conditions().find("ClusterAvailable");
        return condition == null ? "" : condition.message();
    }

    private void grant() {
        rig.api()
                .put(
                        ReferenceGrants.TYPE,
                        Tree.of("metadata", Tree.of("name", "g").put("namespace", "other"))
                                .put(
                                        "spec",
                                        new Tree()
                                                .putList(
                                                        "from",
                                                        List.of(
                                                                Tree.of(
                                                                                "group",
                                                                                "addons.cluster.x-k8s.io")
                                                                        .put(
                                                                                "kind",
                                                                                "HelmReleaseProxy")
                                                                        .put("namespace", "team")
                                                                        .mapping()))
                                                .putList(
                                                        "to",
                                                        List.of(
                                                                Tree.of("group", "cluster.x-k8s.io")
                                                                        .put("kind", "Cluster")
                                                                        .mapping())))
                                .mapping());
    }

    @Test
    void nothingIsInstalledOnAClusterOfAnotherNamespace() {
        proxy("other", "");
        assertThat(helm.begun()).isEmpty();
        assertThat(message())
                .contains("spec.clusterRef names Cluster other/c1")
                .contains("ReferenceGrant in other");
    }

    @Test
    void aClusterThatItsNamespaceGrantsGetsTheRelease() {
        grant();
        proxy("other", "");
        assertThat(helm.begun()).hasSize(1);
    }

    @Test
    void nothingIsRemovedFromAClusterOfAnotherNamespace() {
        proxy("other", "");
        rig.api().write(new ApiWrite.Delete(AddonTypes.RELEASE_PROXY.type(), PROXY, null, null));
        rig.run(controller, PROXY);
        assertThat(helm.begun()).isEmpty();
        assertThat(rig.has(AddonTypes.RELEASE_PROXY, PROXY)).isFalse();
    }

    @Test
    void aProxyStaysWhileItIsUnknownWhetherItMayNameTheCluster() {
        proxy("other", "");
        rig.api().write(new ApiWrite.Delete(AddonTypes.RELEASE_PROXY.type(), PROXY, null, null));
        ReferencePolicy unread = (_, _) -> new ReferencePolicy.Refusal("no answer", false);
        rig.run(
                new ReleaseController(
                        CLUSTERS,
                        new ReleasePorts(helm, helm, helm, helm, unread),
                        ReleaseSettings.of("process")),
                PROXY);
        assertThat(rig.has(AddonTypes.RELEASE_PROXY, PROXY)).isTrue();
        assertThat(helm.begun()).isEmpty();
    }

    @Test
    void aLoginOfAnotherNamespaceIsNotUsed() {
        proxy("team", "credentials: {key: config.json, secret: {name: login, namespace: other}}");
        assertThat(helm.begun()).isEmpty();
        assertThat(message()).contains("spec.credentials.secret names Secret other/login");
    }

    @Test
    void anAuthorityOfAnotherNamespaceIsNotUsed() {
        proxy("team", "tlsConfig: {caSecret: {name: ca, namespace: other}}");
        assertThat(helm.begun()).isEmpty();
        assertThat(message()).contains("spec.tlsConfig.caSecret names Secret other/ca");
    }
}
