package dev.millwright.controllers.disruption;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.controllers.metrics.Families;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.kube.client.ApiAnswer;
import dev.millwright.kube.document.Tree;
import dev.millwright.testing.kit.Given;
import dev.millwright.testing.kit.cluster.Manifest;
import dev.millwright.testing.kit.disruption.DisruptionStage;
import dev.millwright.testing.kit.disruption.FleetNode;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;

/// A node that is no longer what its pool asks for is replaced.
final class DriftTest {

    private static final String GUARD = LabelKeys.DO_NOT_DISRUPT;

    private final DisruptionStage stage = new DisruptionStage();

    private static FleetNode drifted(String name) {
        return new FleetNode(name).drifted().consolidatable(false);
    }

    private static Manifest pod(String name, String node) {
        return DisruptionStage.pod(name, node);
    }

    private List<String> commanded() {
        return stage.queue.entries().stream()
                .flatMap(entry -> entry.command().nodes().stream())
                .sorted()
                .toList();
    }

    @Test
    @Tag("J-DRIFT-1")
    void theGaugeTellsHowManyNodesHaveDrifted() {
        stage.pool("0").add(drifted("a"), drifted("b"), new FleetNode("c").consolidatable(false));

        stage.pass();

        assertThat(stage.rig.gauge(Families.DISRUPTION_ELIGIBLE_NODES, "drifted")).isEqualTo(2);
    }

    @Test
    @Tag("J-DRIFT-2")
    void aBudgetBoundsNodesUnderWay() {
        stage.pool("2").add(drifted("a"), drifted("b"), drifted("c"));

        stage.pass();

        assertThat(commanded()).hasSize(2);
    }

    @Test
    @Tag("J-DRIFT-3")
    void aWholeBudgetLetsAllGo() {
        stage.pool("100%").add(drifted("a"), drifted("b"), drifted("c"));

        stage.pass();

        assertThat(commanded()).containsExactly("a", "b", "c");
    }

    @Test
    @Tag("J-DRIFT-4")
    void aBudgetOfZeroKeepsAll() {
        stage.pool("0").add(drifted("a"));

        stage.pass();

        assertThat(commanded()).isEmpty();
        assertThat(stage.told("DisruptionBlocked", "default")).isNotEmpty();
        assertThat(stage.rig.gauge(Families.NODEPOOLS_ALLOWED_DISRUPTIONS, "default", "Drifted"))
                .isZero();
    }

    @Test
    @Tag("J-DRIFT-5")
    void aNodeWhosePodsFindNoPlaceIsPassedOver() {
        stage.pool("100%").add(drifted("a"), drifted("b").drifted(Given.NOON.plusSeconds(60)));
        stage.rig.apply(pod("huge", "a").requests("cpu", "9999"), pod("small", "b"));

        stage.pass();

        assertThat(commanded()).containsExactly("b");
        assertThat(stage.told("DisruptionBlocked", "a")).anyMatch(text -> text.contains("huge"));
    }

    @Test
    @Tag("J-DRIFT-6")
    void withoutTheConditionNothingHappens() {
        stage.pool("100%").add(new FleetNode("a").consolidatable(false));

        stage.pass();

        assertThat(commanded()).isEmpty();
    }

    @Test
    @Tag("J-DRIFT-7")
    void aConditionThatIsFalseIsNoDrift() {
        stage.pool("100%").add(new FleetNode("a").drifted("False").consolidatable(false));

        stage.pass();

        assertThat(commanded()).isEmpty();
    }

    @Test
    @Tag("J-DRIFT-8")
    void aGuardedNodeStays() {
        stage.pool("100%").add(drifted("a").annotation(GUARD, "true"));

        stage.pass();

        assertThat(commanded()).isEmpty();
    }

    @Test
    @Tag("J-DRIFT-9")
    void anAnnotationOfFalseGuardsNothing() {
        stage.pool("100%").add(drifted("a").annotation(GUARD, "false"));

        stage.pass();

        assertThat(commanded()).containsExactly("a");
    }

    @Test
    @Tag("J-DRIFT-10")
    void aGuardedPodKeepsItsNode() {
        stage.pool("100%").add(drifted("a"));
        stage.rig.apply(pod("web", "a").annotation(GUARD, "true"));

        stage.pass();

        assertThat(commanded()).isEmpty();
    }

