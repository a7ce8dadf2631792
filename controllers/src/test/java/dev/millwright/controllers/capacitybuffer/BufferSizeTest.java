package dev.millwright.controllers.capacitybuffer;

import static dev.millwright.controllers.capacitybuffer.BufferManifests.BY_TEMPLATE;
import static dev.millwright.controllers.capacitybuffer.BufferManifests.SMALL;
import static dev.millwright.controllers.capacitybuffer.BufferManifests.buffer;
import static dev.millwright.controllers.capacitybuffer.BufferManifests.template;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.policy.CapacityBuffer.Resolution;
import dev.millwright.core.quantity.Resources;
import dev.millwright.core.scheduling.Plan;
import dev.millwright.kube.object.BufferObject;
import dev.millwright.kube.object.Condition;
import dev.millwright.kube.object.Condition.Status;
import dev.millwright.runtime.step.Step;
import dev.millwright.testing.kit.Given;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.time.Duration;

/// How often a pod fits into a buffer's limits, what a pod requests, and how conditions change.
final class BufferSizeTest {

    private final BufferManifests cluster = new BufferManifests();

    private static final String CPU = "{name: %s, resources: {requests: {cpu: %s}}}";

    private int size(String spec, String limits) {
        cluster.rig
                .apply(template("web", spec, 1))
                .apply(buffer("spare", BY_TEMPLATE + ", replicas: 100, limits: " + limits));
        cluster.run();
        var replicas = cluster.spare().status().replicas();
        return replicas == null ? -1 : replicas;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    {cpu: 500m}              | {cpu: 4}               | 8
                    {memory: 256Mi}          | {memory: 1Gi}          | 4
                    {cpu: 500m, memory: 1Gi} | {cpu: 4, memory: 3Gi}  | 3
                    {cpu: 500m}              | {memory: 1Gi}          | 100
                    {cpu: 300m}              | {cpu: 1}               | 3
                    {cpu: 7m}                | {cpu: 100m}            | 14
                    {cpu: 2}                 | {cpu: 1}               | 0
                    """)
    @Tag("K-CB-29")
    @Tag("K-CB-30")
    @Tag("K-CB-31")
    @Tag("K-CB-36")
    @Tag("K-CB-37")
    @Tag("K-CB-38")
    @Tag("K-CB-39")
    void limitsHoldAsManyPodsAsFitWholly(String requests, String limits, int replicas) {
        assertThat(
                        size(
                                "containers: [{name: main, resources: {requests: %s}}]"
                                        .formatted(requests),
                                limits))
                .isEqualTo(replicas);
    }

    @Test
    @Tag("K-CB-32")
    void containersAreAddedUp() {
        var two =
                "containers: [%s, %s]".formatted(CPU.formatted("a", "1"), CPU.formatted("b", "1"));

        assertThat(size(two, "{cpu: 4}")).isEqualTo(2);
    }

    @Test
    @Tag("K-CB-33")
    void aLargerInitContainerCounts() {
        var spec =
                "containers: [%s], initContainers: [%s]"
                        .formatted(CPU.formatted("a", "1"), CPU.formatted("i", "2"));

        assertThat(size(spec, "{cpu: 4}")).isEqualTo(2);
    }

    @Test
    @Tag("K-CB-34")
    void aSmallerInitContainerDoesNotCount() {
        var spec =
                "containers: [%s], initContainers: [%s]"
                        .formatted(CPU.formatted("a", "2"), CPU.formatted("i", "1"));

        assertThat(size(spec, "{cpu: 4}")).isEqualTo(2);
    }

    @Test
    @Tag("K-CB-35")
    void limitsDoNotBoundPodsThatRequestNothing() {
        assertThat(size("containers: [{name: main}]", "{cpu: 4}")).isEqualTo(100);
    }

    // What a pod requests ------------------------------------------------------------------------

    private Resources requests(String spec) {
        size(spec, "{}");
        return Buffers.of(cluster.rig.view(), cluster.spare()).resolution()
                        instanceof Resolution.Resolved(var pod, _)
                ? pod.requests()
                : Resources.NONE;
    }

    private String cpu(String spec) {
        return requests(spec).amount(Resources.CPU).toString();
    }

    private static String container(String name, String cpu) {
        return CPU.formatted(name, cpu);
    }

    private static String sidecar(String name, String cpu) {
        return "{name: %s, restartPolicy: Always, resources: {requests: {cpu: %s}}}"
                .formatted(name, cpu);
    }

    @Test
    @Tag("K-CB-40")
    void requestsOfAllContainersAreAddedUp() {
        assertThat(
                        cpu(
                                "containers: [%s, %s]"
                                        .formatted(container("a", "100m"), container("b", "200m"))))
                .isEqualTo("300m");
    }

    @Test
    @Tag("K-CB-41")
    void ofInitContainersTheLargestCountsAgainstTheOthers() {
        assertThat(
                        cpu(
                                "containers: [%s], initContainers: [%s, %s]"
                                        .formatted(
                                                container("a", "100m"),
                                                container("i", "300m"),
                                                container("j", "200m"))))
                .isEqualTo("300m");
    }

    @Test
    @Tag("K-CB-42")
    void aPodMayRequestNothing() {
        var requests = requests("containers: [{name: main}]");

        assertThat(requests.has(Resources.CPU)).isFalse();
        assertThat(requests.has(Resources.MEMORY)).isFalse();
    }

    @Test
    @Tag("K-CB-43")
    void everyResourceIsAddedUpForItself() {
        var requests =
                requests(
                        "containers: [%s, {name: b, resources: {requests: {memory: 1Gi}}}]"
                                .formatted(container("a", "100m")));

        assertThat(requests.amount(Resources.CPU).toString()).isEqualTo("100m");
        assertThat(Resources.render(Resources.MEMORY, requests.amount(Resources.MEMORY)))
                .isEqualTo("1Gi");
    }

    @Test
    @Tag("K-CB-44")
    void aSidecarIsAddedToTheContainers() {
        assertThat(
                        cpu(
                                "containers: [%s], initContainers: [%s]"
                                        .formatted(container("a", "100m"), sidecar("s", "50m"))))
                .isEqualTo("150m");
    }

    @Test
    @Tag("K-CB-45")
    void allSidecarsAreAddedToTheContainers() {
        assertThat(
                        cpu(
                                "containers: [%s], initContainers: [%s, %s]"
                                        .formatted(
                                                container("a", "100m"),
                                                sidecar("s", "50m"),
                                                sidecar("t", "25m"))))
                .isEqualTo("175m");
    }

    @Test
    @Tag("K-CB-46")
    void anInitContainerRunsBesideTheSidecarsBeforeIt() {
        assertThat(
                        cpu(
                                "containers: [%s], initContainers: [%s, %s]"
                                        .formatted(
                                                container("a", "100m"),
                                                sidecar("s", "50m"),
                                                container("i", "500m"))))
                .isEqualTo("550m");
    }

    @Test
    @Tag("K-CB-47")
    void anInitContainerRunsBeforeTheSidecarsAfterIt() {
        assertThat(
                        cpu(
                                "containers: [%s], initContainers: [%s, %s]"
                                        .formatted(
                                                container("a", "100m"),
                                                container("i", "500m"),
                                                sidecar("s", "50m"))))
                .isEqualTo("500m");
    }

    @Test
    @Tag("K-CB-48")
    void anInitContainerThatIsNotRestartedIsNoSidecar() {
        assertThat(
                        cpu(
                                "containers: [%s], initContainers: [%s]"
                                        .formatted(container("a", "100m"), container("i", "50m"))))
                .isEqualTo("100m");
    }

    // Conditions ---------------------------------------------------------------------------------

    private void tell(Plan plan) {
        var effects =
                BufferVerdicts.of(
                        cluster.rig.view(),
                        Buffers.all(cluster.rig.view()),
                        plan,
                        cluster.rig.now());
        cluster.rig.carryOut(Step.of(effects));
    }

    @Test
    @Tag("K-CB-57")
    void aConditionIsAdded() {
        assertThat(size("containers: " + SMALL, "{}")).isEqualTo(100);

        assertThat(cluster.spare().status().conditions()).hasSize(1);
        assertThat(cluster.ready().changedAt()).isEqualTo(cluster.rig.now());
    }

    @Test
    @Tag("K-CB-58")
    void aConditionIsChangedInItsPlaceAndKeepsItsMomentWhileItsStatusStays() {
        cluster.rig.apply(buffer("spare", BY_TEMPLATE + ", replicas: 1"));
        cluster.run();
        var first = cluster.ready();
        cluster.rig.advance(Duration.ofMinutes(1));
        cluster.rig.apply(
                buffer("spare", "scalableRef: {kind: Deployment, name: x}, replicas: 1")
                                .replace("generation: 1}", "generation: 2}")
                        + "status: {conditions: [%s]}".formatted(text(first)));
        cluster.run();

        assertThat(cluster.spare().status().conditions()).hasSize(1);
        assertThat(cluster.ready().reason()).isEqualTo("ScalableRefNotFound");
        assertThat(cluster.ready().changedAt()).isEqualTo(first.changedAt());
    }

    private static String text(Condition condition) {
        return "{type: %s, status: \"%s\", reason: %s, message: x, lastTransitionTime: \"%s\"}"
                .formatted(
                        condition.type(),
                        condition.status().text(),
                        condition.reason(),
                        condition.changedAt());
    }

    @Test
    @Tag("K-CB-59")
    void conditionsStandBesideEachOther() {
        size("containers: " + SMALL, "{}");
        tell(Given.cluster().with(Given.node("n")).plan());
        assertThat(cluster.spare().status().conditions()).hasSize(1);

        cluster.rig.apply(buffer("spare", BY_TEMPLATE + ", replicas: 0"));
        cluster.run();
        tell(Given.cluster().with(Given.node("n")).plan());

        assertThat(cluster.ready().status()).isEqualTo(Status.TRUE);
        assertThat(cluster.condition(BufferObject.PROVISIONING).status()).isEqualTo(Status.FALSE);
        assertThat(cluster.condition(BufferObject.PROVISIONING).reason()).isEqualTo("BufferEmpty");
    }

    @Test
    @Tag("K-CB-60")
    void aConditionBearsTheGenerationItIsAbout() {
        cluster.rig.apply(buffer("spare", BY_TEMPLATE).replace("generation: 1}", "generation: 7}"));
        cluster.run();

        assertThat(cluster.ready().observedGeneration()).isEqualTo(7);
    }
}
