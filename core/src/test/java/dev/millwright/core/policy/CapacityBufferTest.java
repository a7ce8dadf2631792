package dev.millwright.core.policy;

import static dev.millwright.core.label.LabelKeys.ZONE;
import static dev.millwright.testing.kit.FakeCatalogue.ZONE_1;
import static dev.millwright.testing.kit.Given.NOON;
import static dev.millwright.testing.kit.Given.in;
import static dev.millwright.testing.kit.Given.pod;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.cluster.Pod;
import dev.millwright.core.cluster.PodState.Phase;
import dev.millwright.core.policy.CapacityBuffer.Resolution;
import dev.millwright.core.quantity.Resources;
import dev.millwright.testing.kit.PodBuilder;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// How many virtual pods a buffer has, and what they are like.
@Tag("K-buffers")
final class CapacityBufferTest {

    private static final PodBuilder TEMPLATE = pod("template").cpu("500m").memory("1Gi");

    // Numbers ----------------------------------------------------------------------------------

    @Test
    void aNumberOfReplicasIsTaken() {
        assertThat(size(3, null, Resources.NONE, null)).isEqualTo(3);
    }

    @Test
    void nothingGivenIsAnEmptyBuffer() {
        assertThat(size(null, null, Resources.NONE, 10)).isZero();
    }

    @ParameterizedTest
    @CsvSource({
        "10, 50, 5",
        "10, 25, 3",
        "10, 1, 1",
        "1, 1, 1",
        "10, 100, 10",
        "10, 250, 25",
        "10, 0, 0",
        "0, 50, 0"
    })
    @Tag("K-CB-49")
    @Tag("K-CB-50")
    @Tag("K-CB-51")
    @Tag("K-CB-52")
    @Tag("K-CB-53")
    @Tag("K-CB-54")
    @Tag("K-CB-55")
    void aShareOfTheWorkloadIsRoundedUp(int workload, int percentage, int size) {
        assertThat(size(null, percentage, Resources.NONE, workload)).isEqualTo(size);
    }

    @ParameterizedTest
    @CsvSource({"3, 50, 5", "7, 50, 7"})
    void theLargerOfNumberAndShareIsTaken(int replicas, int percentage, int size) {
        assertThat(size(replicas, percentage, Resources.NONE, 10)).isEqualTo(size);
    }

    @Test
    @Tag("K-CB-56")
    void aShareOfAHugeWorkloadDoesNotOverflow() {
        assertThat(size(null, 2_000_000, Resources.NONE, Integer.MAX_VALUE))
                .isEqualTo(Integer.MAX_VALUE);
    }

    @Test
    void aShareIsNothingWithoutAWorkload() {
        assertThat(size(null, 50, Resources.NONE, null)).isZero();
    }

    @ParameterizedTest
    @CsvSource({"2, 4", "2200m, 4", "499m, 0", "100, 10"})
    void limitsBoundTheNumber(String cpu, int size) {
        assertThat(size(10, null, Resources.parse("cpu", cpu), null)).isEqualTo(size);
    }

    @Test
    void theTightestLimitCounts() {
        assertThat(size(10, null, Resources.parse("cpu", "4", "memory", "3Gi"), null)).isEqualTo(3);
    }

    @Test
    void aLimitOnWhatThePodDoesNotRequestBoundsNothing() {
        assertThat(size(10, null, Resources.parse("example.com/gpu", "1"), null)).isEqualTo(10);
    }

    @Test
    void limitsAloneDecideWhenNothingElseIsGiven() {
        assertThat(size(null, null, Resources.parse("cpu", "3"), null)).isEqualTo(6);
    }

    @Test
    void limitsAloneDecideWhenTheWorkloadHasNoReplicas() {
        assertThat(size(null, 50, Resources.parse("cpu", "3"), 0)).isEqualTo(6);
    }

    @Test
    void limitsDoNotFillABufferOfNoReplicas() {
        assertThat(size(0, null, Resources.parse("cpu", "3"), null)).isZero();
    }

    @Test
    void limitsAloneThatThePodSharesNothingWithAreAnEmptyBuffer() {
        assertThat(size(null, null, Resources.parse("example.com/gpu", "3"), null)).isZero();
    }

    @Test
    void requestsAreReckonedInThousandths() {
        var template = pod("template").cpu("1u").pod();

        assertThat(buffer(null, null, Resources.parse("cpu", "3m"), template, null).size())
                .isEqualTo(3);
    }

