package dev.millwright.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.controllers.settings.SettingsReader;
import dev.millwright.core.policy.SchedulingPolicy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// All commands pack by one default, and say so.
final class DefaultPackingTest {

    private static final String PACKING = SchedulingPolicy.DEFAULT.packing().text();

    /// A pod that waits, and a pool for it.
    private static final String CLUSTER =
            """
            apiVersion: karpenter.sh/v1
            kind: NodePool
            metadata: {name: general}
            spec:
              template:
                spec:
                  nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: default}
            ---
            apiVersion: v1
            kind: Pod
            metadata: {name: web, namespace: shop}
            spec: {containers: [{name: main, resources: {requests: {cpu: 1}}}]}
            status: {phase: Pending, conditions: [{type: PodScheduled, status: "False", reason: Unschedulable}]}
            """;

    @Test
    void itIsTheCheapestFleet() {
        assertThat(PACKING).isEqualTo("cheapest");
        assertThat(SettingsReader.defaults().policies().packing().text()).isEqualTo(PACKING);
    }

    @ParameterizedTest
    @ValueSource(strings = {"simulate", "bench", "plan", "explain pod", "world", "run controllers"})
    void theHelpOfEachCommandNamesIt(String command) {
        var help = CommandRun.of((command + " --help").split(" ")).out().replaceAll("\\s+", " ");

        assertThat(help).containsPattern("--packing.{0,200}default:? " + PACKING);
    }

    @ParameterizedTest
    @ValueSource(strings = {"simulate -f -", "plan -f -", "explain pod web -n shop -f -"})
    void theAnswerOfEachCommandNamesIt(String command) {
        var table = CommandRun.reading(CLUSTER, (command + " -q").split(" "));
        var json = CommandRun.reading(CLUSTER, (command + " -q -o json").split(" "));

        assertThat(table.out()).contains("packing: " + PACKING);
        assertThat(json.out()).contains("\"packing\" : \"%s\"".formatted(PACKING));
    }

    @ParameterizedTest
    @ValueSource(strings = {"simulate -f -", "plan -f -", "explain pod web -n shop -f -"})
    void eachPacksOtherwiseWhenTold(String command) {
        var run = CommandRun.reading(CLUSTER, (command + " -q --packing first-fit").split(" "));

        assertThat(run.out()).contains("packing: first-fit");
    }
}
