package dev.millwright.addons.release;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.addons.object.AddonTypes;
import dev.millwright.addons.object.ReleaseProxy;
import dev.millwright.addons.object.WorkloadCluster;
import dev.millwright.addons.port.HelmRuns.Contents;
import dev.millwright.addons.port.HelmRuns.Run;
import dev.millwright.addons.port.Marks;
import dev.millwright.addons.port.ReleaseId;
import dev.millwright.addons.port.Trouble;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.cache.Kind;
import dev.millwright.kube.grant.ReferencePolicy;
import dev.millwright.kube.object.RawObject;
import dev.millwright.runtime.step.Step.Ending;
import dev.millwright.testing.kit.addons.FakeHelm;
import dev.millwright.testing.kit.step.StepRig;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.Map;

final class ReleaseControllerTest {

    private static final Kind<RawObject> CLUSTERS = WorkloadCluster.kind("v1beta2");
    private static final ObjectName PROXY = new ObjectName("org", "nginx-c1-x");
    private static final ObjectName CLUSTER = new ObjectName("org", "c1");
    private static final ReleaseId WEB = new ReleaseId("web", "nginx");

    private static final String READY_CLUSTER =
            """
            apiVersion: cluster.x-k8s.io/v1beta2
            kind: Cluster
            metadata: {name: c1, namespace: org, uid: c1}
            status: {initialization: {controlPlaneInitialized: true}}
            """;

    private static final String CHART =
            """
            apiVersion: addons.cluster.x-k8s.io/v1alpha1
            kind: HelmChartProxy
            metadata: {name: %s, namespace: org, uid: %s}
            spec: {dependsOn: [%s]}
            """;

    private final StepRig rig =
            StepRig.keeping(List.of(CLUSTERS, AddonTypes.CHART_PROXY, AddonTypes.RELEASE_PROXY));
    private final FakeHelm helm = new FakeHelm(rig.clock());
    private final ReleaseController controller =
            new ReleaseController(
                    CLUSTERS,
                    new ReleasePorts(helm, helm, helm, helm, ReferencePolicy.ANY),
                    ReleaseSettings.of("process"));

    private static String proxy(String spec) {
        return proxy(spec, "", "");
    }

    private static String proxy(String spec, String metadata, String status) {
        return """
        apiVersion: addons.cluster.x-k8s.io/v1alpha1
        kind: HelmReleaseProxy
        metadata:
          name: nginx-c1-x
          namespace: org
          uid: p1
          generation: 1
          finalizers: [helmreleaseproxy.addons.cluster.x-k8s.io]
          labels: {helmreleaseproxy.addons.cluster.x-k8s.io/helmchartproxy-name: nginx}
          %s
        spec:
          clusterRef: {kind: Cluster, name: c1, namespace: org}
          chartName: nginx
          repoURL: https://charts.example.com
          namespace: web
          %s
        status: {%s}
        """
                .formatted(metadata, spec.replace("\n", "\n  "), status);
    }

    private static final String SPEC = "releaseName: nginx\nversion: 1.2.3\nvalues: 'a: 1'";

    private Ending run() {
        return rig.run(controller, PROXY);
    }

    private ReleaseProxy proxy() {
        return ReleaseProxy.of(rig.find(AddonTypes.RELEASE_PROXY, PROXY));
    }

    private String condition(String type) {
        var found = proxy().conditions().find(type);
        return found == null ? "none" : "%s %s".formatted(found.status().text(), found.reason());
    }

    private void deployed() {
        rig.apply(READY_CLUSTER).apply(proxy(SPEC));
        run();
        run();
    }

    @Test
    void aNewReleaseIsInstalled() {
        deployed();
        assertThat(helm.begun()).hasSize(1).first().isInstanceOf(Run.Install.class);
        assertThat(condition("HelmReleaseReady")).isEqualTo("True Ready");
        assertThat(condition("ClusterAvailable")).isEqualTo("True Available");
        assertThat(condition("Ready")).isEqualTo("True InfoReported");
        assertThat(proxy().revision()).isEqualTo(1);
        assertThat(proxy().wasInstalled()).isTrue();
    }

