package dev.millwright.testing.conformance.disruption;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/// A node that is no longer what its pool asks for is replaced.
final class DriftTest {

    private final DisruptionStage stage = new DisruptionStage();

    @Test
    void aDriftedNodeWithPodsIsReplaced() {
        stage.pool("100%").add(new FleetNode("a").drifted());
        stage.rig.apply(DisruptionStage.pod("web-1", "a"));

        stage.pass();

        assertThat(stage.made("a")).hasSize(1);
        assertThat(stage.isTainted("a")).isTrue();
        assertThat(stage.saysWhy("a")).isTrue();
        assertThat(stage.isMarked("a")).isTrue();
        assertThat(stage.isGoing("a")).isFalse();

        stage.work();
        assertThat(stage.isGoing("a")).isFalse();

        stage.initialized(stage.made("a").getFirst());
        stage.work();
        assertThat(stage.isGoing("a")).isTrue();
        assertThat(stage.queue.entries()).isEmpty();
    }
}
