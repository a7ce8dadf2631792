package dev.millwright.core.explain;

import static dev.millwright.testing.kit.Given.cluster;
import static dev.millwright.testing.kit.Given.in;
import static dev.millwright.testing.kit.Given.instanceType;
import static dev.millwright.testing.kit.Given.nodePool;
import static dev.millwright.testing.kit.Given.notIn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.catalog.Offering;
import dev.millwright.core.explain.PoolRequirements.Decisive;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.label.LabelVocabulary;
import dev.millwright.core.label.Requirements;
import dev.millwright.testing.kit.InstanceTypeBuilder;
import dev.millwright.testing.kit.NodePoolBuilder;

import org.junit.jupiter.api.Test;

import java.util.List;

/// Which requirements leave a pool without an instance type, and what they could be instead.
final class PoolRequirementsTest {

    private static final InstanceTypeBuilder SMALL =
            instanceType("small").offering("east-1", "on-demand", 1);
    private static final InstanceTypeBuilder LARGE =
            instanceType("large").offering("east-2", "on-demand", 2);
    private static final InstanceTypeBuilder ARM =
            instanceType("arm").arch("arm64").offering("east-1", "spot", 1);

    private static PoolRequirements of(NodePoolBuilder pool, InstanceTypeBuilder... types) {
        var problem = cluster().selling(types).with(pool).problem();
        return new PoolRequirements(problem, pool.nodePool());
    }

    private static List<String> findings(NodePoolBuilder pool, InstanceTypeBuilder... types) {
        return of(pool, types).findings().stream().map(PoolFinding::explain).toList();
    }

    private static List<String> remedies(NodePoolBuilder pool, InstanceTypeBuilder... types) {
        return of(pool, types).remedies().stream().map(PoolChange::describe).toList();
    }

    @Test
    void typesThatMeetAllRequirementsAreLeft() {
        assertThat(of(nodePool("p").requirement(in(LabelKeys.ARCH, "amd64")), SMALL, ARM).left())
                .extracting(InstanceType::name)
                .containsExactly("small");
    }

    @Test
    void aRequirementThatNoTypeMeetsIsToldAlone() {
        var pool =
                nodePool("p")
                        .requirement(in(LabelKeys.ARCH, "arm64"))
                        .requirement(in(LabelKeys.INSTANCE_TYPE, "gone"));

        assertThat(findings(pool, SMALL, LARGE))
                .containsExactly(
                        "no instance type of 2 meets kubernetes.io/arch In [arm64]",
                        "no instance type of 2 meets node.kubernetes.io/instance-type In [gone]");
    }

    @Test
    void requirementsThatExcludeEachOtherSayHowManyTypesTheOthersLeave() {
        var pool =
                nodePool("p")
                        .requirement(in(LabelKeys.ARCH, "arm64"))
                        .requirement(in(LabelKeys.ZONE, "east-2"));

        assertThat(findings(pool, SMALL, LARGE, ARM))
                .containsExactly(
                        "kubernetes.io/arch In [arm64] excludes all 1 instance types that the other requirements leave",
                        "topology.kubernetes.io/zone In [east-2] excludes all 1 instance types that the other requirements leave");
    }

    @Test
    void threeThatExcludeEveryTypeOnlyTogetherAreNoneAlone() {
        var pool =
                nodePool("p")
                        .requirement(in(LabelKeys.ARCH, "arm64"))
                        .requirement(in(LabelKeys.ZONE, "east-2"))
                        .requirement(in(LabelKeys.INSTANCE_TYPE, "small"));

        assertThat(findings(pool, SMALL, LARGE, ARM))
                .containsExactly(
                        "its requirements together leave none of 3 instance types, and no single one is to blame");
    }

    @Test
    void aSlipInAValueIsNamed() {
        assertThat(findings(nodePool("p").requirement(in(LabelKeys.ZONE, "eats-1")), SMALL))
                .containsExactly(
                        "no instance type of 1 meets topology.kubernetes.io/zone In [eats-1]; maybe \"east-1\"?");
    }

    @Test
    void aValueIsReplacedAdmittedAndAtLastTheRequirementDropped() {
        assertThat(remedies(nodePool("p").requirement(in(LabelKeys.ZONE, "east-l")), SMALL, LARGE))
                .containsExactly(
                        "allow topology.kubernetes.io/zone=east-1 instead of east-l",
                        "allow topology.kubernetes.io/zone=east-2 instead of east-l",
                        "allow topology.kubernetes.io/zone=east-1",
                        "allow topology.kubernetes.io/zone=east-2",
                        "require nothing of label topology.kubernetes.io/zone");
    }

