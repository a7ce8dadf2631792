package dev.millwright.controllers.node;

import static dev.millwright.controllers.node.PodDraft.pod;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.controllers.metrics.Families;
import dev.millwright.controllers.node.health.HealthController;
import dev.millwright.controllers.settings.Settings;
import dev.millwright.controllers.settings.SettingsReader;
import dev.millwright.core.policy.RepairPolicy;
import dev.millwright.kube.cache.Change;
import dev.millwright.kube.client.ApiAnswer;
import dev.millwright.kube.object.NodeObject;
import dev.millwright.runtime.step.Controller;
import dev.millwright.runtime.step.Step.Ending;
import dev.millwright.testing.kit.cloud.FakeCloud;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/// Nodes that stay broken are replaced, unless too many are.
final class NodeRepairTest {

    private static final Duration TOLERATION = Duration.ofMinutes(30);

    private final Stage stage = new Stage();
    private final Instant start = stage.rig.now();
    private final HealthController health =
            new HealthController(List.of(FakeCloud.REPAIR_POLICY), 1);

    private Ending look(String node) {
        return stage.rig.run(health, node);
    }

    private boolean isReplaced(String node) {
        return stage.rig.claim(node + "-claim").isDeleting();
    }

    private String deadline(String node) {
        return stage.rig
                .claim(node + "-claim")
                .meta()
                .annotations()
                .getOrDefault(Stage.ANNOTATION, "");
    }

    /// Nodes n1, n2 and so on, of which the first are broken.
    private void fleet(int nodes, int broken) {
        for (var index = 1; index <= nodes; index++) {
            stage.node("n" + index);
            if (index <= broken) {
                stage.condition("n" + index, "BadNode", "False", start);
            }
        }
        stage.rig.advance(TOLERATION);
    }

    @Tag("I-HLT-1")
    @Test
    void aNodeThatStaysBrokenIsReplaced() {
        fleet(1, 1);

        assertThat(look("n1")).isEqualTo(new Ending.Done());
        assertThat(isReplaced("n1")).isTrue();
    }

    @Tag("I-HLT-2")
    @Test
    void aConditionNobodyNamedDoesNotMatter() {
        stage.node("n1").condition("n1", "OtherProblem", "False", start);
        stage.rig.advance(TOLERATION);

        look("n1");

        assertThat(isReplaced("n1")).isFalse();
    }

    @Tag("I-HLT-3")
    @Test
    void aStatusNobodyNamedDoesNotMatter() {
        stage.node("n1").condition("n1", "BadNode", "True", start);
        stage.rig.advance(TOLERATION);

        look("n1");

        assertThat(isReplaced("n1")).isFalse();
    }

    @Tag("I-HLT-4")
    @Test
    void aNodeIsNotReplacedBeforeItsTime() {
        stage.node("n1").condition("n1", "BadNode", "False", start);
        stage.rig.advance(TOLERATION.minusSeconds(1));

        look("n1");

        assertThat(isReplaced("n1")).isFalse();
        assertThat(deadline("n1")).isEmpty();
    }

    @Tag("I-HLT-5")
    @Test
    void itsPodsHaveNoTimeLeft() {
        fleet(1, 1);

        look("n1");

        assertThat(deadline("n1")).isEqualTo(stage.rig.now().toString());
    }

    @Tag("I-HLT-5")
    @Test
    void withoutTheDeadlineTheClaimIsNotDeleted() {
        fleet(1, 1);
        stage.rig.api().nextAnswer(new ApiAnswer.Refused(409, "Conflict", "modified"));

        assertThat(look("n1")).isEqualTo(new Ending.Retry());
        assertThat(isReplaced("n1")).isFalse();
    }

    @Tag("I-HLT-6")
    @Test
    void aLaterDeadlineIsBroughtForward() {
        stage.node("n1").deadline("n1", start.plusSeconds(100_000));
        stage.condition("n1", "BadNode", "False", start);
        stage.rig.advance(TOLERATION);

        look("n1");

        assertThat(deadline("n1")).isEqualTo(stage.rig.now().toString());
    }

    @Tag("I-HLT-7")
    @Test
    void aDeadlineThatIsOverStays() {
        stage.node("n1").deadline("n1", start.minusSeconds(60));
        stage.condition("n1", "BadNode", "False", start);
        stage.rig.advance(TOLERATION);

        look("n1");

        assertThat(deadline("n1")).isEqualTo(start.minusSeconds(60).toString());
        assertThat(isReplaced("n1")).isTrue();
    }

