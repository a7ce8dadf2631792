package dev.millwright.capi.workspace;

import static org.assertj.core.api.Assertions.assertThat;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millwright.capi.object.CaptTypes;
import dev.millwright.capi.port.ApiSecrets;
import dev.millwright.capi.terraform.ApiInputs;
import dev.millwright.capi.workspace.RunOutcome.Change;
import dev.millwright.capi.workspace.RunOutcome.Result;
import dev.millwright.capi.workspace.TerraformRuns.Goal;
import dev.millwright.capi.workspace.TerraformRuns.Phase;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.client.ApiWrite;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.grant.ReferenceGrants;
import dev.millwright.kube.object.RawObject;
import dev.millwright.runtime.step.Effect;
import dev.millwright.runtime.step.Step;
import dev.millwright.runtime.step.Step.Ending;
import dev.millwright.testing.kit.step.StepRig;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

final class WorkspaceControllerTest {

    private static final ObjectName NAME = new ObjectName("", "vpc");

    private final StepRig rig =
            StepRig.keeping(
                    List.of(
                            CaptTypes.WORKSPACE,
                            CaptTypes.PROVIDER_CONFIG,
                            CaptTypes.PROVIDER_CONFIG_USAGE));
    private final FakeRuns runs = new FakeRuns();
    private final WorkspaceMemory memory = new WorkspaceMemory();
    private Ownership.Answer owner = new Ownership.Answer.Ours();
    private final ApiSecrets secrets = new ApiSecrets(rig.api());
    private final WorkspaceController controller =
            new WorkspaceController(
                    WorkspaceKinds.CLUSTER_SCOPED,
                    WorkspaceSettings.DEFAULT,
                    new WorkspaceController.Ports(
                            runs,
                            new ApiInputs(rig.api(), secrets, Map.of("FROM_MANAGER", "word")),
                            secrets,
                            () -> owner,
                            new ReferenceGrants(rig.api())),
                    memory);

    private void given(String spec, String annotations) {
        rig.apply(
                """
                apiVersion: tf.upbound.io/v1beta1
                kind: ProviderConfig
                metadata: {name: default}
                spec:
                  credentials: [{filename: a/creds.ini, source: Environment, env: {name: FROM_MANAGER}}]
                  configuration: 'provider "aws" {}'
                ---
                apiVersion: tf.upbound.io/v1beta1
                kind: Workspace
                metadata: {name: vpc, uid: u1, generation: 3, annotations: %s}
                spec:
                  %s
                  forProvider: {source: Inline, module: hcl}
                """
                        .formatted(annotations, spec));
    }

    private Ending step() {
        return rig.run(controller, NAME);
    }

    /// Until a run is ordered: marks and the usage come first.
    private void begin(String spec) {
        given(spec, "{}");
        step();
        step();
        step();
    }

    private RawObject workspace() {
        return rig.find(CaptTypes.WORKSPACE, NAME);
    }

    private String condition(String type) {
        var found = workspace().conditions().find(type);
        return found == null
                ? "none"
                : "%s %s %s".formatted(found.status().text(), found.reason(), found.message());
    }

    private void ends(Result result) {
        runs.ends("u1", workspace().meta().generation(), rig.now(), result);
        step();
    }

    private static Result ready() {
        return FakeRuns.applied(
                Change.CREATED, FakeRuns.outputs("vpc_id", Tree.text("vpc-1"), false));
    }

    @Test
    void aNewWorkspaceIsMarkedItsConfigCountedAndARunOrdered() {
        begin("deletionPolicy: Delete");
        assertThat(workspace().meta().finalizers())
                .containsExactly("finalizer.managedresource.crossplane.io");
        assertThat(workspace().meta().annotation("crossplane.io/external-name")).isEqualTo("vpc");
        var usage = rig.find(CaptTypes.PROVIDER_CONFIG_USAGE, new ObjectName("", "u1"));
        assertThat(usage.root().at("providerConfigRef").at("name").text("")).isEqualTo("default");
        var order = runs.orders().getFirst();
        assertThat(order.target().workspace()).isEqualTo("vpc");
        assertThat(order.files().keySet())
                .containsExactly("creds.ini", "crossplane-provider-config.tf", "main.tf");
        assertThat(new String(order.files().get("creds.ini"), UTF_8)).isEqualTo("word");
        assertThat(order.secrets()).containsExactly("word");
    }

    @Test
    void progressIsACondition() {
        begin("deletionPolicy: Delete");
        runs.goesOn("u1", Phase.APPLY, Goal.CREATION, "apply: 7 of 23 resources");
        step();
        assertThat(condition("Running")).isEqualTo("True Apply apply: 7 of 23 resources");
        assertThat(condition("Ready")).startsWith("False Creating");
        assertThat(workspace().meta().annotation("clusterctl.cluster.x-k8s.io/block-move"))
                .isNotNull();
        ends(ready());
        assertThat(condition("Running")).isEqualTo("none");
        assertThat(workspace().meta().annotation("clusterctl.cluster.x-k8s.io/block-move"))
                .isNull();
    }