    @Test
    @Tag("J-DRIFT-11")
    void aGuardedPodUnderAGracePeriodGetsNoReplacement() {
        stage.pool("100%").add(drifted("a").grace("5m"));
        stage.rig.apply(pod("web", "a").annotation(GUARD, "true"));

        stage.pass();

        assertThat(commanded()).containsExactly("a");
        assertThat(stage.made("a")).isEmpty();
    }

    @Test
    @Tag("J-DRIFT-12")
    void aPodThatABudgetNeverLetsGoGetsNoReplacement() {
        stage.pool("100%").add(drifted("a").grace("5m"));
        stage.podBudget("pdb", "web", Tree.of().put("maxUnavailable", 0), 0);
        stage.rig.apply(pod("web", "a").label("app", "web"));

        stage.pass();

        assertThat(commanded()).containsExactly("a");
        assertThat(stage.made("a")).isEmpty();
    }

    @Test
    @Tag("J-DRIFT-13")
    void aDurationGuardsUntilItIsOver() {
        stage.pool("100%").add(drifted("a"));
        stage.rig.apply(
                pod("web", "a")
                        .annotation(GUARD, "1h")
                        .status("startTime", DisruptionStage.text(stage.now().toString())));

        stage.pass();
        assertThat(commanded()).isEmpty();

        stage.rig.advance(Duration.ofHours(1));
        stage.pass();
        assertThat(commanded()).containsExactly("a");
    }

    @Test
    @Tag("J-DRIFT-14")
    void aDurationThatIsNoneGuardsNothing() {
        stage.pool("100%").add(drifted("a"));
        stage.rig.apply(pod("web", "a").annotation(GUARD, "soon"));

        stage.pass();

        assertThat(commanded()).containsExactly("a");
        assertThat(stage.told("InvalidDoNotDisruptAnnotation", "web")).isNotEmpty();
    }

    @Test
    @Tag("J-DRIFT-15")
    void theLongestDurationOfSeveralCounts() {
        stage.pool("100%").add(drifted("a"));
        var started = DisruptionStage.text(stage.now().toString());
        stage.rig.apply(
                pod("short", "a").annotation(GUARD, "10m").status("startTime", started),
                pod("long", "a").annotation(GUARD, "30m").status("startTime", started));

        stage.rig.advance(Duration.ofMinutes(20));
        stage.pass();
        assertThat(commanded()).isEmpty();

        stage.rig.advance(Duration.ofMinutes(10));
        stage.pass();
        assertThat(commanded()).containsExactly("a");
    }

    @Test
    @Tag("J-DRIFT-16")
    void aNodeWithPodsGoesWhenItsReplacementIsInitialised() {
        stage.pool("100%").add(drifted("a"));
        stage.rig.apply(pod("web", "a"));

        stage.pass();
        var made = stage.made("a");
        assertThat(made).hasSize(1);
        assertThat(stage.isTainted("a")).isTrue();
        assertThat(stage.saysWhy("a")).isTrue();
        assertThat(stage.isMarked("a")).isTrue();
        assertThat(stage.rig.count(Families.NODECLAIMS_CREATED, "drifted", "default", "false"))
                .isEqualTo(1);

        stage.work();
        assertThat(stage.isGoing("a")).isFalse();

        stage.initialized(made.getFirst());
        stage.work();
        assertThat(stage.isGoing("a")).isTrue();
        assertThat(stage.marks.isMarked("fake://a")).isFalse();
        assertThat(
                        stage.rig.count(
                                Families.NODECLAIMS_DISRUPTED,
                                "drifted",
                                "default",
                                "on-demand",
                                "",
                                "graceful"))
                .isEqualTo(1);
        assertThat(
                        stage.rig.count(
                                Families.PODS_DISRUPTION_INITIATED,
                                "drifted",
                                "default",
                                "on-demand",
                                "",
                                "graceful"))
                .isEqualTo(1);
    }

    @Test
    @Tag("J-DRIFT-17")
    void aNodeWhosePodsFitElsewhereIsDeletedWithoutReplacement() {
        stage.pool("100%").add(drifted("a"), new FleetNode("b").consolidatable(false));
        stage.rig.apply(pod("web", "a"));

        stage.pass();
        stage.work();

        assertThat(stage.made("a", "b")).isEmpty();
        assertThat(stage.isGoing("a")).isTrue();
        assertThat(stage.marks.isNominated("b", stage.now())).isTrue();
    }

