package dev.millwright.world;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Value;
import dev.millwright.providers.sim.Ec2Catalogue;
import dev.millwright.providers.sim.Ec2Settings;
import dev.millwright.world.fault.Fault;
import dev.millwright.world.happening.Happening;
import dev.millwright.world.happening.Journal;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;

final class WorldTest {

    private static final List<InstanceType> TYPES =
            Ec2Catalogue.load().instanceTypes(Ec2Settings.DEFAULT).stream()
                    .filter(type -> type.name().startsWith("m5.") || type.name().startsWith("c5."))
                    .toList();

    private static final String ON_DEMAND =
            "{\"key\":\"karpenter.sh/capacity-type\",\"operator\":\"In\",\"values\":[\"on-demand\"]}";
    private static final String SPOT =
            "{\"key\":\"karpenter.sh/capacity-type\",\"operator\":\"In\",\"values\":[\"spot\",\"on-demand\"]}";

    private static long running(World world) {
        return world.store().all(ResourceType.POD).stream()
                .filter(
                        pod ->
                                pod.fields().get("status") instanceof Value.Mapping status
                                        && "Running".equals(status.text("phase")))
                .count();
    }

    @Test
    void podsThatWaitGetNodesAndEmptyNodesGo() {
        var world = new World(WorldSettings.of(1, TYPES), new Journal(_ -> {}));
        var manifests = new Manifests(world).pool(ON_DEMAND).deployment("web", 20, "1", "1Gi");

        world.run(Duration.ofMinutes(10));

        assertThat(running(world)).isEqualTo(20);
        assertThat(world.cloud().truth()).isNotEmpty();

        manifests.scale("web", 0);
        world.run(Duration.ofMinutes(10));

        assertThat(running(world)).isZero();
        assertThat(world.cloud().truth()).isEmpty();
        assertThat(world.store().all(ResourceType.NODE_CLAIM)).isEmpty();
        assertThat(world.store().all(ResourceType.NODE)).isEmpty();
    }

    @Test
    void allFaultsTogetherEndInACalmWorldWhereAllPodsRun() {
        var world = new World(stormy(3), new Journal(_ -> {}));
        new Manifests(world).pool(SPOT).deployment("web", 20, "1", "1Gi");

        world.run(Duration.ofHours(2));

        assertThat(running(world)).isEqualTo(20);
        assertThat(world.cloud().truth()).hasSameSizeAs(world.store().all(ResourceType.NODE_CLAIM));
    }

    @Test
    void theSameSeedGivesTheSameLog() {
        assertThat(digest(5)).isEqualTo(digest(5));
    }

    @Test
    void anotherSeedGivesAnotherLog() {
        assertThat(digest(5)).isNotEqualTo(digest(6));
    }

    @Test
    void anInterruptedMachineIsReplacedBeforeItGoes() {
        var stops = new ArrayList<Happening.Stopped>();
        var world =
                new World(
                        WorldSettings.of(1, TYPES),
                        happening -> {
                            if (happening instanceof Happening.Stopped stopped) {
                                stops.add(stopped);
                            }
                        });
        new Manifests(world).pool(SPOT).deployment("web", 20, "1", "1Gi");
        world.run(Duration.ofMinutes(5));
        var machine = world.cloud().truth().getFirst();

        assertThat(world.cloud().interrupt(machine.providerId())).isTrue();
        world.run(Duration.ofMinutes(10));

        assertThat(running(world)).isEqualTo(20);
        assertThat(stops).extracting(Happening.Stopped::providerId).contains(machine.providerId());
    }

    private static WorldSettings stormy(long seed) {
        return WorldSettings.of(seed, TYPES)
                .withFaults(EnumSet.allOf(Fault.class), Duration.ofMinutes(60));
    }

    private static String digest(long seed) {
        var journal = new Journal(_ -> {});
        var world = new World(stormy(seed), journal);
        new Manifests(world).pool(SPOT).deployment("web", 10, "1", "1Gi");
        world.run(Duration.ofMinutes(40));
        return journal.digest();
    }
}
