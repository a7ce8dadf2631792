package dev.millwright.core.forecast;

import static dev.millwright.core.disruption.FleetBuilder.fleet;
import static dev.millwright.core.disruption.FleetBuilder.running;
import static dev.millwright.core.disruption.FleetBuilder.type;
import static dev.millwright.core.disruption.FleetBuilder.whole;
import static dev.millwright.core.disruption.MachineBuilder.machine;
import static dev.millwright.core.disruption.MachineBuilder.spotMachine;
import static dev.millwright.testing.kit.Given.NOON;
import static dev.millwright.testing.kit.Given.daemonSet;
import static dev.millwright.testing.kit.Given.disruptionBudget;
import static dev.millwright.testing.kit.Given.in;
import static dev.millwright.testing.kit.Given.nodePool;
import static dev.millwright.testing.kit.Given.pod;
import static dev.millwright.testing.kit.Given.taint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.cluster.PodState;
import dev.millwright.core.disruption.DisruptionOptions;
import dev.millwright.core.disruption.FleetBuilder;
import dev.millwright.core.disruption.RepairRules;
import dev.millwright.core.forecast.ForecastProblem.Asked;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.label.Requirements;
import dev.millwright.core.label.Taint;
import dev.millwright.core.policy.RepairPolicy;
import dev.millwright.testing.kit.NodeBuilder;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/// What the operator would do from now on, told as a transcript.
final class ForecasterTest {

    private static final Duration HOUR = Duration.ofHours(1);
    private static final InstanceType SMALL = type("small", 4, 1).build();
    private static final InstanceType LARGE = type("large", 16, 5).build();

    private final FleetBuilder fleet = fleet().selling(SMALL, LARGE);
    private final TreeMap<String, Instant> quietSince = new TreeMap<>();
    private final List<Asked> asked = new ArrayList<>();
    private DisruptionOptions options = DisruptionOptions.NONE;

    private Forecast forecast() {
        return Forecaster.forecast(
                new ForecastProblem(
                        fleet.scheduling(),
                        fleet.problem(),
                        options,
                        quietSince,
                        asked,
                        Pace.USUAL));
    }

    private static String seconds(Duration after) {
        return after.toSeconds() + "s";
    }

    private static String line(Action action) {
        var node =
                "%s (%s %s)"
                        .formatted(
                                action.node().node(),
                                action.node().instanceType(),
                                action.node().capacityType());
        return seconds(action.after())
                + switch (action) {
                    case Action.Launch(_, _, var pods, var method) ->
                            " launch %s for %s by %s".formatted(node, pods, method);
                    case Action.Remove(_, _, var method, var evicted, var replacements) ->
                            " remove %s by %s, evicting %s, after %s"
                                    .formatted(node, method, evicted, replacements);
                    case Action.Reboot(_, _) -> " reboot " + node;
                };
    }

    private static String line(Forecast.Fleet fleet) {
        return String.format(
                Locale.ROOT,
                "%d nodes at $%.2f (bound $%.2f), %d pods, %d waiting",
                fleet.nodes().size(),
                fleet.pricePerHour(),
                fleet.lowerBoundPerHour(),
                fleet.pods(),
                fleet.waiting());
    }

    private String transcript() {
        var forecast = forecast();
        var lines = new ArrayList<String>();
        lines.add(line(forecast.before()));
        forecast.actions().forEach(action -> lines.add(line(action)));
        lines.add(line(forecast.after()));
        forecast.kept().forEach((node, why) -> lines.add(node + " stays: " + why.label()));
        forecast.waiting()
                .forEach(
                        each ->
                                lines.add(
                                        each.pod()
                                                + " waits: "
                                                + each.reason().getClass().getSimpleName()));
        lines.add(
                switch (forecast.ending()) {
                    case Forecast.Ending.Quiet(var after) -> "quiet after " + seconds(after);
                    case Forecast.Ending.Unfinished(var after, var why) ->
                            "unfinished after %s: %s".formatted(seconds(after), why);
                });
        return String.join("\n", lines).replace("default/", "");
    }