    @Test
    @Tag("J-DRIFT-18")
    void anEmptyNodeGoesThoughThePoolNeverConsolidates() {
        stage.rig.apply(
                DisruptionStage.pool(
                        "default",
                        DisruptionStage.disruption("100%")
                                .put("consolidateAfter", "Never")
                                .mapping()));
        stage.add(drifted("a"));

        stage.pass();

        assertThat(commanded()).containsExactly("a");
        assertThat(stage.rig.count(Families.DISRUPTION_DECISIONS, "delete", "drifted", ""))
                .isEqualTo(1);
    }

    @Test
    @Tag("J-DRIFT-19")
    void emptyNodesGoBeforeOlderOnesWithPods() {
        stage.pool("1").add(drifted("a"), drifted("b").drifted(Given.NOON.plusSeconds(3600)));
        stage.rig.apply(pod("web", "a"));

        stage.pass();

        assertThat(commanded()).containsExactly("b");
    }

    @Test
    @Tag("J-DRIFT-20")
    void anEmptyNodeThatMayBeConsolidatedGoesAsEmpty() {
        stage.pool("100%").add(new FleetNode("a").drifted());

        stage.passes();
        stage.work();

        assertThat(stage.rig.count(Families.DISRUPTION_DECISIONS, "delete", "empty", "empty"))
                .isEqualTo(1);
    }

    @Test
    @Tag("J-DRIFT-21")
    void aNodeIsFreeAgainWhenItsReplacementCannotBeMade() {
        stage.pool("100%").add(drifted("a"));
        stage.rig.apply(pod("web", "a"));
        stage.rig.run(stage.controller);
        var lost = stage.made("a").getFirst();
        stage.rig
                .api()
                .vanish(
                        dev.millwright.kube.client.ResourceType.NODE_CLAIM,
                        new dev.millwright.core.cluster.ObjectName("", lost));

        stage.work();

        assertThat(stage.isTainted("a")).isFalse();
        assertThat(stage.saysWhy("a")).isFalse();
        assertThat(stage.isMarked("a")).isFalse();
        assertThat(stage.queue.entries()).isEmpty();
        assertThat(stage.rig.count(Families.DISRUPTION_QUEUE_FAILURES, "replace", "drifted", ""))
                .isEqualTo(1);
    }

    @Test
    @Tag("J-DRIFT-22")
    void aNodeMayNeedSeveralReplacements() {
        stage.pool("100%").add(drifted("a").type("arm-instance-type", "16"));
        stage.rig.cloud().types(dev.millwright.testing.kit.FakeCatalogue.linear(4));
        stage.rig.apply(
                pod("one", "a").requests("cpu", "3"),
                pod("two", "a").requests("cpu", "3"),
                pod("three", "a").requests("cpu", "3"));

        stage.pass();

        assertThat(stage.made("a")).hasSize(3);
        stage.initialized(stage.made("a").getFirst());
        stage.work();
        assertThat(stage.isGoing("a")).isFalse();
    }

    @Test
    @Tag("J-DRIFT-23")
    void theNodeThatDriftedFirstGoesFirst() {
        stage.pool("1")
                .add(
                        drifted("a").drifted(Given.NOON.plusSeconds(60)),
                        drifted("b").drifted(Given.NOON));
        stage.rig.apply(pod("one", "a"), pod("two", "b"));

        stage.pass();

        assertThat(commanded()).containsExactly("b");
    }

    @Test
    @Tag("J-DRIFT-24")
    void aNodeOfAStaticPoolIsLeftToItsOwnMethod() {
        stage.rig.apply(
                DisruptionStage.pool("default", DisruptionStage.disruption("100%").mapping())
                        .spec("replicas", DisruptionStage.number(1)));
        stage.add(drifted("a"));

        var problem = stage.problem();

        assertThat(dev.millwright.core.disruption.Drift.candidacy(problem).candidates()).isEmpty();
    }

    @Test
    void aReplacementThatTheServerRefusesFreesTheNode() {
        stage.pool("100%").add(drifted("a"));
        stage.rig.apply(pod("web", "a"));
        stage.rig.api().forgetWrites();
        stage.rig.api().nextAnswer(new ApiAnswer.Refused(500, "InternalError", "taint"));

        stage.rig.run(stage.controller);
        assertThat(stage.queue.entries()).isEmpty();
        assertThat(stage.made("a")).isEmpty();

        stage.pass();
        assertThat(commanded()).containsExactly("a");
    }
}