    @Test
    void whatEndedWellIsToldAndLookedAtAgainByThePoll() {
        begin("deletionPolicy: Delete");
        ends(ready());
        assertThat(condition("Ready")).isEqualTo("True Available ");
        assertThat(condition("Synced")).isEqualTo("True ReconcileSuccess ");
        var provided = workspace().status().at("atProvider");
        assertThat(provided.at("outputs").at("vpc_id").text("")).isEqualTo("vpc-1");
        assertThat(provided.at("checksum").text("")).isEqualTo("sum");
        assertThat(rig.eventReasons()).containsExactly("CreatedExternalResource");
        step();
        assertThat(runs.orders()).hasSize(1);
        rig.advance(Duration.ofMinutes(11));
        step();
        assertThat(runs.orders()).hasSize(2);
    }

    @Test
    void readinessNamesTheSpecThatWasCarriedOut() {
        begin("deletionPolicy: Delete");
        var generation = workspace().meta().generation();
        runs.ends("u1", generation - 1, rig.now(), ready());
        step();
        var condition = workspace().conditions().find("Ready");
        assertThat(condition).isNotNull();
        assertThat(condition.observedGeneration()).isEqualTo(generation - 1);
    }

    @Test
    void anOutputThatIsGoneLeavesTheStatus() {
        begin("deletionPolicy: Delete");
        ends(ready());
        rig.advance(Duration.ofMinutes(11));
        step();
        ends(FakeRuns.applied(Change.UPDATED, new TreeMap<>()));
        assertThat(workspace().status().at("atProvider").at("outputs").at("vpc_id").isPresent())
                .isFalse();
    }

    @Test
    void aFailureLeavesReadyAsItWasAndIsTriedLaterAndLater() {
        begin("deletionPolicy: Delete");
        ends(ready());
        rig.advance(Duration.ofMinutes(11));
        step();
        ends(new Result.Failed(Phase.PLAN, "no such region"));
        assertThat(condition("Ready")).startsWith("True");
        assertThat(condition("Synced"))
                .isEqualTo("False ReconcileError plan failed: no such region");
        assertThat(step()).isEqualTo(new Ending.Again(Duration.ofSeconds(2)));
        rig.advance(Duration.ofSeconds(2));
        step();
        ends(new Result.Failed(Phase.PLAN, "no such region"));
        assertThat(step()).isEqualTo(new Ending.Again(Duration.ofSeconds(4)));
    }

    @Test
    void aHeldLockIsToldWithItsHolder() {
        begin("deletionPolicy: Delete");
        ends(new Result.Held("alice@laptop since noon"));
        assertThat(condition("Synced")).contains("the state is locked by alice@laptop since noon");
    }

    @Test
    void whatWasInDoubtIsTold() {
        begin("deletionPolicy: Delete");
        runs.ends("u1", 1, rig.now(), ready(), List.of("aws_vpc.this"));
        step();
        assertThat(rig.eventReasons()).contains("LeftInDoubt");
        assertThat(rig.events().getFirst().message()).contains("aws_vpc.this");
    }

    @Test
    void allOutputsGoToTheSecretThatIsTheWorkspacesOwn() {
        begin("writeConnectionSecretToRef: {name: out, namespace: default}");
        ends(FakeRuns.applied(Change.NONE, FakeRuns.outputs("token", Tree.text("xyz"), true)));
        var secret = new ObjectName("default", "out");
        var found = rig.api().find(ResourceType.SECRET, secret);
        assertThat(found).isNotNull();
        var raw = RawObject.of(found);
        assertThat(raw.root().at("type").text("")).isEqualTo("connection.crossplane.io/v1alpha1");
        assertThat(raw.root().at("data").at("token").text("")).isEqualTo("eHl6");
        assertThat(raw.meta().owners().getFirst().uid()).isEqualTo("u1");
        assertThat(workspace().status().at("atProvider").at("outputs").at("token").isPresent())
                .isFalse();
    }

    @Test
    void aSecretOfSomebodyElseIsRefused() {
        rig.apply(
                """
                apiVersion: v1
                kind: Secret
                metadata: {name: out, namespace: default}
                type: Opaque
                """);
        begin("writeConnectionSecretToRef: {name: out, namespace: default}");
        ends(ready());
        assertThat(condition("Synced")).contains("has the type Opaque");
    }

    @Test
    void aPausedWorkspaceIsLeftEvenWhenItIsDeleted() {
        given("deletionPolicy: Delete", "{crossplane.io/paused: \"true\"}");
        step();
        assertThat(condition("Synced")).startsWith("False ReconcilePaused");
        assertThat(runs.orders()).isEmpty();
        assertThat(workspace().meta().finalizers()).isEmpty();
    }