    @Test
    void whatIsBegunAndWhatFailsIsAnEventOfTheProxy() {
        helm.failNext(new Trouble(Trouble.Cause.HELM, "no such image"));
        rig.apply(READY_CLUSTER).apply(proxy(SPEC));
        run();
        run();
        assertThat(rig.events())
                .extracting(each -> "%s %s".formatted(each.type(), each.reason()))
                .containsExactly("NORMAL HelmInstall", "WARNING HelmInstallOrUpgradeFailed");
        assertThat(rig.events().getFirst().message())
                .isEqualTo("Installing chart nginx 1.2.3 as release web/nginx on Cluster c1");
    }

    @Test
    void aConflictIsToldOnce() {
        helm.put(CLUSTER, helm.stored(WEB, 3, "deployed", Map.of()));
        rig.apply(READY_CLUSTER).apply(proxy(SPEC));
        run();
        run();
        assertThat(rig.events()).hasSize(1);
        assertThat(rig.events().getFirst().message()).contains("takeOwnership");
    }

    @Test
    void anUnchangedReleaseGetsNoNewRevision() {
        deployed();
        var ending = run();
        assertThat(helm.begun()).hasSize(1);
        assertThat(ending).isEqualTo(new Ending.Again(Duration.ofSeconds(35)));
    }

    @Test
    void otherValuesAreAnUpgrade() {
        deployed();
        rig.apply(proxy(SPEC.replace("a: 1", "a: 2"), "", "revision: 1"));
        run();
        assertThat(helm.begun()).hasSize(2).last().isInstanceOf(Run.Upgrade.class);
    }

    @Test
    void otherOptionsAreAnUpgrade() {
        deployed();
        rig.apply(proxy(SPEC + "\noptions: {skipCRDs: true}", "", "revision: 1"));
        run();
        assertThat(helm.begun()).last().isInstanceOf(Run.Upgrade.class);
    }

    @Test
    void valuesSpelledOtherwiseAreTheSame() {
        deployed();
        rig.apply(proxy(SPEC.replace("a: 1", "{\"a\": 1.0}"), "", "revision: 1"));
        run();
        assertThat(helm.begun()).hasSize(1);
    }

    @Test
    void aReleaseWithoutAVersionFollowsTheNewest() {
        rig.apply(READY_CLUSTER).apply(proxy("releaseName: nginx"));
        run();
        run();
        helm.newest("1.1.0");
        run();
        assertThat(helm.begun().getLast())
                .isInstanceOfSatisfying(
                        Run.Upgrade.class,
                        upgrade -> assertThat(upgrade.deployment().version()).isEqualTo("1.1.0"));
    }

    @Test
    void aReleaseDeletedOutOfBandIsPutBack() {
        deployed();
        helm.remove(CLUSTER, WEB);
        run();
        assertThat(helm.begun()).hasSize(2).last().isInstanceOf(Run.Install.class);
    }

    @Test
    void aRevisionOfSomebodyElseIsPutRight() {
        deployed();
        var ours = helm.find(CLUSTER, WEB);
        helm.put(CLUSTER, helm.stored(WEB, 2, "deployed", ours == null ? Map.of() : ours.labels()));
        helm.contents(CLUSTER, WEB, new Contents(2, "1.2.3", "{\"a\":9}"));
        run();
        run();
        assertThat(helm.begun())
                .extracting(each -> each.getClass().getSimpleName())
                .containsExactly("Install", "Inspect", "Upgrade");
    }

    @Test
    void aRevisionOfSomebodyElseThatIsAsGoodIsKept() {
        deployed();
        var ours = helm.find(CLUSTER, WEB);
        helm.put(CLUSTER, helm.stored(WEB, 2, "deployed", ours == null ? Map.of() : ours.labels()));
        helm.contents(CLUSTER, WEB, new Contents(2, "1.2.3", "{\"a\":1}"));
        run();
        run();
        assertThat(helm.begun()).hasSize(2);
        assertThat(proxy().revision()).isEqualTo(2);
    }

    @Test
    void aFailedReleaseIsUpgradedWithoutAChange() {
        deployed();
        helm.put(CLUSTER, helm.stored(WEB, 2, "failed", Map.of()));
        run();
        assertThat(helm.begun()).last().isInstanceOf(Run.Upgrade.class);
    }

