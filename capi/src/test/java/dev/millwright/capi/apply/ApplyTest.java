package dev.millwright.capi.apply;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.capi.object.CaptTypes;
import dev.millwright.capi.stage.CaptStage;
import dev.millwright.capi.stage.Sample;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.client.ApiWrite;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.object.Condition.Status;
import dev.millwright.runtime.step.Step.Ending;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.Map;

/// One instantiation of a template.
final class ApplyTest {

    private static final Ending IN_30_SECONDS = new Ending.Again(Duration.ofSeconds(30));
    private static final Ending IN_10_SECONDS = new Ending.Again(Duration.ofSeconds(10));

    private final CaptStage stage = new CaptStage().given(Sample.TEMPLATES);

    private Ending look() {
        return stage.look(ApplyController.class, "net-apply");
    }

    private CaptStage settled(String... lines) {
        return stage.given(Sample.apply("net-apply", lines)).settle();
    }

    private String module() {
        return stage.workspace("net").spec().at("forProvider").at("module").text("");
    }

    /// The value of the template's variable `name`, which is `a-${cluster_name}-${other}`.
    private String variable() {
        var variables = stage.workspace("net").spec().at("forProvider").at("vars").elements();
        return variables.getLast().at("value").text("");
    }

    @Test
    void theFinalizerIsThereBeforeTheWorkspace() {
        stage.given(Sample.apply("net-apply"));
        look();
        assertThat(stage.apply("net-apply").meta().finalizers())
                .containsExactly("infrastructure.cluster.x-k8s.io/finalizer");
        assertThat(stage.hasWorkspace("net")).isFalse();
    }

    @Test
    void theWorkspaceHasTheNameOfTheApplyWithoutItsEnding() {
        settled();
        assertThat(stage.hasWorkspace("net")).isTrue();
        assertThat(stage.apply("net-apply").status().at("workspaceName").text("")).isEqualTo("net");
        assertThat(stage.apply("net-apply").status().at("applied").isTrue()).isTrue();
        assertThat(stage.apply("net-apply").status().at("lastAppliedTime").isPresent()).isTrue();
        assertThat(stage.rig().eventReasons()).contains("CreatedWorkspace");
    }

    @Test
    void theWorkspaceBearsTheMarkOfItsApply() {
        settled();
        assertThat(stage.workspace("net").meta().annotations())
                .containsEntry("millwright.dev/apply", "team/net-apply")
                .containsKey("millwright.dev/rendered-hash");
    }

    @Test
    void valuesReachTerraformByVariablesAndAllOtherPlaceholdersStay() {
        settled("variables: {cluster_name: prod}");
        assertThat(variable()).isEqualTo("a-prod-${other}");
    }

    @Test
    void aValueNeverReachesTheModule() {
        settled("variables: {cluster_name: 'x\" }} resource \"null_resource\" \"a\" {'}");
        assertThat(module())
                .isEqualTo("output \"name\" { value = \"${cluster_name}-${local.suffix}\" }");
        assertThat(stage.rig().events().getFirst().message()).contains("created");
        assertThat(stage.rig().eventReasons()).contains("PlaceholderInModule");
    }

    @Test
    void aKeyThatIsAnExpressionIsRefusedAndNothingIsMade() {
        settled("variables: {local.suffix: '\\\"; }'}");
        assertThat(stage.hasWorkspace("net")).isFalse();
        var synced = stage.condition(stage.apply("net-apply"), "Synced");
        assertThat(synced.reason()).isEqualTo("InvalidVariables");
        assertThat(synced.message()).contains("local.suffix");
    }

    @Test
    void aWorkspaceStaysAsItIsWhenItsApplyGetsAKeyThatIsAnExpression() {
        settled("variables: {cluster_name: prod}");
        stage.patch(
                CaptTypes.APPLY,
                "net-apply",
                Tree.of("spec", Tree.of("variables", Tree.of("var.cluster_name", "x"))));
        stage.settle();
        assertThat(variable()).isEqualTo("a-prod-${other}");
        assertThat(stage.condition(stage.apply("net-apply"), "Ready").reason())
                .isEqualTo("InvalidVariables");
    }

