package dev.millwright.kube.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.label.Effect;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.label.Operator;
import dev.millwright.core.label.Requirement;
import dev.millwright.core.label.Taint;
import dev.millwright.core.policy.NodePool.NodeClassRef;
import dev.millwright.core.quantity.Resources;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;

class NodePoolTranslationTest {

    private static String pool(String spec) {
        return "apiVersion: karpenter.sh/v1\nkind: NodePool\nmetadata: {name: default}\nspec:\n"
                + spec.indent(2);
    }

    private static String requirement(String text) {
        return pool("template: {spec: {requirements: [%s]}}".formatted(text));
    }

    @Test
    void allFieldsOfThePlanAreRead() {
        var pool =
                Reading.nodePool(
                        pool(
                                """
                                weight: 7
                                limits: {cpu: 100, nodes: "3"}
                                template:
                                  metadata: {labels: {team: shop}, annotations: {note: x}}
                                  spec:
                                    nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: main}
                                    taints: [{key: a, value: b, effect: NoSchedule}]
                                    startupTaints: [{key: c, effect: NoExecute}]
                                    expireAfter: Never
                                    requirements:
                                    - {key: beta.kubernetes.io/arch, operator: In, values: [amd64, arm64], minValues: 2}
                                """));
        assertThat(pool.weight()).isEqualTo(7);
        assertThat(pool.limits()).isEqualTo(Resources.parse("cpu", "100", "nodes", "3"));
        assertThat(pool.template().labels()).isEqualTo(Map.of("team", "shop"));
        assertThat(pool.template().nodeClassRef())
                .isEqualTo(new NodeClassRef("karpenter.k8s.aws", "EC2NodeClass", "main"));
        assertThat(pool.template().taints())
                .containsExactly(new Taint("a", "b", Effect.NO_SCHEDULE));
        assertThat(pool.template().startupTaints())
                .containsExactly(new Taint("c", "", Effect.NO_EXECUTE));
        assertThat(pool.template().requirements())
                .containsExactly(
                        Requirement.of(LabelKeys.ARCH, Operator.IN, 2, List.of("amd64", "arm64")));
        assertThat(pool.isOpenForPods()).isTrue();
    }

    @Test
    void aPoolIsReadyUnlessItsStatusDenies() {
        var text = pool("template: {spec: {requirements: []}}");
        assertThat(Reading.nodePool(text).isReady()).isTrue();
        assertThat(
                        Reading.nodePool(
                                        text
                                                + "status: {conditions: [{type: Ready, status: 'False'}]}")
                                .isReady())
                .isFalse();
    }

    @Test
    void aPoolGetsTheCatalogueOfTheProvider() {
        var file = Reading.of(requirement(""));
        assertThat(file.problem().catalogs())
                .isEqualTo(Map.of("default", List.of(Reading.MACHINE)));
    }

    @Test
    void aQuantityIsToldWithLineAndField() {
        assertThat(Reading.faults(pool("limits:\n  cpu: 12x\ntemplate: {spec: {}}")))
                .containsExactly(
                        "file1:6: NodePool default: spec.limits.cpu: quantity \"12x\": unknown suffix \"x\"; wanted one of n u m k M G T P E Ki Mi Gi Ti Pi Ei or an exponent");
    }

    @Test
    void olderVersionsAreToldTheWayOut() {
        assertThat(
                        Reading.faults(
                                "apiVersion: karpenter.sh/v1beta1\nkind: NodePool\nmetadata: {name: a}\n"))
                .containsExactly(
                        "file1:1: NodePool a: apiVersion: found \"karpenter.sh/v1beta1\"; wanted karpenter.sh/v1; `millwright migrate -f FILE` makes it that, and kubectl shows that once the cluster's Karpenter is 1.0 or newer");
    }

    @Test
    void twoPoolsOfOneNameAreTold() {
        assertThat(Reading.faults(requirement(""), requirement("")))
                .containsExactly(
                        "file2:1: NodePool default: was read at file1:1 already; keep one of them");
    }

