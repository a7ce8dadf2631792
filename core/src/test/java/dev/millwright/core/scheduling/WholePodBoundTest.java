package dev.millwright.core.scheduling;

import static dev.millwright.testing.kit.FakeCatalogue.ZONE_1;
import static dev.millwright.testing.kit.FakeCatalogue.ZONE_2;
import static dev.millwright.testing.kit.Given.cluster;
import static dev.millwright.testing.kit.Given.instanceType;
import static dev.millwright.testing.kit.Given.node;
import static dev.millwright.testing.kit.Given.pod;
import static dev.millwright.testing.kit.Given.pods;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.millwright.core.catalog.Offering;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.testing.kit.ClusterBuilder;
import dev.millwright.testing.kit.InstanceTypeBuilder;

import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

import java.util.Map;
import java.util.stream.IntStream;

/// What [PatternBound] knows of pods in great numbers that resources alone do not tell.
final class WholePodBoundTest {

    /// A part by which the bound may stay below what it could prove.
    private static final double NEAR = 1e-3;

    private static InstanceTypeBuilder type(String name, int cpu) {
        return instanceType(name)
                .cpu(Integer.toString(cpu))
                .memory(4 * cpu + "Gi")
                .pods(110)
                .withoutOverhead();
    }

    private static InstanceTypeBuilder type(String name, int cpu, double price) {
        return type(name, cpu).offering(ZONE_1, "on-demand", price);
    }

    private static FleetModel model(ClusterBuilder cluster) {
        var compiled = new CompiledProblem(cluster.problem());
        var pods = IntStream.range(0, compiled.podCount()).boxed().toList();
        return new FleetModels(compiled).ofMusts(pods);
    }

    private static double proven(FleetModel model) {
        return PatternBound.perHour(model, LowerBound.liquid(model));
    }

    private static Offset<Double> near(double price) {
        return within(NEAR * price);
    }

    @Test
    void podsThatLeaveHalfOfTheirMachineEmptyPayForAllOfIt() {
        var model =
                model(
                        cluster()
                                .selling(type("c2", 2, 0.1))
                                .with(pods(90, pod("web", "1100m")))
                                .with(pods(90, pod("log", "100m"))));

        assertThat(proven(model)).isCloseTo(9, near(9));
        assertThat(LowerBound.liquid(model)).isLessThan(6);
    }

    @Test
    void podsThatKeepApartNeedAMachineEach() {
        var labels = Map.of("app", "web");
        var model =
                model(
                        cluster()
                                .selling(type("c2", 2, 0.1), type("c16", 16, 0.3))
                                .with(
                                        pods(
                                                60,
                                                pod("web", "200m")
                                                        .labels(labels)
                                                        .podAntiAffinity(
                                                                LabelKeys.HOSTNAME, labels)))
                                .with(pods(60, pod("job", "1900m"))));

        // Eight jobs share a large machine with one of the others.
        assertThat(proven(model)).isCloseTo(7.5 * 0.3 + 52.5 * 0.1, near(7.5));
    }

    @Test
    void aZoneThatPodsAskForIsPaidAtItsOwnPrice() {
        var model =
                model(
                        cluster()
                                .selling(
                                        type("c2", 2)
                                                .offering(ZONE_1, "on-demand", 0.1)
                                                .offering(ZONE_2, "on-demand", 0.2))
                                .with(pods(40, pod("free", "2")))
                                .with(
                                        pods(
                                                40,
                                                pod("bound", "2")
                                                        .nodeSelector(LabelKeys.ZONE, ZONE_2))));

        assertThat(proven(model)).isCloseTo(40 * 0.1 + 40 * 0.2, near(12));
    }

    @Test
    void nodesThatAreThereTakeWholePodsForNothing() {
        var model =
                model(
                        cluster()
                                .selling(type("c2", 2, 0.1))
                                .with(
                                        node("a")
                                                .bought(
                                                        type("c8", 8, 1).build(),
                                                        Offering.of(ZONE_1, "on-demand", 0)),
                                        node("b")
                                                .bought(
                                                        type("c8", 8, 1).build(),
                                                        Offering.of(ZONE_1, "on-demand", 0)))
                                .with(pods(90, pod("web", "1500m"))));

        assertThat(proven(model)).isCloseTo((90 - 10) * 0.1, near(8));
    }

    @Test
    void podsOfTooManyKindsAreLeftToTheBoundOfPieces() {
        var cluster =
                cluster()
                        .selling(type("c2", 2, 0.1))
                        .with(
                                IntStream.range(0, 200)
                                        .mapToObj(
                                                number ->
                                                        pod("p" + number).cpu(1_000 + number + "m"))
                                        .toList());

        assertThat(proven(model(cluster))).isZero();
        assertThat(LowerBound.ofMany(model(cluster))).isPositive();
    }
}
