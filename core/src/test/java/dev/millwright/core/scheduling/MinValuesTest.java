package dev.millwright.core.scheduling;

import static dev.millwright.core.label.LabelKeys.INSTANCE_TYPE;
import static dev.millwright.testing.kit.FakeCatalogue.INTEGER;
import static dev.millwright.testing.kit.FakeCatalogue.ZONE_1;
import static dev.millwright.testing.kit.Given.cluster;
import static dev.millwright.testing.kit.Given.gt;
import static dev.millwright.testing.kit.Given.in;
import static dev.millwright.testing.kit.Given.instanceType;
import static dev.millwright.testing.kit.Given.lt;
import static dev.millwright.testing.kit.Given.nodePool;
import static dev.millwright.testing.kit.Given.notIn;
import static dev.millwright.testing.kit.Given.pod;
import static dev.millwright.testing.kit.PlanAssert.assertThat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.testing.kit.ClusterBuilder;
import dev.millwright.testing.kit.FakeCatalogue;
import dev.millwright.testing.kit.InstanceTypeBuilder;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// A pool may demand that so many kinds of machine stay open until launch.
final class MinValuesTest {

    private static final String FAMILY = "family";

    /// Machines of 2, 4 and 8 cpus.
    private static ClusterBuilder threeSizes() {
        return cluster().selling(size(2), size(4), size(8));
    }

    private static InstanceTypeBuilder size(int cpu) {
        return instanceType("cpu-" + cpu)
                .cpu(Integer.toString(cpu))
                .memory("16Gi")
                .offering(ZONE_1, "on-demand", cpu);
    }

    @Tag("D26")
    @Tag("F111")
    @Test
    void aPodThatWouldLeaveTooFewTypesGetsAnotherNode() {
        var plan =
                threeSizes()
                        .with(nodePool("default").minValues(INSTANCE_TYPE, 2))
                        .with(pod("a", "2.5"), pod("b", "2.5"))
                        .plan();

        assertThat(plan).puts("a", "b").apart();
        assertThat(plan).claimOf("a").offersTypes("cpu-4", "cpu-8").minValuesRelaxed(false);
        assertThat(plan).claimOf("b").offersTypes("cpu-4", "cpu-8");
    }

    @Tag("D26")
    @Test
    void withoutMinValuesTheSamePodsShareANode() {
        var plan = threeSizes().with(pod("a", "2.5"), pod("b", "2.5")).plan();

        assertThat(plan).puts("a", "b").together().claimOf("a").offersTypes("cpu-8");
    }

    @Tag("D27")
    @Test
    void minValuesWithGtIsMet() {
        var plan =
                threeSizes()
                        .with(nodePool("default").requirement(gt(INTEGER, 2).withMinValues(2)))
                        .with(pod("a", "1"))
                        .plan();

        assertThat(plan).claimOf("a").offersTypes("cpu-4", "cpu-8");
    }

    @Tag("D28")
    @Test
    void minValuesWithGtIsNotMet() {
        var plan =
                threeSizes()
                        .with(nodePool("default").requirement(gt(INTEGER, 4).withMinValues(2)))
                        .with(pod("a", "1"))
                        .plan();

        assertThat(plan).launchesNothing().leavesWaiting("a");
    }

    @Tag("D29")
    @Test
    void minValuesWithLtIsMet() {
        var plan =
                threeSizes()
                        .with(nodePool("default").requirement(lt(INTEGER, 8).withMinValues(2)))
                        .with(pod("a", "1"))
                        .plan();

        assertThat(plan).claimOf("a").offersTypes("cpu-2", "cpu-4");
    }

    @Tag("D30")
    @Test
    void minValuesWithLtIsNotMet() {
        var plan =
                threeSizes()
                        .with(nodePool("default").requirement(lt(INTEGER, 4).withMinValues(2)))
                        .with(pod("a", "1"))
                        .plan();

        assertThat(plan).launchesNothing().leavesWaiting("a");
    }

