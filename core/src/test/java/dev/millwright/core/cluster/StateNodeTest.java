package dev.millwright.core.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.millwright.core.label.Effect;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.label.Taint;
import dev.millwright.core.quantity.Resources;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

final class StateNodeTest {

    private static final Taint STARTUP = new Taint("startup", "", Effect.NO_SCHEDULE);
    private static final Taint NOT_READY =
            new Taint("node.kubernetes.io/not-ready", "", Effect.NO_SCHEDULE);
    private static final Taint HARD = new Taint("hard", "", Effect.NO_SCHEDULE);

    private static final NodeClaim CLAIM =
            new NodeClaim(
                    "claim",
                    "id",
                    new TreeMap<>(Map.of("from", "claim")),
                    new TreeMap<>(),
                    List.of(HARD),
                    List.of(STARTUP),
                    Resources.parse("cpu", "4", "gpu", "2"),
                    Resources.parse("cpu", "3", "gpu", "2"),
                    false);

    private static Node node(Map<String, String> labels) {
        return new Node(
                "node",
                "id",
                new TreeMap<>(labels),
                new TreeMap<>(),
                List.of(HARD, STARTUP, NOT_READY),
                Resources.parse("cpu", "5", "gpu", "0"),
                Resources.parse("cpu", "2", "gpu", "0"),
                new TreeMap<>(),
                false);
    }

    private static final Node BARE = node(Map.of());
    private static final Node REGISTERED = node(Map.of(LabelKeys.REGISTERED, "true"));
    private static final Node INITIALIZED =
            node(Map.of(LabelKeys.REGISTERED, "true", LabelKeys.INITIALIZED, "true"));

    @Test
    void untilRegisteredTheClaimSpeaksForLabelsAndTaints() {
        var state = StateNode.of(BARE, CLAIM);

        assertThat(state.isRegistered()).isFalse();
        assertThat(state.labels()).containsExactly(Map.entry("from", "claim"));
        assertThat(state.taints()).containsExactly(HARD);
    }

    @Test
    void untilInitialisedTaintsThatWillGoAreOverlookedAndMissingResourcesFilledIn() {
        var state = StateNode.of(REGISTERED, CLAIM);

        assertThat(state.isRegistered()).isTrue();
        assertThat(state.isInitialized()).isFalse();
        assertThat(state.taints()).containsExactly(HARD);
        assertThat(state.capacity()).isEqualTo(Resources.parse("cpu", "5", "gpu", "2"));
        assertThat(state.allocatable()).isEqualTo(Resources.parse("cpu", "2", "gpu", "2"));
    }

    @Test
    void onceInitialisedTheNodeSpeaksForItself() {
        var state = StateNode.of(INITIALIZED, CLAIM);

        assertThat(state.isInitialized()).isTrue();
        assertThat(state.taints()).containsExactly(HARD, STARTUP, NOT_READY);
        assertThat(state.allocatable()).isEqualTo(Resources.parse("cpu", "2", "gpu", "0"));
    }

    @Test
    void aNodeOfSomebodyElseIsTakenAsItIs() {
        var state = StateNode.of(BARE, null);

        assertThat(state.isManaged()).isFalse();
        assertThat(state.isInitialized()).isTrue();
        assertThat(state.taints()).containsExactly(HARD, STARTUP, NOT_READY);
        assertThat(state.hostName()).isEqualTo("node");
    }

    @Test
    void aClaimWithoutNodeGoesByItsOwnName() {
        var state = StateNode.of(null, CLAIM);

        assertThat(state.name()).isEqualTo("claim");
        assertThat(state.allocatable()).isEqualTo(Resources.parse("cpu", "3", "gpu", "2"));
        assertThat(state.isRegistered()).isFalse();
    }

    @Test
    void aStateNodeNeedsANodeOrAClaim() {
        assertThatIllegalArgumentException().isThrownBy(() -> StateNode.of(null, null));
    }
}
