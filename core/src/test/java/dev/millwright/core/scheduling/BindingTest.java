package dev.millwright.core.scheduling;

import static dev.millwright.testing.kit.FakeCatalogue.ZONE_1;
import static dev.millwright.testing.kit.FakeCatalogue.ZONE_2;
import static dev.millwright.testing.kit.Given.NOON;
import static dev.millwright.testing.kit.Given.cluster;
import static dev.millwright.testing.kit.Given.in;
import static dev.millwright.testing.kit.Given.node;
import static dev.millwright.testing.kit.Given.pod;
import static dev.millwright.testing.kit.Given.taint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.cluster.PodState.Phase;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.policy.SchedulingPolicy.Packing;
import dev.millwright.testing.kit.ClusterBuilder;
import dev.millwright.testing.kit.FakeCatalogue;
import dev.millwright.testing.kit.NodeBuilder;
import dev.millwright.testing.kit.PodBuilder;
import dev.millwright.testing.kit.Problems;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// Where kube-scheduler would put pods that wait.
final class BindingTest {

    private static NodeBuilder machine(String name) {
        return node(name).cpu("8").memory("16Gi").podSlots(50).zone(ZONE_1);
    }

    private static PodBuilder web(String name) {
        return pod(name, "1").memory("2Gi").ownedBy("ReplicaSet", "web");
    }

    private static String bound(ClusterBuilder cluster) {
        return Binding.of(cluster.problem()).entrySet().stream()
                .map(each -> each.getKey().name() + " on " + each.getValue())
                .collect(Collectors.joining(", "));
    }

    @Test
    void aPodGoesWhereMostRoomIsLeft() {
        assertThat(
                        bound(
                                cluster()
                                        .with(machine("a"), machine("b"), machine("c"))
                                        .with(
                                                pod("old-a", "4").memory("8Gi").onNode("a"),
                                                pod("old-c", "2").memory("4Gi").onNode("c"),
                                                pod("new", "1").memory("2Gi"))))
                .isEqualTo("new on b");
    }

    @Test
    void aPodGoesWhereProcessorsAndMemoryAreUsedAlike() {
        assertThat(
                        bound(
                                cluster()
                                        .with(machine("a"), machine("b"))
                                        .with(
                                                pod("old-a", "4").memory("0").onNode("a"),
                                                pod("old-b", "2").memory("4Gi").onNode("b"),
                                                pod("new", "1").memory("6Gi"))))
                .isEqualTo("new on a");
    }

    @Test
    void ofNodesThatAreLikedAlikeTheFirstIsTaken() {
        assertThat(bound(cluster().with(machine("b"), machine("a")).with(pod("new", "1"))))
                .isEqualTo("new on a");
    }

    @Test
    void podsOfOneWorkloadAreSpreadOverNodes() {
        assertThat(
                        bound(
                                cluster()
                                        .with(machine("a"), machine("b").cpu("6"))
                                        .with(web("old").onNode("a"), web("new"))))
                .isEqualTo("new on b");
    }

    @Test
    void podsOfOneWorkloadAreSpreadOverZones() {
        assertThat(
                        bound(
                                cluster()
                                        .with(
                                                machine("a"),
                                                machine("b"),
                                                machine("c").zone(ZONE_2).cpu("7"))
                                        .with(web("old").onNode("a"), web("new"))))
                .isEqualTo("new on c");
    }

    @Test
    void podsThatHaveEndedAndPodsOfNobodyAreNoSiblings() {
        assertThat(
                        bound(
                                cluster()
                                        .with(machine("a").cpu("16").memory("32Gi"), machine("b"))
                                        .with(
                                                web("ended").onNode("a").phase(Phase.SUCCEEDED),
                                                web("new"))))
                .isEqualTo("new on a");
    }

    @Test
    void podsThatSayHowToBeSpreadAreNotSpreadByDefault() {
        assertThat(
                        bound(
                                cluster()
                                        .with(machine("a").cpu("9"), machine("b"))
                                        .with(
                                                web("old").onNode("a"),
                                                web("new")
                                                        .label("app", "web")
                                                        .softSpread(
                                                                LabelKeys.HOSTNAME,
                                                                9,
                                                                Map.of("app", "other")))))
                .isEqualTo("new on b");
    }

    @Test
    void theOldestPodComesFirst() {
        assertThat(
                        bound(
                                cluster()
                                        .with(machine("a").cpu("2"))
                                        .with(
                                                pod("younger", "2"),
                                                pod("older", "2").createdAt(NOON.minusSeconds(1)))))
                .isEqualTo("older on a");
    }

    @Test
    void aPodThatFitsNowhereIsNotBound() {
        assertThat(bound(cluster().with(machine("a")).with(pod("huge", "99")))).isEmpty();
    }

    @Test
    void aTaintedNodeTakesNoPodThatDoesNotTolerateIt() {
        assertThat(
                        bound(
                                cluster()
                                        .with(machine("a").nodeTaint(taint("team", "a")))
                                        .with(
                                                pod("b", "1"),
                                                pod("c", "1").tolerates(taint("team", "a")))))
                .isEqualTo("c on a");
    }

