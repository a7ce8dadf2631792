package dev.millwright.controllers.disruption;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.millwright.controllers.metrics.OwnFamilies;
import dev.millwright.controllers.pricing.BoundController;
import dev.millwright.controllers.state.ClusterState;
import dev.millwright.core.policy.SchedulingPolicy;
import dev.millwright.runtime.metrics.MetricFamily;
import dev.millwright.runtime.step.Step.Ending;
import dev.millwright.testing.kit.FakeCatalogue;
import dev.millwright.testing.kit.cluster.Manifest;
import dev.millwright.testing.kit.disruption.DisruptionStage;
import dev.millwright.testing.kit.disruption.FleetNode;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/// How far the fleet is from the least that its pods could cost.
final class BoundTest {

    private static final double HAIR = 1e-9;

    private final DisruptionStage stage = new DisruptionStage();
    private final AtomicLong nanos = new AtomicLong();
    private long lookNanos;
    private final BoundController controller =
            new BoundController(
                    new ClusterState(stage.marks),
                    stage.rig.cloud()::catalog,
                    SchedulingPolicy.DEFAULT.withVocabulary(
                            stage.rig.cloud().traits().vocabulary()),
                    () -> nanos.getAndAdd(lookNanos));

    @BeforeEach
    void pool() {
        stage.rig.cloud().types(FakeCatalogue.linear(40));
        stage.pool("100%");
    }

    private double told(MetricFamily family) {
        var value = stage.rig.gauge(family);
        assertThat(value).as(family.name()).isNotNull();
        return value == null ? 0 : value;
    }

    @Test
    void aNodeThatIsFullIsTheBest() {
        stage.add(new FleetNode("a").type("fake-it-1", "2").spot());
        stage.rig.apply(
                Manifest.pod("web")
                        .owner("apps/v1", "ReplicaSet", "web")
                        .requests("cpu", "1900m")
                        .on("a"));

        stage.rig.run(controller);

        assertThat(told(OwnFamilies.FLEET_LOWER_BOUND))
                .isPositive()
                .isLessThanOrEqualTo(told(OwnFamilies.FLEET_PRICE) + HAIR);
        assertThat(told(OwnFamilies.FLEET_GAP)).isBetween(-HAIR, 0.2);
    }

    @Test
    void aNodeThatIsTooLargeIsFarFromTheBest() {
        stage.add(new FleetNode("a").type("fake-it-35", "36"));
        stage.rig.apply(DisruptionStage.pod("web", "a"));

        stage.rig.run(controller);

        var price = told(OwnFamilies.FLEET_PRICE);
        var bound = told(OwnFamilies.FLEET_LOWER_BOUND);
        assertThat(told(OwnFamilies.FLEET_GAP))
                .isGreaterThan(0.9)
                .isCloseTo((price - bound) / price, within(HAIR));
    }

    @Test
    void podsOnNodesOfOthersNeedNoneOfOurs() {
        stage.add(new FleetNode("a").type("fake-it-1", "2"));
        stage.rig.apply(Manifest.node("theirs"), DisruptionStage.pod("web", "theirs"));

        stage.rig.run(controller);

        assertThat(told(OwnFamilies.FLEET_LOWER_BOUND)).isZero();
        assertThat(told(OwnFamilies.FLEET_GAP)).isEqualTo(1);
    }

    @Test
    void daemonsComeWithNodesAndAskForNone() {
        stage.add(new FleetNode("a").type("fake-it-1", "2"));
        stage.rig.apply(Manifest.pod("log").ofDaemonSet("log").requests("cpu", "1").on("a"));

        stage.rig.run(controller);

        assertThat(told(OwnFamilies.FLEET_LOWER_BOUND)).isZero();
    }

    @Test
    void aNodeWithoutAPriceIsLeftOutWithItsPods() {
        stage.add(new FleetNode("a").type("unheard-of", "2"));
        stage.rig.apply(DisruptionStage.pod("web", "a"));

        stage.rig.run(controller);

        assertThat(told(OwnFamilies.FLEET_PRICE)).isZero();
        assertThat(told(OwnFamilies.FLEET_LOWER_BOUND)).isZero();
        assertThat(told(OwnFamilies.FLEET_GAP)).isZero();
    }

    @Test
    void nothingIsLookedAtAgainUntilSomethingChanges() {
        stage.rig.run(controller);
        stage.rig.advance(Duration.ofMinutes(1));
        stage.rig.run(controller);
        assertThat(stage.rig.observations(OwnFamilies.FLEET_BOUND_DURATION)).hasSize(1);

        stage.add(new FleetNode("a").type("fake-it-1", "2"));
        stage.rig.run(controller);
        assertThat(stage.rig.observations(OwnFamilies.FLEET_BOUND_DURATION)).hasSize(2);
    }

    @Test
    void pricesAreLookedAtAgainAfterAWhile() {
        stage.rig.run(controller);
        stage.rig.advance(Duration.ofMinutes(5));
        stage.rig.run(controller);

        assertThat(stage.rig.observations(OwnFamilies.FLEET_BOUND_DURATION)).hasSize(2);
    }

    @Test
    void aQuickLookComesOnceAMinute() {
        lookNanos = Duration.ofMillis(300).toNanos();

        assertThat(stage.rig.run(controller)).isEqualTo(new Ending.Again(Duration.ofMinutes(1)));
    }

    @Test
    void aSlowLookComesSeldom() {
        lookNanos = Duration.ofSeconds(10).toNanos();

        assertThat(stage.rig.run(controller)).isEqualTo(new Ending.Again(Duration.ofSeconds(490)));
    }
}
