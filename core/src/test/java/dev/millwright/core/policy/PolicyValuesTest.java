package dev.millwright.core.policy;

import static dev.millwright.testing.kit.Given.in;
import static dev.millwright.testing.kit.Given.nodePool;
import static dev.millwright.testing.kit.Given.taint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.millwright.core.cluster.SpreadConstraint;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.label.LabelVocabulary;
import dev.millwright.core.label.Selector;
import dev.millwright.core.policy.NodePoolBudgets.Budget;
import dev.millwright.core.policy.SchedulingPolicy.MinValues;
import dev.millwright.core.policy.SchedulingPolicy.Packing;
import dev.millwright.core.policy.SchedulingPolicy.Preferences;
import dev.millwright.core.policy.SchedulingPolicy.Reservations;
import dev.millwright.core.policy.SchedulingPolicy.UnsupportedStorage;
import dev.millwright.core.quantity.Resources;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/// What an operator says about scheduling, and what a pool says about itself.
final class PolicyValuesTest {

    @Test
    void aPolicyWithOneThingChangedIsOtherwiseTheSame() {
        var spread = SpreadConstraint.of(LabelKeys.ZONE, 1, true, Selector.EVERYTHING);
        var storage = new UnsupportedStorage(List.of("driver"), List.of());
        var changed =
                SchedulingPolicy.DEFAULT
                        .withPacking(Packing.CHEAPEST)
                        .withPreferences(Preferences.IGNORE)
                        .withMinValues(MinValues.BEST_EFFORT)
                        .withReservations(Reservations.OFF)
                        .withEffort(7)
                        .withDefaultSpread(List.of(spread))
                        .withUnsupportedStorage(storage)
                        .withVocabulary(LabelVocabulary.CORE.withAlias("a", "b"));

        assertThat(changed.packing()).isEqualTo(Packing.CHEAPEST);
        assertThat(changed.preferences()).isEqualTo(Preferences.IGNORE);
        assertThat(changed.minValues()).isEqualTo(MinValues.BEST_EFFORT);
        assertThat(changed.reservations()).isEqualTo(Reservations.OFF);
        assertThat(changed.effort()).isEqualTo(7);
        assertThat(changed.defaultSpread()).containsExactly(spread);
        assertThat(changed.unsupportedStorage()).isEqualTo(storage);
        assertThat(changed.vocabulary().normalize("a")).isEqualTo("b");
    }

    @Test
    void effortIsNeverNegative() {
        assertThat(SchedulingPolicy.DEFAULT.withEffort(0).effort()).isZero();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SchedulingPolicy.DEFAULT.withEffort(-1))
                .withMessage("effort -1 must not be negative");
    }

    @Test
    void aPoolWithOneThingChangedIsOtherwiseTheSame() {
        var pool = nodePool("a").nodePool();
        var changed =
                pool.withLimits(Resources.parse("cpu", "1"))
                        .withRequirements(List.of(in(LabelKeys.ARCH, "amd64")))
                        .withLabels(new TreeMap<>(Map.of("team", "a")))
                        .withTaints(List.of(taint("team", "a")));

        assertThat(changed)
                .isEqualTo(
                        nodePool("a")
                                .limit("cpu", "1")
                                .requirement(in(LabelKeys.ARCH, "amd64"))
                                .label("team", "a")
                                .taint(taint("team", "a"))
                                .nodePool());
    }

    @Test
    void poolsAreTriedByWeightAndThenTheLastByName() {
        assertThat(
                        Stream.of(nodePool("a"), nodePool("b"), nodePool("c").weight(3))
                                .map(each -> each.nodePool())
                                .sorted(NodePool.ORDER)
                                .map(NodePool::name))
                .containsExactly("c", "b", "a");
    }

    @Test
    void aPoolIsOpenForPodsWhenItIsReadyAndStaysAndIsNotStatic() {
        assertThat(nodePool("a").nodePool().isOpenForPods()).isTrue();
        assertThat(nodePool("a").notReady().nodePool().isOpenForPods()).isFalse();
        assertThat(nodePool("a").deleting().nodePool().isOpenForPods()).isFalse();
        assertThat(nodePool("a").replicas(1).nodePool().isOpenForPods()).isFalse();
        assertThat(nodePool("a").replicas(1).nodePool().isStatic()).isTrue();
        assertThat(nodePool("a").nodePool().isStatic()).isFalse();
    }

    @Test
    void nodesOfAPoolPromiseItsLabelsItsClassAndItself() {
        var promised =
                nodePool("a").label("team", "x").nodePool().nodeRequirements(LabelVocabulary.CORE);

        assertThat(promised.keys())
                .containsExactly(
                        "karpenter.sh/initialized",
                        "karpenter.sh/nodepool",
                        "karpenter.sh/registered",
                        "karpenter.test.sh/testnodeclass",
                        "team");
        assertThat(
                        nodePool("a")
                                .label("team", "x")
                                .nodePool()
                                .domainRequirements(LabelVocabulary.CORE)
                                .keys())
                .containsExactly("team");
    }

    @ParameterizedTest
    @CsvSource({"0 9 * * *, true", ", false"})
    void budgetsWithAScheduleHaveHours(String schedule, boolean isTimed) {
        var budget = Budget.of("1", null, schedule, schedule == null ? null : Duration.ofHours(1));

        assertThat(new NodePoolBudgets(List.of(budget)).isTimed()).isEqualTo(isTimed);
    }

    @Test
    void aFreezeOfTheClusterOutweighsThePoolsOwn() {
        var ofPool = new Freeze("NodePool a", "mine");
        var ofCluster = new Freeze("Namespace kube-system", "all");
        var frozen = PoolControls.NONE.within(ofPool);

        assertThat(frozen.within(ofCluster).freeze()).isEqualTo(ofCluster);
        assertThat(frozen.within(null)).isEqualTo(frozen);
        assertThat(frozen.unfrozen()).isEqualTo(PoolControls.NONE);
        assertThat(frozen.and(List.of())).isEqualTo(frozen);
        assertThat(frozen.and(List.of("x")).and(List.of("y")).problems()).containsExactly("x", "y");
    }

    @Test
    void aClustersFreezeNamesTheNamespace() {
        assertThat(Freeze.ofCluster(Map.of("millwright.dev/freeze", "sale")).explain())
                .contains("of Namespace kube-system (sale)");
        assertThat(Freeze.ofCluster(Map.of())).isNull();
    }
}
