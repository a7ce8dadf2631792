package dev.millwright.controllers.disruption;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.disruption.Allowances;
import dev.millwright.core.disruption.KeepReason;
import dev.millwright.core.disruption.SingleNode;
import dev.millwright.core.policy.NodePoolBudgets.Reason;
import dev.millwright.core.policy.SchedulingPolicy;
import dev.millwright.core.policy.SchedulingPolicy.MinValues;
import dev.millwright.core.policy.SchedulingPolicy.Preferences;
import dev.millwright.kube.document.Tree;
import dev.millwright.testing.kit.FakeCatalogue;
import dev.millwright.testing.kit.cluster.Manifest;
import dev.millwright.testing.kit.disruption.DisruptionStage;
import dev.millwright.testing.kit.disruption.FleetNode;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.Set;

/// One node after another, pools taking turns.
final class SingleNodeTest {

    private final DisruptionStage stage = new DisruptionStage();

    private static FleetNode node(String name, String pool) {
        return new FleetNode(name).pool(pool).type("fake-it-9", "10");
    }

    private static FleetNode node(String name) {
        return node(name, "default");
    }

    private void fleet() {
        stage.rig.cloud().types(FakeCatalogue.linear(20));
        stage.rig.apply(
                DisruptionStage.pool("default", DisruptionStage.disruption("1").mapping()),
                DisruptionStage.pool("other", DisruptionStage.disruption("1").mapping()));
        stage.add(node("a"), node("b"), node("c"), node("x", "other"), node("y", "other"));
        for (var name : List.of("a", "b", "c", "x", "y")) {
            stage.rig.apply(DisruptionStage.pod("on-" + name, name).requests("cpu", "9"));
        }
    }

    private List<String> order(Set<String> unseen) {
        var problem = stage.problem();
        return SingleNode.inTurns(SingleNode.candidacy(problem).candidates(), unseen).stream()
                .map(candidate -> candidate.name())
                .toList();
    }

    @Test
    @Tag("J-ORDER-1")
    void poolsTakeTurns() {
        fleet();

        assertThat(order(Set.of())).containsExactly("a", "x", "b", "y", "c");
    }

    @Test
    @Tag("J-ORDER-2")
    void poolsThatWereNotReachedGoFirst() {
        fleet();

        assertThat(order(Set.of("other"))).containsExactly("x", "a", "y", "b", "c");
    }

    @Test
    @Tag("J-ORDER-3")
    void withinAPoolThoseThatSaveMostGoFirst() {
        fleet();
        stage.rig.apply(DisruptionStage.pod("more", "a").requests("cpu", "100m"));

        assertThat(order(Set.of())).containsExactly("b", "x", "c", "y", "a");
    }

    @Test
    @Tag("J-ORDER-4")
    @Tag("J58")
    void aSearchThatEndsEarlyNamesThePoolsItDidNotReach() {
        fleet();
        var problem = stage.problem();

        var decision =
                SingleNode.decide(
                        problem,
                        SingleNode.candidacy(problem),
                        Allowances.of(problem, Reason.UNDERUTILIZED),
                        Set.of(),
                        1);

        assertThat(decision.search().isOutOfEffort()).isTrue();
        assertThat(decision.search().unseen()).containsExactly("other");
        assertThat(decision.kept().get("x")).isInstanceOf(KeepReason.NotReached.class);
    }

    @Test
    @Tag("J-ORDER-5")
    void aSearchThatReachesAllNamesNone() {
        fleet();
        var problem = stage.problem();

        var decision =
                SingleNode.decide(
                        problem,
                        SingleNode.candidacy(problem),
                        Allowances.of(problem, Reason.UNDERUTILIZED),
                        Set.of());

        assertThat(decision.search().isOutOfEffort()).isFalse();
        assertThat(decision.search().unseen()).isEmpty();
    }

    /// Node `a` could go to `b`.
    private void pair(DisruptionStage on, Manifest pod) {
        on.pool("100%").add(new FleetNode("a"), new FleetNode("b").consolidatable(false));
        on.rig.apply(pod, DisruptionStage.pod("two", "b"), DisruptionStage.pod("three", "b"));
    }

    private static Manifest pod() {
        return DisruptionStage.pod("one", "a").label("app", "web");
    }

    private List<String> gone(DisruptionStage on) {
        on.passes();
        return on.queue.entries().stream()
                .flatMap(entry -> entry.command().nodes().stream())
                .toList();
    }

