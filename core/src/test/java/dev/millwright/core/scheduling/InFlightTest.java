package dev.millwright.core.scheduling;

import static dev.millwright.core.label.LabelKeys.ARCH;
import static dev.millwright.core.label.LabelKeys.HOSTNAME;
import static dev.millwright.core.label.LabelKeys.INITIALIZED;
import static dev.millwright.core.label.LabelKeys.REGISTERED;
import static dev.millwright.core.label.LabelKeys.ZONE;
import static dev.millwright.testing.kit.FakeCatalogue.GPU_A;
import static dev.millwright.testing.kit.FakeCatalogue.ZONE_1;
import static dev.millwright.testing.kit.FakeCatalogue.ZONE_2;
import static dev.millwright.testing.kit.FakeCatalogue.ZONE_3;
import static dev.millwright.testing.kit.Given.cluster;
import static dev.millwright.testing.kit.Given.daemonSet;
import static dev.millwright.testing.kit.Given.in;
import static dev.millwright.testing.kit.Given.node;
import static dev.millwright.testing.kit.Given.nodePool;
import static dev.millwright.testing.kit.Given.pod;
import static dev.millwright.testing.kit.Given.pods;
import static dev.millwright.testing.kit.Given.taint;
import static dev.millwright.testing.kit.PlanAssert.assertThat;

import dev.millwright.core.label.Effect;
import dev.millwright.testing.kit.NodeBuilder;
import dev.millwright.testing.kit.NodeBuilder.Stage;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.Map;

/// Machines that were launched and are not, or not yet, what they will be.
final class InFlightTest {

    private static final Map<String, String> WEB = Map.of("app", "web");

    // Reuse ------------------------------------------------------------------------------------

    @Tag("B78")
    @ParameterizedTest
    @EnumSource
    void aMachineTakesPodsAtEveryStage(Stage stage) {
        var plan = cluster().with(node("n1").stage(stage), pod("a", "10m")).plan();

        assertThat(plan).launchesNothing().puts("a").on("n1");
    }

    @Tag("B78")
    @Test
    void aMachineLaunchedByOnePassTakesPodsOfTheNext() {
        var first = cluster().with(pod("a", "10m"));

        var plan = first.after(first.plan()).with(pod("b", "10m")).plan();

        assertThat(plan).launchesNothing().puts("b").on("default-1");
    }

    @Tag("B79")
    @Test
    void aMachineUnderWayTakesPodsThatSelectIt() {
        var first = cluster().with(pod("a", "10m").nodeSelector(ZONE, ZONE_2));

        var plan =
                first.after(first.plan()).with(pod("b", "10m").nodeSelector(ZONE, ZONE_2)).plan();

        assertThat(plan).launchesNothing().puts("b").on("default-1");
    }

    @Tag("B80")
    @Test
    void aPodTooBigForTheMachineUnderWayGetsAnother() {
        var first = cluster().with(pod("a", "1001m"));

        var plan = first.after(first.plan()).with(pod("b", "1001m")).plan();

        assertThat(plan).launches(1).puts("b").onNewNodes();
    }

    @Tag("B81")
    @Test
    void aPodWhoseSelectorTheMachineMissesGetsAnother() {
        var first = cluster().with(pod("a", "10m"));

        var plan = first.after(first.plan()).with(pod("b").nodeSelector(ARCH, "arm64")).plan();

        assertThat(plan).launches("arm-instance-type");
    }

    @Tag("B82")
    @Test
    void aTerminatingMachineTakesNoPods() {
        var plan = cluster().with(node("n1").inFlight().terminating(), pod("a", "10m")).plan();

        assertThat(plan).puts("a").onNewNodes();
    }

    @Tag("B82")
    @Test
    void aMachineMarkedForDeletionTakesNoPods() {
        var plan = cluster().with(node("n1").markedForDeletion(), pod("a", "10m")).plan();

        assertThat(plan).puts("a").onNewNodes();
    }

    // Topology ---------------------------------------------------------------------------------

    @Tag("B83")
    @Test
    void zoneSpreadCountsMachinesUnderWay() {
        var web = pod("a", "10m").labels(WEB).spread(ZONE, 1);
        var first = cluster().with(pods(4, web));

        var second = first.after(first.plan()).with(pods(5, web.renamed("b")));

        assertThat(first.plan()).schedulesAll().spreads(ZONE, 1, 1, 2);
        assertThat(second.plan()).schedulesAll().launchesNothing();
    }

    @Tag("B84")
    @Test
    void hostSpreadCountsMachinesUnderWay() {
        var web = pod("a", "10m").labels(WEB).spread(HOSTNAME, 1);
        var first = cluster().with(pods(4, web));

        var second = first.after(first.plan()).with(pods(5, web.renamed("b")));

        assertThat(first.plan()).schedulesAll().launches(4);
        assertThat(second.plan()).schedulesAll().launches(5);
    }

