package dev.millwright.controllers.steering;

import static dev.millwright.testing.kit.cluster.PoolManifests.launchedClaim;
import static dev.millwright.testing.kit.cluster.PoolManifests.node;
import static dev.millwright.testing.kit.cluster.PoolManifests.pool;
import static dev.millwright.testing.kit.cluster.PoolManifests.rig;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.controllers.state.Marks;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.cluster.StateNode;
import dev.millwright.core.disruption.DisruptionCost;
import dev.millwright.core.disruption.Steering;
import dev.millwright.core.disruption.Steering.Fill;
import dev.millwright.core.label.ControlKeys;
import dev.millwright.core.label.Taint;
import dev.millwright.runtime.step.Controller;
import dev.millwright.runtime.step.Step.Ending;
import dev.millwright.testing.kit.cluster.Rig;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Objects;

/// Pods are steered away from the nodes that consolidation takes next.
final class SteeringTest {

    private static final String POLICY =
            "disruption: {consolidationPolicy: WhenEmptyOrUnderutilized, consolidateAfter: 0s}";
    private static final String COST = DisruptionCost.DELETION_COST;

    private final Marks marks = new Marks();
    private final SteeringController controller = new SteeringController(marks, true);

    /// Four nodes of 3,900 millis with a pod each, that of `a` the smallest.
    private static Rig fleet(String spec) {
        var rig = rig(pool("p", spec, ""));
        for (var name : List.of("a", "b", "c", "d")) {
            rig.apply(launchedClaim(name, "p")).apply(node(name, "p"));
        }
        return rig.apply(pod("small", "a", "300m", "ReplicaSet", ""))
                .apply(pod("of-b", "b", "1500m", "ReplicaSet", ""))
                .apply(pod("of-c", "c", "2500m", "ReplicaSet", ""))
                .apply(pod("of-d", "d", "3500m", "ReplicaSet", ""));
    }

    private static String pod(
            String name, String claim, String cpu, String ownerKind, String metadata) {
        return """
               apiVersion: v1
               kind: Pod
               metadata:
                 name: %s
                 namespace: default
                 ownerReferences: [{apiVersion: apps/v1, kind: %s, name: r, uid: r, controller: true}]
                 %s
               spec: {nodeName: node-%s, containers: [{name: main, resources: {requests: {cpu: %s}}}]}
               status: {phase: Running}
               """
                .formatted(name, ownerKind, metadata, claim, cpu);
    }

    private Ending run(Rig rig) {
        return rig.run(controller, Controller.SINGLETON.name());
    }

    private static List<String> steered(Rig rig) {
        return rig.view().nodes().stream()
                .filter(node -> node.node().taints().contains(Taint.STEERED_AWAY))
                .map(node -> node.name().name())
                .toList();
    }

    private static String annotation(Rig rig, String pod, String key) {
        var found = Objects.requireNonNull(rig.view().pod(new ObjectName("default", pod)));
        return Objects.requireNonNullElse(found.meta().annotation(key), "");
    }

    @Test
    void theEmptiestQuarterOfTheNodesRunsEmpty() {
        var rig = fleet(POLICY);

        run(rig);

        assertThat(steered(rig)).containsExactly("node-a");
        assertThat(annotation(rig, "small", COST)).isEqualTo("-1");
        assertThat(annotation(rig, "small", ControlKeys.STEERED)).isEqualTo("true");
        assertThat(annotation(rig, "of-b", COST)).isEmpty();
    }

    @Test
    void nothingIsWrittenTwice() {
        var rig = fleet(POLICY);
        run(rig);
        var writes = rig.api().writes().size();

        run(rig);

        assertThat(rig.api().writes()).hasSize(writes);
    }

    @Test
    void marksAreTakenBackWhenAnotherNodeIsEmptier() {
        var rig = fleet(POLICY);
        run(rig);

        rig.apply(pod("more", "a", "3000m", "ReplicaSet", ""));
        run(rig);

        assertThat(steered(rig)).containsExactly("node-b");
        assertThat(annotation(rig, "small", COST)).isEmpty();
        assertThat(annotation(rig, "small", ControlKeys.STEERED)).isEmpty();
        assertThat(annotation(rig, "of-b", COST)).isEqualTo("-1");
    }

    @Test
    void aCostThatSomebodyElseSaidStays() {
        var rig = fleet(POLICY);
        rig.apply(pod("valued", "a", "100m", "ReplicaSet", "annotations: {" + COST + ": \"7\"}"));

        run(rig);

        assertThat(annotation(rig, "valued", COST)).isEqualTo("7");
        assertThat(annotation(rig, "valued", ControlKeys.STEERED)).isEmpty();
    }

    /// Nobody asks for the cost of other pods.
    @Test
    void onlyPodsOfReplicaSetsAreWrittenTo() {
        var rig = fleet(POLICY);
        rig.apply(pod("job", "a", "100m", "StatefulSet", ""));

        run(rig);

        assertThat(annotation(rig, "job", COST)).isEmpty();
    }

    @Test
    void nodesThatConsolidationMayNotTakeAreLeftAlone() {
        for (var spec :
                List.of(
                        "disruption: {consolidationPolicy: WhenEmpty, consolidateAfter: 0s}",
                        "disruption: {consolidationPolicy: WhenEmptyOrUnderutilized, consolidateAfter: Never}",
                        "replicas: 4")) {
            var rig = fleet(spec);

            run(rig);

            assertThat(steered(rig)).as(spec).isEmpty();
        }
    }

    @Test
    void aNodeOnItsWayOutIsNotCounted() {
        var rig = fleet(POLICY);
        marks.mark("fake:///a");

        run(rig);

        assertThat(steered(rig)).containsExactly("node-b");
    }

    /// It has no right to write to pods then.
    @Test
    void switchedOffItTakesBackWhatItOnceWroteToNodes() {
        var rig = fleet(POLICY);
        run(rig);

        rig.run(new SteeringController(marks, false), Controller.SINGLETON.name());

        assertThat(steered(rig)).isEmpty();
        assertThat(annotation(rig, "small", COST)).isEqualTo("-1");
    }

    /// Else a pod that waits would get a new node instead of the room that is there.
    @Test
    void thePlannerDoesNotHeedTheTaint() {
        var rig = fleet(POLICY);
        run(rig);
        var node = Objects.requireNonNull(rig.view().node("node-a"));
        var claim = Objects.requireNonNull(rig.view().claim("a"));

        assertThat(node.node().taints()).contains(Taint.STEERED_AWAY);
        assertThat(StateNode.of(node.node(), claim.claim()).taints()).isEmpty();
    }

    @Test
    void oneNodeIsLeftForPodsToGoTo() {
        assertThat(Steering.away(List.of())).isEmpty();
        assertThat(Steering.away(List.of(new Fill("a", 0.1, false)))).isEmpty();
        assertThat(Steering.away(List.of(new Fill("a", 0.2, false), new Fill("b", 0.1, false))))
                .containsExactly("b");
    }

    @Test
    void aMarkDoesNotHopBetweenNodesThatAreAlike() {
        assertThat(Steering.away(List.of(new Fill("a", 0.50, false), new Fill("b", 0.55, true))))
                .containsExactly("b");
        assertThat(Steering.away(List.of(new Fill("a", 0.40, false), new Fill("b", 0.55, true))))
                .containsExactly("a");
    }
}
