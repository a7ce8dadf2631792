package dev.millwright.world.story;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.kube.client.ApiWrite.Subresource;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Tree;
import dev.millwright.world.WorldSettings;
import dev.millwright.world.fault.Fault;
import dev.millwright.world.invariant.Breach;
import dev.millwright.world.scenario.Scenarios;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// Plants in a whole world what each invariant guards against.
final class SabotageTest {

    /// What is planted counts on the nodes that first fit buys.
    private static final Theatre THEATRE =
            Theatre.ec2().with(WorldSettings.operator(Map.of("packing", "first-fit")));

    private static final Duration SOON = Duration.ofMinutes(10);
    private static final int PODS = 12;

    private final Sabotage sabotage = new Sabotage();

    private static Scene scene(String scenario, Fault... faults) {
        return scene(PODS, scenario, faults);
    }

    private static Scene scene(int pods, String scenario, Fault... faults) {
        var all = EnumSet.noneOf(Fault.class);
        all.addAll(List.of(faults));
        return Scene.of(
                new Setting(
                        3,
                        Objects.requireNonNull(Scenarios.find(scenario)),
                        all,
                        Duration.ofMinutes(20),
                        pods));
    }

    private List<String> broken(Scene scene) {
        return THEATRE.play(scene, sabotage, sabotage::in).breaches().stream()
                .map(Breach::invariant)
                .distinct()
                .toList();
    }

    @Test
    void aWorldThatNobodyTampersWithIsSound() {
        assertThat(broken(scene("steady"))).isEmpty();
    }

    @Test
    void podsThatAreDeletedAgainstTheirBudgetAreSeen() {
        sabotage.at(
                SOON,
                world ->
                        Sabotage.pods(world, "web-1")
                                .forEach(
                                        pod ->
                                                Sabotage.delete(
                                                        world,
                                                        "a/node.termination",
                                                        ResourceType.POD,
                                                        pod)));

        assertThat(broken(scene("steady"))).contains("pod-budget");
    }

    @Test
    void aGuardedPodThatIsDeletedIsSeen() {
        sabotage.at(
                SOON,
                world ->
                        Sabotage.delete(
                                world,
                                "a/node.termination",
                                ResourceType.POD,
                                Sabotage.pods(world, "ledger").getFirst()));

        assertThat(broken(scene("steady"))).contains("do-not-disrupt");
    }

    @Test
    void aMachineThatIsEndedUnderItsPodsIsSeen() {
        sabotage.at(
                SOON,
                world ->
                        world.cloud().terminate("a/nodeclaim.lifecycle", sabotage.launched(world)));

        assertThat(broken(scene("steady"))).contains("drained-first");
    }

    @Test
    void aClaimThatIsLaunchedTwiceIsSeen() {
        sabotage.at(
                SOON,
                world -> {
                    var claim = sabotage.launched(world);
                    world.cloud().terminate("a/nodeclaim.lifecycle", claim);
                    world.cloud().launch("a/nodeclaim.lifecycle", claim);
                });

        assertThat(broken(scene("steady"))).contains("launched-once");
    }

    @Test
    void anOperatorThatSleepsLeavesPodsWaiting() {
        sabotage.asleepAfter(Duration.ofSeconds(1));

        assertThat(broken(scene("steady"))).contains("pod-runs");
    }

    @Test
    void anOperatorThatSleepsLetsNothingGo() {
        sabotage.asleepAfter(SOON)
                .at(
                        SOON.plusMinutes(1),
                        world ->
                                Sabotage.delete(
                                        world,
                                        "user",
                                        ResourceType.NODE,
                                        Sabotage.names(world, ResourceType.NODE).getFirst()));

        assertThat(broken(scene("steady"))).contains("nothing-stuck", "nothing-left");
    }

    @Test
    void aMachineAndANodeThatNobodyAnswersForAreSeen() {
        sabotage.asleepAfter(SOON)
                .at(
                        SOON.plusMinutes(1),
                        world -> {
                            Sabotage.names(world, ResourceType.NODE)
                                    .forEach(node -> Sabotage.disown(world, node));
                            Sabotage.forget(
                                    world,
                                    Sabotage.names(world, ResourceType.NODE_CLAIM).getFirst());
                        });

        assertThat(broken(scene("steady"))).contains("machine-owned", "node-owned");
    }

    @Test
    void aClaimThatOutlivesItsMachineIsSeen() {
        sabotage.asleepAfter(SOON)
                .at(
                        SOON.plusMinutes(1),
                        world -> world.cloud().terminate("user", sabotage.launched(world)));

        assertThat(broken(scene("steady"))).contains("claim-live");
    }

    @Test
    void claimsBeyondAPoolsLimitsAreSeen() {
        sabotage.at(
                SOON,
                world -> {
                    Sabotage.createClaim(world, "extra-1", "team-1");
                    Sabotage.createClaim(world, "extra-2", "team-1");
                    Sabotage.createClaim(world, "extra-3", "team-1");
                });

        assertThat(broken(scene("many-pools"))).contains("pool-limit");
    }

    @Test
    void disruptionsBeyondAPoolsBudgetAreSeen() {
        sabotage.at(
                SOON,
                world ->
                        Sabotage.names(world, ResourceType.NODE_CLAIM)
                                .forEach(claim -> Sabotage.mark(world, claim, "Empty")));

        assertThat(broken(scene(60, "rolling-deploys"))).contains("disruption-budget");
    }

    @Test
    void aReplacementThatCostsMoreIsSeen() {
        sabotage.at(
                SOON,
                world -> {
                    var claim = Sabotage.names(world, ResourceType.NODE_CLAIM).getFirst();
                    Sabotage.mark(world, claim, "Underutilized");
                    Sabotage.createClaim(world, "dearer", "general");
                });

        assertThat(broken(scene("steady"))).contains("price-kept");
    }

    @Test
    void nodesThatAreTakenAwayAgainAndAgainAreSeen() {
        sabotage.every(
                Duration.ofMinutes(8),
                world -> {
                    for (var claim : Sabotage.names(world, ResourceType.NODE_CLAIM)) {
                        Sabotage.mark(world, claim, "Empty");
                        Sabotage.delete(world, "a/disruption", ResourceType.NODE_CLAIM, claim);
                    }
                });

        assertThat(broken(scene("morning-rise"))).contains("no-cycle");
    }

    @Test
    void twoLeadersAreSeen() {
        sabotage.every(
                Duration.ofSeconds(20),
                world -> {
                    for (var replica : world.replicas()) {
                        if (!replica.isLeader()) {
                            Sabotage.patch(
                                    world,
                                    "user",
                                    ResourceType.LEASE,
                                    Sabotage.LEASE,
                                    Subresource.NONE,
                                    Tree.of(
                                            "spec",
                                            Tree.of("holderIdentity", "")
                                                    .put("leaseDurationSeconds", 0)));
                        }
                    }
                });

        assertThat(broken(scene("steady", Fault.LEADER_CHANGE))).contains("one-leader");
    }
}
