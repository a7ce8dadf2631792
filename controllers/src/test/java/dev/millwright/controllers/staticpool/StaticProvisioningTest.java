package dev.millwright.controllers.staticpool;

import static dev.millwright.testing.kit.cluster.PoolManifests.called;
import static dev.millwright.testing.kit.cluster.PoolManifests.claim;
import static dev.millwright.testing.kit.cluster.PoolManifests.launchedClaim;
import static dev.millwright.testing.kit.cluster.PoolManifests.pool;
import static dev.millwright.testing.kit.cluster.PoolManifests.ready;
import static dev.millwright.testing.kit.cluster.PoolManifests.rig;
import static dev.millwright.testing.kit.cluster.PoolManifests.strangersPool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.controllers.metrics.Families;
import dev.millwright.controllers.state.Marks;
import dev.millwright.controllers.state.NodeReservations;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.label.AnnotationKeys;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.label.SelectorRequirement;
import dev.millwright.core.label.Taint;
import dev.millwright.kube.client.ApiAnswer;
import dev.millwright.kube.client.ApiWrite;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.runtime.step.Step.Ending;
import dev.millwright.testing.kit.cluster.Rig;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.time.Duration;

/// Claims that a static pool is short of are made.
final class StaticProvisioningTest {

    private final NodeReservations reservations = new NodeReservations();

    private StaticProvisioning controller(Rig rig) {
        return new StaticProvisioning(rig.cloud().traits(), new Marks(), reservations);
    }

    private Ending run(Rig rig) {
        return rig.run(controller(rig), "p");
    }

    private static String fixed(int replicas) {
        return ready(pool("p", "replicas: " + replicas, ""));
    }

    private static long creations(Rig rig) {
        return rig.api().writes().stream().filter(ApiWrite.Create.class::isInstance).count();
    }

    private static Rig withClaims(String pool, int count) {
        var rig = rig(pool);
        for (var number = 1; number <= count; number++) {
            rig.apply(launchedClaim("claim-" + number, "p"));
        }
        return rig;
    }

    @Test
    @Tag("K-SP-1")
    void aClaimThatCannotBeMadeIsTriedAgain() {
        var rig = rig(fixed(2));
        rig.api().nextAnswer(new ApiAnswer.Refused(500, "InternalError", "out of order"));

        assertThat(run(rig)).isInstanceOf(Ending.Failed.class);
        assertThat(rig.view().claims()).hasSize(1);
        assertThat(reservations.reserved("p")).isZero();

        run(rig);
        assertThat(rig.view().claims()).hasSize(2);
    }

    @Test
    @Tag("K-SP-2")
    void aPoolOfAnotherProviderIsLeftAlone() {
        var rig = rig(ready(strangersPool("p").replace("template:", "replicas: 2\n  template:")));
        run(rig);

        assertThat(rig.api().writes()).isEmpty();
    }

    @Test
    @Tag("K-SP-3")
    void aPoolThatIsNotReadyWaits() {
        var rig = rig(pool("p", "replicas: 2", ""));

        assertThat(run(rig)).isEqualTo(new Ending.Done());
        assertThat(rig.api().writes()).isEmpty();
    }

    @Test
    @Tag("K-SP-4")
    void aPoolBeingDeletedDoesNotGrow() {
        var deleting =
                fixed(2).replace(
                                "generation: 1}",
                                "generation: 1, deletionTimestamp: \"2026-01-01T12:00:00Z\", finalizers: [a/b]}");
        var rig = rig(deleting);
        run(rig);

        assertThat(rig.api().writes()).isEmpty();
    }

    @Test
    @Tag("K-SP-5")
    void aDynamicPoolIsLeftToPods() {
        var rig = rig(ready(pool("p")));
        run(rig);

        assertThat(rig.api().writes()).isEmpty();
    }

    @Test
    @Tag("K-SP-6")
    void aPoolWithTooManyNodesDoesNotGrow() {
        var rig = withClaims(fixed(2), 3);

        assertThat(run(rig)).isEqualTo(new Ending.Again(Duration.ofMinutes(1)));
        assertThat(rig.api().writes()).isEmpty();
    }

    @Test
    @Tag("K-SP-7")
    void anEmptyPoolIsFilled() {
        var rig = rig(fixed(3));

        assertThat(run(rig)).isEqualTo(new Ending.Again(Duration.ofMinutes(1)));
        assertThat(rig.view().claims()).hasSize(3);
        assertThat(rig.count(Families.NODECLAIMS_CREATED, "provisioned", "p", "false"))
                .isEqualTo(3);
    }

    @Test
    @Tag("K-SP-8")
    void aShortPoolIsToppedUp() {
        var rig = withClaims(fixed(4), 2);
        run(rig);

        assertThat(creations(rig)).isEqualTo(2);
    }

    @Test
    @Tag("K-SP-9")
    void aFullPoolStaysAsItIs() {
        var rig = withClaims(fixed(2), 2);
        run(rig);

        assertThat(rig.api().writes()).isEmpty();
    }

    @Test
    @Tag("K-SP-10")
    void aPoolStopsAtItsLimit() {
        var rig = withClaims(ready(pool("p", "replicas: 5\nlimits: {nodes: 3}", "")), 1);
        run(rig);
        assertThat(creations(rig)).isEqualTo(2);

        assertThat(run(rig)).isEqualTo(new Ending.Again(Duration.ofSeconds(30)));
        assertThat(creations(rig)).isEqualTo(2);
    }

