package dev.millwright.world;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.label.ControlKeys;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.providers.sim.Ec2Catalogue;
import dev.millwright.providers.sim.Ec2Settings;
import dev.millwright.world.cluster.PodFacts;
import dev.millwright.world.happening.Happening;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// The only pod of a workload moves without a gap, where its owner wants that.
final class MakeBeforeBreakTest {

    private static final List<InstanceType> TYPES =
            Ec2Catalogue.load().instanceTypes(Ec2Settings.DEFAULT).stream()
                    .filter(type -> type.name().equals("m5.large"))
                    .toList();

    private static final String ON_DEMAND =
            "{\"key\":\"karpenter.sh/capacity-type\",\"operator\":\"In\",\"values\":[\"on-demand\"]}";

    private final Set<String> ready = new HashSet<>();
    private boolean isWatched;
    private int gaps;
    private int evictions;
    private final World world = new World(WorldSettings.of(1, TYPES), this::saw);
    private final Manifests manifests = new Manifests(world);

    private void saw(Happening happening) {
        if (happening instanceof Happening.Evicted) {
            evictions++;
        }
        if (happening instanceof Happening.Changed(_, _, var type, var before, var after)
                && type.equals(ResourceType.POD)) {
            if (after != null) {
                var pod = PodFacts.of(after, null);
                if (pod.isReady() && !pod.isDeleting()) {
                    ready.add(pod.uid());
                } else {
                    ready.remove(pod.uid());
                }
            } else if (before != null) {
                ready.remove(PodFacts.of(before, null).uid());
            }
            gaps += isWatched && ready.isEmpty() ? 1 : 0;
        }
    }

    private String nodeOfTheOnlyPod() {
        var pods = world.store().all(ResourceType.POD);
        assertThat(pods).hasSize(1);
        return PodFacts.of(pods.iterator().next(), null).nodeName();
    }

    /// A pod whose budget never lets it go, on a node that drifts.
    private void drift() {
        manifests.pool(ON_DEMAND).deployment("db", 1, "1", "1Gi").budget("db");
        world.run(Duration.ofMinutes(5));
    }

    @Test
    void theCopyIsReadyBeforeThePodLeaves() {
        drift();
        manifests.annotatePods("db", ControlKeys.MAKE_BEFORE_BREAK, "true");
        world.run(Duration.ofMinutes(5));
        var before = nodeOfTheOnlyPod();
        isWatched = true;

        manifests.changeTemplate();
        world.run(Duration.ofMinutes(30));

        assertThat(nodeOfTheOnlyPod()).isNotEqualTo(before);
        assertThat(world.cloud().truth()).hasSize(1);
        assertThat(gaps).isZero();
        assertThat(evictions).isZero();
    }

    @Test
    void withoutTheAnnotationItsBudgetKeepsTheNode() {
        drift();
        var before = nodeOfTheOnlyPod();

        manifests.changeTemplate();
        world.run(Duration.ofMinutes(30));

        assertThat(nodeOfTheOnlyPod()).isEqualTo(before);
    }
}
