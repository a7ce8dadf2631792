package dev.millwright.core.scheduling;

import static dev.millwright.core.label.LabelKeys.ARCH;
import static dev.millwright.core.label.LabelKeys.HOSTNAME;
import static dev.millwright.core.label.LabelKeys.INSTANCE_TYPE;
import static dev.millwright.testing.kit.Given.NOON;
import static dev.millwright.testing.kit.Given.cluster;
import static dev.millwright.testing.kit.Given.daemonSet;
import static dev.millwright.testing.kit.Given.in;
import static dev.millwright.testing.kit.Given.nodePool;
import static dev.millwright.testing.kit.Given.notIn;
import static dev.millwright.testing.kit.Given.pod;
import static dev.millwright.testing.kit.Given.taint;
import static dev.millwright.testing.kit.PlanAssert.assertThat;

import dev.millwright.core.cluster.Container;
import dev.millwright.core.label.Effect;
import dev.millwright.core.quantity.Resources;
import dev.millwright.testing.kit.DaemonSetBuilder;
import dev.millwright.testing.kit.PodBuilder;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.function.UnaryOperator;

/// Every new node keeps room for the daemons that will run on it, and for no others.
final class DaemonSetsTest {

    /// A daemon of one cpu, changed somehow.
    private static DaemonSetBuilder agent(UnaryOperator<PodBuilder> change) {
        return daemonSet("agent").cpu("1").pod(change);
    }

    private static DaemonSetBuilder agent() {
        return agent(pod -> pod);
    }

    private static Container container(String cpu) {
        return Container.of(Resources.parse("cpu", cpu));
    }

    // Requests ---------------------------------------------------------------------------------

    @Tag("F30")
    @Test
    void roomForDaemonsIsKept() {
        var plan = cluster().with(agent(), pod("a", "1")).plan();

        assertThat(plan)
                .cheapestType("a", "default-instance-type")
                .claimOf("a")
                .requests("cpu", "2")
                .requests("pods", "2");
    }

    @Tag("F33")
    @Test
    void aDaemonTooBigForEveryTypeMakesPodsWait() {
        var plan = cluster().with(daemonSet("agent").cpu("10000"), pod("a")).plan();

        assertThat(plan)
                .launchesNothing()
                .leavesWaiting("a")
                .becauseOf(Refusal.NoInstanceType.class)
                .because("daemons take");
    }

    @Tag("F37")
    @Test
    void aDaemonAndAPodThatAreTooBigTogetherWait() {
        var plan = cluster().with(daemonSet("agent").cpu("10"), pod("a", "10")).plan();

        assertThat(plan)
                .launchesNothing()
                .leavesWaiting("a")
                .becauseOf(Refusal.NoInstanceType.class);
    }

    @Tag("F35")
    @Test
    void theLimitsOfADaemonAreItsRequests() {
        var limited = Container.defaulted(Resources.NONE, Resources.parse("cpu", "1"), false);

        var plan =
                cluster()
                        .with(
                                daemonSet("agent")
                                        .pod(each -> each.containers(List.of(limited), List.of())))
                        .with(pod("a", "1"))
                        .plan();

        assertThat(plan).claimOf("a").requests("cpu", "2");
    }

    @Tag("F36")
    @Test
    void theLargestInitContainerOfADaemonCounts() {
        var plan =
                cluster()
                        .with(
                                daemonSet("agent")
                                        .pod(
                                                each ->
                                                        each.containers(
                                                                List.of(container("1")),
                                                                List.of(container("2")))))
                        .with(pod("a", "1"))
                        .plan();

        assertThat(plan).claimOf("a").requests("cpu", "3");
    }

    @Tag("F38")
    @Test
    void anInitContainerOfADaemonTooBigForEveryTypeMakesPodsWait() {
        var plan =
                cluster()
                        .with(
                                daemonSet("agent")
                                        .pod(
                                                each ->
                                                        each.containers(
                                                                List.of(container("1")),
                                                                List.of(container("10000")))))
                        .with(pod("a", "1"))
                        .plan();

        assertThat(plan).launchesNothing().leavesWaiting("a");
    }

