package dev.millwright.controllers.disruption;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.testing.kit.FakeCatalogue;
import dev.millwright.testing.kit.Given;
import dev.millwright.testing.kit.disruption.DisruptionStage;
import dev.millwright.testing.kit.disruption.FleetNode;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.List;

/// Volumes, reservations and buffers, as far as taking nodes away meets them.
final class ElsewhereTest {

    private final DisruptionStage stage = new DisruptionStage();

    private List<String> gone() {
        stage.passes();
        return stage.queue.entries().stream()
                .flatMap(entry -> entry.command().nodes().stream())
                .toList();
    }

    @Test
    @Tag("J3")
    void aVolumeOfTheNodeItselfDoesNotHoldItsPod() {
        stage.pool("100%").add(new FleetNode("a").drifted().consolidatable(false));
        stage.rig.apply(
                """
                apiVersion: v1
                kind: PersistentVolume
                metadata: {name: disk, uid: disk}
                spec:
                  local: {path: /data}
                  nodeAffinity:
                    required:
                      nodeSelectorTerms:
                      - matchExpressions:
                        - {key: kubernetes.io/hostname, operator: In, values: [a]}
                ---
                apiVersion: v1
                kind: PersistentVolumeClaim
                metadata: {name: data, namespace: default, uid: data}
                spec: {volumeName: disk}
                status: {phase: Bound}
                """);
        stage.rig.apply(DisruptionStage.pod("web", "a").volumeClaim("data"));

        stage.pass();

        assertThat(stage.made("a")).hasSize(1);
    }

    private static InstanceType reserved(String name, String cpus, int slots, double price) {
        return Given.instanceType(name)
                .cpu(cpus)
                .memory("8Gi")
                .pods(10)
                .offering("test-zone-1", "on-demand", 1.0)
                .reserved("test-zone-1", "r-" + name, slots, price)
                .build();
    }

    private FleetNode node(String type, String capacityType) {
        return new FleetNode("a").type(type, "4").label(LabelKeys.CAPACITY_TYPE, capacityType);
    }

    @Test
    @Tag("J160")
    void aNodeMovesIntoAReservationThatIsFree() {
        stage.rig.cloud().types(List.of(reserved("large", "4", 1, 0.01)));
        stage.pool("100%").add(node("large", "on-demand"));
        stage.rig.apply(DisruptionStage.pod("web", "a"));

        assertThat(gone()).containsExactly("a");
        assertThat(stage.rig.claim(stage.made("a").getFirst()).spec().requirements())
                .filteredOn(each -> each.key().equals(LabelKeys.CAPACITY_TYPE))
                .singleElement()
                .satisfies(each -> assertThat(each.values()).containsExactly("reserved"));
    }

    @Test
    @Tag("J161")
    void aNodeStaysWhenTheReservationIsFull() {
        stage.rig.cloud().types(List.of(reserved("large", "4", 0, 0.01)));
        stage.pool("100%").add(node("large", "on-demand"));
        stage.rig.apply(DisruptionStage.pod("web", "a"));

        assertThat(gone()).isEmpty();
    }

    @Test
    @Tag("J162")
    void aReservedNodeMovesToACheaperReservation() {
        stage.rig
                .cloud()
                .types(List.of(reserved("large", "4", 1, 0.02), reserved("small", "2", 1, 0.01)));
        stage.pool("100%").add(node("large", "reserved"));
        stage.rig.apply(DisruptionStage.pod("web", "a"));

        assertThat(gone()).containsExactly("a");
    }

    private void buffer(String cpus) {
        stage.rig.apply(
                """
                apiVersion: autoscaling.x-k8s.io/v1beta1
                kind: CapacityBuffer
                metadata: {name: spare, namespace: default, uid: spare, generation: 1}
                spec: {provisioningStrategy: buffer.x-k8s.io/active-capacity, replicas: 1, podTemplateRef: {name: web}}
                ---
                apiVersion: v1
                kind: PodTemplate
                metadata: {name: web, namespace: default, uid: web, generation: 1}
                template:
                  spec: {containers: [{name: main, resources: {requests: {cpu: "%s"}}}]}
                """
                        .formatted(cpus));
    }

    /// Node `b` has two cpus left.
    private void pair() {
        stage.rig.cloud().types(FakeCatalogue.linear(4));
        stage.pool("100%")
                .add(
                        new FleetNode("a").type("fake-it-3", "4"),
                        new FleetNode("b").type("fake-it-3", "4").consolidatable(false));
        stage.rig.apply(
                DisruptionStage.pod("one", "a").requests("cpu", "1900m"),
                DisruptionStage.pod("two", "b").requests("cpu", "1900m"));
    }

    @Test
    @Tag("J168")
    void roomThatABufferNeedsIsNotGivenAway() {
        pair();
        buffer("2");

        stage.passes();

        assertThat(stage.queue.entries())
                .allSatisfy(entry -> assertThat(entry.command().replacements()).hasSize(1));
    }

    @Test
    @Tag("J169")
    void roomThatABufferDoesNotNeedIsGivenAway() {
        pair();
        buffer("100m");

        assertThat(gone()).containsExactly("a");
        assertThat(stage.made("a", "b")).isEmpty();
    }
}