    @Tag("B105")
    @Test
    void zonalSelfAffinityHoldsOverPasses() {
        var web = pod("a", "3").labels(WEB).podAffinity(ZONE, WEB);
        var first = cluster().with(web.nodeSelector(ZONE, ZONE_2));

        var second = first.after(first.plan()).with(web.renamed("b"));
        var third = second.after(second.plan()).with(web.renamed("c"));

        assertThat(second.plan()).inZone("b", ZONE_2);
        assertThat(third.plan()).inZone("c", ZONE_2);
    }

    // Taints -----------------------------------------------------------------------------------

    @Tag("B85")
    @Test
    void anUntaintedMachineTakesPods() {
        var plan = cluster().with(node("n1").registered(), pod("a", "8m")).plan();

        assertThat(plan).launchesNothing().puts("a").on("n1");
    }

    @Tag("B86")
    @Test
    void aNotReadyTaintOfAnUninitialisedNodeIsOverlooked() {
        var notReady = taint("node.kubernetes.io/not-ready", "", Effect.NO_EXECUTE);

        var plan =
                cluster().with(node("n1").registered().nodeTaint(notReady), pod("a", "8m")).plan();

        assertThat(plan).launchesNothing().puts("a").on("n1");
    }

    @Tag("B86")
    @Test
    void aNotReadyTaintOfAnInitialisedNodeCounts() {
        var notReady = taint("node.kubernetes.io/not-ready", "", Effect.NO_EXECUTE);

        var plan = cluster().with(node("n1").nodeTaint(notReady), pod("a", "8m")).plan();

        assertThat(plan).puts("a").onNewNodes();
    }

    @Tag("B87")
    @ParameterizedTest
    @EnumSource(names = {"REGISTERED", "INITIALIZED", "UNMANAGED"})
    void aHardTaintIsRespectedAtEveryStage(Stage stage) {
        var plan =
                cluster()
                        .with(node("n1").stage(stage).nodeTaint(taint("foo.com/taint", "tainted")))
                        .with(pod("a", "8m"))
                        .plan();

        assertThat(plan).puts("a").onNewNodes();
    }

    @Tag("B87")
    @Test
    void aPodThatToleratesTheTaintUsesTheNode() {
        var hard = taint("foo.com/taint", "tainted");

        var plan = cluster().with(node("n1").taint(hard), pod("a", "8m").tolerates(hard)).plan();

        assertThat(plan).launchesNothing().puts("a").on("n1");
    }

    @Tag("B88")
    @Test
    void aStartupTaintIsOverlookedBeforeInitialisation() {
        var startup = taint("ignore-me", "nothing-to-see-here");

        var plan =
                cluster()
                        .with(node("n1").registered().startupTaint(startup), pod("a", "8m"))
                        .plan();

        assertThat(plan).launchesNothing().puts("a").on("n1");
    }

    @Tag("B89")
    @Test
    void aStartupTaintIsRespectedAfterInitialisation() {
        var startup = taint("ignore-me", "nothing-to-see-here");

        var plan = cluster().with(node("n1").startupTaint(startup), pod("a", "8m")).plan();

        assertThat(plan).puts("a").onNewNodes();
    }

    @Tag("B90")
    @Test
    void aNodeStillShownAsUnreachableIsUsableBeforeInitialisation() {
        var plan =
                cluster()
                        .with(
                                node("n1")
                                        .unregistered()
                                        .nodeTaint(
                                                taint(
                                                        "karpenter.sh/unregistered",
                                                        "",
                                                        Effect.NO_EXECUTE))
                                        .nodeTaint(taint("node.kubernetes.io/not-ready", ""))
                                        .nodeTaint(taint("node.kubernetes.io/unreachable", "")))
                        .with(pod("a", "8m"))
                        .plan();

        assertThat(plan).launchesNothing().puts("a").on("n1");
    }

    // Daemons ----------------------------------------------------------------------------------

    private static NodeBuilder fourCpus() {
        return node("n1").cpu("4").memory("8Gi").podSlots(10);
    }

    @Tag("B91")
    @Test
    void roomForDaemonsThatAreNotThereYetIsKept() {
        var plan =
                cluster()
                        .with(fourCpus().registered(), daemonSet("agent").cpu("1"))
                        .with(pod("a", "3"), pod("b", "500m"))
                        .plan();

        assertThat(plan).puts("a").on("n1").puts("b").onNewNodes();
    }

    @Tag("B91")
    @Test
    void roomForDaemonsThatRunIsKeptOnce() {
        var plan =
                cluster()
                        .with(fourCpus(), daemonSet("agent").cpu("1"))
                        .with(pod("agent-x", "1").ownedBy("DaemonSet", "agent").onNode("n1"))
                        .with(pod("a", "3"))
                        .plan();

        assertThat(plan).launchesNothing().puts("a").on("n1");
    }

    @Tag("B92")
    @Test
    void surpriseDaemonPodsDoNotFreeRoom() {
        var plan =
                cluster()
                        .with(fourCpus(), daemonSet("agent").cpu("1"))
                        .with(pod("agent-x", "2").ownedBy("DaemonSet", "agent").onNode("n1"))
                        .with(pod("a", "2"), pod("b", "500m"))
                        .plan();

        assertThat(plan).puts("a").on("n1").puts("b").onNewNodes();
    }