    @Tag("I-HLT-8")
    @Test
    void ofTwoConditionsTheOneWhoseTimeIsUpFirstCounts() {
        var policies =
                List.of(
                        new RepairPolicy("BadNode", "False", Duration.ofMinutes(60)),
                        new RepairPolicy("Ready", "Unknown", Duration.ofMinutes(10)));
        stage.node("n1").condition("n1", "BadNode", "False", start);
        stage.condition("n1", "Ready", "Unknown", start.plusSeconds(60));

        assertThat(stage.rig.run(new HealthController(policies, 1), "n1"))
                .isEqualTo(new Ending.Again(Duration.ofMinutes(11)));

        stage.rig.advance(Duration.ofMinutes(11));
        stage.rig.run(new HealthController(policies, 1), "n1");
        assertThat(isReplaced("n1")).isTrue();
        assertThat(
                        stage.rig.count(
                                Families.NODECLAIMS_UNHEALTHY_DISRUPTED,
                                "ready",
                                "default",
                                "spot",
                                "image-1",
                                "forceful"))
                .isEqualTo(1);
    }

    @Tag("I-HLT-9")
    @Test
    void aNodeIsLookedAtAgainWhenItsTimeIsUp() {
        stage.node("n1").condition("n1", "BadNode", "False", start);
        stage.rig.advance(Duration.ofMinutes(20));

        assertThat(look("n1")).isEqualTo(new Ending.Again(Duration.ofMinutes(10)));
    }

    @Tag("I-HLT-10")
    @Test
    void budgetsOfThePoolDoNotMatter() {
        stage.rig.apply(
                """
                apiVersion: karpenter.sh/v1
                kind: NodePool
                metadata: {name: default}
                spec:
                  disruption:
                    consolidateAfter: 0s
                    budgets: [{nodes: "0"}]
                  template:
                    spec:
                      nodeClassRef: {group: karpenter.test.sh, kind: TestNodeClass, name: default}
                      requirements: []
                """);
        fleet(1, 1);

        look("n1");

        assertThat(isReplaced("n1")).isTrue();
    }

    @Tag("I-HLT-11")
    @Test
    void podsThatMustNotBeDisturbedDoNotMatter() {
        fleet(1, 1);
        stage.pods(pod("a", "n1").doNotDisrupt("true"));

        look("n1");
        stage.deleteNode("n1");
        stage.rig.advance(Duration.ofSeconds(1));
        stage.drain("n1");

        assertThat(isReplaced("n1")).isTrue();
        assertThat(stage.leaving()).containsExactly("a");
    }

    @Tag("I-HLT-12")
    @Test
    void aPoolWithTooManyBrokenNodesIsLeftAlone() {
        fleet(10, 3);

        assertThat(look("n1")).isEqualTo(new Ending.Again(Duration.ofMinutes(5)));

        assertThat(isReplaced("n1")).isFalse();
        assertThat(deadline("n1")).isEmpty();
        assertThat(stage.rig.events())
                .singleElement()
                .satisfies(
                        event -> {
                            assertThat(event.reason()).isEqualTo("NodeRepairBlocked");
                            assertThat(event.subject().kind()).isEqualTo("Node");
                            assertThat(event.dedupe()).isEqualTo(Duration.ofMinutes(15));
                            assertThat(event.message()).contains("3 of 10");
                        });
    }

    @Tag("I-HLT-12")
    @Test
    void brokenNodesOfOtherPoolsDoNotMatter() {
        fleet(5, 1);
        stage.labelledNode("other-1", "other").condition("other-1", "BadNode", "False", start);
        stage.labelledNode("other-2", "other").condition("other-2", "BadNode", "False", start);

        look("n1");

        assertThat(isReplaced("n1")).isTrue();
    }

    @Tag("I-HLT-13")
    @Test
    void forAClaimThatStandsAloneTheWholeClusterCounts() {
        fleet(4, 1);
        stage.labelledNode("alone", "").condition("alone", "BadNode", "False", start);

        assertThat(look("alone")).isEqualTo(new Ending.Again(Duration.ofMinutes(5)));
        assertThat(isReplaced("alone")).isFalse();

        stage.node("n5");
        look("alone");
        assertThat(isReplaced("alone")).isTrue();
    }