    @Test
    void aRevisionThatADeadRunOfOursLeftPendingIsGivenUpAtOnce() {
        deployed();
        helm.put(CLUSTER, helm.stored(WEB, 2, "pending-upgrade", Map.of(Marks.RUN, "another.2")));
        run();
        run();
        assertThat(helm.begun())
                .extracting(each -> each.getClass().getSimpleName())
                .containsExactly("Install", "GiveUp", "Upgrade");
    }

    @Test
    void aPendingRevisionOfSomebodyElseIsLeftAloneWhileItsRunMayLive() {
        deployed();
        helm.put(CLUSTER, helm.stored(WEB, 2, "pending-upgrade", Map.of(Marks.RUN, "process.1")));
        run();
        assertThat(helm.begun()).hasSize(1);
        assertThat(condition("HelmReleaseReady")).isEqualTo("False HelmReleasePending");
        rig.advance(Duration.ofMinutes(11).plusSeconds(1));
        run();
        assertThat(helm.begun()).last().isInstanceOf(Run.GiveUp.class);
    }

    @Test
    void aReleaseOfSomebodyElseIsNotTouched() {
        helm.put(CLUSTER, helm.stored(WEB, 3, "deployed", Map.of()));
        rig.apply(READY_CLUSTER).apply(proxy(SPEC));
        run();
        assertThat(helm.begun()).isEmpty();
        assertThat(condition("HelmReleaseReady")).isEqualTo("False HelmInstallOrUpgradeFailed");
        assertThat(proxy().conditions().find("HelmReleaseReady").message())
                .contains("web/nginx", "takeOwnership");
    }

    @Test
    void aReleaseOfSomebodyElseIsTakenOverWhenAsked() {
        helm.put(CLUSTER, helm.stored(WEB, 3, "deployed", Map.of()));
        helm.contents(CLUSTER, WEB, new Contents(3, "1.2.3", "{\"a\":1}"));
        rig.apply(READY_CLUSTER).apply(proxy(SPEC + "\noptions: {takeOwnership: true}"));
        run();
        run();
        assertThat(helm.begun()).hasSize(1).first().isInstanceOf(Run.Inspect.class);
        assertThat(proxy().revision()).isEqualTo(3);
        assertThat(condition("Ready")).startsWith("True");
    }

    @Test
    void aReleaseThatAnotherOperatorMadeForTheProxyIsOurs() {
        helm.put(CLUSTER, helm.stored(WEB, 3, "deployed", Map.of()));
        helm.contents(CLUSTER, WEB, new Contents(3, "1.2.3", "{\"a\":1}"));
        rig.apply(READY_CLUSTER).apply(proxy(SPEC, "", "revision: 3"));
        run();
        run();
        assertThat(helm.begun()).hasSize(1).first().isInstanceOf(Run.Inspect.class);
        assertThat(condition("Ready")).startsWith("True");
    }

    @Test
    void aFailureIsToldAndTriedAgainLater() {
        helm.failNext(new Trouble(Trouble.Cause.HELM, "no such image"));
        rig.apply(READY_CLUSTER).apply(proxy(SPEC));
        run();
        var ending = run();
        assertThat(condition("HelmReleaseReady")).isEqualTo("False HelmInstallOrUpgradeFailed");
        assertThat(ending).isEqualTo(new Ending.Again(Duration.ofSeconds(10)));
        run();
        assertThat(helm.begun()).hasSize(1);
        rig.advance(Duration.ofSeconds(11));
        run();
        assertThat(helm.begun()).hasSize(2);
    }

    @Test
    void missingCredentialsAreAnUnavailableCluster() {
        helm.failNext(new Trouble(Trouble.Cause.CREDENTIALS, "Secret org/login is not there"));
        rig.apply(READY_CLUSTER).apply(proxy(SPEC));
        run();
        run();
        assertThat(condition("ClusterAvailable")).isEqualTo("False GetCredentialsFailed");
    }

    @Test
    void aReleaseNameIsMadeUpAndWrittenBack() {
        rig.apply(READY_CLUSTER).apply(proxy("version: 1.2.3"));
        run();
        assertThat(proxy().releaseName()).matches("nginx-[0-9]+");
        assertThat(proxy().hasGeneratedName()).isTrue();
    }

