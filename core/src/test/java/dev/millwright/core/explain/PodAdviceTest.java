package dev.millwright.core.explain;

import static dev.millwright.testing.kit.Given.cluster;
import static dev.millwright.testing.kit.Given.instanceType;
import static dev.millwright.testing.kit.Given.nodePool;
import static dev.millwright.testing.kit.Given.pod;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.explain.PodExplanation.Fix;
import dev.millwright.core.explain.PodExplanation.Way;
import dev.millwright.testing.kit.ClusterBuilder;
import dev.millwright.testing.kit.PodBuilder;

import org.junit.jupiter.api.Test;

import java.util.List;

/// What is advised about the pod `web`, how much is tried for it, and what it costs.
final class PodAdviceTest {

    private static final ObjectName WEB = new ObjectName("default", "web");
    private static final PodBuilder ASKING =
            pod("web")
                    .nodeSelector("disk", "ssd")
                    .nodeSelector("rack", "7")
                    .nodeSelector("row", "8")
                    .nodeSelector("hall", "9");

    private final ClusterBuilder cluster =
            cluster()
                    .selling(
                            instanceType("small")
                                    .cpu("4")
                                    .withoutOverhead()
                                    .offering("test-zone-1", "on-demand", 2));

    @Test
    void onlyAPodThatWaitsIsAdvised() {
        assertThat(new PodExplainer(cluster.problem()).advise(WEB)).isNull();
        assertThat(new PodExplainer(cluster.with(pod("web", "1")).problem()).advise(WEB)).isNull();
        assertThat(new PodExplainer(cluster.with(pod("web", "9")).problem()).advise(WEB))
                .isInstanceOf(Fix.Found.class);
    }

    @Test
    void adviceIsThatOfTheExplanation() {
        var problem = cluster.with(pod("web", "9")).problem();

        assertThat(new PodExplainer(problem).advise(WEB))
                .isEqualTo(new PodExplainer(problem).explain(WEB).fix());
    }

    @Test
    void aSearchThatEndsForWantOfPlansSaysSo() {
        var problem = cluster.with(ASKING).problem();

        assertThat(new PodExplainer(problem, 6).advise(WEB))
                .isEqualTo(new Fix.None("no change was found in 6 plans"));
        assertThat(new PodExplainer(problem).advise(WEB))
                .isEqualTo(new Fix.None("no set of up to 3 changes that we know of helps"));
    }

    @Test
    void aWayCostsWhatNodesCostMoreThanWithoutIt() {
        var problem =
                cluster.with(nodePool("p").limit("cpu", "4"), pod("first", "3"), pod("web", "3"))
                        .problem();

        var found = (Fix.Found) new PodExplainer(problem).advise(WEB);

        assertThat(found.first().changes())
                .extracting(Change::describe)
                .containsExactly("raise the limit of cpu to 8");
        assertThat(found.first().extraPerHour()).isCloseTo(2, within(1e-9));
    }

    @Test
    void theFirstWayIsThatOfTheListAndTheOthersFollow() {
        var first = new Way(List.of(), 1);
        var second = new Way(List.of(), 2);
        var found = new Fix.Found(List.of(first, second));

        assertThat(found.first()).isEqualTo(first);
        assertThat(found.others()).containsExactly(second);
    }
}