    @Tag("F39")
    @Test
    void aDaemonWithoutRequestsTakesItsSlot() {
        var plan = cluster().with(daemonSet("agent"), pod("a")).plan();

        assertThat(plan)
                .launches("small-instance-type")
                .claimOf("a")
                .requests("pods", "2")
                .requests("cpu", "0")
                .doesNotOffer("single-pod-instance-type");
    }

    @Tag("F34")
    @Test
    void theNewestLivingPodSpeaksForItsSet() {
        var plan =
                cluster()
                        .with(agent())
                        .with(living("agent-old", "500m").createdAt(NOON.minusSeconds(60)))
                        .with(living("agent-new", "3"))
                        .with(pod("a", "500m"))
                        .plan();

        assertThat(plan).claimOf("a").requests("cpu", "3500m");
    }

    private static PodBuilder living(String name, String cpu) {
        return pod(name, cpu).ownedBy("DaemonSet", "agent").onNode("elsewhere");
    }

    // Which daemons run where ------------------------------------------------------------------

    @Tag("F32")
    @Test
    void daemonsNeedNotTolerateStartupTaints() {
        var plan =
                cluster()
                        .with(nodePool("default").startupTaint(taint("foo.com/taint", "")))
                        .with(agent(), pod("a", "1"))
                        .plan();

        assertThat(plan).claimOf("a").requests("cpu", "2");
    }

    @Tag("F40")
    @Test
    void aDaemonThatDoesNotTolerateThePoolIsLeftOut() {
        var own = taint("team", "a");

        var plan =
                cluster()
                        .with(nodePool("default").taint(own), agent())
                        .with(pod("a", "1").tolerates(own))
                        .plan();

        assertThat(plan).launches("small-instance-type").claimOf("a").requests("cpu", "1");
    }

    @Tag("F41")
    @Test
    void aDaemonWhoseSelectorNoNodeMeetsIsLeftOut() {
        var plan =
                cluster()
                        .with(agent(each -> each.nodeSelector("node", "invalid")), pod("a", "1"))
                        .plan();

        assertThat(plan).launches("small-instance-type").claimOf("a").requests("cpu", "1");
    }

    @Tag("F42")
    @Test
    void aDaemonNoTypeMatchesIsLeftOut() {
        var plan =
                cluster()
                        .with(agent(each -> each.nodeSelector(ARCH, "s390x")), pod("a", "1"))
                        .plan();

        assertThat(plan).launches("small-instance-type").claimOf("a").requests("cpu", "1");
    }

    @Tag("F43")
    @Test
    void aDaemonThatSelectsALabelOfThePoolCounts() {
        var plan =
                cluster()
                        .with(nodePool("default").label("foo", "bar"))
                        .with(agent(each -> each.nodeSelector("foo", "bar")), pod("a", "1"))
                        .plan();

        assertThat(plan).claimOf("a").requests("cpu", "2");
    }

    @Tag("F44")
    @Test
    void aDaemonForSomeTypesCountsOnThoseAlone() {
        var heavy = daemonSet("agent").cpu("15").pod(each -> each.nodeSelector(ARCH, "arm64"));

        var plan = cluster().with(heavy, pod("a", "1"), pod("b", "10")).plan();

        assertThat(plan)
                .cheapestType("a", "small-instance-type")
                .leavesWaiting("b")
                .becauseOf(Refusal.NoInstanceType.class);
        assertThat(plan).claimOf("a").doesNotOffer("arm-instance-type").requests("cpu", "1");
    }

    @Tag("F44")
    @Test
    void theClaimRequestsTheLeastDaemonsOfItsTypes() {
        var plan =
                cluster()
                        .with(agent(each -> each.nodeSelector(ARCH, "arm64")), agentEverywhere())
                        .with(pod("a", "1"))
                        .plan();

        assertThat(plan)
                .claimOf("a")
                .offersAmongOthers("arm-instance-type")
                .requests("cpu", "1100m");
    }