    @Test
    void reservedLabelsAreRefusedWithAHint() {
        assertThat(
                        Reading.faults(
                                requirement("{key: karpenter.sh/zone, operator: In, values: [a]}")))
                .containsExactly(
                        "file1:5: NodePool default: spec.template.spec.requirements[0].key: label \"karpenter.sh/zone\" is not for pools to set; maybe \"topology.kubernetes.io/zone\"?");
    }

    @Test
    void requirementsKeepTheRulesOfTheApi() {
        assertThat(Reading.faults(requirement("{key: a, operator: In, values: [b], minValues: 2}")))
                .singleElement()
                .asString()
                .contains("minValues: asks for 2 values where 1 are listed");
        assertThat(Reading.faults(requirement("{key: a, operator: Gt, values: ['-5']}")))
                .singleElement()
                .asString()
                .contains("wanted a whole number of at least 0");
        assertThat(Reading.faults(requirement("{key: a, operator: Gt, values: ['1', '2']}")))
                .singleElement()
                .asString()
                .contains("wanted exactly one whole number");
        assertThat(Reading.faults(requirement("{key: 'a b', operator: Exists}")))
                .singleElement()
                .asString()
                .contains("label key \"a b\" is malformed");
        assertThat(Reading.faults(requirement("{key: a, operator: Exists, minValues: 51}")))
                .hasSize(1);
    }

    @Test
    void theDisruptionBlockKeepsItsGrammar() {
        var faults =
                Reading.faults(
                        pool(
                                """
                                template: {spec: {expireAfter: 30d}}
                                disruption:
                                  consolidateAfter: 5
                                  consolidationPolicy: Always
                                  budgets:
                                  - {nodes: 101%}
                                  - {nodes: 5, schedule: "@daily"}
                                  - {reasons: [Bored]}
                                """));
        assertThat(faults).hasSize(6);
        assertThat(faults)
                .anyMatch(fault -> fault.contains("expireAfter: found \"30d\"; wanted a duration"))
                .anyMatch(fault -> fault.contains("budgets[0].nodes: found \"101%\""))
                .anyMatch(fault -> fault.contains("schedule and duration belong together"));
    }

    private static String withFee(String fee) {
        return pool("template: {spec: {}}")
                .replace(
                        "{name: default}",
                        "{name: default, annotations: {millwright.dev/node-fee-per-hour: \"%s\"}}"
                                .formatted(fee));
    }

    @Test
    void theFeeOfANodeIsReadFromAnAnnotation() {
        assertThat(Reading.nodePool(withFee("0.015")).nodeFeePerHour()).isEqualTo(0.015);
        assertThat(Reading.nodePool(pool("template: {spec: {}}")).nodeFeePerHour()).isNull();
        assertThat(Reading.faults(withFee("1 $")))
                .singleElement()
                .asString()
                .contains(
                        "metadata.annotations[millwright.dev/node-fee-per-hour]: found \"1 $\"; wanted an amount an hour from 0 to 1000 such as 0.015");
    }

    @Test
    void aStaticPoolHasNoWeightAndOnlyNodesAsLimit() {
        assertThat(
                        Reading.faults(
                                pool(
                                        "replicas: 3\nweight: 1\nlimits: {cpu: 1}\ntemplate: {spec: {}}")))
                .hasSize(2);
        assertThat(
                        Reading.nodePool(
                                        pool(
                                                "replicas: 3\nlimits: {nodes: 5}\ntemplate: {spec: {}}"))
                                .isStatic())
                .isTrue();
    }

    @Test
    void aTaintStandsOnceInBothLists() {
        assertThat(
                        Reading.faults(
                                pool(
                                        "template: {spec: {taints: [{key: a, effect: NoExecute}], startupTaints: [{key: a, effect: NoExecute}]}}")))
                .singleElement()
                .asString()
                .contains(
                        "spec.template.spec.startupTaints[0]: taint a:NoExecute stands in spec.template.spec.taints[0] already");
    }
}
