package dev.millwright.controllers.nodeclaim;

import static dev.millwright.controllers.nodeclaim.ClaimText.claim;
import static dev.millwright.controllers.nodeclaim.NodeText.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.spi.LaunchAnswer;

import org.junit.jupiter.api.Test;

/// When the lifecycle of a claim is looked at: whenever it could go on, and not by its own words.
final class LifecycleCallsTest {

    private final ClaimStage stage = new ClaimStage();

    private static ObjectName key(String claim) {
        return new ObjectName("", claim);
    }

    @Test
    void aNewClaimCalls() {
        var calls = stage.callsOfLifecycle();

        stage.with(claim("a"));

        assertThat(calls).containsExactly(key("a"));
    }

    @Test
    void aLaunchThatFailsDoesNotCallForTheNextOne() {
        stage.with(claim("a").metadata("finalizers: [karpenter.sh/termination]"));
        stage.rig().cloud().nextLaunch(new LaunchAnswer.Failed("request 1 was throttled"));
        var calls = stage.callsOfLifecycle();

        stage.live("a");

        assertThat(calls).isEmpty();
    }

    @Test
    void aLaunchCallsSinceTheNodeMayBeThereAlready() {
        stage.with(claim("a").metadata("finalizers: [karpenter.sh/termination]"));
        var calls = stage.callsOfLifecycle();

        stage.live("a");

        assertThat(calls).containsExactly(key("a"));
    }

    @Test
    void aNodeCallsItsClaim() {
        stage.launched(claim("a")).launched(claim("b"));
        var calls = stage.callsOfLifecycle();

        stage.with(node("n", stage.providerId("b")));

        assertThat(calls).containsExactly(key("b"));
    }

    @Test
    void theNodeOfAnInitializedClaimDoesNotCall() {
        stage.initialized(claim("a"));
        var calls = stage.callsOfLifecycle();

        stage.notReady("a-node");

        assertThat(calls).isEmpty();
    }

    @Test
    void theGoingOfANodeCallsAClaimThatWaitsForIt() {
        stage.initialized(claim("a")).deleteClaim("a").live("a");
        var calls = stage.callsOfLifecycle();

        stage.nodeGoes("a-node");

        assertThat(calls).containsExactly(key("a"));
    }

    @Test
    void aDeletionCalls() {
        stage.initialized(claim("a"));
        var calls = stage.callsOfLifecycle();

        stage.delete(ResourceType.NODE_CLAIM, "a");

        assertThat(calls).containsExactly(key("a"));
    }
}