    @Test
    void aClusterWithoutAControlPlaneIsWaitedFor() {
        rig.apply(READY_CLUSTER.replace("true", "false")).apply(proxy(SPEC));
        var ending = run();
        assertThat(condition("ClusterAvailable")).isEqualTo("False NotAvailable");
        assertThat(ending).isEqualTo(new Ending.Done());
        assertThat(helm.begun()).isEmpty();
    }

    @Test
    void aPausedClusterIsLeftAlone() {
        rig.apply(READY_CLUSTER + "spec: {paused: true}\n").apply(proxy(SPEC));
        run();
        assertThat(helm.begun()).isEmpty();
        assertThat(condition("Ready")).isEqualTo("none");
    }

    @Test
    void aReleaseInstalledOnceIsNeverUpdated() {
        rig.apply(READY_CLUSTER).apply(proxy(SPEC + "\nreconcileStrategy: InstallOnce"));
        run();
        run();
        helm.remove(CLUSTER, WEB);
        run();
        assertThat(helm.begun()).hasSize(1);
    }

    @Test
    void valuesComeFromTheirSecret() {
        helm.secret(new ObjectName("org", "hidden"), "a: 5");
        rig.apply(READY_CLUSTER)
                .apply(
                        proxy(
                                "releaseName: nginx\nversion: 1.2.3\nvaluesSecretRef: {name: hidden, key: values}"));
        run();
        assertThat(helm.begun().getFirst())
                .isInstanceOfSatisfying(
                        Run.Install.class,
                        install -> assertThat(install.deployment().values()).isEqualTo("a: 5"));
    }

    private static final String DELETED = "deletionTimestamp: 2026-01-01T00:00:00Z";

    @Test
    void aDeletedProxyUninstallsItsRelease() {
        deployed();
        rig.apply(proxy(SPEC, DELETED, "revision: 1"));
        run();
        assertThat(helm.begun()).last().isInstanceOf(Run.Uninstall.class);
        run();
        assertThat(rig.has(AddonTypes.RELEASE_PROXY, PROXY)).isFalse();
    }

    @Test
    void aDeletedProxyOfAClusterThatIsGoneJustGoes() {
        rig.apply(proxy(SPEC, DELETED, "revision: 1"));
        run();
        assertThat(helm.begun()).isEmpty();
        assertThat(rig.has(AddonTypes.RELEASE_PROXY, PROXY)).isFalse();
    }

    @Test
    void aDeletedProxyInstalledOnceLeavesItsRelease() {
        rig.apply(READY_CLUSTER)
                .apply(proxy(SPEC + "\nreconcileStrategy: InstallOnce", DELETED, ""));
        run();
        assertThat(helm.begun()).isEmpty();
        assertThat(rig.has(AddonTypes.RELEASE_PROXY, PROXY)).isFalse();
    }

    @Test
    void aDeletedProxyLeavesTheReleaseOfSomebodyElse() {
        helm.put(CLUSTER, helm.stored(WEB, 3, "deployed", Map.of()));
        rig.apply(READY_CLUSTER).apply(proxy(SPEC, DELETED, ""));
        run();
        assertThat(helm.begun()).isEmpty();
        assertThat(rig.has(AddonTypes.RELEASE_PROXY, PROXY)).isFalse();
    }

    @Test
    void whatDependsOnAReleaseLeavesFirst() {
        deployed();
        rig.apply(CHART.formatted("nginx", "n", ""))
                .apply(CHART.formatted("shop", "s", "{name: nginx}"))
                .apply(
                        proxy(SPEC)
                                .replace("name: nginx-c1-x", "name: shop-c1-x")
                                .replace("helmchartproxy-name: nginx", "helmchartproxy-name: shop"))
                .apply(proxy(SPEC, DELETED, "revision: 1"));
        run();
        assertThat(helm.begun()).hasSize(1);
        assertThat(proxy().conditions().find("HelmReleaseReady").message()).contains("shop");
    }

    @Test
    void anUnreachableClusterIsAskedAgainLater() {
        helm.unreachable(CLUSTER, "no answer");
        rig.apply(READY_CLUSTER).apply(proxy(SPEC));
        assertThat(run()).isEqualTo(new Ending.Again(Duration.ofSeconds(30)));
        assertThat(condition("HelmReleaseReady")).isEqualTo("False HelmReleaseGetFailed");
    }
}