    @Test
    void aFleetAtRestStaysAsItIs() {
        fleet.with(machine("a", SMALL)).with(running("web", "a", "4"));

        assertThat(transcript())
                .isEqualTo(
                        """
                        1 nodes at $1.00 (bound $1.00), 1 pods, 0 waiting
                        1 nodes at $1.00 (bound $1.00), 1 pods, 0 waiting
                        a stays: NotCheaper
                        quiet after 0s""");
    }

    @Test
    void anEmptyNodeGoes() {
        fleet.with(machine("a", SMALL), machine("b", SMALL)).with(running("web", "a", "4"));

        assertThat(transcript())
                .isEqualTo(
                        """
                        2 nodes at $2.00 (bound $1.00), 1 pods, 0 waiting
                        15s remove b (small on-demand) by EMPTINESS, evicting [], after []
                        1 nodes at $1.00 (bound $1.00), 1 pods, 0 waiting
                        a stays: NotCheaper
                        quiet after 61s""");
    }

    @Test
    void podsThatWaitGetANode() {
        fleet.with(pod("web", "3"), pod("api", "1"));

        assertThat(transcript())
                .isEqualTo(
                        """
                        0 nodes at $0.00 (bound $0.00), 0 pods, 2 waiting
                        1s launch default-new-1 (small on-demand) for [web, api] by null
                        1 nodes at $1.00 (bound $1.00), 2 pods, 0 waiting
                        default-new-1 stays: NotCheaper
                        quiet after 46s""");
    }

    @Test
    void aPodBehindASchedulingGateIsLeftAlone() {
        fleet.with(
                pod("web", "3")
                        .state(
                                new PodState(
                                        PodState.Phase.PENDING,
                                        null,
                                        null,
                                        false,
                                        false,
                                        false,
                                        null,
                                        List.of(),
                                        List.of("shop.example/quota"))));

        assertThat(transcript())
                .isEqualTo(
                        """
                        0 nodes at $0.00 (bound $0.00), 0 pods, 0 waiting
                        0 nodes at $0.00 (bound $0.00), 0 pods, 0 waiting
                        quiet after 0s""");
    }

    @Test
    void podsThatWaitTakeRoomThatIsThere() {
        fleet.with(machine("a", SMALL))
                .with(running("old", "a", "1"), pod("web", "2"), pod("api", "3"));

        assertThat(transcript())
                .isEqualTo(
                        """
                        1 nodes at $1.00 (bound $1.00), 1 pods, 2 waiting
                        1s launch default-new-1 (small on-demand) for [web] by null
                        2 nodes at $2.00 (bound $2.00), 3 pods, 0 waiting
                        a stays: NotCheaper
                        default-new-1 stays: NotCheaper
                        quiet after 46s""");
    }

    @Test
    void aPodThatFitsNowhereGoesOnWaiting() {
        fleet.with(machine("a", SMALL)).with(running("old", "a", "4"), pod("huge", "99"));

        assertThat(transcript())
                .isEqualTo(
                        """
                        1 nodes at $1.00 (bound $1.00), 1 pods, 1 waiting
                        1 nodes at $1.00 (bound $1.00), 1 pods, 1 waiting
                        a stays: NotCheaper
                        huge waits: Refused
                        quiet after 0s""");
    }

    @Test
    void nodesAreConsolidatedOneAfterAnother() {
        fleet.with(machine("a", SMALL), machine("b", SMALL), machine("c", LARGE))
                .with(
                        running("1", "a", "1"),
                        running("2", "b", "1"),
                        running("3", "c", "1"),
                        running("4", "c", "1"));

        assertThat(transcript())
                .isEqualTo(
                        """
                        3 nodes at $7.00 (bound $1.00), 4 pods, 0 waiting
                        15s remove c (large on-demand) by MULTI_NODE, evicting [3, 4], after []
                        15s remove a (small on-demand) by MULTI_NODE, evicting [1], after []
                        1 nodes at $1.00 (bound $1.00), 4 pods, 0 waiting
                        b stays: NotCheaper
                        quiet after 61s""");
    }

