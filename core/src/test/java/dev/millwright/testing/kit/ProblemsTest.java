package dev.millwright.testing.kit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.cluster.PodPlacement;
import dev.millwright.core.label.LabelKeys;

import org.junit.jupiter.api.Test;

final class ProblemsTest {

    @Test
    void theSameSeedDrawsTheSamePods() {
        assertThat(Problems.diverse(50, 7)).isEqualTo(Problems.diverse(50, 7));
        assertThat(Problems.diverse(50, 7)).isNotEqualTo(Problems.diverse(50, 8));
    }

    @Test
    void namesAreNumberedThroughout() {
        assertThat(Problems.diverse(7, 1))
                .extracting(pod -> pod.pod().name().name())
                .containsExactly(
                        "p000001", "p000002", "p000003", "p000004", "p000005", "p000006",
                        "p000007");
    }

    @Test
    void diversePodsAreOfFiveKindsInEqualShares() {
        var pods = Problems.diverse(100, 1).stream().map(PodBuilder::pod).toList();

        assertThat(pods.subList(0, 20))
                .allSatisfy(pod -> assertThat(pod.placement()).isEqualTo(PodPlacement.ANYWHERE));
        assertThat(pods.subList(20, 60))
                .allSatisfy(pod -> assertThat(pod.placement().spread()).hasSize(1));
        assertThat(pods.subList(60, 80))
                .allSatisfy(pod -> assertThat(pod.placement().podAffinity().required()).hasSize(1));
        assertThat(pods.subList(80, 100))
                .allSatisfy(
                        pod ->
                                assertThat(pod.placement().podAntiAffinity().required())
                                        .singleElement()
                                        .extracting(term -> term.topologyKey())
                                        .isEqualTo(LabelKeys.HOSTNAME));
    }

    @Test
    void randomSizesStayWithinTheirBounds() {
        assertThat(Problems.randomSizes(500, 3))
                .allSatisfy(
                        pod ->
                                assertThat(pod.pod().requests().amount("cpu").toDouble())
                                        .isBetween(0.05, 8.0));
    }

    @Test
    void podsThatPreferHaveFourWishes() {
        assertThat(Problems.preferring(3))
                .hasSize(3)
                .allSatisfy(
                        pod -> {
                            var placement = pod.pod().placement();
                            assertThat(placement.nodeAffinity().preferred()).hasSize(2);
                            assertThat(placement.podAntiAffinity().preferred()).hasSize(1);
                            assertThat(placement.spread()).hasSize(1);
                        });
    }
}