    @Test
    void aValueWithAQuoteABackslashAndALineBreakArrivesAsItIs() {
        settled("variables: {cluster_name: \"a\\\"b\\\\c\\nd\"}");
        assertThat(variable()).isEqualTo("a-a\"b\\c\nd-${other}");
    }

    @Test
    void aValueThatLooksLikeAVariableIsNotReplacedAgain() {
        settled("variables: {cluster_name: '${kubernetes_version}', kubernetes_version: '1.33'}");
        assertThat(variable()).contains("${kubernetes_version}");
    }

    @Test
    void theNameOfTheWorkspaceIsAVariable() {
        settled();
        var secret = stage.workspace("net").spec().at("writeConnectionSecretToRef");
        assertThat(secret.at("name").text("")).isEqualTo("net-out");
    }

    @Test
    void theSecretOfTheApplyWinsOverTheTemplates() {
        settled("writeConnectionSecretToRef: {name: mine}");
        var secret = stage.workspace("net").spec().at("writeConnectionSecretToRef");
        assertThat(secret.at("name").text("")).isEqualTo("mine");
        assertThat(secret.at("namespace").text("")).isEqualTo("team");
    }

    @Test
    void missingSecretsAreWaitedForAndNamed() {
        settled("waitForSecrets: [{name: there}, {name: absent, namespace: team}]");
        stage.secret("there", Map.of());
        assertThat(look()).isEqualTo(IN_30_SECONDS);
        var event = stage.rig().events().getLast();
        assertThat(event.reason()).isEqualTo("WaitingForSecrets");
        assertThat(event.message()).contains("team/absent").doesNotContain("there");
        assertThat(stage.hasWorkspace("net")).isFalse();
    }

    @Test
    void secretsAreEnoughWhateverTheyHold() {
        stage.secret("there", Map.of());
        settled("waitForSecrets: [{name: there}]");
        assertThat(stage.hasWorkspace("net")).isTrue();
    }

    @Test
    void aMissingTemplateIsWaitedFor() {
        stage.given(
                """
                apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
                kind: WorkspaceTemplateApply
                metadata: {name: net-apply, namespace: team}
                spec: {templateRef: {name: absent, namespace: team}}
                """);
        stage.settle();
        assertThat(look()).isEqualTo(IN_30_SECONDS);
        assertThat(stage.condition(stage.apply("net-apply"), "Ready").message())
                .contains("team/absent");
    }

    @Test
    void workspacesAreWaitedForUntilTheyAreReady() {
        stage.given(Sample.apply("base"));
        settled("waitForWorkspaces: [{name: base}]");
        assertThat(look()).isEqualTo(IN_30_SECONDS);
        assertThat(stage.rig().eventReasons()).contains("WaitingForWorkspace");
        assertThat(stage.hasWorkspace("net")).isFalse();
        stage.terraform().done("base", new Tree());
        stage.settle();
        assertThat(stage.hasWorkspace("net")).isTrue();
    }

    @Test
    void theWorkspaceIsFollowedUntilItIsReady() {
        settled();
        assertThat(look()).isEqualTo(IN_10_SECONDS);
        stage.terraform().creating("net");
        assertThat(look()).isEqualTo(IN_10_SECONDS);
        stage.terraform().done("net", new Tree());
        assertThat(look()).isEqualTo(new Ending.Done());
        assertThat(stage.rig().eventReasons().stream().distinct())
                .containsExactly(
                        "CreatedWorkspace", "WaitingForSync", "WaitingForReady", "WorkspaceReady");
        assertThat(stage.apply("net-apply").conditions().isTrue("Ready")).isTrue();
        assertThat(stage.apply("net-apply").conditions().isTrue("Synced")).isTrue();
    }

    @Test
    void allConditionsOfTheWorkspaceAreCopiedAndGoWithThem() {
        settled();
        stage.terraform().creating("net");
        stage.terraform().running("net", true);
        stage.settle();
        assertThat(stage.apply("net-apply").conditions().isTrue("Running")).isTrue();
        stage.terraform().running("net", false);
        stage.settle();
        assertThat(stage.apply("net-apply").conditions().find("Running")).isNull();
    }

