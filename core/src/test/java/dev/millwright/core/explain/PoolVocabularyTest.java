package dev.millwright.core.explain;

import static dev.millwright.testing.kit.Given.cluster;
import static dev.millwright.testing.kit.Given.exists;
import static dev.millwright.testing.kit.Given.in;
import static dev.millwright.testing.kit.Given.nodePool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.label.LabelVocabulary;
import dev.millwright.testing.kit.NodePoolBuilder;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;

/// Labels of a pool that nobody may ask for, or that look mistyped.
final class PoolVocabularyTest {

    private static PoolVocabulary of(NodePoolBuilder pool) {
        return new PoolVocabulary(cluster().with(pool).problem(), pool.nodePool());
    }

    @ParameterizedTest
    @CsvSource({
        "topology.kubernetes.io/zone,",
        "topology.kubernetes.io/zoen, topology.kubernetes.io/zone",
        "zone, topology.kubernetes.io/zone",
        "example.com/zone,",
        "example.com/team,",
        "karpenter.sh/arch, kubernetes.io/arch",
        "colour,"
    })
    void aLabelIsTakenForAWellKnownOneUnlessItIsSomebodysOwn(String key, String meant) {
        assertThat(PoolVocabulary.meant(LabelVocabulary.CORE, key)).isEqualTo(meant);
    }

    @Test
    void aWellKnownLabelIsNoSlipOfAnother() {
        var near =
                LabelVocabulary.CORE.withWellKnown(
                        List.of("shop.example/row-1", "shop.example/row-2"));

        assertThat(PoolVocabulary.meant(near, "shop.example/row-1")).isNull();
        assertThat(PoolVocabulary.meant(near, "shop.example/row-3"))
                .isEqualTo("shop.example/row-1");
    }

    @Test
    void whatNobodyMayAskForIsAFault() {
        var pool =
                nodePool("p")
                        .requirement(in(LabelKeys.ARCH, "arm64"))
                        .requirement(in("karpenter.sh/own", "a"));

        assertThat(of(pool).faults()).containsExactly(in("karpenter.sh/own", "a"));
    }

    @Test
    void aSlipThatIsAllowedIsToldAndNoFault() {
        var pool = nodePool("p").requirement(exists("topology.kubernetes.io/zoen"));

        assertThat(of(pool).faults()).isEmpty();
        assertThat(of(pool).findings())
                .containsExactly(
                        new PoolFinding.PerhapsMeant(
                                "topology.kubernetes.io/zoen", LabelKeys.ZONE));
        assertThat(of(pool).mends()).isEmpty();
    }

    @Test
    void whatIsWellKnownIsNotToldAbout() {
        assertThat(of(nodePool("p").requirement(in(LabelKeys.ARCH, "arm64"))).findings()).isEmpty();
    }

    @Test
    void aFaultIsMendedByTheLabelThatWasMeantOrDropped() {
        var pool = nodePool("p").requirement(in("karpenter.sh/capacity-typ", "spot"));

        assertThat(of(pool).mends())
                .containsExactly(
                        new PoolChange.RenameRequirement(
                                "p", "karpenter.sh/capacity-typ", LabelKeys.CAPACITY_TYPE),
                        new PoolChange.DropRequirement("p", "karpenter.sh/capacity-typ"));
    }

    @Test
    void aFaultThatResemblesNothingIsDropped() {
        assertThat(of(nodePool("p").requirement(in("karpenter.sh/own", "a"))).mends())
                .containsExactly(new PoolChange.DropRequirement("p", "karpenter.sh/own"));
    }

    @Test
    void aValueThatResemblesAKnownOneIsReplacedByIt() {
        assertThat(of(nodePool("p").requirement(in(LabelKeys.CAPACITY_TYPE, "on-demnad"))).mends())
                .containsExactly(
                        new PoolChange.ReplaceValue(
                                "p", LabelKeys.CAPACITY_TYPE, "on-demnad", "on-demand"),
                        new PoolChange.DropRequirement("p", LabelKeys.CAPACITY_TYPE));
    }
}