    private void meanwhile(Runnable change) {
        stage.pass();
        stage.rig.advance(Duration.ofSeconds(5));
        change.run();
        stage.rig.advance(Duration.ofSeconds(10));
        stage.pass();
    }

    @Test
    @Tag("J137")
    void nothingHappensBeforeTheWaitIsOver() {
        pair(stage, pod());
        stage.pass();
        stage.rig.advance(Duration.ofSeconds(14));
        stage.pass();
        assertThat(stage.queue.entries()).isEmpty();

        stage.rig.advance(Duration.ofSeconds(1));
        stage.pass();
        assertThat(stage.queue.entries()).hasSize(1);
    }

    @Test
    @Tag("J138")
    void aNodeThatIsDeletedMeanwhileIsNotTakenAgain() {
        pair(stage, pod());
        meanwhile(() -> stage.add(new FleetNode("a").deletedAt(stage.now())));

        assertThat(stage.queue.entries()).isEmpty();
    }

    @Test
    @Tag("J139")
    void aPodThatIsGuardedMeanwhileSavesTheNode() {
        pair(stage, pod());
        meanwhile(() -> stage.rig.apply(pod().annotation("karpenter.sh/do-not-disrupt", "true")));

        assertThat(stage.queue.entries()).isEmpty();
    }

    @Test
    @Tag("J140")
    void aNodeThatIsGuardedMeanwhileStays() {
        pair(stage, pod());
        meanwhile(
                () ->
                        stage.add(
                                new FleetNode("a")
                                        .annotation("karpenter.sh/do-not-disrupt", "true")));

        assertThat(stage.queue.entries()).isEmpty();
    }

    @Test
    @Tag("J141")
    void aPodBudgetThatIsSpentMeanwhileSavesTheNode() {
        pair(stage, pod());
        meanwhile(() -> stage.podBudget("pdb", "web", 0));

        assertThat(stage.queue.entries()).isEmpty();
    }

    @Test
    @Tag("J142")
    void aNodeThatIsEmptiedMeanwhileIsLeftToEmptiness() {
        pair(stage, pod());
        meanwhile(() -> stage.rig.apply(pod().phase("Succeeded")));

        assertThat(stage.queue.entries()).isEmpty();
        assertThat(gone(stage)).containsExactly("a");
    }

    @Test
    @Tag("J143")
    void aReplacementThatIsNoLongerNeededIsNotMade() {
        stage.rig.cloud().types(FakeCatalogue.linear(20));
        stage.pool("100%").add(node("a"));
        stage.rig.apply(pod());
        meanwhile(() -> stage.add(node("b").consolidatable(false)));

        assertThat(stage.made("a", "b")).isEmpty();
    }

    private static Tree spread() {
        return Tree.of("topologyKey", "topology.kubernetes.io/zone")
                .put("maxSkew", 1)
                .put("whenUnsatisfiable", "DoNotSchedule")
                .put("labelSelector", Tree.of("matchLabels", Tree.of("app", "web")));
    }

    private static Manifest spreadPod(String name, String node) {
        return DisruptionStage.pod(name, node)
                .label("app", "web")
                .spec("topologySpreadConstraints", Tree.list(List.of(spread().mapping())));
    }

    @Test
    @Tag("J156")
    void aReplacementKeepsPodsSpreadOverZones() {
        stage.rig.cloud().types(FakeCatalogue.linear(20));
        stage.pool("100%")
                .add(
                        node("a").label("topology.kubernetes.io/zone", "test-zone-1"),
                        node("b")
                                .type("fake-it-1", "2")
                                .label("topology.kubernetes.io/zone", "test-zone-2")
                                .consolidatable(false),
                        node("c")
                                .type("fake-it-1", "2")
                                .label("topology.kubernetes.io/zone", "test-zone-3")
                                .consolidatable(false));
        stage.rig.apply(spreadPod("one", "a"), spreadPod("two", "b"), spreadPod("three", "c"));

        stage.passes();
        var made = stage.rig.claim(stage.made("a", "b", "c").getFirst());

        assertThat(made.spec().requirements())
                .filteredOn(each -> each.key().equals("topology.kubernetes.io/zone"))
                .singleElement()
                .satisfies(each -> assertThat(each.values()).containsExactly("test-zone-1"));
    }

