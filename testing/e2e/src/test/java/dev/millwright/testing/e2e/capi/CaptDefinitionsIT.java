package dev.millwright.testing.e2e.capi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.capi.crd.CaptResources;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Locale;
import java.util.Map;

/// What the API server makes of our kinds, beside those of core Cluster API. Each example has been
/// taken by then.
@ExtendWith(CaptServer.Extension.class)
final class CaptDefinitionsIT {

    private final CaptServer server;

    CaptDefinitionsIT(CaptServer server) {
        this.server = server;
    }

    @Test
    void everyDefinitionIsEstablishedAndNothingIsWrongWithIt() {
        var bad =
                "{range .items[*]}{.metadata.name}{range .status.conditions[?(@.status!='True')]}"
                        + " {.type} {.message}{end}{\"\\n\"}{end}";

        assertThat(server.kubectl("get", "crd", "-o", "jsonpath=" + bad).lines())
                .containsAll(CaptResources.all().names());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "captclusters.infrastructure.cluster.x-k8s.io/shop",
                "captclustertemplates.infrastructure.cluster.x-k8s.io/eks",
                "captcontrolplanes.controlplane.cluster.x-k8s.io/shop",
                "captcontrolplanetemplates.controlplane.cluster.x-k8s.io/eks",
                "captmachines.infrastructure.cluster.x-k8s.io/shop-single",
                "captmachinetemplates.infrastructure.cluster.x-k8s.io/shop-fargate",
                "captmachinepools.infrastructure.cluster.x-k8s.io/shop-pool",
                "captmachinepooltemplates.infrastructure.cluster.x-k8s.io/shop-pool"
            })
    void anObjectIsTheSameInBothVersions(String name) {
        var older = server.object(versioned(name, "v1beta1"));
        var newer = server.object(versioned(name, "v1beta2"));

        assertThat(newer.remove("apiVersion")).asString().endsWith("/v1beta2");
        assertThat(older.remove("apiVersion")).asString().endsWith("/v1beta1");
        assertThat(newer).isEqualTo(older);
    }

    @Test
    void anObjectWrittenInTheNewerVersionIsReadInTheOlder() {
        var written =
                CaptServer.sample("CAPTCluster", "{region: eu-west-1, vpcTemplateRef: {name: vpc}}")
                        .replace("v1beta1", "v1beta2")
                        .replace("sample", "newer");

        server.plane().apply(written);

        var name = "captclusters.v1beta1.infrastructure.cluster.x-k8s.io/newer";
        assertThat(server.part(name, "spec"))
                .containsEntry("region", "eu-west-1")
                .containsEntry("vpcTemplateRef", Map.of("name", "vpc"));
    }

    /// The two contracts want different types here, and the server turns neither into the other.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "[{\"name\":\"eu-central-1a\",\"controlPlane\":true,\"attributes\":{\"a\":\"b\"}}]",
                "{\"eu-central-1a\":{\"controlPlane\":true,\"attributes\":{\"a\":\"b\"}}}"
            })
    void failureDomainsKeepTheShapeTheyWereWrittenInWhateverVersionIsRead(String domains) {
        var cluster = "captclusters.infrastructure.cluster.x-k8s.io/till";
        server.patchStatus(cluster, "{\"failureDomains\":null}");

        server.patchStatus(cluster, "{\"failureDomains\":%s}".formatted(domains));

        var wanted = CaptServer.map("{\"failureDomains\":%s}".formatted(domains));
        assertThat(server.part(versioned(cluster, "v1beta1"), "status"))
                .containsAllEntriesOf(wanted);
        assertThat(server.part(versioned(cluster, "v1beta2"), "status"))
                .containsAllEntriesOf(wanted);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    captclusters/shop                 | {"ready":true,"initialization":{"provisioned":true},"vpcId":"vpc-1","workspaceTemplateStatus":{"ready":true,"lastAppliedTime":"2026-01-02T03:04:05Z"}}
                    captcontrolplanes/shop            | {"phase":"Ready","externalManagedControlPlane":true,"versions":[{"version":"v1.33.0"}],"workspaceStatus":{"atProvider":{"outputs":{"deep":{"list":[1]}}}}}
                    captmachines/shop-single          | {"addresses":[{"type":"InternalIP","address":"10.0.0.1"}],"instanceId":"i-1"}
                    captmachinesets/shop-batch        | {"fullyLabeledReplicas":1,"readyReplicas":1,"availableReplicas":1}
                    captmachinedeployments/shop-workers | {"updatedReplicas":1,"unavailableReplicas":2,"collisionCount":1,"observedGeneration":1}
                    captmachinepools/shop-pool        | {"replicas":3,"instances":[{"instanceName":"a","ready":true}]}
                    captmachinetemplates/shop-fargate | {"capacity":{"cpu":2,"memory":"4Gi"},"nodeInfo":{"architecture":"arm64"}}
                    workspaces.tf.upbound.io/pet      | {"atProvider":{"outputs":{"deep":{"list":[1,"a"]}},"checksum":"c"}}
                    workspaces.tf.m.upbound.io/pet    | {"atProvider":{"outputs":{"one":1}}}
                    wtapply/receipts-apply            | {"applied":true,"workspaceName":"receipts","lastAppliedTime":"2026-01-02T03:04:05Z"}
                    """)
    void aStatusIsKeptWholeWithConditionsOfAnyType(String name, String status) {
        var condition = "{\"conditions\":[{\"type\":\"Any\",\"status\":\"Unknown\"}]}";

        server.patchStatus(name, status);
        server.patchStatus(name, condition);

        assertThat(server.part(name, "status"))
                .containsAllEntriesOf(CaptServer.map(status))
                .containsAllEntriesOf(CaptServer.map(condition));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    captclusters                           | NAME VPC-ID READY AGE
                    captclustertemplates                   | NAME AGE
                    captcontrolplanes                      | NAME READY PHASE VERSION ENDPOINT AGE
                    captcontrolplanetemplates              | NAME AGE
                    captmachines                           | NAME READY INSTANCE ID NODE GROUP AGE
                    captmachinesets                        | NAME DESIRED CURRENT READY AVAILABLE AGE
                    captmachinedeployments                 | NAME READY REPLICAS UPDATED AVAILABLE AGE
                    captmachinetemplates                   | NAME AGE
                    captmachinepools                       | NAME READY REPLICAS AGE
                    captmachinepooltemplates               | NAME AGE
                    workspacetemplates                     | NAME WORKSPACE AGE
                    wtapply                                | NAME WORKSPACE APPLIED AGE
                    workspaces.tf.upbound.io               | NAME SYNCED READY AGE
                    workspaces.tf.m.upbound.io             | NAME SYNCED READY AGE
                    providerconfigs.tf.upbound.io          | NAME USERS AGE
                    clusterproviderconfigs.tf.m.upbound.io | NAME USERS AGE
                    """)
    void aKindHasItsColumns(String kind, String columns) {
        var header = server.kubectl("get", kind).lines().findFirst().orElse("");

        assertThat(header.strip().replaceAll(" +", " ")).isEqualTo(columns);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    cluster-api | captclusters captclustertemplates captcontrolplanes captcontrolplanetemplates captmachinetemplates
                    capt        | workspacetemplates workspacetemplateapplies
                    terraform   | workspacetemplates workspacetemplateapplies workspaces
                    managed     | workspaces
                    crossplane  | workspaces providerconfigs
                    """)
    void aCategoryHasItsKinds(String category, String kinds) {
        var names = server.kubectl("api-resources", "--categories=" + category, "-o", "name");

        assertThat(names.lines().map(name -> name.replaceFirst("\\..*", "")))
                .contains(kinds.split(" "));
    }

    @ParameterizedTest
    @CsvSource({"captmachinesets/shop-batch", "captmachinedeployments/shop-workers"})
    void kubectlScalesSetsAndDeployments(String name) {
        server.patchStatus(name, "{\"replicas\":2,\"selector\":\"role=x\"}");

        server.kubectl("scale", name, "--replicas=7");

        assertThat(server.part(name, "spec")).containsEntry("replicas", 7);
        assertThat(server.kubectl("get", name, "--subresource=scale", "-o", "jsonpath={.status}"))
                .contains("\"replicas\":2", "\"selector\":\"role=x\"");
    }

    /// Core finds the definition by this name without a look-up, takes the newest contract it
    /// knows, and in it the newest version; and ClusterClass must come back from a version to one
    /// contract.
    @ParameterizedTest
    @CsvSource({
        "infrastructure, CAPTCluster",
        "infrastructure, CAPTClusterTemplate",
        "infrastructure, CaptMachine",
        "infrastructure, CaptMachineTemplate",
        "infrastructure, CaptMachinePool",
        "infrastructure, CaptMachinePoolTemplate",
        "controlplane, CAPTControlPlane",
        "controlplane, CAPTControlPlaneTemplate"
    })
    void coreFindsOneVersionForEachContract(String group, String kind) {
        var definition =
                "crd/%ss.%s.cluster.x-k8s.io".formatted(kind.toLowerCase(Locale.ROOT), group);
        var versions =
                "{.spec.names.kind} {.spec.versions[?(@.served==true)].name}"
                        + " {.spec.versions[?(@.storage==true)].name}"
                        + " {.spec.versions[*].subresources}";

        assertThat(server.part(definition, "metadata.labels"))
                .containsEntry("cluster.x-k8s.io/v1beta1", "v1beta1")
                .containsEntry("cluster.x-k8s.io/v1beta2", "v1beta2");
        assertThat(server.kubectl("get", definition, "-o", "jsonpath=" + versions))
                .isEqualTo(kind + " v1beta1 v1beta2 v1beta1 {\"status\":{}} {\"status\":{}}");
    }

    @Test
    void clusterctlTakesTemplatesAlongThatNothingOwns() {
        var moved =
                server.kubectl(
                        "get", "crd", "-l", "clusterctl.cluster.x-k8s.io/move", "-o", "name");
        var seen = server.kubectl("get", "crd", "-l", "clusterctl.cluster.x-k8s.io", "-o", "name");

        assertThat(moved.lines().map(name -> name.replaceFirst(".*/", "")))
                .containsExactly(
                        "referencegrants.millwright.dev",
                        "workspacetemplates.infrastructure.cluster.x-k8s.io");
        assertThat(seen.lines().map(name -> name.replaceFirst(".*/", "")))
                .containsExactlyElementsOf(CaptResources.provider().names());
    }

    @Test
    void defaultsAreFilledInButNotInTemplatesOfWorkspaces() {
        server.plane()
                .apply(
                        CaptServer.sample(
                                "CaptMachineDeployment",
                                "{strategy: {rollingUpdate: {}}, template: {spec: {nodeType:"
                                        + " Fargate, workspaceTemplateRef: {name: t}}}}"));

        assertThat(server.part("captmachinedeployments/sample", "spec"))
                .containsEntry("replicas", 1)
                .containsEntry("revisionHistoryLimit", 10)
                .containsEntry("progressDeadlineSeconds", 600)
                .containsEntry(
                        "strategy",
                        Map.of(
                                "type",
                                "RollingUpdate",
                                "rollingUpdate",
                                Map.of("maxSurge", 1, "maxUnavailable", 0)));
        assertThat(server.part("workspaces.tf.upbound.io/pet", "spec"))
                .containsEntry("providerConfigRef", Map.of("name", "default"));
        assertThat(server.part("captclusters/till", "spec"))
                .containsEntry("environment", "production");
        assertThat(server.part("workspacetemplates/bucket", "spec.template.spec"))
                .doesNotContainKeys("deletionPolicy", "managementPolicies");
    }

    private static String versioned(String name, String version) {
        return name.replaceFirst("\\.", "." + version + ".");
    }
}