    @Test
    void aFailureAfterItWasReadyIsShown() {
        settled();
        stage.terraform().done("net", new Tree());
        stage.settle();
        stage.terraform().failed("net", "apply: Error: quota of VPCs is used up");
        stage.settle();
        var synced = stage.condition(stage.apply("net-apply"), "Synced");
        assertThat(synced.status()).isEqualTo(Status.FALSE);
        assertThat(synced.message()).contains("quota of VPCs");
        assertThat(stage.rig().eventReasons()).contains("WorkspaceFailed");
    }

    @Test
    void anErrorOfManyPagesIsShortened() {
        settled();
        stage.terraform().failed("net", "x".repeat(100_000));
        stage.settle();
        assertThat(stage.condition(stage.apply("net-apply"), "Synced").message())
                .hasSizeLessThan(2_000);
    }

    @Test
    void nothingIsWrittenWhileNothingChanges() {
        settled();
        stage.terraform().done("net", new Tree());
        stage.settle();
        stage.rig().api().forgetWrites();
        stage.rig().advance(Duration.ofHours(1));
        stage.settle();
        assertThat(stage.rig().api().writes()).isEmpty();
    }

    @Test
    void aChangedVariableIsAppliedAgain() {
        settled("variables: {cluster_name: old}");
        stage.terraform().done("net", new Tree());
        stage.settle();
        stage.patch(
                CaptTypes.APPLY,
                "net-apply",
                Tree.of("spec", Tree.of("variables", Tree.of("cluster_name", "new"))));
        stage.settle();
        assertThat(variable()).contains("new-");
        assertThat(stage.apply("net-apply").conditions().isTrue("Ready")).isFalse();
        stage.terraform().done("net", new Tree());
        stage.settle();
        assertThat(stage.apply("net-apply").conditions().isTrue("Ready")).isTrue();
    }

    @Test
    void aChangedTemplateIsAppliedAgainWithWhatItLeftOut() {
        settled();
        stage.patch(
                CaptTypes.WORKSPACE_TEMPLATE,
                "vpc",
                Tree.of(
                        "spec",
                        Tree.of(
                                "template",
                                Tree.of("spec", new Tree().putNothing("providerConfigRef")))));
        stage.settle();
        assertThat(stage.workspace("net").spec().at("providerConfigRef").isPresent()).isFalse();
        assertThat(stage.workspace("net").spec().at("forProvider").isPresent()).isTrue();
    }

    @Test
    void aTemplateThatWentLeavesTheWorkspaceAsItIs() {
        settled();
        stage.delete(CaptTypes.WORKSPACE_TEMPLATE, "vpc").settle();
        assertThat(stage.hasWorkspace("net")).isTrue();
        assertThat(stage.rig().eventReasons()).contains("StillUsed");
    }

    @Test
    void theWorkspaceOfAnotherApplyIsNeverTouched() {
        stage.given(
                """
                apiVersion: tf.upbound.io/v1beta1
                kind: Workspace
                metadata:
                  name: net
                  annotations: {millwright.dev/apply: other/net-apply}
                spec: {forProvider: {source: Inline, module: ''}}
                """);
        settled();
        assertThat(stage.condition(stage.apply("net-apply"), "Synced").reason())
                .isEqualTo("WorkspaceTaken");
        stage.delete(CaptTypes.APPLY, "net-apply").settle();
        assertThat(stage.hasApply("net-apply")).isFalse();
        assertThat(stage.workspace("net").meta().isDeleting()).isFalse();
        assertThat(module()).isEmpty();
    }

    @Test
    void aWorkspaceThatCaptMadeIsTakenUpByTheStatusOfItsApplyWhereNamespacesTrustEachOther() {
        stage.trusting();
        stage.given(
                """
                apiVersion: tf.upbound.io/v1beta1
                kind: Workspace
                metadata: {name: net}
                spec: {forProvider: {source: Inline, module: ''}}
                """);
        stage.given(Sample.apply("net-apply") + "status: {workspaceName: net, applied: true}\n");
        stage.settle();
        assertThat(stage.workspace("net").meta().annotation("millwright.dev/apply"))
                .isEqualTo("team/net-apply");
    }

