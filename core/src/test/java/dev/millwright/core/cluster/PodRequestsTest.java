package dev.millwright.core.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.quantity.Quantity;
import dev.millwright.core.quantity.Resources;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.List;

/// What a pod asks of a node, from its containers.
final class PodRequestsTest {

    private static Container container(String cpu) {
        return Container.of(Resources.parse("cpu", cpu));
    }

    private static Container sidecar(String cpu) {
        return new Container(Resources.parse("cpu", cpu), true);
    }

    private static Quantity cpu(List<Container> containers, List<Container> initContainers) {
        return Container.podRequests(containers, initContainers, null, Resources.NONE)
                .amount("cpu");
    }

    @Tag("F19")
    @Test
    void sidecarsRunBesideTheContainers() {
        var cpu = cpu(List.of(container("1"), container("2")), List.of(sidecar("500m")));

        assertThat(cpu).isEqualTo(Quantity.parse("3500m"));
    }

    @Tag("F20")
    @Test
    void anInitContainerRunsBesideTheSidecarsBeforeIt() {
        var cpu = cpu(List.of(container("1")), List.of(sidecar("2"), container("10")));

        assertThat(cpu).isEqualTo(Quantity.parse("12"));
    }

    @Tag("F20")
    @Test
    void anInitContainerDoesNotRunBesideTheSidecarsAfterIt() {
        var cpu = cpu(List.of(container("1")), List.of(container("10"), sidecar("2")));

        assertThat(cpu).isEqualTo(Quantity.parse("10"));
    }

    @Tag("F21")
    @Test
    void onlyTheLargestMomentCounts() {
        var cpu =
                cpu(
                        List.of(container("1")),
                        List.of(container("3"), sidecar("1"), container("4"), sidecar("2")));

        assertThat(cpu).isEqualTo(Quantity.parse("5"));
    }

    @Tag("F21")
    @Test
    void sidecarsAndContainersMayBeTheLargestMoment() {
        var cpu =
                cpu(
                        List.of(container("4")),
                        List.of(container("3"), sidecar("1"), container("4"), sidecar("2")));

        assertThat(cpu).isEqualTo(Quantity.parse("7"));
    }

    @Tag("F21")
    @Test
    void momentsAreComparedResourceByResource() {
        var running = Container.of(Resources.parse("cpu", "1", "memory", "4Gi"));
        var starting = Container.of(Resources.parse("cpu", "3", "memory", "1Gi"));

        var requests =
                Container.podRequests(List.of(running), List.of(starting), null, Resources.NONE);

        assertThat(requests).isEqualTo(Resources.parse("cpu", "3", "memory", "4Gi", "pods", "1"));
    }

    @Tag("F22")
    @Test
    void podLevelResourcesReplaceTheContainersSum() {
        var requests =
                Container.podRequests(
                        List.of(Container.of(Resources.parse("cpu", "1", "memory", "1Gi"))),
                        List.of(),
                        Resources.parse("cpu", "3"),
                        Resources.NONE);

        assertThat(requests).isEqualTo(Resources.parse("cpu", "3", "memory", "1Gi", "pods", "1"));
    }

    @Tag("B67")
    @Test
    void theOverheadOfTheRuntimeClassIsAdded() {
        var requests =
                Container.podRequests(
                        List.of(container("1")), List.of(), null, Resources.parse("cpu", "2"));

        assertThat(requests).isEqualTo(Resources.parse("cpu", "3", "pods", "1"));
    }

    @Tag("F35")
    @Test
    void aLimitWithoutARequestIsTheRequest() {
        var container =
                Container.defaulted(
                        Resources.parse("cpu", "1"),
                        Resources.parse("cpu", "2", "memory", "1Gi"),
                        false);

        assertThat(container.requests()).isEqualTo(Resources.parse("cpu", "1", "memory", "1Gi"));
    }

    @Test
    void aPodWithoutContainersTakesItsSlot() {
        assertThat(Container.podRequests(List.of(), List.of(), null, Resources.NONE))
                .isEqualTo(Resources.parse("pods", "1"));
    }
}
