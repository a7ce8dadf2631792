package dev.millwright.controllers.disruption;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millwright.core.policy.RepairPolicy;
import dev.millwright.core.policy.RepairPolicy.Action;
import dev.millwright.testing.kit.Given;
import dev.millwright.testing.kit.disruption.DisruptionStage;
import dev.millwright.testing.kit.disruption.FleetNode;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;

/// Which policy counts, and which node comes first.
final class RepairRulesTest {

    private static final Duration HOUR = Duration.ofHours(1);

    private static RepairPolicy policy(String type) {
        return new RepairPolicy(type, "True", HOUR).drainedWithin(Duration.ZERO);
    }

    private static DisruptionStage stage(RepairPolicy... policies) {
        var rules = new dev.millwright.core.disruption.RepairRules(List.of(policies));
        return new DisruptionStage(
                        new dev.millwright.core.disruption.DisruptionOptions(rules, false, false))
                .pool("100%");
    }

    private static FleetNode node(String name, String type, String reason) {
        return new FleetNode(name)
                .consolidatable(false)
                .condition(type, "True", reason, Given.NOON);
    }

    private static List<String> firstAfter(DisruptionStage stage, Duration time) {
        stage.rig.advance(time);
        stage.pass();
        return stage.queue.entries().stream()
                .limit(1)
                .flatMap(entry -> entry.command().nodes().stream())
                .toList();
    }

    /// Enough nodes that two sick ones freeze nothing.
    private static DisruptionStage many(DisruptionStage stage) {
        for (var count = 0; count < 6; count++) {
            stage.add(new FleetNode("well-" + count).consolidatable(false));
        }
        return stage;
    }

    @Test
    @Tag("J-REPAIR-19")
    void theHigherPriorityComesFirst() {
        var stage = many(stage(policy("A"), policy("B").withPriority(7)));
        stage.add(node("a", "A", ""), node("b", "B", ""));

        assertThat(firstAfter(stage, HOUR)).containsExactly("b");
    }

    @Test
    @Tag("J-REPAIR-20")
    void whoWaitedHalfAnHourLongerOutweighsARank() {
        var late = new RepairPolicy("B", "True", HOUR.plusMinutes(31)).withPriority(7);
        var stage = many(stage(policy("A"), late));
        stage.add(node("b", "B", ""));
        stage.add(node("a", "A", "").annotation("karpenter.sh/do-not-repair", "true"));
        stage.rig.advance(HOUR.plusMinutes(31));
        stage.add(node("a", "A", ""));

        assertThat(firstAfter(stage, Duration.ZERO)).containsExactly("a");
    }

    @Test
    @Tag("J-REPAIR-21")
    void aReasonMatters() {
        var stage =
                stage(
                        policy("A"),
                        policy("B").forReason("^Disk"),
                        new RepairPolicy("B", "True", Duration.ofMinutes(1)).forReason("Memory"));
        stage.add(node("a", "B", "MemoryPressure"));

        assertThat(firstAfter(stage, Duration.ofMinutes(1))).containsExactly("a");
    }

    @Test
    @Tag("J-REPAIR-22")
    void whereNoReasonIsFoundThePolicyWithoutOneStandsIn() {
        var stage = stage(policy("A"), policy("B").forReason("^Disk"));
        stage.add(node("a", "B", "Other"));

        assertThat(firstAfter(stage, HOUR)).containsExactly("a");
    }

    @Test
    @Tag("J-REPAIR-23")
    void replacingOutweighsRebooting() {
        var stage = stage(policy("A"), policy("B").forReason(".*").by(Action.REBOOT));
        stage.add(node("a", "B", "").condition("A", "True", "", Given.NOON));

        assertThat(firstAfter(stage, HOUR)).containsExactly("a");
        assertThat(stage.rig.claim("a").conditions().find("Rebooting")).isNull();
    }

    @Test
    @Tag("J-REPAIR-24")
    void policiesThatMakeNoSenseAreRefused() {
        assertThatThrownBy(() -> policy("")).hasMessageContaining("type");
        assertThatThrownBy(() -> new RepairPolicy("A", "Maybe", HOUR))
                .hasMessageContaining("status");
        assertThatThrownBy(() -> policy("A").withPriority(101)).hasMessageContaining("101");
        assertThatThrownBy(() -> policy("A").forReason("(")).hasMessageContaining("(");
        assertThatThrownBy(() -> new RepairPolicy("A", "True", HOUR.negated()))
                .hasMessageContaining("negative");
    }
}