    @Tag("I-HLT-14")
    @Test
    void aFifthIsRoundedUp() {
        fleet(6, 2);

        look("n1");

        assertThat(isReplaced("n1")).isTrue();
    }

    @Tag("I-HLT-14")
    @Test
    void nodesCountAsBrokenBeforeTheirTimeIsUp() {
        fleet(5, 1);
        stage.condition("n2", "BadNode", "False", stage.rig.now());

        look("n1");

        assertThat(isReplaced("n1")).isFalse();
    }

    @Tag("I-HLT-15")
    @Test
    void aRepairIsCounted() {
        fleet(1, 1);
        stage.pods(pod("a", "n1"), pod("b", "n1"), pod("agent", "n1").daemon());

        look("n1");

        assertThat(
                        stage.rig.count(
                                Families.NODECLAIMS_DISRUPTED,
                                "unhealthy",
                                "default",
                                "spot",
                                "",
                                "graceful"))
                .isEqualTo(1);
        assertThat(
                        stage.rig.count(
                                Families.PODS_DISRUPTION_INITIATED,
                                "unhealthy",
                                "default",
                                "spot",
                                "",
                                "graceful"))
                .isEqualTo(2);
        assertThat(unhealthyCount()).isEqualTo(1);
    }

    private double unhealthyCount() {
        return stage.rig.count(
                Families.NODECLAIMS_UNHEALTHY_DISRUPTED,
                "bad_node",
                "default",
                "spot",
                "image-1",
                "forceful");
    }

    @Tag("I-HLT-15")
    @Test
    void doneTwiceARepairIsCountedOnce() {
        fleet(1, 1);

        look("n1");
        var writes = stage.rig.api().writes().size();
        look("n1");

        assertThat(stage.rig.api().writes()).hasSize(writes);
        assertThat(unhealthyCount()).isEqualTo(1);
    }

    @Tag("I-HLT-15")
    @Test
    void aClaimThatIsGoingAlreadyIsHurriedAndNotCounted() {
        fleet(1, 1);
        stage.deleteClaim("n1-claim");

        look("n1");

        assertThat(deadline("n1")).isEqualTo(stage.rig.now().toString());
        assertThat(unhealthyCount()).isZero();
    }

    @Test
    void onlyAChangeOfConditionsCallsForALook() {
        stage.node("n1").condition("n1", "BadNode", "True", start);
        var before = stage.rig.node("n1");
        stage.addFinalizer("n1", "example.com/mine");
        var heartbeat = stage.rig.node("n1");
        stage.condition("n1", "BadNode", "False", start);
        var broken = stage.rig.node("n1");

        assertThat(keys(before, heartbeat)).isEmpty();
        assertThat(keys(heartbeat, broken)).hasSize(1);
    }

    @SuppressWarnings("unchecked") // The only watch is one of nodes.
    private List<?> keys(NodeObject before, NodeObject after) {
        var watch = (Controller.Watch<NodeObject>) health.watches().getFirst();
        return watch.keys().of(stage.rig.view(), new Change<>(before.name(), before, after));
    }

    @Test
    void nodesOfOthersAndNodesWithoutClaimAreLeftAlone() {
        stage.bareNode("n1", "True").condition("n1", "BadNode", "False", start);
        stage.rig.advance(TOLERATION);

        assertThat(look("n1")).isEqualTo(new Ending.Done());
        assertThat(look("nobody")).isEqualTo(new Ending.Done());
        assertThat(stage.rig.api().writes()).isEmpty();
    }

    @Test
    void theOldWayOfRepairIsOnlyForThoseWhoAskForIt() {
        var traits = stage.rig.cloud().traits();

        assertThat(HealthController.isWanted(told("true", "NodeRepair=true"), traits)).isTrue();
        assertThat(HealthController.isWanted(told("false", "NodeRepair=true"), traits)).isFalse();
        assertThat(HealthController.isWanted(told("true", "NodeRepair=false"), traits)).isFalse();
    }

    private static Settings told(String isLegacy, String gates) {
        return SettingsReader.read(
                        Map.of("legacy-node-repair", isLegacy, "feature-gates", gates), Map.of())
                .settings();
    }
}
