package dev.millwright.testing.e2e.addons;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millwright.addons.crd.AddonDefinitions;
import dev.millwright.testing.e2e.ControlPlane;
import dev.millwright.testing.e2e.ControlPlaneExtension;
import dev.millwright.testing.e2e.Tools;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;

@ExtendWith(ControlPlaneExtension.class)
final class AddonDefinitionsIT {

    private static final String CHART_PROXY =
            """
            apiVersion: addons.cluster.x-k8s.io/v1alpha1
            kind: HelmChartProxy
            metadata: {name: %s, namespace: default}
            spec:
              clusterSelector: {matchLabels: {cni: calico}}
              chartName: tigera-operator
              repoURL: %s
              %s
            """;

    private static final String RELEASE_PROXY =
            """
            apiVersion: addons.cluster.x-k8s.io/v1alpha1
            kind: HelmReleaseProxy
            metadata: {name: %s, namespace: default}
            spec:
              clusterRef: {kind: Cluster, name: one, namespace: default}
              chartName: tigera-operator
              repoURL: https://charts.example.com
              %s
            """;

    private final ControlPlane controlPlane;

    AddonDefinitionsIT(ControlPlane controlPlane) {
        this.controlPlane = controlPlane;
    }

    @BeforeAll
    static void install(ControlPlane controlPlane) {
        controlPlane.apply(AddonDefinitions.all().text());
        controlPlane.established();
    }

    private String dryRun(String repository, String more) {
        return controlPlane.dryRun(CHART_PROXY.formatted("sample", repository, more));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://charts.example.com",
                "HTTPS://charts.example.com/stable",
                "https://charts.example.com:8443/a?b=c",
                "oci://registry.example.com/charts",
                "oci://127.0.0.1:5000/charts"
            })
    void aRepositoryIsAnHttpsOrOciAddress(String repository) {
        assertThat(dryRun(repository, "version: 1.2.3")).contains("sample");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://charts.example.com",
                "ftp://charts.example.com",
                "file:///charts",
                "charts/stable",
                "https://",
                "https://:8443/charts",
                "OCI://registry.example.com/charts",
                "oci://",
                "''"
            })
    void aRepositoryIsNothingElse(String repository) {
        assertThatThrownBy(() -> dryRun(repository, "")).hasMessageContaining("spec.repoURL");
    }

    @Test
    void aProxyHasUpstreamsFieldsAndOurs() {
        assertThat(
                        dryRun(
                                "https://charts.example.com",
                                """
                                releaseName: karpenter
                                  namespace: karpenter
                                  version: 1.2.3
                                  reconcileStrategy: Continuous
                                  valuesTemplate: "a: {{ .Cluster.metadata.name }}"
                                  dependsOn: [{name: cni}]
                                  rollout: {waves: [{name: canary, clusterSelector: {matchLabels: {tier: canary}}}]}
                                  credentials: {secret: {name: registry}, key: ""}
                                  tlsConfig: {caSecret: {name: ca}, insecureSkipTLSVerify: false}
                                  options:
                                    {disableHooks: true, wait: true, waitForJobs: true, dependencyUpdate: true, timeout: 5m,
                                     skipCRDs: true, options: true, disableOpenAPIValidation: true, atomic: true,
                                     install: {createNamespace: false, includeCRDs: true},
                                     upgrade: {force: true, resetValues: true, reuseValues: false, resetThenReuseValues: false,
                                               recreate: true, maxHistory: 0, cleanupOnFail: true},
                                     uninstall: {keepHistory: true, description: bye}, enableClientCache: true, takeOwnership: true}
                                """))
                .contains("sample");
    }

    @ParameterizedTest
    @ValueSource(strings = {"karpenter", "karpenter-aws-default-nodepool"})
    void theShippedProxiesOfKarpenterAreValid(String name) throws IOException {
        var file = Tools.ROOT.resolve("deploy/capt/addons/%s.yaml".formatted(name));
        assertThat(controlPlane.dryRun(Files.readString(file))).contains(name);
    }

    @Test
    void theReleasesNamespaceIsDefaultedAndAnExplicitFalseIsKept() {
        controlPlane.apply(
                CHART_PROXY.formatted(
                        "defaults",
                        "https://charts.example.com",
                        "options: {install: {createNamespace: false}, upgrade: {maxHistory: 0}}"));
        assertThat(spec("helmchartproxy", "defaults", "{.spec.namespace}")).isEqualTo("default");
        assertThat(spec("helmchartproxy", "defaults", "{.spec.options.install.createNamespace}"))
                .isEqualTo("false");
        assertThat(spec("helmchartproxy", "defaults", "{.spec.options.upgrade.maxHistory}"))
                .isEqualTo("0");
    }

    private String spec(String kind, String name, String path) {
        return controlPlane.kubectl("get", kind, name, "-o", "jsonpath=" + path);
    }

    @Test
    void theStrategyIsForGood() {
        var proxy = CHART_PROXY.formatted("once", "https://charts.example.com", "%s");
        controlPlane.apply(proxy.formatted("reconcileStrategy: InstallOnce"));
        assertThatThrownBy(() -> controlPlane.apply(proxy.formatted("version: '2'")))
                .hasMessageContaining("reconcileStrategy cannot be changed");
        assertThat(controlPlane.apply(proxy.formatted("reconcileStrategy: InstallOnce")))
                .contains("once");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "options: {timeout: soon}",
                "options: {upgrade: {maxHistory: -1}}",
                "reconcileStrategy: Sometimes",
                "dependsOn: [{name: ''}]",
                "rollout: {atOnce: 0}",
                "credentials: {key: a}"
            })
    void aBadValueIsRefusedByItsField(String field) {
        var name = field.substring(0, field.indexOf(':'));
        assertThatThrownBy(() -> dryRun("https://charts.example.com", field))
                .hasMessageContaining("spec." + name);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "chartName: other",
                "namespace: other",
                "repoURL: https://other.example.com",
                "reconcileStrategy: InstallOnce"
            })
    void whatMakesAReleaseIsForGood(String field) {
        var name = field.substring(0, field.indexOf(':'));
        controlPlane.apply(RELEASE_PROXY.formatted("release", "version: 1.0.0"));
        assertThatThrownBy(
                        () ->
                                controlPlane.kubectl(
                                        "patch",
                                        "helmreleaseproxy",
                                        "release",
                                        "--type=merge",
                                        "-p",
                                        "spec: {%s}".formatted(field)))
                .hasMessageContaining(name + " cannot be changed");
    }

    @Test
    void aReleasesNameMayComeLater() {
        controlPlane.apply(RELEASE_PROXY.formatted("unnamed", "version: 1.0.0"));
        assertThat(
                        controlPlane.kubectl(
                                "patch",
                                "hrp",
                                "unnamed",
                                "--type=merge",
                                "-p",
                                "spec: {releaseName: tigera-operator-1700000000}"))
                .contains("patched");
    }

    @Test
    void columnsSayWhatPeopleAskFirst() {
        controlPlane.apply(RELEASE_PROXY.formatted("columns", "version: 1.0.0"));
        assertThat(controlPlane.kubectl("get", "hrp", "columns"))
                .contains("CLUSTER", "READY", "REASON", "STATUS", "REVISION", "one");
        assertThat(controlPlane.kubectl("get", "hcp", "-o", "wide", "--ignore-not-found", "-A"))
                .doesNotContain("error");
    }
}
