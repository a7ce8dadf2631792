package dev.millwright.capi.machine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.capi.machine.object.Ownership;
import dev.millwright.capi.object.CaptTypes;
import dev.millwright.kube.client.ApiAnswer;
import dev.millwright.kube.client.ApiWrite.Subresource;
import dev.millwright.kube.object.RawObject;

import org.junit.jupiter.api.Test;

import java.time.Duration;

/// A set keeps its number of machines, and knows which are its own.
final class MachineSetTest {

    private final Yard yard = new Yard();

    private void set(String replicas, String rest) {
        yard.rig.apply(
                """
                apiVersion: cluster.x-k8s.io/v1beta2
                kind: Cluster
                metadata: {name: shop, namespace: shop}
                spec: {}
                ---
                apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
                kind: CaptMachineSet
                metadata: {name: web, namespace: shop, labels: {cluster.x-k8s.io/cluster-name: shop}}
                spec:
                  %s
                  %s
                  template:
                    metadata: {labels: {role: web, tier: front}, annotations: {note: x}}
                    spec:
                      workspaceTemplateRef: {name: eks-node-template}
                      instanceType: m7g.large
                """
                        .formatted(replicas, rest));
        yard.settle();
    }

    private int status(String field) {
        return yard.find(CaptTypes.MACHINE_SET, "web").status().at(field).whole(0, 100, -1);
    }

    private void label(RawObject machine, String labels) {
        yard.patch(
                CaptTypes.MACHINE,
                machine.name().name(),
                "metadata: {labels: %s}".formatted(labels),
                Subresource.NONE);
    }

    @Test
    void aSetWithoutANumberHasOneMachine() {
        set("", "");

        assertThat(yard.all(CaptTypes.MACHINE)).hasSize(1);
    }

    @Test
    void machinesAreMadeOfTheTemplateAndOwned() {
        set("replicas: 3", "");

        assertThat(yard.all(CaptTypes.MACHINE))
                .hasSize(3)
                .allSatisfy(
                        machine -> {
                            assertThat(machine.name().name()).matches("web-[0-9a-f]{5}");
                            assertThat(machine.meta().labels())
                                    .containsEntry("role", "web")
                                    .containsEntry("cluster.x-k8s.io/cluster-name", "shop");
                            assertThat(machine.meta().annotation("note")).isEqualTo("x");
                            assertThat(machine.meta().owners().getFirst().isController()).isTrue();
                            assertThat(machine.spec().at("instanceType").text())
                                    .isEqualTo("m7g.large");
                        });
        assertThat(status("replicas")).isEqualTo(3);
        assertThat(status("readyReplicas")).isZero();
        assertThat(yard.find(CaptTypes.MACHINE_SET, "web").status().at("selector").text())
                .isEqualTo("role=web,tier=front");

        yard.applied();
        assertThat(status("readyReplicas")).isEqualTo(3);
        assertThat(status("fullyLabeledReplicas")).isEqualTo(3);
        assertThat(yard.reason(CaptTypes.MACHINE_SET, "web", "Ready"))
                .isEqualTo("True MachinesReady");
    }

    @Test
    void aMachineThatWentIsMadeAgain() {
        set("replicas: 2", "");
        yard.delete(CaptTypes.MACHINE, yard.all(CaptTypes.MACHINE).getFirst().name().name());
        yard.settle();

        assertThat(yard.all(CaptTypes.MACHINE)).hasSize(2);
    }

    @Test
    void unreadyMachinesGoFirstAndThenTheNewest() {
        set("replicas: 2", "");
        yard.applied();
        var oldest = yard.all(CaptTypes.MACHINE).stream().map(RawObject::name).toList();
        yard.rig.advance(Duration.ofMinutes(1));
        yard.spec(CaptTypes.MACHINE_SET, "web", "{replicas: 3}").settle().applied();
        yard.rig.advance(Duration.ofMinutes(1));
        yard.spec(CaptTypes.MACHINE_SET, "web", "{replicas: 4}").settle();

        yard.spec(CaptTypes.MACHINE_SET, "web", "{replicas: 3}").settle();
        assertThat(yard.ready()).isEqualTo(3);

        yard.spec(CaptTypes.MACHINE_SET, "web", "{replicas: 2}").settle();
        assertThat(yard.all(CaptTypes.MACHINE).stream().map(RawObject::name)).isEqualTo(oldest);
    }

    @Test
    void aMachineThatNobodyOwnsIsTakenWhenItMatches() {
        yard.rig.apply(
                """
                apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
                kind: CaptMachine
                metadata: {name: stray, namespace: shop, labels: {role: web, tier: front}}
                spec: {workspaceTemplateRef: {name: eks-node-template}, instanceType: m7g.large}
                """);
        set("replicas: 2", "");

        assertThat(yard.all(CaptTypes.MACHINE)).hasSize(2);
        assertThat(yard.find(CaptTypes.MACHINE, "stray").meta().owners().getFirst().name())
                .isEqualTo("web");
    }

