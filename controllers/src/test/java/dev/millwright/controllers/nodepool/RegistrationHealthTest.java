package dev.millwright.controllers.nodepool;

import static dev.millwright.testing.kit.cluster.PoolManifests.CLASS;
import static dev.millwright.testing.kit.cluster.PoolManifests.pool;
import static dev.millwright.testing.kit.cluster.PoolManifests.rig;
import static dev.millwright.testing.kit.cluster.PoolManifests.strangersPool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.controllers.nodepool.health.PoolHealth;
import dev.millwright.controllers.nodepool.health.PoolHealth.Status;
import dev.millwright.controllers.nodepool.health.PoolHealthController;
import dev.millwright.kube.client.ApiAnswer;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.object.PoolObject;
import dev.millwright.testing.kit.cluster.Rig;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// When what a pool's nodes did before says nothing any more.
final class RegistrationHealthTest {

    private final PoolHealth health = new PoolHealth();

    private void run(Rig rig) {
        rig.run(new PoolHealthController(rig.view().classKinds(), health, 1), "p");
    }

    private static String uid(Rig rig) {
        return rig.pool("p").meta().uid();
    }

    /// A pool at generation 1 that has seen generation 1 of its class.
    private static String told(String status) {
        return pool("p").replace("generation: 1}", "generation: 1, uid: pool-uid}")
                + """
                  status:
                    nodeClassObservedGeneration: 1
                    conditions:
                    - {type: NodeRegistrationHealthy, status: "%s", reason: X, observedGeneration: 1, lastTransitionTime: "2026-01-01T11:00:00Z"}
                  """
                        .formatted(status);
    }

    private static boolean isUnknown(Rig rig) {
        var condition = rig.pool("p").conditions().find(PoolObject.REGISTRATION_HEALTHY);
        return condition != null && rig.pool("p").conditions().isUnknown(condition.type());
    }

    @Test
    @Tag("I-RGH-1")
    void aPoolOfAnotherProviderIsLeftAlone() {
        var rig = rig(CLASS, strangersPool("p"));
        run(rig);

        assertThat(rig.api().writes()).isEmpty();
    }

    @Test
    @Tag("I-RGH-2")
    void withoutItsClassNothingIsSaid() {
        var rig = rig(pool("p"));
        run(rig);

        assertThat(rig.api().writes()).isEmpty();
    }

    @Test
    @Tag("I-RGH-3")
    void aChangedClassBeginsAnew() {
        var rig = rig(CLASS.replace("generation: 1", "generation: 2"), told("True"));
        health.record(uid(rig), true);
        run(rig);

        assertThat(isUnknown(rig)).isTrue();
        assertThat(health.status(uid(rig))).isEqualTo(Status.UNKNOWN);
        assertThat(rig.pool("p").status().nodeClassObservedGeneration()).isEqualTo(2);
    }

    @Test
    @Tag("I-RGH-4")
    void aChangedPoolBeginsAnew() {
        var rig = rig(CLASS, told("False").replace("generation: 1, uid", "generation: 2, uid"));
        run(rig);

        assertThat(isUnknown(rig)).isTrue();
        assertThat(health.status(uid(rig))).isEqualTo(Status.UNKNOWN);
    }

    @Test
    @Tag("I-RGH-5")
    void aHealthyPoolStaysHealthyAndIsRecalledAfterARestart() {
        var rig = rig(CLASS, told("True"));
        run(rig);

        assertThat(rig.api().writes()).isEmpty();
        assertThat(health.status(uid(rig))).isEqualTo(Status.HEALTHY);
    }

    @Test
    @Tag("I-RGH-6")
    void anUnhealthyPoolStaysUnhealthyAndIsRecalledAfterARestart() {
        var rig = rig(CLASS, told("False"));
        run(rig);

        assertThat(rig.api().writes()).isEmpty();
        assertThat(health.status(uid(rig))).isEqualTo(Status.UNHEALTHY);
    }

    @Test
    void aNewPoolIsUnknown() {
        var rig = rig(CLASS, pool("p"));
        run(rig);

        assertThat(isUnknown(rig)).isTrue();
        assertThat(rig.pool("p").status().nodeClassObservedGeneration()).isEqualTo(1);
    }

    @Test
    void registrationsAreForgottenOnlyOnceThatIsWritten() {
        var rig = rig(CLASS.replace("generation: 1", "generation: 2"), told("False"));
        rig.api().nextAnswer(new ApiAnswer.Refused(409, "Conflict", "somebody was quicker"));
        run(rig);

        assertThat(health.status(uid(rig))).isEqualTo(Status.UNHEALTHY);
    }

    @Test
    void aPoolThatIsGoneIsForgotten() {
        var rig = rig(CLASS, told("False"));
        run(rig);
        rig.api().vanish(ResourceType.NODE_POOL, rig.pool("p").name());
        run(rig);

        assertThat(health.status("pool-uid")).isEqualTo(Status.UNKNOWN);
    }
}
