package dev.millwright.core.scheduling;

import static dev.millwright.testing.kit.Given.NOON;
import static dev.millwright.testing.kit.Given.cluster;
import static dev.millwright.testing.kit.Given.node;
import static dev.millwright.testing.kit.Given.pod;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.policy.CapacityBuffer;
import dev.millwright.core.policy.CapacityBuffer.Resolution;
import dev.millwright.core.quantity.Resources;
import dev.millwright.core.scheduling.BufferReport.Verdict;
import dev.millwright.testing.kit.ClusterBuilder;
import dev.millwright.testing.kit.PodBuilder;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.List;

/// What a plan says of capacity buffers.
@Tag("K-buffers")
final class BufferReportTest {

    @Test
    void aBufferThatFitsTheNodesThereAreSaysSo() {
        var buffer = buffer("spare", 2, "1");
        var report = report(cluster().with(node("n")), buffer);

        assertThat(report.verdicts())
                .containsExactly(entry(buffer.name(), Verdict.FITS_EXISTING_CAPACITY));
        assertThat(report.podsByNode()).containsExactly(entry("n", 2));
    }

    @Test
    void onePodThatNeedsANewNodeSpeaksForItsBuffer() {
        var buffer = buffer("spare", 3, "1500m");
        var report = report(cluster().with(node("n")), buffer);

        assertThat(report.verdicts())
                .containsExactly(entry(buffer.name(), Verdict.REQUIRES_NEW_CAPACITY));
        assertThat(report.podsByNode()).containsExactly(entry("n", 2));
    }

    @Test
    void aPodThatFitsNowhereSpeaksForItsBuffer() {
        var buffer = buffer("spare", 1, "1000");

        assertThat(report(cluster(), buffer).verdicts())
                .containsExactly(entry(buffer.name(), Verdict.REQUIRES_NEW_CAPACITY));
    }

    @Test
    void aBufferWithoutPodsIsEmpty() {
        var buffer = buffer("spare", 0, "1");

        assertThat(report(cluster(), buffer).verdicts())
                .containsExactly(entry(buffer.name(), Verdict.EMPTY));
    }

    @Test
    void aBufferThatIsNotResolvedIsNotReady() {
        var buffer =
                new CapacityBuffer(
                        new ObjectName("default", "spare"),
                        "uid",
                        1,
                        null,
                        Resources.NONE,
                        new Resolution.Failed("kind Job cannot have a buffer"));

        assertThat(report(cluster(), buffer).verdicts())
                .containsExactly(entry(buffer.name(), Verdict.NOT_READY));
    }

    @Test
    void aBufferThatThePlanDidNotSeeKeepsItsCondition() {
        var plan = cluster().with(node("n"), pod("a")).plan();

        assertThat(BufferReport.of(List.of(buffer("spare", 2, "1")), plan).verdicts()).isEmpty();
    }

    @Test
    void realPodsAreNotCounted() {
        var buffer = buffer("spare", 1, "1");
        var report = report(cluster().with(node("n"), pod("a", "1")), buffer);

        assertThat(report.podsByNode()).containsExactly(entry("n", 1));
    }

    @Test
    void everyBufferHasItsOwnVerdict() {
        var small = buffer("small", 1, "1");
        var large = buffer("large", 1, "8");
        var report = report(cluster().with(node("n")), small, large);

        assertThat(report.verdicts())
                .containsExactly(
                        entry(large.name(), Verdict.REQUIRES_NEW_CAPACITY),
                        entry(small.name(), Verdict.FITS_EXISTING_CAPACITY));
    }

    @Test
    void onlyABufferThatFitsIsTrue() {
        assertThat(Arrays.stream(Verdict.values()).filter(Verdict::isTrue))
                .containsExactly(Verdict.FITS_EXISTING_CAPACITY);
        assertThat(Arrays.stream(Verdict.values()).map(Verdict::reason))
                .containsExactly(
                        "FitsExistingCapacity",
                        "RequiresNewCapacity",
                        "NotReadyForProvisioning",
                        "BufferEmpty");
    }

    @Test
    void ofPodsAlikeTheRealOneGetsTheNodeThereIs() {
        var buffer = buffer("spare", 1, "3");
        var real = pod("z", "3");
        var plan = withPods(cluster().with(node("n"), real), buffer).plan();

        assertThat(plan.existing().getFirst().pods()).containsExactly(real.pod().name());
    }

    private static BufferReport report(ClusterBuilder cluster, CapacityBuffer... buffers) {
        return BufferReport.of(List.of(buffers), withPods(cluster, buffers).plan());
    }

    private static ClusterBuilder withPods(ClusterBuilder cluster, CapacityBuffer... buffers) {
        return cluster.with(
                Arrays.stream(buffers)
                        .flatMap(buffer -> buffer.virtualPods(NOON.plusSeconds(60)).stream())
                        .map(PodBuilder::new)
                        .toList());
    }

    private static CapacityBuffer buffer(String name, int replicas, String cpu) {
        return new CapacityBuffer(
                new ObjectName("default", name),
                "uid-" + name,
                replicas,
                null,
                Resources.NONE,
                new Resolution.Resolved(pod("template", cpu).pod(), null));
    }
}
