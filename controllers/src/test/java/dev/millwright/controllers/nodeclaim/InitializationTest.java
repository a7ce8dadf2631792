package dev.millwright.controllers.nodeclaim;

import static dev.millwright.controllers.nodeclaim.ClaimText.claim;
import static dev.millwright.controllers.nodeclaim.NodeText.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;
import dev.millwright.kube.object.ClaimObject;
import dev.millwright.runtime.step.Step.Ending;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class InitializationTest {

    private static final String STARTUP =
            "startupTaints: [{key: cni, value: waits, effect: NoExecute}]";

    private final ClaimStage stage = new ClaimStage();

    private static Value.Mapping taint(String key, String effect) {
        return Tree.of("key", key).put("effect", effect).mapping();
    }

    private void assertWaiting(String reason) {
        assertThat(stage.isUnknown("a", ClaimObject.INITIALIZED)).isTrue();
        assertThat(stage.reason("a", ClaimObject.INITIALIZED)).isEqualTo(reason);
        assertThat(stage.node("a-node").isInitialized()).isFalse();
    }

    private void assertInitialized() {
        assertThat(stage.isTrue("a", ClaimObject.INITIALIZED)).isTrue();
        assertThat(stage.node("a-node").isInitialized()).isTrue();
    }

    @Test
    @Tag("H35")
    void aNodeThatHasAllIsInitialized() {
        stage.registered(
                claim("a").spec("resources: {requests: {cpu: \"2\", memory: 50Mi, pods: \"5\"}}"));

        stage.ready("a-node").live("a");

        assertInitialized();
        assertThat(stage.isTrue("a", ClaimObject.READY)).isTrue();
    }

    @Test
    @Tag("H36")
    void aClaimOfAnotherProviderIsNotInitialized() {
        stage.with(
                        claim("a")
                                .unmanaged()
                                .status("providerID: other:///1")
                                .status("conditions: [{type: Registered, status: \"True\"}]"))
                .with(node("a-node", "other:///1"))
                .ready("a-node")
                .live("a");

        assertThat(stage.isUnknown("a", ClaimObject.INITIALIZED)).isTrue();
        assertThat(stage.node("a-node").isInitialized()).isFalse();
    }

    @Test
    @Tag("H37")
    void aClaimThatIsNotRegisteredIsNotInitialized() {
        stage.launched(claim("a")).with(node("a-node", "fake:///elsewhere")).ready("a-node");

        stage.live("a");

        assertThat(stage.isTrue("a", ClaimObject.REGISTERED)).isFalse();
        assertWaiting("AwaitingReconciliation");
    }

    @Test
    @Tag("H38")
    void anInitializedNodeHasTheLabel() {
        stage.initialized(claim("a"));

        assertThat(stage.node("a-node").meta().labels())
                .containsEntry("karpenter.sh/initialized", "true");
    }

    @Test
    @Tag("H39")
    void aNodeThatIsNotReadyIsNotInitialized() {
        stage.registered(claim("a"));

        stage.notReady("a-node").live("a");

        assertWaiting("NodeNotReady");
    }

    @Test
    @Tag("H40")
    void aRequestedResourceThatTheNodeLacksIsWaitedFor() {
        stage.registered(claim("a").spec("resources: {requests: {fake.com/vendor-a: \"1\"}}"));

        stage.ready("a-node").live("a");

        assertWaiting("ResourceNotRegistered");
        assertThat(stage.condition("a", ClaimObject.INITIALIZED).message())
                .contains("fake.com/vendor-a");
    }

    @Test
    @Tag("H41")
    void aRequestedResourceThatTheNodeBringsLaterIsEnough() {
        stage.registered(claim("a").spec("resources: {requests: {fake.com/vendor-a: \"1\"}}"));
        stage.ready("a-node").live("a");

        stage.allocatable("a-node", "fake.com/vendor-a", "1").live("a");

        assertInitialized();
    }

    @Test
    void aRequestOfZeroIsNotWaitedFor() {
        stage.initialized(claim("a").spec("resources: {requests: {fake.com/vendor-a: \"0\"}}"));

        assertInitialized();
    }

    @Test
    @Tag("H42")
    void aStartupTaintIsWaitedFor() {
        stage.registered(claim("a").spec(STARTUP));

        var ending = stage.ready("a-node").live("a");

        assertWaiting("StartupTaintsExist");
        assertThat(ending).isEqualTo(new Ending.Done());
    }

    @Test
    @Tag("H43")
    void withoutItsStartupTaintsTheNodeIsInitialized() {
        stage.registered(claim("a").spec(STARTUP));

        stage.ready("a-node").taints("a-node").live("a");

        assertInitialized();
    }

    @ParameterizedTest
    @Tag("H44")
    @CsvSource({
        "node.kubernetes.io/not-ready, NoSchedule",
        "node.kubernetes.io/not-ready, NoExecute",
        "node.kubernetes.io/unreachable, NoSchedule",
        "node.cloudprovider.kubernetes.io/uninitialized, NoSchedule",
        "karpenter.sh/unregistered, NoExecute"
    })
    void aTaintOfANodeThatComesUpIsWaitedFor(String key, String effect) {
        stage.registered(claim("a"));

        stage.ready("a-node").taints("a-node", taint(key, effect)).live("a");

        assertWaiting("KnownEphemeralTaintsExist");
    }

    @Test
    @Tag("H45")
    void withoutTheTaintsOfItsStartTheNodeIsInitialized() {
        stage.registered(claim("a"));
        stage.ready("a-node")
                .taints("a-node", taint("node.kubernetes.io/not-ready", "NoSchedule"))
                .live("a");

        stage.taints("a-node", taint("team", "NoSchedule")).live("a");

        assertInitialized();
    }

    @Test
    @Tag("H46")
    void anyReadinessTaintIsWaitedFor() {
        stage.registered(claim("a"));
        stage.ready("a-node")
                .taints("a-node", taint("readiness.k8s.io/some-agent", "NoSchedule"))
                .live("a");
        assertWaiting("KnownEphemeralTaintsExist");

        stage.taints("a-node").live("a");

        assertInitialized();
    }

    @Test
    @Tag("H80")
    void aClaimThatNamesNoDriversWaitsForNone() {
        stage.initialized(claim("a"));

        assertInitialized();
    }

    @Test
    @Tag("H81")
    void driversAreNotWaitedForWhileResourceClaimsAreIgnored() {
        stage.initialized(
                claim("a").annotation("karpenter.sh/requested-dra-drivers", "gpu.example.com"));

        assertInitialized();
    }

    @Test
    void aNodeThatWentBeforeItWasInitializedIsMissed() {
        stage.registered(claim("a")).nodeGoes("a-node").live("a");

        assertThat(stage.reason("a", ClaimObject.INITIALIZED)).isEqualTo("NodeNotFound");
    }

    @Test
    void aNodeThatComesReadyIsRegisteredAndInitializedInOneStep() {
        stage.launched(claim("a"));
        stage.with(node("a-node", stage.providerId("a"))).ready("a-node");

        stage.live("a");

        assertThat(stage.isTrue("a", ClaimObject.REGISTERED)).isTrue();
        assertInitialized();
    }

    @Test
    void anInitializedClaimIsNotWrittenAgain() {
        stage.initialized(claim("a"));
        stage.rig().api().forgetWrites();

        stage.live("a");

        assertThat(stage.rig().api().writes()).isEmpty();
        assertThat(stage.rig().api().find(ResourceType.NODE_CLAIM, stage.claim("a").name()))
                .isNotNull();
    }
}