    @Tag("B92")
    @Test
    void anOverfullNodeTakesNothing() {
        var plan =
                cluster()
                        .with(fourCpus())
                        .with(pod("agent-x", "5").ownedBy("DaemonSet", "gone").onNode("n1"))
                        .with(pod("a"))
                        .plan();

        assertThat(plan).puts("a").onNewNodes();
    }

    @Tag("B93")
    @ParameterizedTest
    @EnumSource(names = {"LAUNCHED", "UNREGISTERED"})
    void daemonsThatSelectInitialisedNodesAreNotExpectedOnAMachineWithoutTheLabel(Stage stage) {
        var plan =
                cluster()
                        .with(fourCpus().stage(stage))
                        .with(
                                daemonSet("agent")
                                        .cpu("1")
                                        .pod(each -> each.nodeSelector(INITIALIZED, "true")))
                        .with(pod("a", "4"))
                        .plan();

        assertThat(plan).launchesNothing().puts("a").on("n1");
    }

    @Tag("B93")
    @Test
    void daemonsThatSelectRegisteredAndInitialisedNodesCountOnNewNodes() {
        var plan =
                cluster()
                        .with(
                                daemonSet("one")
                                        .cpu("1")
                                        .pod(each -> each.nodeSelector(REGISTERED, "true")))
                        .with(
                                daemonSet("two")
                                        .cpu("1")
                                        .pod(each -> each.requires(in(INITIALIZED, "true"))))
                        .with(pod("a", "1"))
                        .plan();

        assertThat(plan)
                .claimOf("a")
                .requests("cpu", "3")
                .saysNothingOf(REGISTERED)
                .saysNothingOf(INITIALIZED);
    }

    // Order ------------------------------------------------------------------------------------

    @Tag("B94")
    @Test
    void nodesThatAreThereFillBeforeNewOnesOpen() {
        var plan =
                cluster()
                        .with(node("n1").cpu("2"), node("n2").cpu("2"))
                        .with(pods(3, pod("a", "2")))
                        .plan();

        assertThat(plan).schedulesAll().launches(1).puts("a-1").on("n1").puts("a-2").on("n2");
    }

    @Tag("B95")
    @Test
    void severalBatchesFillTheSameMachines() {
        var model = pod("a").cpu("10m").nodeSelector(ARCH, "amd64");
        var first = cluster().with(pods(3, model));

        var second = first.after(first.plan()).with(pods(2, model.renamed("b")));
        var third = second.after(second.plan()).with(pods(1, model.renamed("c")));

        assertThat(first.plan()).launches(1);
        assertThat(second.plan()).launchesNothing().puts("b-1", "b-2").on("default-1");
        assertThat(third.plan()).launches(1);
    }

    @Tag("B96")
    @Test
    void initialisedNodesFillBeforeUninitialisedOnes() {
        var plan =
                cluster()
                        .with(
                                node("a-young").registered(),
                                node("b-old"),
                                node("c-claim").inFlight())
                        .with(pod("a", "3"), pod("b", "2"))
                        .plan();

        assertThat(plan).launchesNothing().puts("a").on("b-old").puts("b").on("a-young");
    }

    @Tag("B97")
    @Test
    void equalHostPortsNeedTwoNodes() {
        var plan = cluster().with(pods(2, pod("a").hostPort(80))).plan();

        assertThat(plan).puts("a-1", "a-2").apart();
    }

    @Tag("B97")
    @Test
    void aHostPortTakenOnAMachineUnderWayIsTaken() {
        var first = cluster().with(pod("a").hostPort(80));

        var plan =
                first.after(first.plan()).with(pod("b").hostPort(80), pod("c").hostPort(81)).plan();

        assertThat(plan).puts("b").onNewNodes().puts("c").on("default-1");
    }

    // Resources --------------------------------------------------------------------------------

    @Tag("B104")
    @Test
    void aDeviceTheKubeletReportsAsZeroIsTakenFromTheClaim() {
        var plan =
                cluster()
                        .with(node("n1").registered().resource(GPU_A, "2").reports(GPU_A, "0"))
                        .with(pod("a").resource(GPU_A, "1"))
                        .plan();

        assertThat(plan).launchesNothing().puts("a").on("n1");
    }

    @Tag("B104")
    @Test
    void afterInitialisationAReportOfZeroIsBelieved() {
        var plan =
                cluster()
                        .with(node("n1").resource(GPU_A, "2").reports(GPU_A, "0"))
                        .with(pod("a").resource(GPU_A, "1"))
                        .plan();

        assertThat(plan).puts("a").onNewNodes();
    }

    @Tag("B81")
    @Test
    void aMachineUnderWayInAnotherZoneIsNotUsed() {
        var plan =
                cluster()
                        .with(nodePool("default"), node("n1").inFlight().zone(ZONE_1))
                        .with(pod("a").nodeSelector(ZONE, ZONE_3))
                        .plan();

        assertThat(plan).inZone("a", ZONE_3);
    }
}
