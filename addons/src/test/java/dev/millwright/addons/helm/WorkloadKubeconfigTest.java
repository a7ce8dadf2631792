package dev.millwright.addons.helm;

import static org.assertj.core.api.Assertions.assertThat;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millwright.addons.object.WorkloadCluster;
import dev.millwright.addons.port.Storage;
import dev.millwright.addons.port.Surroundings;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.grant.ReferenceGrants;
import dev.millwright.kube.object.RawObject;
import dev.millwright.testing.kit.cluster.FakeApi;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import java.util.Map;

/// What somebody who may write a cluster's kubeconfig, or a Cluster, gets of the manager.
final class WorkloadKubeconfigTest {

    private static final ObjectName CLUSTER = new ObjectName("team", "c1");

    @TempDir private Path folder;

    private final FakeApi api = new FakeApi(InstantSource.system());

    private void kubeconfig(String user) {
        var text =
                """
                current-context: c
                contexts: [{name: c, context: {cluster: k, user: u}}]
                clusters: [{name: k, cluster: {server: 'https://127.0.0.1:1'}}]
                users: [{name: u, user: %s}]
                """
                        .formatted(user);
        api.put(
                ResourceType.SECRET,
                Tree.of("metadata", Tree.of("name", "c1-kubeconfig").put("namespace", "team"))
                        .put(
                                "data",
                                Tree.of(
                                        "value",
                                        Base64.getEncoder().encodeToString(text.getBytes(UTF_8))))
                        .mapping());
    }

    private Storage.Look look() {
        return new Workloads(new ManagementSecrets(api), folder, InstantSource.system())
                .releases(CLUSTER);
    }

    @Test
    void aCommandInAKubeconfigIsNotRun() {
        var mark = folder.resolve("mark");
        kubeconfig(
                "{exec: {apiVersion: client.authentication.k8s.io/v1, command: touch, args: [%s], interactiveMode: Never}}"
                        .formatted(mark));
        assertThat(look())
                .isInstanceOfSatisfying(
                        Storage.Look.NoKubeconfig.class,
                        no -> assertThat(no.message()).contains("user.exec"));
        assertThat(Files.exists(mark)).isFalse();
    }

    @Test
    void aFileOfTheManagerIsNoToken() {
        kubeconfig("{tokenFile: /var/run/secrets/kubernetes.io/serviceaccount/token}");
        assertThat(look())
                .isInstanceOfSatisfying(
                        Storage.Look.NoKubeconfig.class,
                        no -> assertThat(no.message()).contains("user.tokenFile"));
    }

    @Test
    void helmGetsTheReducedFile() {
        kubeconfig("{token: t}");
        assertThat(new ManagementSecrets(api).kubeconfig(CLUSTER))
                .isInstanceOfSatisfying(
                        ManagementSecrets.Content.Found.class,
                        found ->
                                assertThat(new String(found.bytes(), UTF_8))
                                        .startsWith("{")
                                        .contains("\"token\":\"t\""));
    }

    @Test
    void helmSeesNoCredentialsOfTheManager() {
        var settings =
                HelmSettings.of(
                        "helm",
                        folder,
                        Map.of("PATH", "/bin", "AWS_ROLE_ARN", "r", "HTTPS_PROXY", "p"));
        assertThat(settings.environment()).containsOnlyKeys("PATH", "HTTPS_PROXY");
    }

    @Test
    void aClusterThatNamesASecretAsItsControlPlaneReadsNone() {
        var cluster =
                Tree.of("metadata", Tree.of("name", "c1").put("namespace", "team"))
                        .put(
                                "spec",
                                Tree.of(
                                        "controlPlaneRef",
                                        Tree.of("apiVersion", "v1")
                                                .put("kind", "Secret")
                                                .put("name", "keys")));
        assertThat(read(cluster)).contains("spec.controlPlaneRef names Secret team/keys");
    }

    @Test
    void aClusterThatNamesAControlPlaneOfAnotherNamespaceReadsNone() {
        var cluster =
                Tree.of("metadata", Tree.of("name", "c1").put("namespace", "team"))
                        .put(
                                "spec",
                                Tree.of(
                                        "controlPlaneRef",
                                        Tree.of(
                                                        "apiVersion",
                                                        "controlplane.cluster.x-k8s.io/v1beta1")
                                                .put("kind", "CAPTControlPlane")
                                                .put("name", "prod")
                                                .put("namespace", "other")));
        assertThat(read(cluster)).contains("wanted an object in namespace team");
    }

    private String read(Tree cluster) {
        var object = RawObject.of(cluster.mapping());
        var answer =
                new ApiSurroundings(api, new ReferenceGrants(api))
                        .read(List.of(new WorkloadCluster(object)))
                        .getFirst();
        return answer instanceof Surroundings.Answer.Failed(var message) ? message : "read";
    }
}