    @Test
    void aLargeNodeIsReplacedByASmallOne() {
        fleet.with(machine("a", LARGE)).with(running("1", "a", "2"), running("2", "a", "1"));

        assertThat(transcript())
                .isEqualTo(
                        """
                        1 nodes at $5.00 (bound $1.00), 2 pods, 0 waiting
                        15s launch default-new-1 (small spot) for [1, 2] by SINGLE_NODE
                        15s remove a (large on-demand) by SINGLE_NODE, evicting [1, 2], after [default-new-1]
                        1 nodes at $1.00 (bound $1.00), 2 pods, 0 waiting
                        default-new-1 stays: SpotToSpotOff
                        quiet after 106s""");
    }

    @Test
    void aFleetIsConsolidatedAsAWhole() {
        fleet.pool(each -> whole(each, HOUR))
                .selling(type("ten", 10, 1).build(), type("thirty", 32, 1.5).build())
                .with(
                        machine("a", type("ten", 10, 1).build()),
                        machine("b", type("ten", 10, 1).build()),
                        machine("c", type("ten", 10, 1).build()))
                .with(running("1", "a", "6"), running("2", "b", "6"), running("3", "c", "6"));

        assertThat(transcript())
                .isEqualTo(
                        """
                        3 nodes at $3.00 (bound $1.50), 3 pods, 0 waiting
                        15s launch default-new-1 (thirty spot) for [1, 2, 3] by WHOLE_FLEET
                        15s remove a (ten on-demand) by WHOLE_FLEET, evicting [1], after [default-new-1]
                        15s remove b (ten on-demand) by WHOLE_FLEET, evicting [2], after [default-new-1]
                        15s remove c (ten on-demand) by WHOLE_FLEET, evicting [3], after [default-new-1]
                        1 nodes at $1.50 (bound $1.50), 3 pods, 0 waiting
                        default-new-1 stays: MovedRecently
                        quiet after 106s""");
    }

    @Test
    void driftedNodesAreReplacedOneByOne() {
        fleet.budget("1")
                .with(machine("a", SMALL).drifted(), machine("b", SMALL).drifted())
                .with(running("1", "a", "4"), running("2", "b", "4"));

        assertThat(transcript())
                .isEqualTo(
                        """
                        2 nodes at $2.00 (bound $2.00), 2 pods, 0 waiting
                        0s launch default-new-1 (small on-demand) for [1] by DRIFT
                        0s remove a (small on-demand) by DRIFT, evicting [1], after [default-new-1]
                        45s launch default-new-2 (small on-demand) for [2] by DRIFT
                        45s remove b (small on-demand) by DRIFT, evicting [2], after [default-new-2]
                        2 nodes at $2.00 (bound $2.00), 2 pods, 0 waiting
                        default-new-1 stays: NotCheaper
                        default-new-2 stays: NotCheaper
                        quiet after 136s""");
    }

    @Test
    void podsOfABudgetLeaveOneAfterAnother() {
        fleet.with(machine("a", SMALL).drifted())
                .with(
                        running("1", "a", "2").label("app", "web"),
                        running("2", "a", "2").label("app", "web"),
                        disruptionBudget("web", Map.of("app", "web")).disruptionsAllowed(1));

        assertThat(transcript())
                .isEqualTo(
                        """
                        1 nodes at $1.00 (bound $1.00), 2 pods, 0 waiting
                        0s launch default-new-1 (small on-demand) for [1, 2] by DRIFT
                        0s remove a (small on-demand) by DRIFT, evicting [1, 2], after [default-new-1]
                        1 nodes at $1.00 (bound $1.00), 2 pods, 0 waiting
                        default-new-1 stays: Nominated
                        quiet after 99s""");
    }

    @Test
    void aSpentBudgetHoldsANodeThatIsDraining() {
        fleet.with(machine("a", SMALL).node(NodeBuilder::terminating))
                .with(
                        running("1", "a", "2").label("app", "web"),
                        disruptionBudget("web", Map.of("app", "web")).disruptionsAllowed(0));

        assertThat(transcript())
                .isEqualTo(
                        """
                        1 nodes at $1.00 (bound $1.00), 1 pods, 0 waiting
                        0s remove a (small on-demand) by null, evicting [1], after []
                        1s launch default-new-1 (small on-demand) for [1] by null
                        2 nodes at $2.00 (bound $1.00), 1 pods, 0 waiting
                        a stays: Going
                        default-new-1 stays: Nominated
                        quiet after 46s""");
    }