    @Test
    void theWorkspaceIsGoneBeforeTheApplyIs() {
        settled();
        stage.terraform().done("net", new Tree());
        stage.delete(CaptTypes.APPLY, "net-apply").settle();
        assertThat(stage.workspace("net").meta().isDeleting()).isTrue();
        assertThat(look()).isEqualTo(IN_10_SECONDS);
        assertThat(stage.rig().eventReasons()).contains("DeletedWorkspace");
        stage.terraform().gone("net");
        stage.settle();
        assertThat(stage.hasApply("net-apply")).isFalse();
    }

    @Test
    void anApplyThatMadeNothingGoesAtOnce() {
        settled("waitForSecrets: [{name: absent}]");
        stage.delete(CaptTypes.APPLY, "net-apply").settle();
        assertThat(stage.hasApply("net-apply")).isFalse();
    }

    @Test
    void aStatusThatWasLostInAMoveDoesNotLeaveAWorkspaceBehind() {
        settled();
        stage.terraform().done("net", new Tree());
        stage.patch(
                CaptTypes.APPLY,
                "net-apply",
                new Tree().putNothing("status"),
                ApiWrite.Subresource.STATUS);
        stage.delete(CaptTypes.APPLY, "net-apply").settle();
        assertThat(stage.workspace("net").meta().isDeleting()).isTrue();
    }

    @Test
    void aRetainedWorkspaceOutlivesItsApplyAndIsTakenUpByTheNextOfItsName() {
        settled("retainWorkspaceOnDelete: true", "variables: {cluster_name: old}");
        stage.terraform().done("net", new Tree());
        stage.delete(CaptTypes.APPLY, "net-apply").settle();
        assertThat(stage.hasApply("net-apply")).isFalse();
        assertThat(stage.workspace("net").meta().isDeleting()).isFalse();
        assertThat(stage.rig().eventReasons()).contains("RetainedWorkspace");
        var uid = stage.workspace("net").meta().uid();
        settled("variables: {cluster_name: new}");
        assertThat(stage.workspace("net").meta().uid()).isEqualTo(uid);
        assertThat(variable()).contains("new-");
        assertThat(stage.apply("net-apply").status().at("applied").isTrue()).isTrue();
    }

    @Test
    void whatNeedsAnotherGoesFirstWhicheverDeletionCameFirst() {
        stage.given(Sample.apply("base")).settle();
        stage.terraform().done("base", new Tree());
        settled("waitForWorkspaces: [{name: base}]");
        stage.terraform().done("net", new Tree());
        stage.delete(CaptTypes.APPLY, "base").delete(CaptTypes.APPLY, "net-apply").settle();
        assertThat(stage.workspace("base").meta().isDeleting()).isFalse();
        assertThat(stage.workspace("net").meta().isDeleting()).isTrue();
        stage.terraform().gone("net");
        stage.settle();
        assertThat(stage.workspace("base").meta().isDeleting()).isTrue();
    }

    @Test
    void aWorkspaceThatWasMadeJustBeforeADeathIsFound() {
        stage.given(Sample.apply("net-apply"));
        look();
        stage.settle();
        stage.patch(
                CaptTypes.APPLY,
                "net-apply",
                new Tree().putNothing("status"),
                ApiWrite.Subresource.STATUS);
        stage.restart().settle();
        assertThat(stage.apply("net-apply").status().at("workspaceName").text("")).isEqualTo("net");
        assertThat(stage.rig().view().cache(CaptTypes.WORKSPACE).all()).hasSize(1);
    }

    @Test
    void aTemplateGoesAtOnce() {
        stage.settle();
        var name = new ObjectName(CaptStage.NAMESPACE, "vpc");
        assertThat(stage.rig().find(CaptTypes.WORKSPACE_TEMPLATE, name).meta().finalizers())
                .containsExactly("workspacetemplate.v2.infrastructure.cluster.x-k8s.io");
        stage.delete(CaptTypes.WORKSPACE_TEMPLATE, "vpc").settle();
        assertThat(stage.rig().has(CaptTypes.WORKSPACE_TEMPLATE, name)).isFalse();
    }
}
