package dev.millwright.core.scheduling;

import static dev.millwright.core.label.LabelKeys.ARCH;
import static dev.millwright.core.label.LabelKeys.HOSTNAME;
import static dev.millwright.core.label.LabelKeys.ZONE;
import static dev.millwright.testing.kit.FakeCatalogue.ZONE_3;
import static dev.millwright.testing.kit.Given.cluster;
import static dev.millwright.testing.kit.Given.in;
import static dev.millwright.testing.kit.Given.nodePool;
import static dev.millwright.testing.kit.Given.pod;
import static dev.millwright.testing.kit.Given.pods;
import static dev.millwright.testing.kit.PlanAssert.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.Map;

/// With the policy Ignore wishes are never looked at; what is required stays required.
final class PreferencePolicyTest {

    private static final Map<String, String> WEB = Map.of("app", "web");

    @Tag("F96")
    @Test
    void preferredNodeAffinityDoesNotBind() {
        var plan =
                cluster().ignoringPreferences().with(pod("a").prefers(1, in(ZONE, ZONE_3))).plan();

        assertThat(plan).schedulesAll().claimOf("a").saysNothingOf(ZONE);
    }

    @Tag("F97")
    @Test
    void requiredNodeAffinityBinds() {
        var plan = cluster().ignoringPreferences().with(pod("a").requires(in(ZONE, ZONE_3))).plan();

        assertThat(plan).schedulesAll().inZone("a", ZONE_3);
    }

    @Tag("F97")
    @Test
    void requiredAlternativesAreStillTried() {
        var plan =
                cluster()
                        .ignoringPreferences()
                        .with(pod("a").requires(in(ZONE, "invalid")).requires(in(ZONE, ZONE_3)))
                        .plan();

        assertThat(plan).schedulesAll().inZone("a", ZONE_3);
    }

    @Tag("F98")
    @Test
    void aSoftSpreadDoesNotBind() {
        var plan =
                cluster()
                        .ignoringPreferences()
                        .with(pods(3, pod("a").labels(WEB).softSpread(HOSTNAME, 1)))
                        .plan();

        assertThat(plan).puts("a-1", "a-2", "a-3").together();
    }

    @Tag("F99")
    @Test
    void aHardSpreadBinds() {
        var plan =
                cluster()
                        .ignoringPreferences()
                        .with(pods(3, pod("a").labels(WEB).spread(HOSTNAME, 1)))
                        .plan();

        assertThat(plan).puts("a-1", "a-2", "a-3").apart();
    }

    @Tag("F100")
    @Test
    void preferredAntiAffinityDoesNotBind() {
        var plan =
                cluster()
                        .ignoringPreferences()
                        .with(
                                pods(
                                        3,
                                        pod("a").labels(WEB)
                                                .prefersPodAntiAffinity(1, HOSTNAME, WEB)))
                        .plan();

        assertThat(plan).puts("a-1", "a-2", "a-3").together();
    }

    @Tag("F100")
    @Test
    void requiredAntiAffinityBinds() {
        var plan =
                cluster()
                        .ignoringPreferences()
                        .with(pods(3, pod("a").labels(WEB).podAntiAffinity(HOSTNAME, WEB)))
                        .plan();

        assertThat(plan).puts("a-1", "a-2", "a-3").apart();
    }

    @Tag("F101")
    @Test
    void preferredAffinityDoesNotBind() {
        var plan =
                cluster()
                        .ignoringPreferences()
                        .with(nodePool("default").requirement(in(ARCH, "amd64")))
                        .with(pod("target", "3").labels(WEB).nodeSelector(ZONE, ZONE_3))
                        .with(pod("a", "3").prefersPodAffinity(1, ZONE, WEB))
                        .plan();

        assertThat(plan).schedulesAll().claimOf("a").saysNothingOf(ZONE);
    }

    @Tag("F102")
    @Test
    void requiredAffinityBinds() {
        var plan =
                cluster()
                        .ignoringPreferences()
                        .with(nodePool("default").requirement(in(ARCH, "amd64")))
                        .with(pod("target", "3").labels(WEB).nodeSelector(ZONE, ZONE_3))
                        .with(pod("a", "3").podAffinity(ZONE, WEB))
                        .plan();

        assertThat(plan).schedulesAll().inZone("a", ZONE_3);
    }
}
