package dev.millwright.controllers.nodeclaim;

import static dev.millwright.controllers.nodeclaim.ClaimText.claim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.controllers.nodeclaim.consistency.ConsistencyController;
import dev.millwright.controllers.nodeclaim.consistency.Scans;
import dev.millwright.kube.object.ClaimObject;
import dev.millwright.runtime.step.Step.Ending;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.time.Duration;

final class ConsistencyTest {

    private final ClaimStage stage = new ClaimStage();
    private final ConsistencyController consistency = new ConsistencyController(new Scans(), 1);

    /// A claim that was promised this much, with a node of 10 cpus and 100Mi.
    private void promised(ClaimText claim, String cpu, String memory) {
        stage.with(
                        claim.ready()
                                .spec("resources: {requests: {cpu: \"8\", memory: 64Mi}}")
                                .status(
                                        "capacity: {cpu: \"%s\", memory: %s, fake.com/unused: \"4\"}"
                                                .formatted(cpu, memory)))
                .with(NodeText.settled("n", "fake:///a"))
                .ready("n");
    }

    @Test
    @Tag("I-CONS-1")
    void aNodeThatIsAsPromisedIsConsistent() {
        promised(claim("a"), "10", "105Mi");

        assertThat(stage.run(consistency, "a")).isEqualTo(new Ending.Again(Duration.ofMinutes(10)));
        assertThat(stage.isTrue("a", ClaimObject.CONSISTENT_STATE_FOUND)).isTrue();
        assertThat(stage.rig().events()).isEmpty();
    }

    @Test
    @Tag("I-CONS-2")
    void aClaimOfAnotherProviderIsNotLookedAt() {
        promised(claim("a").unmanaged(), "10", "100Mi");

        stage.run(consistency, "a");

        assertThat(stage.isUnknown("a", ClaimObject.CONSISTENT_STATE_FOUND)).isTrue();
    }

    @Test
    @Tag("I-CONS-3")
    void aNodeThatIsMuchSmallerIsToldOf() {
        promised(claim("a"), "16", "128Gi");

        stage.run(consistency, "a");

        assertThat(stage.claim("a").conditions().isFalse(ClaimObject.CONSISTENT_STATE_FOUND))
                .isTrue();
        assertThat(stage.reason("a", ClaimObject.CONSISTENT_STATE_FOUND))
                .isEqualTo("ConsistencyCheckFailed");
        assertThat(stage.rig().eventReasons())
                .containsExactly("FailedConsistencyCheck", "FailedConsistencyCheck");
        assertThat(stage.rig().events().getLast().message()).contains("128Gi", "100Mi");
    }

    @Test
    void aClaimIsLookedAtEachTenMinutes() {
        promised(claim("a"), "16", "100Mi");
        stage.run(consistency, "a");
        stage.rig().advance(Duration.ofMinutes(4));

        assertThat(stage.run(consistency, "a")).isEqualTo(new Ending.Again(Duration.ofMinutes(6)));
        assertThat(stage.rig().events()).hasSize(1);

        stage.rig().advance(Duration.ofMinutes(6));
        stage.run(consistency, "a");

        assertThat(stage.rig().events()).hasSize(2);
    }

    @Test
    void aNodeThatIsNotThereIsNotJudged() {
        stage.with(claim("a").ready());

        stage.run(consistency, "a");

        assertThat(stage.isUnknown("a", ClaimObject.CONSISTENT_STATE_FOUND)).isTrue();
    }

    @Test
    void aClaimThatIsGoneNeedsNothing() {
        assertThat(stage.run(consistency, "a")).isEqualTo(new Ending.Done());
    }
}
