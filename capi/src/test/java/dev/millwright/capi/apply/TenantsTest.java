package dev.millwright.capi.apply;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.capi.object.CaptTypes;
import dev.millwright.capi.stage.CaptStage;
import dev.millwright.capi.stage.Sample;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.client.ApiWrite;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.grant.ReferenceGrants;

import org.junit.jupiter.api.Test;

import java.util.Map;

/// Applies whose author may write objects in one namespace and asks for what is in another.
final class TenantsTest {

    private static final String OTHER = "other";

    private final CaptStage stage = new CaptStage().given(Sample.TEMPLATES);

    private void apply(String spec) {
        stage.given(
                        """
                        apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
                        kind: WorkspaceTemplateApply
                        metadata: {name: net-apply, namespace: team}
                        spec: %s
                        """
                                .formatted(spec))
                .settle();
    }

    private void template(String namespace, String provider) {
        stage.given(
                """
                apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
                kind: WorkspaceTemplate
                metadata: {name: shared, namespace: %s}
                spec: {template: {spec: {forProvider: %s}}}
                """
                        .formatted(namespace, provider));
    }

    private void grant(String namespace, String kind, String to) {
        stage.grant(OTHER, namespace, "WorkspaceTemplateApply", kind, to);
    }

    private void isRefused(String words) {
        assertThat(stage.hasWorkspace("net")).isFalse();
        var synced = stage.condition(stage.apply("net-apply"), "Synced");
        assertThat(synced.reason()).isEqualTo("ReferenceRefused");
        assertThat(synced.message()).contains(words).contains("ReferenceGrant in other");
    }

    @Test
    void aTemplateOfAnotherNamespaceIsNotUsed() {
        template(OTHER, "{source: Inline, module: ''}");
        apply("{templateRef: {name: shared, namespace: other}}");
        isRefused("spec.templateRef names WorkspaceTemplate other/shared");
    }

    @Test
    void aTemplateThatItsNamespaceGrantsIsUsed() {
        template(OTHER, "{source: Inline, module: ''}");
        grant("team", "WorkspaceTemplate", "");
        apply("{templateRef: {name: shared, namespace: other}}");
        assertThat(stage.hasWorkspace("net")).isTrue();
    }

    @Test
    void aGrantForAllNamespacesIsForThisOneToo() {
        template(OTHER, "{source: Inline, module: ''}");
        grant("*", "WorkspaceTemplate", "shared");
        apply("{templateRef: {name: shared, namespace: other}}");
        assertThat(stage.hasWorkspace("net")).isTrue();
    }

    @Test
    void aGrantForAnotherNamespaceIsNone() {
        template(OTHER, "{source: Inline, module: ''}");
        grant("third", "WorkspaceTemplate", "");
        apply("{templateRef: {name: shared, namespace: other}}");
        isRefused("other/shared");
    }

    @Test
    void aGrantForAnotherTemplateIsNone() {
        template(OTHER, "{source: Inline, module: ''}");
        grant("team", "WorkspaceTemplate", "public");
        apply("{templateRef: {name: shared, namespace: other}}");
        isRefused("other/shared");
    }

    @Test
    void aGrantThatIsTakenAwayLeavesTheWorkspaceAndStopsItsChanges() {
        template(OTHER, "{source: Inline, module: before}");
        grant("team", "WorkspaceTemplate", "");
        apply("{templateRef: {name: shared, namespace: other}}");
        stage.rig()
                .api()
                .write(
                        new ApiWrite.Delete(
                                ReferenceGrants.TYPE, new ObjectName(OTHER, "g"), null, null));
        template(OTHER, "{source: Inline, module: after}");
        stage.settle();
        assertThat(stage.workspace("net").spec().at("forProvider").at("module").text(""))
                .isEqualTo("before");
        assertThat(stage.condition(stage.apply("net-apply"), "Ready").reason())
                .isEqualTo("ReferenceRefused");
    }

    @Test
    void aSecretOfAnotherNamespaceReachesNoVariable() {
        template(
                "team",
                "{source: Inline, module: '', varFiles: [{source: SecretKey, secretKeyRef: {namespace: other, name: keys, key: k}}]}");
        apply("{templateRef: {name: shared}}");
        isRefused("spec.forProvider.varFiles.secretKeyRef names Secret other/keys");
    }

    @Test
    void aPlaceholderForTheNamespaceOfASecretIsNoWayRound() {
        template(
                "team",
                "{source: Inline, module: '', env: [{name: E, secretKeyRef: {namespace: '${where}', name: keys, key: k}}]}");
        apply("{templateRef: {name: shared}, variables: {where: other}}");
        isRefused("spec.forProvider.env.secretKeyRef names Secret other/keys");
    }