    @Test
    @Tag("K-SP-11")
    void whatWasReservedIsReleased() {
        var rig = rig(ready(pool("p", "replicas: 5\nlimits: {nodes: 5}", "")));
        run(rig);

        assertThat(reservations.reserved("p")).isZero();
    }

    @Test
    @Tag("K-SP-12")
    void aPoolOfNoReplicasStaysEmpty() {
        var rig = rig(fixed(0));
        run(rig);

        assertThat(rig.api().writes()).isEmpty();
    }

    @Test
    @Tag("K-SP-13")
    void aClaimIsMadeOfTheTemplateAlone() {
        var template =
                """
                expireAfter: 48h
                terminationGracePeriod: 5m
                requirements: [{key: kubernetes.io/arch, operator: In, values: [arm64]}]
                taints: [{key: team, value: a, effect: NoSchedule}]
                startupTaints: [{key: boot, effect: NoExecute}]
                """;
        var labelled =
                ready(pool("p", "replicas: 1", template))
                        .replace("labels: {}", "labels: {team: a}, annotations: {note: x}");
        var rig = rig(labelled);
        run(rig);
        var claim = rig.view().claims().iterator().next();

        assertThat(claim.name().name()).startsWith("p-");
        assertThat(claim.meta().label("team")).isEqualTo("a");
        assertThat(claim.meta().label(LabelKeys.NODE_POOL)).isEqualTo("p");
        assertThat(claim.meta().label("karpenter.test.sh/testnodeclass")).isEqualTo("default");
        assertThat(claim.meta().annotation("note")).isEqualTo("x");
        assertThat(claim.meta().annotation(AnnotationKeys.NODE_POOL_HASH))
                .isEqualTo(rig.pool("p").hash());
        assertThat(claim.meta().owners())
                .singleElement()
                .satisfies(owner -> assertThat(owner.uid()).isEqualTo(rig.pool("p").meta().uid()));
        assertThat(claim.spec().requirements())
                .extracting(SelectorRequirement::key)
                .contains(LabelKeys.ARCH)
                .doesNotContain(LabelKeys.INSTANCE_TYPE);
        assertThat(claim.spec().taints()).extracting(Taint::key).containsExactly("team");
        assertThat(claim.spec().startupTaints()).extracting(Taint::key).containsExactly("boot");
        assertThat(claim.spec().expireAfter()).isEqualTo(Duration.ofDays(2));
        assertThat(claim.spec().terminationGracePeriod()).isEqualTo(Duration.ofMinutes(5));
        assertThat(claim.spec().requests().isEmpty()).isTrue();
    }

    @Test
    @Tag("K-SP-14")
    void aLargePoolIsFilledAtOnceAndAHugeOneInParts() {
        var large = rig(fixed(100));
        run(large);
        assertThat(large.view().claims()).hasSize(100);

        var huge = rig(fixed(1_500));
        assertThat(run(huge)).isEqualTo(new Ending.Again(Duration.ofSeconds(1)));
        assertThat(run(huge)).isEqualTo(new Ending.Again(Duration.ofMinutes(1)));
        assertThat(huge.view().claims()).hasSize(1_500);
    }

    @Test
    @Tag("K-SP-15")
    void whatAnotherIsAboutToMakeTakesUpTheLimit() {
        var rig = rig(ready(pool("p", "replicas: 5\nlimits: {nodes: 5}", "")));
        reservations.reserve("p", 5, 0, 3);
        run(rig);

        assertThat(creations(rig)).isEqualTo(2);
        assertThat(reservations.reserved("p")).isEqualTo(3);
    }

    @Test
    @Tag("K-SP-16")
    void claimsThatAreNotLaunchedYetCount() {
        var rig = rig(fixed(2), claim("a", "p", ""), claim("b", "p", ""));
        run(rig);

        assertThat(creations(rig)).isZero();
    }

    @ParameterizedTest
    @CsvSource({
        "3, 5, false, false, true",
        "5, 5, false, true, true",
        "5, 5, true, false, false",
        "5, 5, true, true, false",
        "5, 5, false, false, false"
    })
    @Tag("K-SP-17")
    @Tag("K-SP-18")
    @Tag("K-SP-19")
    @Tag("K-SP-20")
    @Tag("K-SP-21")
    void aPoolIsLookedAtWhenItsNumberChangedOrItBecameReady(
            int before, int after, boolean wasReady, boolean isReady, boolean isLookedAt) {
        var rig = rig(wasReady ? fixed(before) : pool("p", "replicas: " + before, ""));
        var changed = isReady ? fixed(after) : pool("p", "replicas: " + after, "");

        assertThat(called(rig, controller(rig), () -> rig.apply(changed)))
                .hasSize(isLookedAt ? 1 : 0);
    }

    @Test
    void aClaimThatIsGoneCallsItsStaticPool() {
        var rig = withClaims(fixed(1), 1);
        var gone = new ObjectName("", "claim-1");

        assertThat(
                        called(
                                rig,
                                controller(rig),
                                () -> rig.api().vanish(ResourceType.NODE_CLAIM, gone)))
                .containsExactly(new ObjectName("", "p"));
    }
}
