package dev.millwright.testing.bench.problem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millwright.core.catalog.Offering;
import dev.millwright.core.quantity.Resources;
import dev.millwright.core.scheduling.SchedulingProblem;
import dev.millwright.kube.document.Source;
import dev.millwright.kube.snapshot.CatalogueDefault;
import dev.millwright.kube.snapshot.SnapshotReader;
import dev.millwright.testing.kit.FakeCatalogue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

final class BenchProblemTest {

    @TempDir private Path folder;

    @Test
    void aNameIsReadBack() {
        var problem = BenchProblem.parse("randsize-2000-awslikeod-s7");

        assertThat(problem)
                .isEqualTo(
                        new BenchProblem(
                                ProblemKind.RANDSIZE, 2_000, ProblemCatalogue.AWSLIKEOD, 7));
        assertThat(problem.name()).isEqualTo("randsize-2000-awslikeod-s7");
    }

    @Test
    void anUnknownKindIsToldWithTheKnownOnes() {
        assertThatThrownBy(() -> BenchProblem.parse("odd-2000-fake400"))
                .hasMessageContaining("\"odd\"")
                .hasMessageContaining("diverse, generic, randsize or preferring");
    }

    @Test
    void theAwslikeCatalogueHas144TypesOnDemandInThreeZones() {
        var types = ProblemCatalogue.AWSLIKEOD.types();

        assertThat(types).hasSize(144);
        assertThat(types)
                .allSatisfy(
                        type ->
                                assertThat(type.offerings())
                                        .extracting(Offering::capacityType)
                                        .containsExactly("on-demand", "on-demand", "on-demand"));
    }

    @Test
    void theFileHoldsTheWholeOfEachPod() throws IOException {
        var problem = BenchProblem.parse("diverse-200-fake400");

        var file = problem.write(folder);

        assertThat(pods(read(file))).isEqualTo(pods(problem.problem()));
    }

    @Test
    void theFileHoldsWishesToo() throws IOException {
        var problem = BenchProblem.parse("preferring-20-fake400");

        var file = problem.write(folder);

        assertThat(pods(read(file))).isEqualTo(pods(problem.problem()));
    }

    @Test
    void theFileHoldsSizesAndPricesOfEachType() throws IOException {
        var problem = BenchProblem.parse("generic-5-awslikeod");

        var file = problem.write(folder);

        assertThat(types(read(file))).isEqualTo(types(problem.problem()));
    }

    /// All but the uid, which a file does not say.
    private static List<List<Object>> pods(SchedulingProblem problem) {
        return problem.snapshot().pods().stream()
                .map(
                        pod ->
                                List.<Object>of(
                                        pod.name(), pod.labels(), pod.requests(), pod.placement()))
                .toList();
    }

    private static List<List<Object>> types(SchedulingProblem problem) {
        return problem.catalogs().firstEntry().getValue().stream()
                .map(
                        type ->
                                List.<Object>of(
                                        type.name(),
                                        type.allocatable().amount(Resources.CPU),
                                        type.allocatable().amount(Resources.MEMORY),
                                        type.allocatable().amount(Resources.PODS),
                                        type.offerings().stream()
                                                .map(Offering::pricePerHour)
                                                .toList()))
                .toList();
    }

    private static SchedulingProblem read(Path file) {
        var catalogue = new CatalogueDefault(List::of, FakeCatalogue.VOCABULARY);
        return new SnapshotReader(catalogue).read(List.of(Source.file(file))).problem();
    }
}
