package dev.millwright.controllers.nodeclaim;

import static dev.millwright.controllers.nodeclaim.ClaimText.claim;
import static dev.millwright.controllers.nodeclaim.NodeText.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.object.ClaimObject;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.stream.IntStream;

/// What a fleet costs the API server.
final class ManyClaimsTest {

    private static final int CLAIMS = 500;

    private final ClaimStage stage = new ClaimStage();
    private final List<String> names =
            IntStream.range(0, CLAIMS).mapToObj(number -> "c" + number).toList();

    private long writes(ResourceType type) {
        return stage.rig().api().writes().stream()
                .filter(write -> write.type().equals(type))
                .count();
    }

    private void comeUp(String name) {
        stage.launched(claim(name));
        stage.with(node(name + "-node", stage.providerId(name)));
        stage.live(name);
        stage.ready(name + "-node");
        stage.live(name);
    }

    /// Finalizer, labels and status at the launch; status when the node registers and when it is
    /// initialised; on the node one write each.
    @Test
    void aClaimComesUpWithSevenWrites() {
        names.forEach(this::comeUp);

        assertThat(names).allMatch(name -> stage.isTrue(name, ClaimObject.READY));
        assertThat(writes(ResourceType.NODE_CLAIM)).isEqualTo(5L * CLAIMS);
        var byKubelets = CLAIMS;
        assertThat(writes(ResourceType.NODE) - byKubelets).isEqualTo(2L * CLAIMS);
        assertThat(writes(ResourceType.NODE_POOL)).isEqualTo(1);
    }

    @Test
    void aFleetAtRestIsNotWritten() {
        names.forEach(this::comeUp);
        stage.rig().api().forgetWrites();

        names.forEach(stage::live);

        assertThat(stage.rig().api().writes()).isEmpty();
    }
}