    @Test
    void fewerSlipsComeFirst() {
        var near = instanceType("near").offering("east-1x", "spot", 1);
        var nearer = instanceType("nearer").offering("west-11", "spot", 1);

        assertThat(remedies(nodePool("p").requirement(in(LabelKeys.ZONE, "west-1x")), near, nearer))
                .startsWith(
                        "allow topology.kubernetes.io/zone=west-11 instead of west-1x",
                        "allow topology.kubernetes.io/zone=east-1x instead of west-1x");
    }

    @Test
    void theCommonestValueIsAdmittedFirstAndNoMoreThanTwo() {
        var more = instanceType("more").offering("north", "spot", 1).offering("south", "spot", 1);
        var most = instanceType("most").offering("south", "spot", 1).offering("far", "spot", 1);

        assertThat(remedies(nodePool("p").requirement(in(LabelKeys.ZONE, "gone")), more, most))
                .containsExactly(
                        "allow topology.kubernetes.io/zone=south",
                        "allow topology.kubernetes.io/zone=far",
                        "require nothing of label topology.kubernetes.io/zone");
    }

    @Test
    void valuesAreThoseOfTypesThatTheOtherRequirementsLeave() {
        var pool =
                nodePool("p")
                        .requirement(in(LabelKeys.ARCH, "arm64"))
                        .requirement(in(LabelKeys.ZONE, "gone"));

        assertThat(remedies(pool, SMALL, LARGE, ARM))
                .contains("allow topology.kubernetes.io/zone=east-1")
                .doesNotContain("allow topology.kubernetes.io/zone=east-2");
    }

    @Test
    void valuesAreThoseThatTheOtherRequirementsLetOffer() {
        var both =
                instanceType("both")
                        .offering("east-1", "spot", 1)
                        .offering("east-2", "on-demand", 1);
        var pool =
                nodePool("p")
                        .requirement(in(LabelKeys.CAPACITY_TYPE, "spot"))
                        .requirement(in(LabelKeys.ZONE, "gone"));

        assertThat(
                        of(pool, both)
                                .decisive(
                                        pool.nodePool()
                                                .nodeRequirements(
                                                        cluster().problem().policy().vocabulary())))
                .extracting(each -> each.wanted().key())
                .containsExactly(LabelKeys.ZONE);
    }

    @Test
    void whatIsSoldOutIsNoValue() {
        var type =
                instanceType("type")
                        .offering("east-1", "spot", 1)
                        .offering(Offering.of("east-2", "spot", 1).unavailable());

        assertThat(of(nodePool("p"), type).decisive(Requirements.of(in(LabelKeys.ZONE, "gone"))))
                .containsExactly(new Decisive(in(LabelKeys.ZONE, "gone"), List.of("east-1")));
    }

    @Test
    void aLabelThatIsNotWellKnownDecidesNothingAboutTypes() {
        assertThat(of(nodePool("p"), SMALL).decisive(Requirements.of(in("team", "a")))).isEmpty();
    }

    @Test
    void twoRequirementsThatEachExcludeEverythingAreNotDecisiveAlone() {
        var together = Requirements.of(in(LabelKeys.ARCH, "riscv"), in(LabelKeys.ZONE, "gone"));

        assertThat(of(nodePool("p"), SMALL).decisive(together)).isEmpty();
    }

    @Test
    void anExclusionIsNoSlip() {
        assertThat(remedies(nodePool("p").requirement(notIn(LabelKeys.ZONE, "east-l")), SMALL))
                .noneMatch(each -> each.contains("instead of"));
    }

    @Test
    void minValuesAreLoweredToWhatThereIsAndThenTakenAway() {
        var pool =
                nodePool("p")
                        .minValues(LabelKeys.INSTANCE_TYPE, 3)
                        .minValues(LabelKeys.ARCH, 1)
                        .requirement(in(LabelKeys.CAPACITY_TYPE, "on-demand"));

        assertThat(remedies(pool, SMALL, LARGE))
                .contains(
                        "ask for at least 2 values of node.kubernetes.io/instance-type",
                        "take minValues of node.kubernetes.io/instance-type away",
                        "take minValues of kubernetes.io/arch away")
                .doesNotContain(
                        "ask for at least 2 values of kubernetes.io/arch",
                        "take minValues of karpenter.sh/capacity-type away");
    }

    @Test
    void anOfferingHasValuesThatItsTypeDoesNotName() {
        var key = LabelVocabulary.DEFAULT_RESERVATION_ID_KEY;
        var type = instanceType("type").reserved("east-1", "cr-1", 2, 0.1);

        assertThat(remedies(nodePool("p").requirement(in(key, "cr-7")), type))
                .startsWith("allow %s=cr-1 instead of cr-7".formatted(key));
    }

    @Test
    void whatATypeExcludesIsNoValueOfIt() {
        var type = instanceType("type").requirement(notIn("disk", "tape"));

        assertThat(remedies(nodePool("p").requirement(in("disk", "tape")), type))
                .containsExactly("require nothing of label disk");
    }
}