    @Test
    void aNodeThatGoesAlreadyIsEmptied() {
        fleet.with(machine("a", SMALL).node(NodeBuilder::terminating), machine("b", SMALL))
                .with(running("1", "a", "2"), running("2", "b", "1"));

        assertThat(transcript())
                .isEqualTo(
                        """
                        2 nodes at $2.00 (bound $1.00), 2 pods, 0 waiting
                        0s remove a (small on-demand) by null, evicting [1], after []
                        1 nodes at $1.00 (bound $1.00), 2 pods, 0 waiting
                        b stays: NotCheaper
                        quiet after 46s""");
    }

    @Test
    void aMachineThatIsEndedLeaves() {
        fleet.with(machine("a", SMALL).instanceTerminating(), machine("b", SMALL))
                .with(running("2", "b", "4"));

        assertThat(transcript())
                .isEqualTo(
                        """
                        2 nodes at $2.00 (bound $1.00), 1 pods, 0 waiting
                        1 nodes at $1.00 (bound $1.00), 1 pods, 0 waiting
                        b stays: NotCheaper
                        quiet after 40s""");
    }

    @Test
    void aNodeOnItsWayComesUp() {
        fleet.with(machine("a", SMALL).node(NodeBuilder::inFlight)).with(pod("web", "3"));

        assertThat(transcript())
                .isEqualTo(
                        """
                        1 nodes at $1.00 (bound $0.00), 0 pods, 1 waiting
                        1 nodes at $1.00 (bound $1.00), 1 pods, 0 waiting
                        a stays: NotCheaper
                        quiet after 45s""");
    }

    @Test
    void aClaimTheCloudHasNotAnsweredBecomesANode() {
        asked.add(
                new Asked(
                        "asked", "default", Requirements.of(in(LabelKeys.INSTANCE_TYPE, "small"))));
        fleet.with(pod("web", "3"));

        assertThat(transcript())
                .isEqualTo(
                        """
                        0 nodes at $0.00 (bound $0.00), 0 pods, 1 waiting
                        0s launch asked (small on-demand) for [] by null
                        1 nodes at $1.00 (bound $1.00), 1 pods, 0 waiting
                        asked stays: NotCheaper
                        quiet after 45s""");
    }

    @Test
    void aStaticPoolIsFilled() {
        fleet.pool(nodePool("fixed").replicas(2)).with(machine("a", SMALL).pool("fixed"));

        assertThat(transcript())
                .isEqualTo(
                        """
                        1 nodes at $1.00 (bound $0.00), 0 pods, 0 waiting
                        0s launch fixed-new-1 (small on-demand) for [] by null
                        2 nodes at $2.00 (bound $0.00), 0 pods, 0 waiting
                        a stays: NotDrifted
                        fixed-new-1 stays: NotDrifted
                        quiet after 45s""");
    }

    @Test
    void driftedNodesOfAStaticPoolAreReplacedByItsTemplate() {
        fleet.pool(nodePool("fixed").replicas(1)).with(machine("a", SMALL).pool("fixed").drifted());

        assertThat(transcript())
                .isEqualTo(
                        """
                        1 nodes at $1.00 (bound $0.00), 0 pods, 0 waiting
                        0s launch fixed-new-1 (small on-demand) for [] by STATIC_DRIFT
                        0s remove a (small on-demand) by STATIC_DRIFT, evicting [], after [fixed-new-1]
                        1 nodes at $1.00 (bound $0.00), 0 pods, 0 waiting
                        fixed-new-1 stays: NotDrifted
                        quiet after 91s""");
    }

