package dev.millwright.core.scheduling;

import static dev.millwright.core.label.LabelKeys.HOSTNAME;
import static dev.millwright.core.label.LabelKeys.ZONE;
import static dev.millwright.testing.kit.FakeCatalogue.ZONE_1;
import static dev.millwright.testing.kit.FakeCatalogue.ZONE_2;
import static dev.millwright.testing.kit.FakeCatalogue.ZONE_3;
import static dev.millwright.testing.kit.Given.cluster;
import static dev.millwright.testing.kit.Given.in;
import static dev.millwright.testing.kit.Given.pod;
import static dev.millwright.testing.kit.Given.storageClass;
import static dev.millwright.testing.kit.Given.volume;
import static dev.millwright.testing.kit.Given.volumeClaim;
import static dev.millwright.testing.kit.PlanAssert.assertThat;

import dev.millwright.testing.kit.ClusterBuilder;
import dev.millwright.testing.kit.PodBuilder;
import dev.millwright.testing.kit.VolumeBuilder;

import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.stream.Stream;

/// A volume's zone is the pod's zone, whether the claim stands alone or is made with the pod.
final class VolumeZonesTest {

    /// Pod `a` with a claim of its own, and pod `a` whose claim `a-data` is made with it.
    static Stream<Named<PodBuilder>> pods() {
        return Stream.of(
                Named.of("claim", pod("a").claim("a-data")),
                Named.of("ephemeral", pod("a").ephemeral("data", "fast")));
    }

    private static ClusterBuilder unbound(String... zones) {
        return cluster()
                .with(storageClass("fast").zones(zones))
                .with(volumeClaim("a-data").storageClass("fast"), pod("bystander"));
    }

    private static ClusterBuilder bound(VolumeBuilder volume) {
        return cluster()
                .with(storageClass("fast"), volume)
                .with(volumeClaim("a-data").storageClass("fast").boundTo(volume.volume().name()))
                .with(pod("bystander"));
    }

    @Tag("F67")
    @Tag("F72")
    @ParameterizedTest
    @MethodSource("pods")
    void aMissingClaimMakesOnlyItsPodWait(PodBuilder pod) {
        var plan = cluster().with(storageClass("fast"), pod, pod("bystander")).plan();

        assertThat(plan)
                .schedules("bystander")
                .leavesWaiting("a")
                .because(WaitReason.Invalid.class)
                .because("a-data");
    }

    @Tag("F74")
    @ParameterizedTest
    @MethodSource("pods")
    void aMissingVolumeMakesOnlyItsPodWait(PodBuilder pod) {
        var plan =
                cluster()
                        .with(storageClass("fast"), pod, pod("bystander"))
                        .with(volumeClaim("a-data").storageClass("fast").boundTo("gone"))
                        .plan();

        assertThat(plan)
                .schedules("bystander")
                .leavesWaiting("a")
                .because(WaitReason.Invalid.class)
                .because("gone");
    }

    @Tag("F75")
    @Tag("F76")
    @ParameterizedTest
    @MethodSource("pods")
    void theZonesOfTheClassBindThePod(PodBuilder pod) {
        var plan = unbound(ZONE_1, ZONE_3).with(pod.nodeSelector(ZONE, ZONE_3)).plan();

        assertThat(plan).schedulesAll().inZone("a", ZONE_3);
    }

    @Tag("F77")
    @Tag("F78")
    @ParameterizedTest
    @MethodSource("pods")
    void aClassOutsideThePodsZonesMakesItWait(PodBuilder pod) {
        var plan = unbound(ZONE_1).with(pod.nodeSelector(ZONE, ZONE_3)).plan();

        assertThat(plan).schedules("bystander").leavesWaiting("a").becauseOf(Refusal.Volume.class);
    }

    @Tag("F79")
    @Tag("F80")
    @ParameterizedTest
    @MethodSource("pods")
    void theZoneOfTheBoundVolumeBindsThePod(PodBuilder pod) {
        var plan = bound(volume("disk").zones(ZONE_3)).with(pod).plan();

        assertThat(plan).schedulesAll().inZone("a", ZONE_3);
    }

    @Tag("F81")
    @Tag("F82")
    @Tag("F83")
    @Tag("F84")
    @ParameterizedTest
    @MethodSource("pods")
    void theHostOfALocalVolumeDoesNotBindThePodButItsZoneDoes(PodBuilder pod) {
        var disk = volume("disk").local().term(in(HOSTNAME, "n9"), in(ZONE, ZONE_2));

        var plan = bound(disk).with(pod).plan();

        assertThat(plan).schedulesAll().inZone("a", ZONE_2);
    }

    @Tag("F85")
    @ParameterizedTest
    @MethodSource("pods")
    void theHostOfAnotherVolumeBindsThePod(PodBuilder pod) {
        var plan = bound(volume("disk").term(in(HOSTNAME, "n9"))).with(pod).plan();

        assertThat(plan).schedules("bystander").leavesWaiting("a");
    }

    @Tag("F86")
    @Tag("F87")
    @ParameterizedTest
    @MethodSource("pods")
    void aBoundVolumeOutsideThePodsZonesMakesItWait(PodBuilder pod) {
        var plan = bound(volume("disk").zones(ZONE_3)).with(pod.nodeSelector(ZONE, ZONE_1)).plan();

        assertThat(plan).schedules("bystander").leavesWaiting("a").becauseOf(Refusal.Volume.class);
    }

    @Tag("F88")
    @Test
    void theZoneOfAVolumeIsNeverGivenUp() {
        var pod =
                pod("a").claim("a-data")
                        .prefers(1, in(ZONE, ZONE_1))
                        .requires(in(ZONE, "invalid"))
                        .requires(in(ZONE, ZONE_3));

        var plan = bound(volume("disk").zones(ZONE_3)).with(pod).plan();

        assertThat(plan).schedulesAll().inZone("a", ZONE_3);
    }
}