    @Test
    void aWishIsGivenUpOnlyWhereNoNodeMeetsIt() {
        assertThat(
                        bound(
                                cluster()
                                        .with(machine("a"), machine("b").zone(ZONE_2).cpu("2"))
                                        .with(
                                                pod("meets", "1")
                                                        .prefers(1, in(LabelKeys.ZONE, ZONE_2)),
                                                pod("gives-up", "1")
                                                        .prefers(1, in(LabelKeys.ZONE, "x")))))
                .isEqualTo("gives-up on a, meets on b");
    }

    @Test
    void manyPodsAreBoundAsEver() {
        assertThat(
                        bound(
                                cluster()
                                        .with(
                                                IntStream.range(0, 6)
                                                        .mapToObj(
                                                                each ->
                                                                        machine("n" + each)
                                                                                .zone(
                                                                                        "test-zone-"
                                                                                                + (1
                                                                                                        + each
                                                                                                                % 3)))
                                                        .toList())
                                        .with(
                                                IntStream.range(0, 14)
                                                        .mapToObj(
                                                                each ->
                                                                        web("w" + (10 + each))
                                                                                .cpu(
                                                                                        300
                                                                                                + 100
                                                                                                        * (each
                                                                                                                % 5)
                                                                                                + "m")
                                                                                .memory(
                                                                                        512
                                                                                                + 512
                                                                                                        * (each
                                                                                                                % 3)
                                                                                                + "Mi"))
                                                        .toList())
                                        .with(Problems.generic(10, 3))))
                .isEqualTo(
                        "p000001 on n0, p000002 on n1, p000003 on n2, p000004 on n3, "
                                + "p000005 on n4, p000006 on n0, p000007 on n5, p000008 on n1, "
                                + "p000009 on n4, p000010 on n2, w10 on n0, w11 on n5, "
                                + "w12 on n1, w13 on n3, w14 on n2, w15 on n4, "
                                + "w16 on n0, w17 on n5, w18 on n1, w19 on n3, "
                                + "w20 on n2, w21 on n4, w22 on n0, w23 on n3");
    }

    // Plans for a cluster without some nodes
    // -------------------------------------------------------

    private static String told(Plan plan) {
        return plan.existing().stream()
                        .map(each -> each.node() + ": " + each.pods().size())
                        .collect(Collectors.joining(", "))
                + "; new: "
                + plan.claims().stream()
                        .map(each -> each.cheapest().name() + " " + each.pods().size())
                        .collect(Collectors.joining(", "))
                + "; waiting: "
                + plan.waiting().size();
    }

    private static Simulator simulator() {
        return new Simulator(
                cluster()
                        .selling(FakeCatalogue.linear(8))
                        .with(machine("a").cpu("4"), machine("b").cpu("5"), machine("c").cpu("4"))
                        .with(
                                IntStream.range(0, 9)
                                        .mapToObj(
                                                each ->
                                                        web("w" + each)
                                                                .cpu(500 + 150 * each + "m")
                                                                .memory("1Gi")
                                                                .onNode(
                                                                        List.of("a", "b", "c")
                                                                                .get(each % 3)))
                                        .toList())
                        .with(pod("huge", "99"))
                        .problem());
    }

    @Test
    void podsOfNodesThatGoAreScatteredOverTheOthers() {
        assertThat(told(simulator().scatteredWithout(List.of("a"))))
                .isEqualTo("b: 2; new: fake-it-1 1; waiting: 1");
        assertThat(told(simulator().scatteredWithout(List.of("a", "c"))))
                .isEqualTo("b: 2; new: fake-it-5 4; waiting: 1");
        assertThat(told(simulator().scatteredWithout(List.of()))).isEqualTo("; new: ; waiting: 1");
    }

    @Test
    void podsOfNodesThatGoArePackedAsTold() {
        assertThat(told(simulator().without(List.of("a", "b", "c"), Packing.FIRST_FIT)))
                .isEqualTo("; new: fake-it-7 5, fake-it-2 4; waiting: 1");
        assertThat(told(simulator().without(List.of("a", "b", "c"), Packing.CHEAPEST)))
                .isEqualTo("; new: fake-it-7 5, fake-it-2 4; waiting: 1");
        assertThat(simulator().without(List.of("a"), Packing.FIRST_FIT).lowerBoundPerHour())
                .isZero();
    }

    @Test
    void withoutAPoolToBuyFromNobodyIsPlannedFor() {
        var problem = cluster().withoutNodePools().with(machine("a"), pod("web", "1")).problem();

        assertThat(Planner.plan(problem).waiting()).hasSize(1);
        assertThat(new Simulator(problem).without(List.of(), Packing.FIRST_FIT).waiting())
                .hasSize(1);
        assertThat(new Simulator(problem).scatteredWithout(List.of()).waiting()).hasSize(1);
    }

    @Test
    void aMemoGivesBackWhatItWasTold() {
        var memo = new PairMemo();
        IntStream.range(0, 5_000).forEach(each -> memo.remember(each, each * 7, each % 2));

        assertThat(memo.find(4_999, 4_999 * 7)).isEqualTo(1);
        assertThat(memo.find(0, 0)).isZero();
        assertThat(memo.find(2_500, 2_500 * 7)).isZero();
        assertThat(memo.find(7, 1)).isEqualTo(PairMemo.UNKNOWN);
        assertThat(IntStream.range(0, 5_000).filter(each -> memo.find(each, each * 7) != each % 2))
                .isEmpty();
    }
}