    @Test
    void aStaticPoolWithoutRoomLosesItsNodeFirst() {
        options = new DisruptionOptions(RepairRules.NONE, true, false);
        fleet.pool(nodePool("fixed").replicas(1).limit("nodes", "1"))
                .with(machine("a", SMALL).pool("fixed").drifted());

        assertThat(transcript())
                .isEqualTo(
                        """
                        1 nodes at $1.00 (bound $0.00), 0 pods, 0 waiting
                        0s remove a (small on-demand) by STATIC_DRIFT, evicting [], after []
                        46s launch fixed-new-1 (small on-demand) for [] by null
                        1 nodes at $1.00 (bound $0.00), 0 pods, 0 waiting
                        fixed-new-1 stays: NotDrifted
                        quiet after 91s""");
    }

    @Test
    void aSickNodeIsReplaced() {
        options =
                new DisruptionOptions(
                        new RepairRules(List.of(new RepairPolicy("Disk", "True", HOUR))),
                        false,
                        false);
        fleet.with(machine("a", SMALL).sign("Disk", HOUR)).with(running("1", "a", "4"));

        assertThat(transcript())
                .isEqualTo(
                        """
                        1 nodes at $1.00 (bound $1.00), 1 pods, 0 waiting
                        0s launch default-new-1 (small on-demand) for [1] by REPAIR
                        0s remove a (small on-demand) by REPAIR, evicting [1], after [default-new-1]
                        1 nodes at $1.00 (bound $1.00), 1 pods, 0 waiting
                        default-new-1 stays: NotCheaper
                        quiet after 91s""");
    }

    @Test
    void aSickNodeIsRebootedAndStays() {
        options =
                new DisruptionOptions(
                        new RepairRules(
                                List.of(
                                        new RepairPolicy("Disk", "True", HOUR)
                                                .by(RepairPolicy.Action.REBOOT))),
                        false,
                        false);
        fleet.with(machine("a", SMALL).sign("Disk", HOUR)).with(running("1", "a", "4"));

        assertThat(transcript())
                .isEqualTo(
                        """
                        1 nodes at $1.00 (bound $1.00), 1 pods, 0 waiting
                        0s reboot a (small on-demand)
                        1 nodes at $1.00 (bound $1.00), 1 pods, 0 waiting
                        a stays: NotCheaper
                        quiet after 0s""");
    }

    @Test
    void aNodeWherePodsCameAMomentAgoIsConsolidatedLater() {
        quietSince.put("b", NOON.minusSeconds(60));
        fleet.pool(each -> each.withConsolidateAfter(Duration.ofMinutes(5)))
                .with(machine("a", SMALL), machine("b", SMALL).notConsolidatable())
                .with(running("1", "a", "1"), running("2", "b", "1"));

        assertThat(transcript())
                .isEqualTo(
                        """
                        2 nodes at $2.00 (bound $1.00), 2 pods, 0 waiting
                        255s remove a (small on-demand) by SINGLE_NODE, evicting [1], after []
                        1 nodes at $1.00 (bound $1.00), 2 pods, 0 waiting
                        b stays: NotCheaper
                        quiet after 301s""");
    }

    @Test
    void aNominatedNodeWaitsForItsPod() {
        fleet.with(machine("a", SMALL).nominated());

        assertThat(transcript())
                .isEqualTo(
                        """
                        1 nodes at $1.00 (bound $0.00), 0 pods, 0 waiting
                        35s remove a (small on-demand) by EMPTINESS, evicting [], after []
                        0 nodes at $0.00 (bound $0.00), 0 pods, 0 waiting
                        quiet after 81s""");
    }

    @Test
    void aPodWithoutControllerIsGoneWithItsNode() {
        fleet.with(machine("a", SMALL).drifted()).with(pod("bare", "1").onNode("a"));

        assertThat(transcript())
                .isEqualTo(
                        """
                        1 nodes at $1.00 (bound $1.00), 1 pods, 0 waiting
                        0s launch default-new-1 (small on-demand) for [bare] by DRIFT
                        0s remove a (small on-demand) by DRIFT, evicting [bare], after [default-new-1]
                        76s remove default-new-1 (small on-demand) by EMPTINESS, evicting [], after []
                        0 nodes at $0.00 (bound $0.00), 0 pods, 0 waiting
                        quiet after 122s""");
    }

