package dev.millwright.controllers.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.controllers.ReferencePage;
import dev.millwright.core.label.LabelVocabulary;
import dev.millwright.runtime.metrics.MetricFamily;
import dev.millwright.runtime.metrics.Metrics;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

final class FamiliesTest {

    private static Stream<MetricFamily> all() {
        return Stream.of(
                        Families.all(),
                        NodeFamilies.of(LabelVocabulary.CORE).all(),
                        ConditionFamilies.of("<kind>", List.of()).all(),
                        ConditionFamilies.DEPRECATED.all(),
                        OwnFamilies.all())
                .flatMap(List::stream);
    }

    @Test
    void theReferenceShowsEveryFamily() throws IOException {
        var head = Stream.of("| name | type | labels | meaning |", "|---|---|---|---|");
        var rows =
                all().map(
                                family ->
                                        "| `%s` | %s | %s | %s |"
                                                .formatted(
                                                        family.name(),
                                                        family.type()
                                                                .name()
                                                                .toLowerCase(Locale.ROOT),
                                                        family.labels().stream()
                                                                .map(label -> "`" + label + "`")
                                                                .collect(Collectors.joining(", ")),
                                                        family.help()));
        ReferencePage.hasTable("metrics.md", Stream.concat(head, rows).toList());
    }

    @Test
    void labelsOfNodesAreTheNamePartsOfWellKnownKeys() {
        var families =
                NodeFamilies.of(
                        LabelVocabulary.CORE.withWellKnown(
                                List.of("karpenter.k8s.aws/instance-gpu-count")));
        assertThat(families.keys())
                .containsEntry("zone", "topology.kubernetes.io/zone")
                .containsEntry("windows_build", "node.kubernetes.io/windows-build")
                .containsEntry("instance_gpu_count", "karpenter.k8s.aws/instance-gpu-count");
        assertThat(families.currentLifetime().labels())
                .startsWith("node_name", "phase", "managed")
                .contains("nodepool", "instance_gpu_count")
                .doesNotContain("resource_type");
        assertThat(families.resources().allocatable().labels()).endsWith("resource_type");
    }

    @Test
    void keysWithTheSameNamePartShareALabel() {
        var families =
                NodeFamilies.of(LabelVocabulary.CORE.withWellKnown(List.of("example.com/zone")));
        assertThat(families.keys()).containsEntry("zone", "example.com/zone");
    }

    @Test
    void labelsOfConditionsAreWholeKeys() {
        var families =
                ConditionFamilies.of(
                        "NodeClaim",
                        List.of("karpenter.sh/nodepool", "karpenter.kwok.sh/kwoknodeclass"));
        assertThat(families.transitions().name())
                .isEqualTo("operator_nodeclaim_status_condition_transitions_total");
        assertThat(families.terminationDuration().labels())
                .containsExactly("karpenter_sh_nodepool", "karpenter_kwok_sh_kwoknodeclass");
        assertThat(families.transition().bounds())
                .startsWith(0.5, 1.0, 2.0)
                .endsWith(8192.0)
                .hasSize(15);
    }

    @Test
    void allFamiliesFitOneRegistry() {
        assertThat(new Metrics(all().filter(each -> !each.name().contains("<")).toList()))
                .isNotNull();
    }
}
