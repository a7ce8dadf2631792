package dev.millwright.capi.workspace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.capi.object.CaptTypes;
import dev.millwright.capi.port.ApiSecrets;
import dev.millwright.capi.terraform.ApiInputs;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.cache.Kind;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.grant.ReferenceGrants;
import dev.millwright.kube.object.RawObject;
import dev.millwright.testing.kit.step.StepRig;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;

/// Workspaces of one namespace that ask for what belongs to another, or to the manager.
final class WorkspaceTenantsTest {

    private static final ObjectName CLUSTER_SCOPED = new ObjectName("", "db");
    private static final ObjectName NAMESPACED = new ObjectName("team", "db");

    private final StepRig rig =
            StepRig.keeping(
                    List.of(
                            CaptTypes.WORKSPACE,
                            CaptTypes.PROVIDER_CONFIG,
                            CaptTypes.PROVIDER_CONFIG_USAGE,
                            CaptTypes.NAMESPACED_WORKSPACE,
                            CaptTypes.NAMESPACED_PROVIDER_CONFIG,
                            CaptTypes.CLUSTER_PROVIDER_CONFIG));
    private final FakeRuns runs = new FakeRuns();

    private WorkspaceController controller(
            WorkspaceKinds kinds, @Nullable Map<String, String> lent) {
        var secrets = new ApiSecrets(rig.api());
        return new WorkspaceController(
                kinds,
                WorkspaceSettings.DEFAULT,
                new WorkspaceController.Ports(
                        runs,
                        new ApiInputs(rig.api(), secrets, lent),
                        secrets,
                        Ownership.Answer.Ours::new,
                        new ReferenceGrants(rig.api())),
                new WorkspaceMemory());
    }

    /// Until a run is ordered, if it is: marks and the usage come first.
    private void run(WorkspaceKinds kinds, ObjectName name, @Nullable Map<String, String> lent) {
        var controller = controller(kinds, lent);
        rig.run(controller, name);
        rig.run(controller, name);
        rig.run(controller, name);
    }

    private void secret(String namespace, String name) {
        rig.api()
                .put(
                        ResourceType.SECRET,
                        Tree.of("apiVersion", "v1")
                                .put("kind", "Secret")
                                .put("metadata", Tree.of("name", name).put("namespace", namespace))
                                .put("data", Tree.of("k", "dmFsdWU="))
                                .mapping());
    }

    private void clusterScoped(String annotations, String config, String provider) {
        rig.apply(
                """
                apiVersion: tf.upbound.io/v1beta1
                kind: ProviderConfig
                metadata: {name: default, annotations: %s}
                spec: %s
                ---
                apiVersion: tf.upbound.io/v1beta1
                kind: Workspace
                metadata: {name: db, uid: u1, generation: 1, annotations: {millwright.dev/apply: team/db}}
                spec: {forProvider: %s}
                """
                        .formatted(annotations, config, provider));
    }

    private void namespaced(String config, String provider) {
        rig.apply(
                """
                apiVersion: tf.m.upbound.io/v1beta1
                kind: ProviderConfig
                metadata: {name: mine, namespace: team}
                spec: %s
                ---
                apiVersion: tf.m.upbound.io/v1beta1
                kind: Workspace
                metadata: {name: db, namespace: team, uid: u1, generation: 1}
                spec:
                  providerConfigRef: {kind: ProviderConfig, name: mine}
                  forProvider: %s
                """
                        .formatted(config, provider));
    }

    private String error(Kind<RawObject> kind, ObjectName name) {
        assertThat(runs.orders()).isEmpty();
        var synced = rig.find(kind, name).conditions().find("Synced");
        return synced == null ? "" : synced.message();
    }

    @Test
    void aWorkspaceReadsNoSecretOfAnotherNamespaceThanItsApplys() {
        secret("other", "keys");
        clusterScoped(
                "{}",
                "{}",
                "{source: Inline, module: '', env: [{name: E, secretKeyRef: {namespace: other, name: keys, key: k}}]}");
        run(WorkspaceKinds.CLUSTER_SCOPED, CLUSTER_SCOPED, null);
        assertThat(error(CaptTypes.WORKSPACE, CLUSTER_SCOPED))
                .contains("Secret other/keys")
                .contains("ReferenceGrant");
    }

    @Test
    void aWorkspaceReadsASecretOfItsApplysNamespace() {
        secret("team", "keys");
        clusterScoped(
                "{}",
                "{}",
                "{source: Inline, module: '', env: [{name: E, secretKeyRef: {namespace: team, name: keys, key: k}}]}");
        run(WorkspaceKinds.CLUSTER_SCOPED, CLUSTER_SCOPED, null);
        assertThat(runs.orders().getFirst().environment()).containsEntry("E", "value");
    }

    @Test
    void aConfigThatIsForOthersIsNotUsed() {
        clusterScoped(
                "{millwright.dev/allowed-namespaces: 'blue, green'}",
                "{}",
                "{source: Inline, module: ''}");
        run(WorkspaceKinds.CLUSTER_SCOPED, CLUSTER_SCOPED, null);
        assertThat(error(CaptTypes.WORKSPACE, CLUSTER_SCOPED)).contains("not for namespace team");
    }

    @Test
    void aConfigThatIsForTheNamespaceAmongOthersIsUsed() {
        clusterScoped(
                "{millwright.dev/allowed-namespaces: 'blue, team'}",
                "{}",
                "{source: Inline, module: ''}");
        run(WorkspaceKinds.CLUSTER_SCOPED, CLUSTER_SCOPED, null);
        assertThat(runs.orders()).hasSize(1);
    }

    @Test
    void aConfigOfANamespaceNamesNoSecretOfAnother() {
        secret("other", "keys");
        namespaced(
                "{credentials: [{filename: f, source: Secret, secretRef: {namespace: other, name: keys, key: k}}]}",
                "{source: Inline, module: ''}");
        run(WorkspaceKinds.NAMESPACED, NAMESPACED, null);
        assertThat(error(CaptTypes.NAMESPACED_WORKSPACE, NAMESPACED)).contains("Secret other/keys");
    }

    @Test
    void aNamespaceInAReferenceOfANamespacedWorkspaceIsNotHeeded() {
        secret("other", "keys");
        namespaced(
                "{}",
                "{source: Inline, module: '', env: [{name: E, secretKeyRef: {namespace: other, name: keys, key: k}}]}");
        run(WorkspaceKinds.NAMESPACED, NAMESPACED, null);
        assertThat(error(CaptTypes.NAMESPACED_WORKSPACE, NAMESPACED)).contains("other/keys");
    }

    @Test
    void filesAndVariablesOfTheManagerAreNotLent() {
        clusterScoped(
                "{}",
                "{credentials: [{filename: f, source: Filesystem, fs: {path: /proc/self/environ}}]}",
                "{source: Inline, module: ''}");
        run(WorkspaceKinds.CLUSTER_SCOPED, CLUSTER_SCOPED, null);
        assertThat(error(CaptTypes.WORKSPACE, CLUSTER_SCOPED))
                .contains("--lend-manager-credentials");
    }

    @Test
    void variablesOfTheManagerAreLentWhenItWasToldTo() {
        clusterScoped(
                "{}",
                "{credentials: [{filename: f, source: Environment, env: {name: V}}]}",
                "{source: Inline, module: ''}");
        run(WorkspaceKinds.CLUSTER_SCOPED, CLUSTER_SCOPED, Map.of("V", "word"));
        assertThat(runs.orders().getFirst().files().get("f")).asString().isEqualTo("word");
    }
}