    @Test
    void anEmptyListOfPoliciesPauses() {
        begin("managementPolicies: []");
        assertThat(condition("Synced")).startsWith("False ReconcilePaused");
        assertThat(runs.orders()).isEmpty();
    }

    @Test
    void policiesDecideWhatARunMayDo() {
        begin("managementPolicies: [Observe, Update]");
        var aim = runs.orders().getFirst().aim();
        assertThat(aim.mayCreate()).isFalse();
        assertThat(aim.mayUpdate()).isTrue();
    }

    private void delete() {
        rig.carryOut(
                Step.of(
                        new Effect.Write(
                                new ApiWrite.Delete(
                                        CaptTypes.WORKSPACE.type(), NAME, null, null))));
    }

    @Test
    void deletionInterruptsARunDestroysAndLetsGo() {
        begin("deletionPolicy: Delete");
        delete();
        runs.goesOn("u1", Phase.APPLY, Goal.UPKEEP, "apply");
        step();
        assertThat(runs.interrupted()).containsExactly("u1");
        ends(new Result.Interrupted(Phase.APPLY));
        step();
        assertThat(runs.orders().getLast().aim().mayDestroy()).isTrue();
        runs.goesOn("u1", Phase.INIT, Goal.DESTRUCTION, "init");
        runs.interrupted().clear();
        step();
        assertThat(runs.interrupted()).isEmpty();
        assertThat(condition("Ready")).startsWith("False Deleting");
        endsAtLast(new Result.Destroyed());
        assertThat(rig.has(CaptTypes.WORKSPACE, NAME)).isFalse();
        assertThat(rig.has(CaptTypes.PROVIDER_CONFIG_USAGE, new ObjectName("", "u1"))).isFalse();
    }

    private void endsAtLast(Result result) {
        runs.ends("u1", 1, rig.now(), result);
        step();
    }

    @Test
    void whatIsOrphanedIsLetGoWithoutARun() {
        begin("deletionPolicy: Orphan");
        ends(ready());
        delete();
        step();
        assertThat(rig.has(CaptTypes.WORKSPACE, NAME)).isFalse();
        assertThat(runs.orders()).hasSize(1);
    }

    @Test
    void anExplicitListOfPoliciesDecidesAboutDeletionAlone() {
        begin("deletionPolicy: Delete\n  managementPolicies: [Observe, Create]");
        ends(ready());
        delete();
        step();
        assertThat(rig.has(CaptTypes.WORKSPACE, NAME)).isFalse();
    }

    @Test
    void whereCrossplaneRunsWorkspacesNothingIsTouched() {
        owner = new Ownership.Answer.Theirs("Deployment");
        begin("deletionPolicy: Delete");
        assertThat(rig.api().writes()).isEmpty();
        assertThat(runs.orders()).isEmpty();
    }

    @Test
    void aMissingConfigIsNamed() {
        begin("providerConfigRef: {name: other}");
        assertThat(condition("Synced")).contains("ProviderConfig other is not there");
    }

    @Test
    void aUsageFollowsItsWorkspaceToAnotherConfig() {
        begin("deletionPolicy: Delete");
        ends(ready());
        rig.apply(
                """
                apiVersion: tf.upbound.io/v1beta1
                kind: ProviderConfig
                metadata: {name: other}
                spec: {credentials: []}
                """);
        rig.api()
                .write(
                        new ApiWrite.Patch(
                                CaptTypes.WORKSPACE.type(),
                                NAME,
                                ApiWrite.PatchKind.MERGE,
                                ApiWrite.Subresource.NONE,
                                Tree.of(
                                                "spec",
                                                Tree.of(
                                                        "providerConfigRef",
                                                        Tree.of("name", "other")))
                                        .mapping()));
        step();
        step();
        var usage = rig.find(CaptTypes.PROVIDER_CONFIG_USAGE, new ObjectName("", "u1"));
        assertThat(usage.root().at("providerConfigRef").at("name").text("")).isEqualTo("other");
    }

    @Test
    void aConfigIsHeldWhileItIsUsed() {
        begin("deletionPolicy: Delete");
        var configs =
                new ProviderConfigController(
                        WorkspaceKinds.CLUSTER_SCOPED, CaptTypes.PROVIDER_CONFIG, () -> owner);
        rig.run(configs, new ObjectName("", "default"));
        var config = rig.find(CaptTypes.PROVIDER_CONFIG, new ObjectName("", "default"));
        assertThat(config.meta().finalizers()).containsExactly("in-use.crossplane.io");
        assertThat(config.status().at("users").whole(0, 9, 0)).isEqualTo(1);
    }

    @Test
    void foldersAreKeptForWorkspacesThatAreThere() {
        begin("deletionPolicy: Delete");
        rig.run(new WorkspaceCollection(List.of(WorkspaceKinds.CLUSTER_SCOPED), runs, memory));
        assertThat(runs.kept()).containsExactly("u1");
    }
}
