package dev.millwright.core.scheduling;

import static dev.millwright.testing.kit.Given.NOON;
import static dev.millwright.testing.kit.Given.pod;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.cluster.Pod;
import dev.millwright.testing.kit.PodBuilder;

import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/// In which order pods are tried.
final class PodOrderTest {

    private static List<String> order(PodBuilder... pods) {
        var batch = PodBatch.of(Arrays.stream(pods).map(PodBuilder::pod).toArray(Pod[]::new));
        return IntStream.range(0, batch.size())
                .mapToObj(index -> batch.pod(index).name().name())
                .toList();
    }

    @Test
    void mostCpuComesFirst() {
        assertThat(order(pod("a", "1"), pod("b", "3"), pod("c", "2")))
                .containsExactly("b", "c", "a");
    }

    @Test
    void ofEqualCpuMostMemoryComesFirst() {
        assertThat(
                        order(
                                pod("a", "1").memory("1Gi"),
                                pod("b", "1").memory("3Gi"),
                                pod("c", "1").memory("2Gi")))
                .containsExactly("b", "c", "a");
    }

    @Test
    void otherResourcesDoNotCount() {
        assertThat(order(pod("b", "1").resource("gpu", "4"), pod("a", "1")))
                .containsExactly("a", "b");
    }

    @Test
    void ofEqualSizeTheOldestComesFirst() {
        assertThat(order(pod("a", "1").createdAt(NOON.plusSeconds(1)), pod("b", "1")))
                .containsExactly("b", "a");
    }

    @Test
    void ofEqualAgeTheUidDecidesThenTheName() {
        var z = pod("z", "1").pod();
        var y = pod("y", "1").pod();
        var sameUid =
                new Pod(
                        y.name(),
                        z.uid(),
                        y.createdAt(),
                        y.labels(),
                        y.annotations(),
                        y.requests(),
                        y.placement(),
                        y.hostPorts(),
                        y.volumes(),
                        false,
                        y.state());

        assertThat(order(pod("b", "1"), pod("a", "1"))).containsExactly("a", "b");
        assertThat(order(new PodBuilder(z), new PodBuilder(sameUid))).containsExactly("y", "z");
    }
}
