package dev.millwright.core.disruption;

import static dev.millwright.core.disruption.FleetBuilder.budgets;
import static dev.millwright.core.disruption.FleetBuilder.fleet;
import static dev.millwright.core.disruption.FleetBuilder.running;
import static dev.millwright.core.disruption.FleetBuilder.type;
import static dev.millwright.core.disruption.FleetBuilder.whole;
import static dev.millwright.core.disruption.MachineBuilder.machine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.disruption.Validation.Broken;
import dev.millwright.core.disruption.Validation.Holds;
import dev.millwright.core.label.LabelKeys;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;

/// Commands about a whole fleet are looked at again together before anything goes.
final class SecondLookTest {

    private static final Duration HORIZON = Duration.ofHours(2);
    private static final InstanceType SMALL = type("small", 10, 1).build();
    private static final InstanceType LARGE = type("large", 32, 1.5).build();
    private static final InstanceType ARM = type("arm", 10, 1).arch("arm64").build();
    private static final InstanceType LARGE_ARM = type("large-arm", 32, 1.5).arch("arm64").build();

    private final FleetBuilder fleet = fleet().selling(SMALL, LARGE, ARM, LARGE_ARM);

    @BeforeEach
    void consolidateAsAWhole() {
        fleet.pool(each -> whole(each, HORIZON));
    }

    private static MachineBuilder on(String name, InstanceType type) {
        return machine(name, type)
                .node(each -> each.label(LabelKeys.ARCH, type.equals(ARM) ? "arm64" : "amd64"));
    }

    private void threeSmallNodes() {
        fleet.with(on("a", SMALL), on("b", SMALL), on("c", SMALL))
                .with(
                        running("1", "a", "6").nodeSelector(LabelKeys.ARCH, "amd64"),
                        running("2", "b", "6").nodeSelector(LabelKeys.ARCH, "amd64"),
                        running("3", "c", "6").nodeSelector(LabelKeys.ARCH, "amd64"));
    }

    private void threeArmNodes() {
        fleet.with(on("d", ARM), on("e", ARM), on("f", ARM))
                .with(
                        running("4", "d", "6").nodeSelector(LabelKeys.ARCH, "arm64"),
                        running("5", "e", "6").nodeSelector(LabelKeys.ARCH, "arm64"),
                        running("6", "f", "6").nodeSelector(LabelKeys.ARCH, "arm64"));
    }

    private List<Command> commands() {
        return fleet.decide(DisruptionMethod.WHOLE_FLEET).commands();
    }

    private List<String> again(List<Command> commands) {
        return Validation.of(fleet.problem(), commands).stream().map(SecondLookTest::line).toList();
    }

    private static String line(Validation validation) {
        return switch (validation) {
            case Holds(var command, _) ->
                    "%s give way to %d".formatted(command.nodes(), command.replacements().size());
            case Broken(var cause, var dropped) -> "%d break for %s".formatted(dropped, cause);
        };
    }

    @Test
    void aCommandThatHoldsStillBuysWhatItBought() {
        threeSmallNodes();
        var commands = commands();

        assertThat(commands).hasSize(1);
        assertThat(again(commands)).containsExactly("[a, b, c] give way to 1");
    }

    @Test
    void eachOfSeveralCommandsHoldsWithItsOwnNodes() {
        threeSmallNodes();
        threeArmNodes();
        var commands = commands();

        assertThat(commands).hasSize(2);
        assertThat(again(commands))
                .containsExactly("[a, b, c] give way to 1", "[d, e, f] give way to 1");
    }

    @Test
    void commandsThatWereDecidedTogetherShareTheBudgetThatIsLeft() {
        threeSmallNodes();
        threeArmNodes();
        var commands = commands();
        assertThat(commands).hasSize(2);

        fleet.pool(each -> whole(each.withBudgets(budgets("3")), HORIZON));

        assertThat(again(commands))
                .containsExactly("[a, b, c] give way to 1", "3 break for BUDGET");
    }

    @Test
    void noCommandsNeedNoLook() {
        assertThat(again(List.of())).isEmpty();
    }

    @Test
    void whatPoolsWithoutPodsToMoveCostMovesForNothing() {
        fleet.with(machine("a", SMALL), machine("b", SMALL)).with(running("1", "a", "6"));
        var problem = fleet.problem();
        var candidates =
                problem.machines().stream()
                        .map(each -> problem.candidate(each, problem.pools().get("default")))
                        .toList();

        var cost = MoveCost.of(candidates);

        assertThat(cost.ofPods(candidates.subList(1, 2))).isZero();
        assertThat(cost.ofPods(candidates)).isEqualTo(2 * 0.05);
    }
}