    @Test
    void aConfigMapOfAnotherNamespaceReachesNoEnvironment() {
        template(
                "team",
                "{source: Inline, module: '', env: [{name: E, configMapKeyRef: {namespace: other, name: m, key: k}}]}");
        apply("{templateRef: {name: shared}}");
        isRefused("spec.forProvider.env.configMapKeyRef names ConfigMap other/m");
    }

    @Test
    void aModuleThatFluxFetchedForAnotherNamespaceIsNotUsed() {
        template("team", "{source: Flux, module: 'GitRepository::other/repo'}");
        apply("{templateRef: {name: shared}}");
        isRefused("spec.forProvider.module names GitRepository other/repo");
    }

    @Test
    void outputsAreNotWrittenIntoAnotherNamespace() {
        apply(
                "{templateRef: {name: vpc}, writeConnectionSecretToRef: {name: s, namespace: other}}");
        isRefused("spec.writeConnectionSecretToRef names Secret other/s");
    }

    @Test
    void outputsAreWrittenWhereTheNamespaceGrantsIt() {
        grant("team", "Secret", "s");
        apply(
                "{templateRef: {name: vpc}, writeConnectionSecretToRef: {name: s, namespace: other}}");
        assertThat(stage.hasWorkspace("net")).isTrue();
    }

    @Test
    void whetherASecretOfAnotherNamespaceExistsIsNotTold() {
        stage.secret(OTHER, "there", Map.of());
        apply("{templateRef: {name: vpc}, waitForSecrets: [{name: there, namespace: other}]}");
        isRefused("spec.waitForSecrets names Secret other/there");
    }

    private void administrators(String metadata) {
        stage.given(
                """
                apiVersion: tf.upbound.io/v1beta1
                kind: Workspace
                metadata: {name: net%s}
                spec: {forProvider: {source: Inline, module: theirs}}
                """
                        .formatted(metadata));
    }

    private String module() {
        return stage.workspace("net").spec().at("forProvider").at("module").text("");
    }

    @Test
    void aStatusThatNamesAWorkspaceOfAnAdministratorTakesItNotUp() {
        administrators("");
        stage.given(Sample.apply("net-apply") + "status: {workspaceName: net, applied: true}\n");
        stage.settle();

        assertThat(module()).isEqualTo("theirs");
        assertThat(stage.workspace("net").meta().annotation(Marks.APPLY)).isNull();
        assertThat(stage.condition(stage.apply("net-apply"), "Synced").message())
                .contains("left no mark")
                .contains("millwright.dev/apply=team/net-apply");
    }

    @Test
    void anApplyThatClaimsAWorkspaceOfAnAdministratorGoesWithoutIt() {
        administrators("");
        stage.given(Sample.apply("net-apply") + "status: {workspaceName: net, applied: true}\n");
        stage.settle();
        stage.delete(CaptTypes.APPLY, "net-apply").settle();

        assertThat(stage.hasApply("net-apply")).isFalse();
        assertThat(stage.workspace("net").meta().isDeleting()).isFalse();
    }

    @Test
    void aWorkspaceThatAnAdministratorMarkedIsTheApplys() {
        administrators(", annotations: {millwright.dev/apply: team/net-apply}");
        stage.given(Sample.apply("net-apply")).settle();

        assertThat(module()).isNotEqualTo("theirs");
    }

    @Test
    void aStrangersApplyThatIsBeingDeletedHoldsUpNobodysDeletion() {
        apply("{templateRef: {name: vpc}}");
        stage.terraform().done("net", new Tree());
        stage.given(
                        """
                        apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
                        kind: WorkspaceTemplateApply
                        metadata:
                          name: leech
                          namespace: other
                          deletionTimestamp: 2026-01-01T00:00:00Z
                          finalizers: [mallory/stays]
                        spec: {templateRef: {name: vpc}, waitForWorkspaces: [{name: net}]}
                        ---
                        apiVersion: tf.upbound.io/v1beta1
                        kind: Workspace
                        metadata: {name: leech, annotations: {millwright.dev/apply: other/leech}}
                        spec: {forProvider: {source: Inline, module: ''}}
                        """)
                .settle();

        stage.delete(CaptTypes.APPLY, "net-apply").settle();

        assertThat(stage.workspace("net").meta().isDeleting()).isTrue();
    }
}