    @Tag("D31")
    @Test
    void theLargerOfInAndNotInCounts() {
        var all = in(INSTANCE_TYPE, "cpu-2", "cpu-4", "cpu-8").withMinValues(1);
        var some = notIn(INSTANCE_TYPE, "cpu-2").withMinValues(2);

        var plan =
                threeSizes()
                        .with(nodePool("default").requirement(all).requirement(some))
                        .with(pod("a", "2.5"), pod("b", "2.5"))
                        .plan();

        assertThat(plan).puts("a", "b").apart().claimOf("a").offersTypes("cpu-4", "cpu-8");
    }

    @Tag("D32")
    @Test
    void theLargerOfGtAndLtCounts() {
        var above = gt(INTEGER, 1).withMinValues(1);
        var below = lt(INTEGER, 8).withMinValues(2);

        var plan =
                threeSizes()
                        .with(nodePool("default").requirement(above).requirement(below))
                        .with(pod("a", "1"), pod("b", "1"))
                        .plan();

        assertThat(plan).puts("a", "b").apart().claimOf("a").offersTypes("cpu-2", "cpu-4");
    }

    /// 600 cheap machines of one family and `more` dear ones of another.
    private static List<InstanceType> families(int more) {
        return Stream.concat(
                        IntStream.range(0, 600).mapToObj(number -> family("a", number, 1)),
                        IntStream.range(0, more).mapToObj(number -> family("b", number, 2)))
                .toList();
    }

    private static InstanceType family(String family, int number, double price) {
        return instanceType("%s-%03d".formatted(family, number))
                .requirement(in(FAMILY, family))
                .offering(ZONE_1, "on-demand", price)
                .build();
    }

    @Tag("D33")
    @Test
    void tooFewValuesBeforeTheTypesAreCutMakePodsWait() {
        var plan =
                cluster()
                        .selling(families(0))
                        .with(nodePool("default").minValues(FAMILY, 2), pod("a"))
                        .plan();

        assertThat(plan).launchesNothing().leavesWaiting("a");
    }

    @Tag("D34")
    @Test
    void tooFewValuesAfterTheTypesAreCutMakePodsWait() {
        var plan =
                cluster()
                        .selling(families(1))
                        .with(nodePool("default").minValues(FAMILY, 2), pod("a"))
                        .plan();

        assertThat(plan)
                .launchesNothing()
                .leavesWaiting("a")
                .because(WaitReason.MinValuesLost.class)
                .because(FAMILY);
    }

    @Tag("D34")
    @Test
    void enoughValuesAfterTheTypesAreCutAreFine() {
        var plan =
                cluster()
                        .selling(families(1).subList(1, 601))
                        .with(nodePool("default").minValues(FAMILY, 2), pod("a"))
                        .plan();

        assertThat(plan).schedulesAll().claimOf("a").offersAmongOthers("b-000");
    }

    @Tag("D35")
    @Test
    void severalOperatorsOfOneKeyAreCountedTogether() {
        var plan =
                threeSizes()
                        .with(
                                nodePool("default")
                                        .requirement(
                                                in(INSTANCE_TYPE, "cpu-2", "cpu-4", "cpu-8")
                                                        .withMinValues(2))
                                        .requirement(notIn(INSTANCE_TYPE, "cpu-8").withMinValues(1))
                                        .minValues(INSTANCE_TYPE, 1))
                        .with(pod("a", "1"), pod("b", "1"))
                        .plan();

        assertThat(plan).puts("a", "b").apart().claimOf("a").offersTypes("cpu-2", "cpu-4");
    }

    @Tag("D36")
    @Test
    void severalKeysMustAllBeMet() {
        var both = nodePool("default").minValues(INSTANCE_TYPE, 2).minValues(INTEGER, 3);

        var met = threeSizes().with(both, pod("a", "1")).plan();
        var unmet = threeSizes().with(both, pod("a", "3")).plan();

        assertThat(met).claimOf("a").offersTypes("cpu-2", "cpu-4", "cpu-8");
        assertThat(unmet).launchesNothing().leavesWaiting("a");
    }

