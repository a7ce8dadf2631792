package dev.millwright.controllers.nodeclaim;

import static dev.millwright.controllers.nodeclaim.ClaimText.claim;
import static dev.millwright.controllers.nodeclaim.NodeText.settled;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.controllers.node.hydration.NodeHydrationController;
import dev.millwright.controllers.nodeclaim.hydration.ClaimHydrationController;
import dev.millwright.core.cluster.ObjectName;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

final class HydrationTest {

    private static final String LABEL = "karpenter.test.sh/testnodeclass";

    private final ClaimStage stage = new ClaimStage();
    private final ClaimHydrationController claims = new ClaimHydrationController(1);
    private final NodeHydrationController nodes = new NodeHydrationController(1);

    @Test
    @Tag("I-HYD-1")
    void aClaimGetsTheLabelOfItsClass() {
        var calls = stage.calls(claims);
        stage.with(claim("a"));

        stage.run(claims, calls);

        assertThat(stage.claim("a").meta().labels()).containsEntry(LABEL, "default");
    }

    @Test
    void aWrongLabelIsMended() {
        var calls = stage.calls(claims);
        stage.with(claim("a").label(LABEL, "wrong"));

        stage.run(claims, calls);

        assertThat(stage.claim("a").meta().labels()).containsEntry(LABEL, "default");
    }

    @Test
    @Tag("I-HYD-2")
    void aClaimOfAnotherProviderGetsNoLabel() {
        stage.with(claim("a").unmanaged());

        stage.run(claims, "a");

        assertThat(stage.claim("a").meta().labels()).containsOnlyKeys("karpenter.sh/nodepool");
    }

    @Test
    void aClaimThatHasTheLabelDoesNotCall() {
        var calls = stage.calls(claims);

        stage.with(claim("a").label(LABEL, "default"));

        assertThat(calls).isEmpty();
    }

    @Test
    @Tag("I-HYD-3")
    void aNodeGetsTheLabelOfItsClaimsClass() {
        var calls = stage.calls(nodes);
        stage.with(claim("a").ready()).with(settled("n", "fake:///a"));

        stage.run(nodes, calls);

        assertThat(stage.node("n").meta().labels()).containsEntry(LABEL, "default");
        assertThat(stage.rig().view().isManaged(stage.node("n"))).isTrue();
    }

    @Test
    void aWrongLabelOfANodeIsMended() {
        stage.with(claim("a").ready()).with(settled("n", "fake:///a").label(LABEL, "wrong"));

        stage.run(nodes, "n");

        assertThat(stage.node("n").meta().labels()).containsEntry(LABEL, "default");
    }

    @Test
    @Tag("I-HYD-4")
    void aNodeOfAnotherProvidersClaimGetsNoLabel() {
        stage.with(claim("a").unmanaged().ready()).with(settled("n", "fake:///a"));

        stage.run(nodes, "n");

        assertThat(stage.node("n").meta().labels()).isEmpty();
    }

    @Test
    void aNodeWithoutAClaimGetsNoLabel() {
        stage.with(settled("n", "fake:///a"));

        stage.run(nodes, "n");

        assertThat(stage.node("n").meta().labels()).isEmpty();
    }

    @Test
    void aNodeThatIsAboutToRegisterIsLeftToItsRegistration() {
        var calls = stage.calls(nodes);

        stage.launched(claim("a")).with(NodeText.node("n", stage.providerId("a")));
        assertThat(calls).isEmpty();
        stage.live("a");

        assertThat(calls).containsExactly(new ObjectName("", "n"));
    }
}
