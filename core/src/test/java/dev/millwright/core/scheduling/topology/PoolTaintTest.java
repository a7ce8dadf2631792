package dev.millwright.core.scheduling.topology;

import static dev.millwright.core.label.LabelKeys.ZONE;
import static dev.millwright.testing.kit.FakeCatalogue.ZONE_1;
import static dev.millwright.testing.kit.FakeCatalogue.ZONE_2;
import static dev.millwright.testing.kit.FakeCatalogue.ZONE_3;
import static dev.millwright.testing.kit.Given.cluster;
import static dev.millwright.testing.kit.Given.nodePool;
import static dev.millwright.testing.kit.Given.pod;
import static dev.millwright.testing.kit.Given.taint;
import static dev.millwright.testing.kit.Given.volume;
import static dev.millwright.testing.kit.Given.volumeClaim;
import static dev.millwright.testing.kit.PlanAssert.assertThat;

import dev.millwright.core.cluster.SpreadConstraint;
import dev.millwright.core.label.Selector;
import dev.millwright.core.label.Taint;
import dev.millwright.core.label.Toleration;
import dev.millwright.testing.kit.PodBuilder;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.Map;

/// Taints of pools, and volumes under a spread.
class PoolTaintTest {

    private static final Taint GOLD = taint("dedicated", "gold");
    private static final Map<String, String> WEB = Map.of("app", "web");

    @Test
    @Tag("C99")
    void aPoolsTaintKeepsPodsAway() {
        var plan = cluster().with(nodePool("default").taint(GOLD)).with(pod("web")).plan();

        assertThat(plan).leavesWaiting("web").because("dedicated=gold:NoSchedule");
    }

    @Test
    @Tag("C100")
    void aPodThatToleratesThePoolsTaintIsScheduled() {
        var plan =
                cluster()
                        .with(nodePool("default").taint(GOLD))
                        .with(pod("web").tolerates(GOLD))
                        .plan();

        assertThat(plan).schedulesAll().launches(1);
    }

    @Test
    @Tag("C101")
    void aStartupTaintNeedsNoToleration() {
        var plan = cluster().with(nodePool("default").startupTaint(GOLD)).with(pod("web")).plan();

        assertThat(plan).schedulesAll().launches(1);
    }

    @Test
    @Tag("C102")
    void aTolerationAloneMakesNoTaint() {
        var cluster =
                cluster()
                        .with(
                                pod("brave")
                                        .cpu("1")
                                        .tolerates(
                                                new Toleration(
                                                        "dedicated",
                                                        Toleration.Match.EXISTS,
                                                        "",
                                                        null)))
                        .with(pod("timid"));
        var plan = cluster.plan();

        assertThat(plan).schedulesAll().puts("brave", "timid").together();
    }

    @Test
    @Tag("C103")
    void aVolumesZoneDoesNotReduceTheDomainsOfASpread() {
        var plan =
                cluster()
                        .with(
                                volume("v-1").zones(ZONE_1),
                                volume("v-2").zones(ZONE_2),
                                volume("v-3").zones(ZONE_3))
                        .with(
                                volumeClaim("c-1").boundTo("v-1"),
                                volumeClaim("c-2").boundTo("v-2"),
                                volumeClaim("c-3").boundTo("v-3"))
                        .with(
                                withVolume("web-1", "c-1"),
                                withVolume("web-2", "c-2"),
                                withVolume("web-3", "c-3"))
                        .plan();

        assertThat(plan)
                .schedulesAll()
                .inZone("web-1", ZONE_1)
                .inZone("web-2", ZONE_2)
                .inZone("web-3", ZONE_3);
    }

    private static PodBuilder withVolume(String name, String claim) {
        return pod(name)
                .labels(WEB)
                .claim(claim)
                .spread(
                        SpreadConstraint.of(ZONE, 1, true, Selector.ofLabels(WEB))
                                .withMinDomains(3));
    }
}
