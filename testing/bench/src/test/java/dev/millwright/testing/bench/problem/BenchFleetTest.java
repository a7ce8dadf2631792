package dev.millwright.testing.bench.problem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millwright.core.cluster.Snapshot;
import dev.millwright.core.quantity.Resources;
import dev.millwright.kube.document.Source;
import dev.millwright.kube.snapshot.CatalogueDefault;
import dev.millwright.kube.snapshot.SnapshotReader;
import dev.millwright.testing.kit.FakeCatalogue;

import org.junit.jupiter.api.Test;

import java.util.HashMap;
import java.util.List;

final class BenchFleetTest {

    @Test
    void aNameIsReadBack() {
        var fleet = BenchFleet.parse("slack-500-s7");

        assertThat(fleet).isEqualTo(new BenchFleet(BenchFleet.Load.SLACK, 500, 7));
        assertThat(fleet.name()).isEqualTo("slack-500-s7");
    }

    @Test
    void anotherNameIsToldWithAnExample() {
        assertThatThrownBy(() -> BenchFleet.parse("half-500"))
                .hasMessageContaining("\"half-500\"")
                .hasMessageContaining("dense-1000");
    }

    @Test
    void aNameIsOneFleet() {
        assertThat(BenchFleet.parse("dense-5").text())
                .isEqualTo(BenchFleet.parse("dense-5").text())
                .isNotEqualTo(BenchFleet.parse("dense-5-s7").text());
    }

    @Test
    void aDenseFleetIsNearlyFullWith25PodsANode() {
        var fleet = read(BenchFleet.parse("dense-100"));

        assertThat(fleet.pods().size() / 100.0).isBetween(21.0, 29.0);
        assertThat(use(fleet)).isBetween(0.9, 1.0);
    }

    @Test
    void aSlackFleetIsHalfEmptyWith25PodsANode() {
        var fleet = read(BenchFleet.parse("slack-100"));

        assertThat(fleet.pods().size() / 100.0).isBetween(21.0, 29.0);
        assertThat(use(fleet)).isBetween(0.4, 0.6);
    }

    private static Snapshot read(BenchFleet fleet) {
        var catalogue =
                new CatalogueDefault(() -> FakeCatalogue.linear(5), FakeCatalogue.VOCABULARY);
        return new SnapshotReader(catalogue)
                .read(List.of(Source.text(fleet.name(), fleet.text())))
                .problem()
                .snapshot();
    }

    /// The mean over nodes of the part in use, of cores or memory, whichever is scarcer.
    private static double use(Snapshot fleet) {
        var used = new HashMap<String, Resources>();
        fleet.pods()
                .forEach(
                        pod ->
                                used.merge(
                                        String.valueOf(pod.state().nodeName()),
                                        pod.requests(),
                                        Resources::plus));
        return fleet.nodes().stream()
                .mapToDouble(
                        node -> {
                            var own = used.getOrDefault(node.name(), Resources.NONE);
                            return Math.max(
                                    share(own, node.allocatable(), Resources.CPU),
                                    share(own, node.allocatable(), Resources.MEMORY));
                        })
                .average()
                .orElseThrow();
    }

    private static double share(Resources used, Resources all, String name) {
        return used.amount(name).toBigDecimal().doubleValue()
                / all.amount(name).toBigDecimal().doubleValue();
    }
}
