package dev.millwright.kube.object;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.label.LabelVocabulary;
import dev.millwright.core.quantity.Resources;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;

import org.junit.jupiter.api.Test;

import java.util.List;

/// What a pod is limited to.
final class PodLimitsTest {

    private static Value.Mapping container(String cpu) {
        return Tree.of("name", "c")
                .put("resources", Tree.of("limits", Tree.of("cpu", cpu)))
                .mapping();
    }

    private static Resources limits(Tree spec) {
        var pod = Tree.of("metadata", Tree.of("name", "a")).put("spec", spec).mapping();
        return new ObjectReader(LabelVocabulary.CORE).pod(pod).limits();
    }

    private static Tree containers(Value.Mapping... containers) {
        return Tree.of().putList("containers", List.of(containers));
    }

    @Test
    void containersAreAddedUpAndThePodCounts() {
        assertThat(limits(containers(container("1"), container("500m"))))
                .isEqualTo(Resources.parse("cpu", "1500m", "pods", "1"));
    }

    @Test
    void theLargestMomentOfTheStartCounts() {
        var spec = containers(container("1")).putList("initContainers", List.of(container("3")));

        assertThat(limits(spec)).isEqualTo(Resources.parse("cpu", "3", "pods", "1"));
    }

    @Test
    void aSandboxRaisesOnlyLimitsThatAreThere() {
        var spec =
                containers(container("1"))
                        .put("overhead", Tree.of("cpu", "250m").put("memory", "1Gi"));

        assertThat(limits(spec)).isEqualTo(Resources.parse("cpu", "1250m", "pods", "1"));
    }

    @Test
    void aContainerWithoutALimitAddsNothing() {
        assertThat(limits(containers(Tree.of("name", "c").mapping())))
                .isEqualTo(Resources.parse("pods", "1"));
    }
}
