package dev.millwright.controllers.roster;

import static dev.millwright.testing.kit.cluster.Manifest.claim;
import static dev.millwright.testing.kit.cluster.Manifest.node;
import static dev.millwright.testing.kit.cluster.Manifest.pod;
import static dev.millwright.testing.kit.cluster.Manifest.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.controllers.metrics.AutoscalerMetrics;
import dev.millwright.controllers.settings.SettingsReader;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.runtime.metrics.BuildInfo;
import dev.millwright.runtime.metrics.Metrics;
import dev.millwright.runtime.metrics.ProcessFigures;
import dev.millwright.runtime.step.Controller;
import dev.millwright.runtime.step.Effect;
import dev.millwright.testing.kit.Given;
import dev.millwright.testing.kit.cluster.Rig;

import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/// Who observes the cluster, and that what they tell is registered.
final class ObservationTest {

    private static final List<String> OBSERVERS =
            List.of(
                    "metrics.node",
                    "metrics.nodepool",
                    "metrics.pod",
                    "state.bound",
                    "operatorpkg.nodeclaim.status",
                    "operatorpkg.nodepool.status",
                    "operatorpkg.node.status");

    private final Rig rig = new Rig();

    private List<Controller> controllers(Map<String, String> flags) {
        var settings = SettingsReader.read(flags, Map.of()).settings();
        return new Roster(
                        settings,
                        rig.cloud().traits(),
                        Offers.withoutOverlays(rig.cloud()::catalog),
                        rig.view().classKinds(),
                        () -> 0)
                .controllers();
    }

    private static List<String> names(List<Controller> controllers) {
        return controllers.stream().map(Controller::name).toList();
    }

    @Test
    void theClusterIsObserved() {
        assertThat(names(controllers(Map.of())))
                .containsAll(OBSERVERS)
                .contains("metrics.clusterstate", "state.pod")
                .doesNotContain("operatorpkg.capacitybuffer.status");
    }

    @Test
    void nobodyObservesItWhenItIsSwitchedOff() {
        var flags = Map.of("disable-cluster-state-observability", "true");

        assertThat(names(controllers(flags)))
                .doesNotContainAnyElementsOf(OBSERVERS)
                .contains("metrics.clusterstate", "state.pod");
    }

    @Test
    void buffersAreObservedWhereThereAreSome() {
        var flags = Map.of("feature-gates", "CapacityBuffer=true");

        assertThat(names(controllers(flags))).contains("operatorpkg.capacitybuffer.status");
    }

    @Test
    void allThatIsToldIsRegistered() {
        rig.apply(
                node("n1")
                        .nodePool("default")
                        .providerId("fake://1")
                        .initialized()
                        .capacity("cpu", "4")
                        .allocatable("cpu", "4")
                        .condition("Ready", "True", Given.NOON),
                claim("c1").providerId("fake://1"),
                pool("default").limits("cpu", "8"),
                pod("a").on("n1").requests("cpu", "1"));
        var metrics =
                AutoscalerMetrics.of(
                        BuildInfo.ofProcess("1", "none"),
                        ProcessFigures.ofProcess(),
                        Roster.families(rig.cloud().traits()));

        for (var controller : controllers(Map.of())) {
            if (OBSERVERS.contains(controller.name())) {
                told(controller, metrics);
            }
        }

        assertThat(new String(metrics.expose(null).body(), StandardCharsets.UTF_8))
                .contains(
                        "karpenter_nodes_allocatable{",
                        "karpenter_nodepools_limit{",
                        "karpenter_pods_state{",
                        "millwright_fleet_gap_ratio ",
                        "operator_node_status_condition_count{",
                        "operator_nodeclaim_status_condition_count{",
                        "operator_nodepool_status_condition_count{",
                        "operator_status_condition_count{");
    }

    private void told(Controller controller, Metrics metrics) {
        for (var key : List.of("n1", "c1", "default", "a")) {
            var name = new ObjectName(key.equals("a") ? "default" : "", key);
            for (var effect : controller.step(rig.view(), name, rig.now()).effects()) {
                switch (effect) {
                    case Effect.Gauges(var owner, var samples) -> metrics.replace(owner, samples);
                    case Effect.Count(var family, var amount, var labels) ->
                            metrics.count(family, amount, labels);
                    case Effect.Observe(var family, var value, var labels) ->
                            metrics.observe(family, value, labels);
                    default -> throw new IllegalStateException("unexpected " + effect);
                }
            }
        }
    }
}
