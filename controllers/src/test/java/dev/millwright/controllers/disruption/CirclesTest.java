package dev.millwright.controllers.disruption;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.testing.kit.disruption.DisruptionStage;
import dev.millwright.testing.kit.disruption.FleetNode;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;

/// A consolidation that led back to the fleet it began with is not tried again without a cause.
final class CirclesTest {

    private final DisruptionStage stage = new DisruptionStage();

    /// Node `a` with one pod goes, and its pod needs a node again.
    @BeforeEach
    void round() {
        stage.pool("100%");
        stage.add(new FleetNode("a"), new FleetNode("b"));
        stage.rig.apply(
                DisruptionStage.pod("one", "a"),
                DisruptionStage.pod("two", "b"),
                DisruptionStage.pod("three", "b"));
        assertThat(chosen()).containsExactly("a");
        stage.work();
        vanish("one", "a");
        stage.work();
        stage.add(new FleetNode("c"));
        stage.rig.apply(DisruptionStage.pod("again", "c"));
    }

    private void vanish(String pod, String node) {
        stage.rig.api().vanish(ResourceType.POD, new ObjectName("default", pod));
        stage.rig.api().vanish(ResourceType.NODE, new ObjectName("", node));
        stage.rig.api().vanish(ResourceType.NODE_CLAIM, new ObjectName("", node));
    }

    private List<String> chosen() {
        stage.passes();
        return stage.queue.entries().stream()
                .flatMap(entry -> entry.command().nodes().stream())
                .toList();
    }

    @Test
    void whatWasTriedIsNotTriedAgain() {
        assertThat(chosen()).doesNotContain("c");
        assertThat(stage.told("Unconsolidatable", "c"))
                .anyMatch(text -> text.contains("pods then needed the node again"));
    }

    @Test
    void itIsTriedAgainWhenSomebodyAskedForOtherPods() {
        stage.rig.apply(DisruptionStage.pod("more", "b"));
        stage.pass();
        stage.rig.api().vanish(ResourceType.POD, new ObjectName("default", "more"));

        assertThat(chosen()).containsExactly("c");
    }

    @Test
    void itIsTriedAgainAfterADay() {
        stage.rig.advance(Duration.ofHours(25));

        assertThat(chosen()).containsExactly("c");
    }
}