    // Policy -----------------------------------------------------------------------------------

    @Tag("F110")
    @Test
    void strictMinValuesThatAreNotMetMakePodsWait() {
        var plan =
                threeSizes()
                        .with(nodePool("default").minValues(INSTANCE_TYPE, 3), pod("a", "3"))
                        .plan();

        assertThat(plan).launchesNothing().leavesWaiting("a").because(INSTANCE_TYPE);
    }

    @Tag("F112")
    @Tag("F113")
    @Test
    void bestEffortLowersMinValuesToWhatThereIsAndSaysSo() {
        var plan =
                threeSizes()
                        .bestEffortMinValues()
                        .with(nodePool("default").minValues(INSTANCE_TYPE, 3), pod("a", "3"))
                        .plan();

        assertThat(plan).claimOf("a").offersTypes("cpu-4", "cpu-8").minValuesRelaxed(true);
        assertThat(plan.claims().getFirst().requirements().on(INSTANCE_TYPE).minValues())
                .isEqualTo(2);
    }

    @Test
    void aClaimThatWasRelaxedForOnePodStaysSoWithTheNext() {
        var plan =
                threeSizes()
                        .bestEffortMinValues()
                        .with(nodePool("default").minValues(INSTANCE_TYPE, 3))
                        .with(pod("a", "3"), pod("b", "500m"))
                        .plan();

        assertThat(plan).launches(1).claimOf("b").minValuesRelaxed(true);
    }

    @Tag("F112")
    @Test
    void bestEffortAlsoServesAPoolThatCannotMeetItsOwnMinValues() {
        var plan =
                threeSizes()
                        .bestEffortMinValues()
                        .with(nodePool("default").minValues(INSTANCE_TYPE, 10), pod("a", "1"))
                        .plan();

        assertThat(plan).claimOf("a").offersTypes("cpu-2", "cpu-4", "cpu-8").minValuesRelaxed(true);
    }

    @Tag("F114")
    @Test
    void bestEffortRelaxesTheHeavierPoolBeforeTryingTheLighter() {
        var plan =
                threeSizes()
                        .bestEffortMinValues()
                        .with(nodePool("heavy").weight(10).minValues(INSTANCE_TYPE, 3))
                        .with(nodePool("light"), pod("a", "3"))
                        .plan();

        assertThat(plan).claimOf("a").inPool("heavy").minValuesRelaxed(true);
    }

    @Tag("F115")
    @Test
    void strictGoesOnToTheLighterPool() {
        var plan =
                threeSizes()
                        .with(nodePool("heavy").weight(10).minValues(INSTANCE_TYPE, 3))
                        .with(nodePool("light"), pod("a", "3"))
                        .plan();

        assertThat(plan).claimOf("a").inPool("light").minValuesRelaxed(false);
    }

    @Tag("F116")
    @Test
    void bestEffortDoesNotRelaxWhatIsMet() {
        var plan =
                threeSizes()
                        .bestEffortMinValues()
                        .with(nodePool("default").minValues(INSTANCE_TYPE, 2), pod("a", "3"))
                        .plan();

        assertThat(plan).claimOf("a").offersTypes("cpu-4", "cpu-8").minValuesRelaxed(false);
    }

    @Tag("F116")
    @Test
    void bestEffortDoesNotRelaxAClaimThatIsOpen() {
        var plan =
                threeSizes()
                        .bestEffortMinValues()
                        .with(nodePool("default").minValues(INSTANCE_TYPE, 2))
                        .with(pod("a", "2.5"), pod("b", "2.5"))
                        .plan();

        assertThat(plan).puts("a", "b").apart();
    }

    @Test
    void theAssortedCatalogueIsCutToSixHundredTypes() {
        var plan = cluster().selling(FakeCatalogue.assorted()).with(pod("a")).plan();

        assertThat(plan.claims().getFirst().types()).hasSize(600);
    }
}