    @Test
    void daemonsAndPodsThatEndDoNotKeepANode() {
        fleet.with(machine("a", SMALL))
                .with(daemonSet("log").cpu("100m"))
                .with(
                        pod("log-1", "100m").ownedBy("DaemonSet", "log").onNode("a"),
                        running("done", "a", "1").terminating());

        assertThat(transcript())
                .isEqualTo(
                        """
                        1 nodes at $1.00 (bound $0.00), 0 pods, 0 waiting
                        15s remove a (small on-demand) by EMPTINESS, evicting [], after []
                        0 nodes at $0.00 (bound $0.00), 0 pods, 0 waiting
                        quiet after 61s""");
    }

    @Test
    void aNodeThatReturnsToSpotIsReplacedBySpot() {
        var both =
                type("both", 4)
                        .offering("test-zone-1", "on-demand", 1)
                        .offering("test-zone-1", "spot", 0.4)
                        .build();
        fleet.selling(both).with(machine("a", both).returning()).with(running("1", "a", "3"));

        assertThat(transcript())
                .isEqualTo(
                        """
                        1 nodes at $1.00 (bound $0.40), 1 pods, 0 waiting
                        0s launch default-new-1 (both spot) for [1] by DRIFT
                        0s remove a (both on-demand) by DRIFT, evicting [1], after [default-new-1]
                        1 nodes at $0.40 (bound $0.40), 1 pods, 0 waiting
                        default-new-1 stays: SpotToSpotOff
                        quiet after 91s""");
    }

    @Test
    void nodesOfATaintedPoolComeUpTainted() {
        fleet.pool(
                        nodePool("team")
                                .taint(taint("team", "a"))
                                .startupTaint(taint("init", ""))
                                .label("tier", "x"))
                .with(
                        pod("one", "1").tolerates(taint("team", "a")).nodeSelector("tier", "x"),
                        pod("two", "1"));

        assertThat(transcript())
                .isEqualTo(
                        """
                        0 nodes at $0.00 (bound $0.00), 0 pods, 2 waiting
                        1s launch team-new-1 (small on-demand) for [one] by null
                        1 nodes at $1.00 (bound $1.00), 1 pods, 1 waiting
                        team-new-1 stays: NotCheaper
                        two waits: Refused
                        quiet after 46s""");
    }

    @Test
    void aQueuedNodeGoesWhenItsCommandSaysSo() {
        fleet.with(
                        machine("a", SMALL).node(each -> each.nodeTaint(Taint.DISRUPTED)).queued(),
                        machine("b", SMALL))
                .with(running("1", "a", "2"), running("2", "b", "1"));

        assertThat(transcript())
                .isEqualTo(
                        """
                        2 nodes at $2.00 (bound $1.00), 2 pods, 0 waiting
                        0s remove a (small on-demand) by null, evicting [1], after []
                        1 nodes at $1.00 (bound $1.00), 2 pods, 0 waiting
                        b stays: NotCheaper
                        quiet after 46s""");
    }

    @Test
    void spotNodesStayWhereSpotToSpotIsOff() {
        fleet.with(spotMachine("a", LARGE)).with(running("1", "a", "2"));

        assertThat(transcript())
                .isEqualTo(
                        """
                        1 nodes at $5.00 (bound $1.00), 1 pods, 0 waiting
                        1 nodes at $5.00 (bound $1.00), 1 pods, 0 waiting
                        a stays: SpotToSpotOff
                        quiet after 0s""");
    }

    @Test
    void podsStartingUpAreReadyLater() {
        fleet.with(machine("a", SMALL).drifted(), machine("b", LARGE))
                .with(
                        running("1", "a", "1").label("app", "web"),
                        running("2", "b", "1").label("app", "web").notReady(),
                        running("3", "b", "9"),
                        disruptionBudget("web", Map.of("app", "web")).disruptionsAllowed(0));

        assertThat(transcript())
                .isEqualTo(
                        """
                        2 nodes at $6.00 (bound $5.00), 3 pods, 0 waiting
                        10s remove a (small on-demand) by DRIFT, evicting [1], after []
                        1 nodes at $5.00 (bound $5.00), 3 pods, 0 waiting
                        b stays: NotCheaper
                        quiet after 56s""");
    }
}
