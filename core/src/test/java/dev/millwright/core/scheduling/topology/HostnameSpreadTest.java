package dev.millwright.core.scheduling.topology;

import static dev.millwright.core.label.LabelKeys.ARCH;
import static dev.millwright.core.label.LabelKeys.HOSTNAME;
import static dev.millwright.testing.kit.Given.cluster;
import static dev.millwright.testing.kit.Given.pod;
import static dev.millwright.testing.kit.Given.pods;
import static dev.millwright.testing.kit.PlanAssert.assertThat;

import dev.millwright.testing.kit.PodBuilder;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class HostnameSpreadTest {

    private static PodBuilder spread(String app) {
        return pod(app).label("app", app).spread(HOSTNAME, 1);
    }

    @Test
    @Tag("C22")
    void eachPodGetsANodeOfItsOwn() {
        var plan = cluster().with(pods(4, spread("web"))).plan();

        assertThat(plan).schedulesAll().spreads(HOSTNAME, 1, 1, 1, 1);
    }

    @Test
    @Tag("C23")
    void aNodeTakesAsManyPodsAsTheSkewAllows() {
        var plan =
                cluster().with(pods(4, pod("web").label("app", "web").spread(HOSTNAME, 4))).plan();

        assertThat(plan).schedulesAll().spreads(HOSTNAME, 4);
    }

    @Test
    @Tag("C24")
    void twoDeploymentsShareTheNodesTheyAreSpreadOver() {
        var plan = cluster().with(pods(2, spread("web"))).with(pods(2, spread("api"))).plan();

        assertThat(plan).schedulesAll().spreads(HOSTNAME, 2, 2);
    }

    @Test
    @Tag("C25")
    void deploymentsOfDifferentArchitecturesShareNoNodes() {
        var plan =
                cluster()
                        .with(pods(2, spread("web").nodeSelector(ARCH, "arm64")))
                        .with(pods(2, spread("api").nodeSelector(ARCH, "amd64")))
                        .plan();

        assertThat(plan).schedulesAll().spreads(HOSTNAME, 1, 1, 1, 1).spreads(ARCH, 2, 2);
    }
}
