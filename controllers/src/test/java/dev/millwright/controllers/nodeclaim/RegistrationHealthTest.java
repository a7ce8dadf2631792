package dev.millwright.controllers.nodeclaim;

import static dev.millwright.controllers.nodeclaim.ClaimText.claim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.controllers.nodepool.health.PoolHealth;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.client.ApiWrite.Subresource;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.object.ClaimObject;
import dev.millwright.kube.object.Condition.Status;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;

final class RegistrationHealthTest {

    private final ClaimStage stage = new ClaimStage();

    private void poolSays(String status) {
        var condition =
                Tree.of("type", "NodeRegistrationHealthy")
                        .put("status", status)
                        .put("reason", "Earlier")
                        .put("lastTransitionTime", "2024-01-01T00:00:00Z")
                        .put("observedGeneration", 1);
        stage.patch(
                ResourceType.NODE_POOL,
                "default",
                Subresource.STATUS,
                Tree.of("status", Tree.of().putList("conditions", List.of(condition.mapping()))));
    }

    private Status poolStatus() {
        var condition = stage.poolHealth();
        return condition == null ? Status.UNKNOWN : condition.status();
    }

    /// A claim whose launch fails until it is given up.
    private void failedLaunch(String name) {
        stage.rig().cloud().launchesMax(0);
        stage.with(claim(name)).live(name);
        stage.rig().advance(Duration.ofMinutes(6));
        stage.live(name);
        stage.live(name);
        stage.rig().cloud().launchesMax(Integer.MAX_VALUE);
    }

    @Test
    @Tag("H22")
    void aRegistrationMakesAnUnhealthyPoolHealthy() {
        poolSays("False");

        stage.registered(claim("a"));

        assertThat(poolStatus()).isEqualTo(Status.TRUE);
        assertThat(stage.health().status(PoolText.UID)).isEqualTo(PoolHealth.Status.HEALTHY);
    }

    @Test
    @Tag("H23")
    void oneRegistrationAfterTwoFailuresIsNotEnough() {
        failedLaunch("a");
        failedLaunch("b");

        stage.registered(claim("c"));

        assertThat(stage.isTrue("c", ClaimObject.REGISTERED)).isTrue();
        assertThat(poolStatus()).isEqualTo(Status.FALSE);
        assertThat(stage.health().status(PoolText.UID)).isEqualTo(PoolHealth.Status.UNHEALTHY);
    }

    @Test
    @Tag("H24")
    void aRegistrationTellsNothingOfAPoolMadeAnewUnderItsName() {
        stage.launched(claim("a").ownedByPool("earlier-uid"));

        stage.with(NodeText.node("n", stage.providerId("a"))).live("a");

        assertThat(stage.isTrue("a", ClaimObject.REGISTERED)).isTrue();
        assertThat(poolStatus()).isEqualTo(Status.UNKNOWN);
        assertThat(stage.health().status(PoolText.UID)).isEqualTo(PoolHealth.Status.UNKNOWN);
    }

    @Test
    void aRegistrationWithoutItsPoolSucceeds() {
        stage.launched(claim("a"));
        stage.rig().api().vanish(ResourceType.NODE_POOL, new ObjectName("", "default"));

        stage.with(NodeText.node("n", stage.providerId("a"))).live("a");

        assertThat(stage.isTrue("a", ClaimObject.REGISTERED)).isTrue();
    }

    @Test
    @Tag("H55")
    void twoFailuresMakeAHealthyPoolUnhealthy() {
        poolSays("True");

        failedLaunch("a");
        assertThat(poolStatus()).isEqualTo(Status.TRUE);
        failedLaunch("b");

        assertThat(poolStatus()).isEqualTo(Status.FALSE);
    }

    @Test
    @Tag("H56")
    void twoFailuresMakeAnUnknownPoolUnhealthyForTheReasonOfTheLaunch() {
        failedLaunch("a");
        failedLaunch("b");

        assertThat(poolStatus()).isEqualTo(Status.FALSE);
        assertThat(stage.poolHealth())
                .satisfies(health -> assertThat(health.reason()).isEqualTo("LaunchFailed"));
    }

    @Test
    void nodesThatDoNotRegisterGiveThePoolThatReason() {
        stage.health().record(PoolText.UID, false);
        stage.launched(claim("a"));
        stage.rig().advance(Duration.ofMinutes(16));

        stage.live("a");

        assertThat(stage.poolHealth())
                .satisfies(health -> assertThat(health.reason()).isEqualTo("RegistrationFailed"));
    }

    @Test
    @Tag("H57")
    void aFailureTellsNothingOfAPoolMadeAnewUnderItsName() {
        stage.health().record(PoolText.UID, false);
        stage.rig().cloud().launchesMax(0);
        stage.with(claim("a").ownedByPool("earlier-uid"));
        stage.rig().advance(Duration.ofMinutes(6));

        stage.live("a");
        stage.live("a");

        assertThat(stage.hasClaim("a")).isFalse();
        assertThat(poolStatus()).isEqualTo(Status.UNKNOWN);
        assertThat(stage.health().status(PoolText.UID)).isEqualTo(PoolHealth.Status.HEALTHY);
    }
}