    @Test
    void aBufferThatIsNotResolvedIsEmptyAndNotReady() {
        var buffer = unresolved(new Resolution.PodTemplateNotFound("missing"));

        assertThat(buffer.isReady()).isFalse();
        assertThat(buffer.size()).isZero();
        assertThat(buffer.virtualPods(NOON)).isEmpty();
    }

    @Test
    void everyResolutionHasItsReason() {
        assertThat(new Resolution.Resolved(TEMPLATE.pod(), null).reason()).isEqualTo("Resolved");
        assertThat(new Resolution.PodTemplateNotFound("a").reason())
                .isEqualTo("PodTemplateNotFound");
        assertThat(new Resolution.ScalableNotFound("Deployment", "a").reason())
                .isEqualTo("ScalableRefNotFound");
        assertThat(new Resolution.Failed("no").reason()).isEqualTo("ResolutionFailed");
    }

    // Pods -------------------------------------------------------------------------------------

    @Test
    @Tag("G-VP-19")
    void virtualPodsAreNumberedFromOne() {
        var pods = buffer(2, TEMPLATE.pod()).virtualPods(NOON);

        assertThat(pods)
                .extracting(pod -> pod.name().toString())
                .containsExactly(
                        "default/capacity-buffer-spare-1", "default/capacity-buffer-spare-2");
        assertThat(pods).extracting(Pod::uid).containsExactly("uid-spare-1", "uid-spare-2");
    }

    @Test
    @Tag("G-VP-18")
    void aVirtualPodBearsItsMarksAndTheTemplatesLabels() {
        var pod = only(TEMPLATE.label("app", "web").annotation("note", "x"));

        assertThat(pod.labels()).containsOnlyKeys("app").containsEntry("app", "web");
        assertThat(pod.annotations())
                .hasSize(3)
                .containsEntry("karpenter.sh/capacity-buffer-fake-pod", "true")
                .containsEntry("karpenter.sh/capacity-buffer-name", "spare")
                .containsEntry("karpenter.sh/capacity-buffer-namespace", "default");
    }

    @Test
    void aVirtualPodWaitsForANodeAndHasNoPhase() {
        var pod = only(TEMPLATE.onNode("n"));

        assertThat(pod.state().isProvisionable()).isTrue();
        assertThat(pod.state().phase()).isEqualTo(Phase.NONE);
        assertThat(pod.state().nodeName()).isNull();
    }

    @Test
    @Tag("G-VP-21")
    @Tag("G-VP-22")
    @Tag("G-VP-23")
    void aVirtualPodHasNoVolumes() {
        assertThat(only(TEMPLATE.claim("data").ephemeral("scratch", null)).volumes()).isEmpty();
    }

    @Test
    @Tag("G-VP-24")
    void aVirtualPodKeepsTheTemplatesConstraints() {
        var template =
                TEMPLATE.requires(in(ZONE, ZONE_1)).hostPort(80).label("app", "a").spread(ZONE, 1);
        var pod = only(template);

        assertThat(pod.placement()).isEqualTo(template.pod().placement());
        assertThat(pod.hostPorts()).isEqualTo(template.pod().hostPorts());
        assertThat(pod.requests()).isEqualTo(template.pod().requests());
    }

    @Test
    void aVirtualPodIsToldFromARealOne() {
        assertThat(CapacityBuffer.bufferOf(only(TEMPLATE)))
                .isEqualTo(new ObjectName("default", "spare"));
        assertThat(CapacityBuffer.isVirtual(TEMPLATE.pod())).isFalse();
        assertThat(CapacityBuffer.bufferOf(TEMPLATE.pod())).isNull();
    }

    private static Pod only(PodBuilder template) {
        return buffer(1, template.pod()).virtualPods(NOON).getFirst();
    }

    private static int size(
            @Nullable Integer replicas,
            @Nullable Integer percentage,
            Resources limits,
            @Nullable Integer workload) {
        return buffer(replicas, percentage, limits, TEMPLATE.pod(), workload).size();
    }

    private static CapacityBuffer buffer(int replicas, Pod template) {
        return buffer(replicas, null, Resources.NONE, template, null);
    }

    private static CapacityBuffer buffer(
            @Nullable Integer replicas,
            @Nullable Integer percentage,
            Resources limits,
            Pod template,
            @Nullable Integer workload) {
        return new CapacityBuffer(
                new ObjectName("default", "spare"),
                "uid-spare",
                replicas,
                percentage,
                limits,
                new Resolution.Resolved(template, workload));
    }

    private static CapacityBuffer unresolved(Resolution resolution) {
        return new CapacityBuffer(
                new ObjectName("default", "spare"), "uid", 3, null, Resources.NONE, resolution);
    }
}
