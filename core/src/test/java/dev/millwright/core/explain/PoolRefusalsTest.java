package dev.millwright.core.explain;

import static dev.millwright.testing.kit.Given.cluster;
import static dev.millwright.testing.kit.Given.in;
import static dev.millwright.testing.kit.Given.nodePool;
import static dev.millwright.testing.kit.Given.pod;
import static dev.millwright.testing.kit.Given.taint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.explain.PoolExplanation.Fix;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.testing.kit.ClusterPart;
import dev.millwright.testing.kit.FakeCatalogue;
import dev.millwright.testing.kit.NodePoolBuilder;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.stream.Collectors;

/// Which pods a pool refuses, and what of the pool would have to change for the commonest reason.
final class PoolRefusalsTest {

    private static final NodePoolBuilder FIRST_ZONE =
            nodePool("default").requirement(in(LabelKeys.ZONE, FakeCatalogue.ZONE_1));

    private static PoolRefusals refusals(NodePoolBuilder pool, ClusterPart... parts) {
        return new PoolRefusals(cluster().with(pool).with(parts).problem(), "default");
    }

    private static List<String> found(PoolRefusals refusals) {
        return refusals.findings().stream().map(PoolFinding::explain).toList();
    }

    private static String fix(PoolRefusals refusals) {
        return switch (refusals.fix()) {
            case Fix.None(var why) -> "none: " + why;
            case Fix.Buying(var changes) ->
                    changes.stream().map(PoolChange::describe).collect(Collectors.joining("; "));
            case Fix.Leaving(_) -> "leaving";
        };
    }

    @Test
    void aPoolThatPlacesAllPodsRefusesNone() {
        var refusals = refusals(nodePool("default"), pod("a", "1"));

        assertThat(refusals.isEmpty()).isTrue();
        assertThat(refusals.findings()).isEmpty();
    }

    @Test
    void podsThatAreRefusedForOneReasonAreToldTogether() {
        var refusals =
                refusals(
                        FIRST_ZONE,
                        pod("a").nodeSelector(LabelKeys.ZONE, FakeCatalogue.ZONE_2),
                        pod("b").nodeSelector(LabelKeys.ZONE, FakeCatalogue.ZONE_2),
                        pod("c", "1"));

        assertThat(refusals.isEmpty()).isFalse();
        assertThat(found(refusals))
                .singleElement()
                .asString()
                .contains("2 waiting pods", "default/a");
    }

    @Test
    void theCommonestReasonIsToldFirstAndMended() {
        var refusals =
                refusals(
                        FIRST_ZONE,
                        pod("a").nodeSelector(LabelKeys.ARCH, "riscv"),
                        pod("b").nodeSelector(LabelKeys.ZONE, FakeCatalogue.ZONE_2),
                        pod("c").nodeSelector(LabelKeys.ZONE, FakeCatalogue.ZONE_2));

        assertThat(found(refusals)).hasSize(2);
        assertThat(found(refusals).getFirst()).contains("2 waiting pods", "default/b");
        assertThat(fix(refusals)).isEqualTo("allow topology.kubernetes.io/zone=test-zone-2");
    }

    @Test
    void whatNoChangeOfThePoolHelpsSaysSo() {
        var refusals = refusals(nodePool("default"), pod("huge", "9999"));

        assertThat(fix(refusals))
                .startsWith("none: no change of the pool alone gives pod default/huge");
    }

    @Test
    void severalChangesAreFoundWherePodsNeedThemTogether() {
        var refusals =
                refusals(
                        FIRST_ZONE.limit("cpu", "1"),
                        pod("a", "3").nodeSelector(LabelKeys.ZONE, FakeCatalogue.ZONE_2));

        assertThat(fix(refusals))
                .isEqualTo(
                        "raise the limit of cpu to 4; allow"
                                + " topology.kubernetes.io/zone=test-zone-2");
    }

    @Test
    void podsThatTheTaintsOfThePoolKeepOffAreNotRefused() {
        var refusals =
                refusals(nodePool("default").taint(taint("team", "data")), pod("a"), pod("b"));

        assertThat(refusals.isEmpty()).isTrue();
        assertThat(refusals.findings())
                .containsExactly(new PoolFinding.KeepsOff(2, pod("a").pod().name()));
    }

    @Test
    void refusalsForDifferentLabelsAreToldApart() {
        var refusals =
                refusals(
                        nodePool("default"),
                        pod("a").nodeSelector("disk", "ssd"),
                        pod("b").nodeSelector("rack", "7"));

        assertThat(found(refusals)).hasSize(2);
        assertThat(found(refusals).getFirst()).contains("1 waiting pod,", "default/a", "disk");
        assertThat(found(refusals).getLast()).contains("1 waiting pod,", "default/b", "rack");
    }

    @Test
    void noMoreThanFiveReasonsAreTold() {
        var refusals =
                refusals(
                        nodePool("default"),
                        pod("a").nodeSelector("l1", "x"),
                        pod("b").nodeSelector("l2", "x"),
                        pod("c").nodeSelector("l3", "x"),
                        pod("d").nodeSelector("l4", "x"),
                        pod("e").nodeSelector("l5", "x"),
                        pod("f").nodeSelector("l6", "x"));

        assertThat(found(refusals)).hasSize(5);
    }

    @Test
    void refusalsByAnotherPoolAreNotItsOwn() {
        var problem =
                cluster()
                        .with(
                                nodePool("default").taint(taint("team", "data")),
                                nodePool("other"),
                                pod("a").nodeSelector("disk", "ssd"))
                        .problem();

        assertThat(found(new PoolRefusals(problem, "other")))
                .singleElement()
                .asString()
                .contains("disk");
        assertThat(new PoolRefusals(problem, "gone").isEmpty()).isTrue();
    }
}
