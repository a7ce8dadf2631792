package dev.millwright.controllers.disruption;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.controllers.settings.Settings;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.disruption.PastMoves;
import dev.millwright.core.disruption.WholeFleet;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.testing.kit.Given;
import dev.millwright.testing.kit.disruption.DisruptionStage;
import dev.millwright.testing.kit.disruption.FleetNode;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;

/// What moves of the whole fleet leave behind, so that they do not go round in circles.
final class MoveHistoryTest {

    private static final Duration SETTLED = Duration.ofMinutes(3);

    private final DisruptionStage stage =
            new DisruptionStage(
                    new Settings.Consolidation(true, WholeFleet.HORIZON_DEFAULT, false));

    @BeforeEach
    void fleet() {
        stage.pool("100%").add(new FleetNode("old").type("dear", "10"));
        stage.rig.cloud().types(types(0.5));
        stage.rig.apply(DisruptionStage.pod("web", "old").requests("cpu", "6"));
    }

    private static List<dev.millwright.core.catalog.InstanceType> types(double price) {
        return List.of(
                Given.instanceType("dear")
                        .cpu("10")
                        .offering("test-zone-1", "on-demand", 1)
                        .build(),
                Given.instanceType("cheap")
                        .cpu("10")
                        .offering("test-zone-1", "on-demand", price)
                        .build());
    }

    /// The old node is marked, and the claim for the new one is made.
    private String begun() {
        stage.passes();
        return stage.made("old").getFirst();
    }

    private String moved() {
        var made = begun();
        stage.initialized(made);
        stage.work();
        stage.rig.api().vanish(ResourceType.POD, new ObjectName("default", "web"));
        stage.rig.api().vanish(ResourceType.NODE, new ObjectName("", "old"));
        stage.rig.api().vanish(ResourceType.NODE_CLAIM, new ObjectName("", "old"));
        stage.rig.apply(DisruptionStage.pod("web-2", made).requests("cpu", "6"));
        stage.problem();
        stage.rig.advance(SETTLED);
        return made;
    }

    private PastMoves past() {
        return stage.problem().past();
    }

    @Test
    void aNodeThatAMoveBoughtIsSettled() {
        assertThat(moved()).isIn(past().settled());
    }

    @Test
    void podsThatComeLaterUnsettleIt() {
        var made = moved();
        assertThat(past().settled()).contains(made);

        stage.rig.apply(DisruptionStage.pod("more", made).requests("cpu", "1"));

        assertThat(past().settled()).isEmpty();
    }

    @Test
    void pricesThatChangeUnsettleIt() {
        var made = moved();
        assertThat(past().settled()).contains(made);

        stage.rig.cloud().types(types(0.4));

        assertThat(past().settled()).isEmpty();
    }

    @Test
    void theHorizonUnsettlesIt() {
        moved();
        stage.rig.advance(WholeFleet.HORIZON_DEFAULT);

        assertThat(past().settled()).isEmpty();
    }

    @Test
    void whatWasLaunchedInVainIsLeftAloneForAWhile() {
        stage.rig.api().vanish(ResourceType.NODE_CLAIM, new ObjectName("", begun()));
        stage.work();

        assertThat(past().vain()).containsExactly(new PastMoves.Target("default", "cheap"));
        stage.passes();
        assertThat(stage.queue.entries()).isEmpty();

        stage.rig.advance(Duration.ofMinutes(15));
        assertThat(past().vain()).isEmpty();
    }
}
