package dev.millwright.controllers.capacitybuffer;

import static dev.millwright.controllers.capacitybuffer.BufferManifests.BY_TEMPLATE;
import static dev.millwright.controllers.capacitybuffer.BufferManifests.SMALL;
import static dev.millwright.controllers.capacitybuffer.BufferManifests.buffer;
import static dev.millwright.controllers.capacitybuffer.BufferManifests.template;
import static dev.millwright.testing.kit.Given.cluster;
import static dev.millwright.testing.kit.Given.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.scheduling.Plan;
import dev.millwright.kube.client.ApiAnswer;
import dev.millwright.kube.object.BufferObject;
import dev.millwright.kube.object.Condition.Status;
import dev.millwright.runtime.step.Step;
import dev.millwright.runtime.step.Step.Ending;
import dev.millwright.testing.kit.PodBuilder;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.List;

/// What a pass tells buffers.
@Tag("K-buffers")
final class BufferVerdictsTest {

    private final BufferManifests cluster = new BufferManifests();

    private Plan plan() {
        var pods =
                Buffers.all(cluster.rig.view()).stream()
                        .flatMap(buffer -> buffer.virtualPods(cluster.rig.now()).stream())
                        .map(PodBuilder::new)
                        .toList();
        return cluster().with(node("n")).with(pods).plan();
    }

    private Ending tell() {
        var effects =
                BufferVerdicts.of(
                        cluster.rig.view(),
                        Buffers.all(cluster.rig.view()),
                        plan(),
                        cluster.rig.now());
        return cluster.rig.carryOut(Step.of(effects));
    }

    @Test
    void aBufferIsToldThatItFits() {
        cluster.rig
                .apply(template("web", SMALL))
                .apply(buffer("spare", BY_TEMPLATE + ", replicas: 2"));
        tell();

        assertThat(cluster.condition(BufferObject.PROVISIONING).status()).isEqualTo(Status.TRUE);
        assertThat(cluster.condition(BufferObject.PROVISIONING).reason())
                .isEqualTo("FitsExistingCapacity");
    }

    @Test
    void aBufferIsToldThatItNeedsMore() {
        cluster.rig
                .apply(template("web", SMALL))
                .apply(buffer("spare", BY_TEMPLATE + ", replicas: 50"));
        tell();

        assertThat(cluster.condition(BufferObject.PROVISIONING).reason())
                .isEqualTo("RequiresNewCapacity");
    }

    @Test
    void aBufferIsToldThatItIsNotReady() {
        cluster.rig.apply(buffer("spare", BY_TEMPLATE + ", replicas: 2"));
        tell();

        assertThat(cluster.condition(BufferObject.PROVISIONING).reason())
                .isEqualTo("NotReadyForProvisioning");
    }

    @Test
    void nothingIsToldTwiceAndARefusalStopsNobody() {
        cluster.rig
                .apply(template("web", SMALL))
                .apply(buffer("spare", BY_TEMPLATE + ", replicas: 2"));
        cluster.rig.api().nextAnswer(new ApiAnswer.Refused(409, "Conflict", "quicker"));
        assertThat(tell()).isEqualTo(new Ending.Done());
        assertThat(cluster.spare().status().conditions()).isEmpty();

        tell();
        cluster.rig.api().forgetWrites();
        tell();
        assertThat(cluster.rig.api().writes()).isEqualTo(List.of());
    }
}
