package dev.millwright.world;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.label.ControlKeys;
import dev.millwright.kube.client.Metadata;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.providers.sim.Ec2Catalogue;
import dev.millwright.providers.sim.Ec2Settings;
import dev.millwright.world.happening.Happening;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/// Old nodes are replaced one after the other, and only when their pool's windows are open.
final class SoftExpirationTest {

    private static final List<InstanceType> TYPES =
            Ec2Catalogue.load().instanceTypes(Ec2Settings.DEFAULT).stream()
                    .filter(type -> type.name().equals("m5.large"))
                    .toList();

    private static final String ON_DEMAND =
            "{\"key\":\"karpenter.sh/capacity-type\",\"operator\":\"In\",\"values\":[\"on-demand\"]}";

    private final List<Instant> deletions = new ArrayList<>();
    private final Set<String> going = new HashSet<>();
    private final World world = new World(WorldSettings.of(1, TYPES), this::saw);
    private final Manifests manifests = new Manifests(world);

    private void saw(Happening happening) {
        if (happening instanceof Happening.Changed(var at, _, var type, _, var after)
                && type.equals(ResourceType.NODE_CLAIM)
                && after != null
                && !Metadata.text(after, "deletionTimestamp").isEmpty()
                && going.add(Metadata.of(after).name().name())) {
            deletions.add(at);
        }
    }

    private Set<String> claims() {
        return world.store().all(ResourceType.NODE_CLAIM).stream()
                .map(claim -> Metadata.of(claim).name().name())
                .collect(Collectors.toSet());
    }

    @Test
    void oldNodesAreReplacedOneAfterTheOther() {
        manifests.pool(ON_DEMAND).deployment("web", 6, "1", "1Gi");
        world.run(Duration.ofMinutes(10));
        var first = claims();
        manifests.annotatePool(ControlKeys.EXPIRE_SOFTLY_AFTER, "2h");

        world.run(Duration.ofMinutes(100));
        assertThat(deletions).isEmpty();
        world.run(Duration.ofMinutes(60));

        assertThat(claims()).doesNotContainAnyElementsOf(first).hasSameSizeAs(first);
        assertThat(deletions).hasSameSizeAs(first).doesNotHaveDuplicates();
    }

    /// The world begins at six on a Monday.
    @Test
    void oldNodesWaitForTheirWindow() {
        manifests.pool(ON_DEMAND).deployment("web", 6, "1", "1Gi");
        world.run(Duration.ofMinutes(10));
        var first = claims();
        manifests
                .annotatePool(ControlKeys.EXPIRE_SOFTLY_AFTER, "1h")
                .annotatePool(ControlKeys.MAINTENANCE_WINDOWS, "Drifted: Mon 10:00-11:00");

        world.runUntil(Instant.parse("2026-01-05T10:00:00Z"));
        assertThat(deletions).isEmpty();
        world.runUntil(Instant.parse("2026-01-05T20:00:00Z"));

        assertThat(claims()).doesNotContainAnyElementsOf(first);
        assertThat(deletions).allMatch(at -> at.isBefore(Instant.parse("2026-01-05T11:05:00Z")));
    }
}