    @Test
    @Tag("J157")
    void podsThatKeepApartAreNotPutTogether() {
        var apart =
                Tree.of(
                        "podAntiAffinity",
                        Tree.of()
                                .putList(
                                        "requiredDuringSchedulingIgnoredDuringExecution",
                                        List.of(
                                                Tree.of("topologyKey", "kubernetes.io/hostname")
                                                        .put(
                                                                "labelSelector",
                                                                Tree.of(
                                                                        "matchLabels",
                                                                        Tree.of("app", "web")))
                                                        .mapping())));
        stage.rig.cloud().types(FakeCatalogue.linear(2));
        stage.pool("100%")
                .add(
                        new FleetNode("a").type("fake-it-1", "2"),
                        new FleetNode("b").type("fake-it-1", "2"));
        stage.rig.apply(
                pod().spec("affinity", apart.mapping()),
                DisruptionStage.pod("two", "b").label("app", "web"));

        assertThat(gone(stage)).isEmpty();
    }

    @Test
    @Tag("J158")
    @Tag("J159")
    void podsThatWaitMayTakeTheRoomFirst() {
        pair(stage, pod());
        stage.rig.apply(
                Manifest.pod("waits").requests("cpu", "1").unschedulable(),
                Manifest.pod("too").requests("cpu", "1").unschedulable());
        stage.rig.cloud().types(FakeCatalogue.linear(1));

        assertThat(gone(stage)).isEmpty();
    }

    private static Manifest wishful() {
        var wish =
                Tree.of(
                        "nodeAffinity",
                        Tree.of()
                                .putList(
                                        "preferredDuringSchedulingIgnoredDuringExecution",
                                        List.of(
                                                Tree.of()
                                                        .put("weight", 1)
                                                        .put(
                                                                "preference",
                                                                Tree.of()
                                                                        .putList(
                                                                                "matchExpressions",
                                                                                List.of(
                                                                                        Tree.of(
                                                                                                        "key",
                                                                                                        "node.kubernetes.io/instance-type")
                                                                                                .put(
                                                                                                        "operator",
                                                                                                        "In")
                                                                                                .putTextList(
                                                                                                        "values",
                                                                                                        List
                                                                                                                .of(
                                                                                                                        "fake-it-9"))
                                                                                                .mapping())))
                                                        .mapping())));
        return pod().spec("affinity", wish.mapping());
    }

    private static DisruptionStage ofPreferences(Preferences preferences) {
        var stage =
                new DisruptionStage(SchedulingPolicy.DEFAULT.withPreferences(preferences), false);
        stage.rig.cloud().types(FakeCatalogue.linear(20));
        stage.pool("100%").add(node("a"));
        stage.rig.apply(wishful());
        return stage;
    }

    @Test
    @Tag("J163")
    void aWishKeepsThePodWhereItIs() {
        assertThat(gone(ofPreferences(Preferences.RESPECT))).isEmpty();
    }

    @Test
    @Tag("J164")
    void wishesThatAreIgnoredKeepNothing() {
        assertThat(gone(ofPreferences(Preferences.IGNORE))).containsExactly("a");
    }

    @Test
    @Tag("J165")
    void minValuesThatMayBeLoweredKeepNothing() {
        var stage =
                new DisruptionStage(
                        SchedulingPolicy.DEFAULT.withMinValues(MinValues.BEST_EFFORT), false);
        stage.rig.cloud().types(FakeCatalogue.linear(20));
        var template =
                Tree.of(
                                "nodeClassRef",
                                Tree.of("group", "karpenter.test.sh")
                                        .put("kind", "TestNodeClass")
                                        .put("name", "default"))
                        .putList(
                                "requirements",
                                List.of(
                                        Tree.of("key", "node.kubernetes.io/instance-type")
                                                .put("operator", "Exists")
                                                .put("minValues", 5)
                                                .mapping()));
        stage.rig.apply(
                DisruptionStage.pool("default", DisruptionStage.disruption("100%").mapping())
                        .spec("template", Tree.of("spec", template).mapping()));
        stage.add(node("a"));
        stage.rig.apply(pod());

        assertThat(gone(stage)).containsExactly("a");
    }

    @Test
    @Tag("J166")
    @Tag("J167")
    void aNodeThatBuffersCountOnMayStillBeConsolidated() {
        pair(stage, pod());
        stage.marks.holdOpen(java.util.Map.of("a", 1));

        assertThat(gone(stage)).containsExactly("a");
    }
}
