package dev.millwright.world;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.kube.client.Metadata;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.providers.sim.Ec2Catalogue;
import dev.millwright.providers.sim.Ec2Settings;
import dev.millwright.world.happening.Happening;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// A frozen world lets no node go by choice.
final class FreezeTest {

    private static final List<InstanceType> TYPES =
            Ec2Catalogue.load().instanceTypes(Ec2Settings.DEFAULT).stream()
                    .filter(type -> type.name().equals("m5.large"))
                    .toList();

    private static final String SPOT =
            "{\"key\":\"karpenter.sh/capacity-type\",\"operator\":\"In\",\"values\":[\"spot\"]}";

    /// How soon a freeze must be honoured.
    private static final Duration HONOURED_IN = Duration.ofSeconds(5);

    private final List<Instant> deletions = new ArrayList<>();
    private final World world = new World(WorldSettings.of(1, TYPES), this::saw);
    private final Manifests manifests = new Manifests(world);

    private void saw(Happening happening) {
        if (happening instanceof Happening.Changed(var at, _, var type, var before, var after)
                && type.equals(ResourceType.NODE_CLAIM)
                && before != null
                && after != null
                && Metadata.text(before, "deletionTimestamp").isEmpty()
                && !Metadata.text(after, "deletionTimestamp").isEmpty()) {
            deletions.add(at);
        }
    }

    private int machines() {
        return world.cloud().truth().size();
    }

    @Test
    void aFrozenWorldKeepsItsNodesAndGoesOnWhenItIsReleased() {
        manifests.pool(SPOT).deployment("web", 10, "1", "1Gi");
        world.run(Duration.ofMinutes(10));
        var before = machines();
        manifests.freeze(true);
        manifests.scale("web", 1);

        world.run(Duration.ofHours(2));

        assertThat(deletions).isEmpty();
        assertThat(machines()).isEqualTo(before);

        world.cloud().interrupt(world.cloud().truth().getFirst().providerId());
        world.run(Duration.ofMinutes(10));
        assertThat(deletions).hasSize(1);

        manifests.freeze(false);
        world.run(Duration.ofMinutes(10));
        assertThat(machines()).isEqualTo(1);
    }

    /// Nodes are empty after about a second, consolidatable 30 seconds later, and validated 15
    /// seconds after that, so that a freeze meets every part of the way.
    @ParameterizedTest
    @ValueSource(ints = {10, 33, 40, 45, 47, 48, 49, 50, 52, 55, 60})
    void aFreezeIsHonouredInFiveSecondsWheneverItComes(int seconds) {
        manifests.pool(SPOT).deployment("web", 10, "1", "1Gi");
        world.run(Duration.ofMinutes(10));
        manifests.scale("web", 0);
        world.run(Duration.ofSeconds(seconds));
        manifests.freeze(true);
        var frozenAt = world.now();

        world.run(Duration.ofMinutes(10));

        assertThat(deletions).noneMatch(at -> at.isAfter(frozenAt.plus(HONOURED_IN)));
    }

    /// A replacement takes about a minute to come, and then the next node has its turn.
    @ParameterizedTest
    @ValueSource(ints = {5, 15, 30, 45, 60, 75, 90, 120, 150, 180})
    void aReplacementThatComesDuringAFreezeDeletesNothing(int seconds) {
        manifests.pool(SPOT).deployment("web", 10, "1", "1Gi");
        world.run(Duration.ofMinutes(10));
        manifests.changeTemplate();
        world.run(Duration.ofSeconds(seconds));
        manifests.freeze(true);
        var frozenAt = world.now();
        var before = deletions.size();

        world.run(Duration.ofHours(1));
        assertThat(deletions).noneMatch(at -> at.isAfter(frozenAt.plus(HONOURED_IN)));

        manifests.freeze(false);
        world.run(Duration.ofHours(1));
        assertThat(deletions).hasSizeGreaterThan(before);
    }
}