    @Test
    void aMachineThatNoLongerMatchesIsLetGoAndReplaced() {
        set(
                "replicas: 2",
                "selector: {matchExpressions: [{key: role, operator: In, values: [web]}]}");
        var gone = yard.all(CaptTypes.MACHINE).getFirst();
        label(gone, "{role: other}");
        yard.settle();

        assertThat(yard.all(CaptTypes.MACHINE)).hasSize(3);
        assertThat(yard.find(CaptTypes.MACHINE, gone.name().name()).meta().owners()).isEmpty();
        assertThat(status("replicas")).isEqualTo(2);
    }

    @Test
    void aMachineCountsAsAvailableWhenItWasReadyLongEnough() {
        set("replicas: 1", "minReadySeconds: 30");
        yard.applied();
        assertThat(status("readyReplicas")).isEqualTo(1);
        assertThat(status("availableReplicas")).isZero();

        yard.rig.advance(Duration.ofSeconds(30));
        yard.settle();
        assertThat(status("availableReplicas")).isEqualTo(1);
    }

    @Test
    void amongReadyMachinesTheAvailableGoLast() {
        set("replicas: 1", "minReadySeconds: 30");
        yard.applied();
        yard.rig.advance(Duration.ofSeconds(10));
        yard.spec(CaptTypes.MACHINE_SET, "web", "{replicas: 2}").settle().applied();
        yard.rig.advance(Duration.ofSeconds(5));
        var flapped = yard.all(CaptTypes.MACHINE).stream().min(Ownership.BY_AGE).orElseThrow();
        yard.status(
                CaptTypes.APPLY,
                flapped.name().name() + "-machine",
                "{conditions: [{type: Ready, status: 'False', reason: Creating, message: ''}]}");
        yard.settle();
        yard.rig.advance(Duration.ofSeconds(20));
        yard.applied();
        yard.rig.advance(Duration.ofSeconds(10));

        yard.spec(CaptTypes.MACHINE_SET, "web", "{replicas: 1}").settle();

        assertThat(yard.all(CaptTypes.MACHINE).getFirst().name()).isNotEqualTo(flapped.name());
        assertThat(status("availableReplicas")).isEqualTo(1);
    }

    @Test
    void aSetOfAbsurdSizeIsMadeByTheHundred() {
        set("replicas: 0", "");
        yard.spec(CaptTypes.MACHINE_SET, "web", "{replicas: 2147483647}");
        yard.pass();

        assertThat(yard.all(CaptTypes.MACHINE)).hasSize(100);
    }

    @Test
    void aSelectorThatMissesTheTemplateIsToldAndNothingIsTouched() {
        set("replicas: 2", "selector: {matchLabels: {role: db}}");

        assertThat(yard.all(CaptTypes.MACHINE)).isEmpty();
        assertThat(yard.reason(CaptTypes.MACHINE_SET, "web", "Ready"))
                .isEqualTo("False InvalidConfiguration");

        yard.spec(CaptTypes.MACHINE_SET, "web", "{selector: {matchLabels: {role: web}}}").settle();
        assertThat(yard.all(CaptTypes.MACHINE)).hasSize(2);
        assertThat(yard.find(CaptTypes.MACHINE_SET, "web").status().at("failureReason").isPresent())
                .isFalse();
    }

    @Test
    void anAnswerThatWasLostMakesNoSecondMachine() {
        set("replicas: 1", "");
        var before = yard.all(CaptTypes.MACHINE);
        yard.spec(CaptTypes.MACHINE_SET, "web", "{replicas: 2}");
        yard.rig.api().nextAnswer(new ApiAnswer.Unreachable("timed out"));
        yard.pass();
        assertThat(yard.all(CaptTypes.MACHINE)).hasSameSizeAs(before);

        yard.settle();
        assertThat(yard.all(CaptTypes.MACHINE)).hasSize(2);
        assertThat(yard.rig.eventReasons()).contains("FailedCreate");
    }

    @Test
    void aSetGoesAfterItsMachines() {
        set("replicas: 3", "");
        yard.delete(CaptTypes.MACHINE_SET, "web");
        yard.settle();

        assertThat(yard.all(CaptTypes.MACHINE_SET)).isEmpty();
        assertThat(yard.all(CaptTypes.MACHINE)).isEmpty();
        assertThat(yard.all(CaptTypes.APPLY)).isEmpty();
    }

    @Test
    void machinesOfASetThatIsDeletedWithoutThemStay() {
        set("replicas: 1", "");
        yard.patch(
                CaptTypes.MACHINE_SET,
                "web",
                "metadata: {finalizers: [captmachineset.infrastructure.cluster.x-k8s.io, orphan]}",
                Subresource.NONE);
        yard.delete(CaptTypes.MACHINE_SET, "web");
        yard.settle();

        assertThat(yard.all(CaptTypes.MACHINE)).noneMatch(each -> each.meta().isDeleting());
    }
}