    private static DaemonSetBuilder agentEverywhere() {
        return daemonSet("everywhere").cpu("100m");
    }

    @Tag("F45")
    @Test
    void aDaemonWithNotInOnAnUndefinedKeyCounts() {
        var plan =
                cluster()
                        .with(agent(each -> each.requires(notIn("foo", "bar"))), pod("a", "1"))
                        .plan();

        assertThat(plan).claimOf("a").requests("cpu", "2");
    }

    @Tag("F46")
    @Test
    void thePinOfALivingDaemonPodToItsHostIsDropped() {
        var plan =
                cluster()
                        .with(agent())
                        .with(living("agent-x", "1").requires(in(HOSTNAME, "elsewhere")))
                        .with(pod("a", "1"))
                        .plan();

        assertThat(plan).claimOf("a").requests("cpu", "2");
    }

    @Tag("F47")
    @Test
    void allRequiredTermsOfADaemonAreTried() {
        var plan =
                cluster()
                        .with(
                                agent(
                                        each ->
                                                each.requires(in("foo", "bar"))
                                                        .requires(in(ARCH, "amd64"))),
                                pod("a", "1").nodeSelector(ARCH, "amd64"))
                        .plan();

        assertThat(plan).claimOf("a").requests("cpu", "2");
    }

    @Tag("F47")
    @Test
    void theTermsOfADaemonAreTriedAfreshForEveryTypeAndPool() {
        var terms = agent(each -> each.requires(in(ARCH, "amd64")).requires(in(ARCH, "arm64")));

        var plan =
                cluster()
                        .with(nodePool("arm").requirement(in(ARCH, "arm64")).weight(10))
                        .with(nodePool("amd").requirement(in(ARCH, "amd64")))
                        .with(terms, pod("a", "1"), pod("b", "1").nodeSelector(ARCH, "amd64"))
                        .plan();

        assertThat(plan).claimOf("a").requests("cpu", "2");
        assertThat(plan).claimOf("b").requests("cpu", "2");
    }

    @Tag("F48")
    @Test
    void thePreferencesOfADaemonAreOverlooked() {
        var plan =
                cluster()
                        .with(agent(each -> each.prefers(1, in(INSTANCE_TYPE, "invalid"))))
                        .with(pod("a", "1"))
                        .plan();

        assertThat(plan).claimOf("a").requests("cpu", "2");
    }

    @Tag("F49")
    @Test
    void aDaemonCountsOnAPoolThatPrefersNoPods() {
        var soft = taint("soft", "", Effect.PREFER_NO_SCHEDULE);

        var plan = cluster().with(nodePool("default").taint(soft), agent(), pod("a", "1")).plan();

        assertThat(plan).claimOf("a").requests("cpu", "2");
    }

    @Tag("B173")
    @Test
    void aDaemonWithResourceClaimsIsLeftOut() {
        var plan = cluster().with(agent(PodBuilder::resourceClaims), pod("a", "1")).plan();

        assertThat(plan).launches("small-instance-type").claimOf("a").requests("cpu", "1");
    }

    // Host ports -------------------------------------------------------------------------------

    @Tag("F31")
    @Test
    void theHostPortsOfDaemonsAreKeptFree() {
        var plan =
                cluster()
                        .with(agent(each -> each.hostPort(8080)))
                        .with(pod("a").hostPort(8080), pod("b").hostPort(8081))
                        .plan();

        assertThat(plan)
                .schedules("b")
                .leavesWaiting("a")
                .becauseOf(Refusal.HostPorts.class)
                .because("8080");
    }

    @Tag("F50")
    @Test
    void theHostPortsOfDaemonsOnOtherTypesDoNotMatter() {
        var plan =
                cluster()
                        .with(agent(each -> each.hostPort(8080).nodeSelector(ARCH, "amd64")))
                        .with(pod("a").hostPort(8080))
                        .plan();

        assertThat(plan).schedulesAll().claimOf("a").offersTypes("arm-instance-type");
    }
}
