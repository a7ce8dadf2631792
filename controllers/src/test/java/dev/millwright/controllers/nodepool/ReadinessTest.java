package dev.millwright.controllers.nodepool;

import static dev.millwright.testing.kit.cluster.PoolManifests.CLASS;
import static dev.millwright.testing.kit.cluster.PoolManifests.called;
import static dev.millwright.testing.kit.cluster.PoolManifests.pool;
import static dev.millwright.testing.kit.cluster.PoolManifests.reason;
import static dev.millwright.testing.kit.cluster.PoolManifests.rig;
import static dev.millwright.testing.kit.cluster.PoolManifests.strangersPool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.controllers.nodepool.readiness.ReadinessController;
import dev.millwright.controllers.nodepool.validation.ValidationController;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.object.PoolObject;
import dev.millwright.testing.kit.FakeCatalogue;
import dev.millwright.testing.kit.cluster.Rig;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Whether a pool's class is there and ready.
final class ReadinessTest {

    private static ReadinessController controller(Rig rig) {
        return new ReadinessController(rig.view().classKinds(), 1);
    }

    @Test
    @Tag("I-RDY-1")
    void aPoolOfAnotherProviderIsLeftAlone() {
        var rig = rig(strangersPool("p"));
        rig.run(controller(rig), "p");

        assertThat(rig.api().writes()).isEmpty();
    }

    @Test
    @Tag("I-RDY-2")
    void aPoolWithoutItsClassIsNotReady() {
        var rig = rig(pool("p"));
        rig.run(controller(rig), "p");

        assertThat(rig.pool("p").conditions().isFalse(PoolObject.NODE_CLASS_READY)).isTrue();
        assertThat(reason(rig.pool("p"), PoolObject.NODE_CLASS_READY))
                .isEqualTo("NodeClassNotFound");
    }

    @Test
    @Tag("I-RDY-3")
    void aPoolOfAReadyClassIsReadyOnceItIsValid() {
        var rig = rig(CLASS, pool("p"));
        rig.run(controller(rig), "p");
        assertThat(rig.pool("p").conditions().isTrue(PoolObject.NODE_CLASS_READY)).isTrue();
        assertThat(rig.pool("p").pool().isReady()).isFalse();

        rig.run(new ValidationController(FakeCatalogue.VOCABULARY), "p");
        assertThat(rig.pool("p").pool().isReady()).isTrue();
    }

    @Test
    @Tag("I-RDY-4")
    void aPoolTellsWhyItsClassIsNotReady() {
        var rig =
                rig(
                        CLASS.replace("\"True\", reason: Ready", "\"False\", reason: NoSubnets"),
                        pool("p"));
        rig.run(controller(rig), "p");

        assertThat(rig.pool("p").conditions().isFalse(PoolObject.NODE_CLASS_READY)).isTrue();
        assertThat(reason(rig.pool("p"), PoolObject.NODE_CLASS_READY)).isEqualTo("NoSubnets");
    }

    @Test
    @Tag("I-RDY-5")
    void aClassThatSaysNothingIsNotReady() {
        var rig = rig(CLASS.replace("type: Ready", "type: Other"), pool("p"));
        rig.run(controller(rig), "p");

        assertThat(rig.pool("p").conditions().isFalse(PoolObject.NODE_CLASS_READY)).isTrue();
        assertThat(reason(rig.pool("p"), PoolObject.NODE_CLASS_READY))
                .isEqualTo("NodeClassReadinessUnknown");
    }

    @Test
    @Tag("I-RDY-6")
    void aClassBeingDeletedIsNotReady() {
        var rig =
                rig(
                        CLASS.replace(
                                "name: default,",
                                "name: default, deletionTimestamp: \"2026-01-01T12:00:00Z\", finalizers: [a/b],"),
                        pool("p"));
        rig.run(controller(rig), "p");

        assertThat(reason(rig.pool("p"), PoolObject.NODE_CLASS_READY))
                .isEqualTo("NodeClassTerminating");
    }

    @Test
    void nothingIsWrittenTwice() {
        var rig = rig(CLASS, pool("p"));
        rig.run(controller(rig), "p");
        rig.api().forgetWrites();
        rig.run(controller(rig), "p");

        assertThat(rig.api().writes()).isEmpty();
    }

    @Test
    void aChangedClassCallsItsPools() {
        var rig = rig(CLASS, pool("p"), pool("q"), strangersPool("r"));

        assertThat(
                        called(
                                rig,
                                controller(rig),
                                () -> rig.apply(CLASS.replace("generation: 1", "generation: 2"))))
                .containsExactly(new ObjectName("", "p"), new ObjectName("", "q"));
    }
}
