package dev.millwright.core.scheduling;

import static dev.millwright.testing.kit.FakeCatalogue.ZONE_1;
import static dev.millwright.testing.kit.Given.cluster;
import static dev.millwright.testing.kit.Given.instanceType;
import static dev.millwright.testing.kit.Given.nodePool;
import static dev.millwright.testing.kit.Given.pod;
import static dev.millwright.testing.kit.Given.pods;
import static dev.millwright.testing.kit.PlanAssert.assertThat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.millwright.core.policy.SchedulingPolicy.Packing;
import dev.millwright.testing.kit.ClusterBuilder;
import dev.millwright.testing.kit.InstanceTypeBuilder;

import org.junit.jupiter.api.Test;

/// What a node costs beside its machine counts where fleets are compared, and is in no price.
final class NodeFeesTest {

    private static InstanceTypeBuilder type(String name, int cpu, double price) {
        return instanceType(name)
                .cpu(Integer.toString(cpu))
                .memory(4 * cpu + "Gi")
                .pods(110)
                .withoutOverhead()
                .offering(ZONE_1, "on-demand", price);
    }

    /// Four pods of one core: two small nodes for 0.20, or one large for 0.25.
    private static ClusterBuilder shop() {
        return cluster()
                .packing(Packing.CHEAPEST)
                .selling(type("small", 2, 0.10), type("large", 4, 0.25))
                .with(pods(4, pod("web", "1")));
    }

    private static ClusterBuilder withFee(double perHour) {
        return shop().policy(policy -> policy.withNodeFee(perHour));
    }

    @Test
    void withoutAFeeTheLowestPriceIsCheapest() {
        assertThat(shop().plan()).schedulesAll().launches("small", "small");
    }

    @Test
    void aFeeMakesFewerNodesCheapest() {
        var plan = withFee(0.06).plan();

        assertThat(plan).schedulesAll().launches("large");
        assertThat(plan.pricePerHour()).isCloseTo(0.25, within(1e-9));
        assertThat(plan.nodeFeesPerHour()).isCloseTo(0.06, within(1e-9));
        assertThat(plan.spendPerHour()).isCloseTo(0.31, within(1e-9));
    }

    @Test
    void aSmallerFeeDoesNot() {
        assertThat(withFee(0.04).plan()).schedulesAll().launches("small", "small");
    }

    @Test
    void theBoundCountsFees() {
        var plan = withFee(0.06).plan();

        assertThat(plan.lowerBoundPerHour()).isCloseTo(0.31, within(1e-9));
        assertThat(plan.isOptimal()).isTrue();
    }

    @Test
    void firstFitIsMeasuredByTheSameBound() {
        var plan = withFee(0.06).packing(Packing.FIRST_FIT).plan();

        assertThat(plan.lowerBoundPerHour()).isCloseTo(0.31, within(1e-9));
        assertThat(plan.isOptimal()).isEqualTo(plan.claims().size() == 1);
    }

    @Test
    void whatAPoolSaysOutweighsTheSetting() {
        var dear = nodePool("dear").nodeFee(0.5);
        var free = nodePool("free").nodeFee(0);
        var plan = withFee(0.06).with(dear, free).plan();

        assertThat(plan).schedulesAll().launches("small", "small");
        assertThat(plan.claims()).allMatch(claim -> claim.nodePool().equals("free"));
        assertThat(plan.nodeFeesPerHour()).isZero();
    }

    @Test
    void aPoolThatSaysNothingHasTheFeeOfTheSetting() {
        var plan = withFee(0.06).with(nodePool("dear").nodeFee(0.5), nodePool("usual")).plan();

        assertThat(plan).schedulesAll().launches("large");
        assertThat(plan.claims())
                .singleElement()
                .matches(claim -> claim.nodePool().equals("usual"))
                .matches(claim -> claim.nodeFeePerHour() == 0.06);
    }
}
