package dev.millwright.core.scheduling;

import static dev.millwright.testing.kit.FakeCatalogue.ZONE_1;
import static dev.millwright.testing.kit.FakeCatalogue.ZONE_2;
import static dev.millwright.testing.kit.Given.cluster;
import static dev.millwright.testing.kit.Given.instanceType;
import static dev.millwright.testing.kit.Given.nodePool;
import static dev.millwright.testing.kit.Given.pod;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.catalog.Offering;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.scheduling.PlannedClaim.TypeOption;
import dev.millwright.testing.kit.FakeCatalogue;
import dev.millwright.testing.kit.InstanceTypeBuilder;
import dev.millwright.testing.kit.NodePoolBuilder;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/// What a planned claim may be launched as, narrowed.
final class LaunchChoiceTest {

    private static InstanceTypeBuilder type(String name) {
        return instanceType(name).cpu("8").memory("16Gi").pods(20).withoutOverhead();
    }

    private static final InstanceType A =
            type("a")
                    .offering(ZONE_1, "spot", 0.2)
                    .offering(ZONE_2, "spot", 0.5)
                    .offering(ZONE_1, "on-demand", 0.9)
                    .build();
    private static final InstanceType B = type("b").offering(ZONE_1, "on-demand", 0.4).build();
    private static final InstanceType C =
            type("c").offering(ZONE_1, "on-demand", 0.6).offering(ZONE_2, "on-demand", 0.8).build();

    private static LaunchChoice choice(NodePoolBuilder pool) {
        var plan = cluster().selling(List.of(A, B, C)).with(pool, pod("web", "1")).plan();
        return LaunchChoice.of(
                plan.claims().getFirst(),
                List.of(A, B, C).stream()
                        .collect(Collectors.toMap(InstanceType::name, Function.identity())),
                FakeCatalogue.VOCABULARY);
    }

    private static LaunchChoice choice() {
        return choice(nodePool("default"));
    }

    private static List<String> names(LaunchChoice choice) {
        assertThat(choice.claim().types())
                .extracting(TypeOption::name)
                .containsExactlyElementsOf(
                        choice.types().stream().map(InstanceType::name).toList());
        return choice.types().stream().map(InstanceType::name).toList();
    }

    @Test
    void allTypesOfTheClaimAreOpenTheCheapestFirst() {
        assertThat(names(choice())).containsExactly("a", "b", "c");
        assertThat(choice().isEmpty()).isFalse();
    }

    @Test
    void aTypeThatTheCatalogueForgotIsNotOpen() {
        var known = LaunchChoice.of(choice().claim(), Map.of("b", B), FakeCatalogue.VOCABULARY);

        assertThat(known.types()).containsExactly(B);
    }

    @ParameterizedTest
    @CsvSource({"0.2, ''", "0.21, a", "0.4, a", "0.41, a b", "0.61, a b c"})
    void aClaimIsNarrowedToTypesThatCostLessAtBest(double price, String names) {
        assertThat(
                        LaunchChoice.cheaperThan(choice().claim(), price).types().stream()
                                .map(TypeOption::name)
                                .collect(Collectors.joining(" ")))
                .isEqualTo(names);
    }

    @Test
    void theWorstPriceIsTheDearestOfTheCapacityTypeThatIsGoneForFirst() {
        assertThat(choice().worstPrice(A)).isEqualTo(0.5);
        assertThat(choice().worstPrice(B)).isEqualTo(0.4);
        assertThat(choice().worstPrice(C)).isEqualTo(0.8);
        assertThat(choice().as("spot").worstPrice(B)).isInfinite();
        assertThat(choice().as("on-demand").worstPrice(A)).isEqualTo(0.9);
    }

    @Test
    void theLeastWorstPriceIsThatOfSomeType() {
        assertThat(choice().leastWorstSpend()).isEqualTo(0.4);
        assertThat(choice().kept(type -> type.equals(C)).leastWorstSpend()).isEqualTo(0.8);
        assertThat(choice().kept(_ -> false).leastWorstSpend()).isInfinite();
    }

    @ParameterizedTest
    @CsvSource({"0.4, ''", "0.45, b", "0.5, b", "0.51, a b", "0.8, a b", "0.81, a b c"})
    void aTypeIsBelowAPriceWhateverOfferingItGets(double price, String names) {
        assertThat(String.join(" ", names(choice().below(price)))).isEqualTo(names);
    }

    @Test
    void spotAloneLeavesTypesThatCanBeHadSo() {
        var spot = choice().asSpot();

        assertThat(names(spot)).containsExactly("a");
        assertThat(spot.mayBe("spot")).isTrue();
        assertThat(spot.mayBe("on-demand")).isFalse();
        assertThat(choice().mayBe("on-demand")).isTrue();
    }

    @Test
    void onDemandAloneIsPricedAsThat() {
        var onDemand = choice().as("on-demand");

        assertThat(names(onDemand)).containsExactly("b", "c", "a");
        assertThat(onDemand.claim().types().getLast().pricePerHour()).isCloseTo(0.9, within(1e-9));
        assertThat(onDemand.claim().types().getLast().capacityType()).isEqualTo("on-demand");
    }

    @Test
    void noMoreTypesRemainThanAskedForTheCheapestOnes() {
        assertThat(names(choice().limited(2))).containsExactly("a", "b");
        assertThat(choice().limited(3)).isEqualTo(choice());
        assertThat(choice().limited(9)).isEqualTo(choice());
    }

    @Test
    void theSameChoiceMayBeForThePodsOfAnotherClaim() {
        var other =
                cluster()
                        .selling(List.of(A, B, C))
                        .with(pod("api", "2"))
                        .plan()
                        .claims()
                        .getFirst();

        var forOther = choice().limited(1).forPodsOf(other);

        assertThat(forOther.claim().pods()).containsExactly(new ObjectName("default", "api"));
        assertThat(forOther.claim().requests()).isEqualTo(other.requests());
        assertThat(names(forOther)).containsExactly("a");
    }

    @Test
    void minValuesAreMetByEnoughTypes() {
        var two = choice(nodePool("default").minValues(LabelKeys.INSTANCE_TYPE, 2));

        assertThat(two.unmetMinValues()).isNull();
        assertThat(two.limited(1).unmetMinValues()).contains(LabelKeys.INSTANCE_TYPE);
        assertThat(two.typesForMinValues()).isEqualTo(2);
        assertThat(choice().typesForMinValues()).isEqualTo(1);
        assertThat(
                        choice(nodePool("default").minValues(LabelKeys.INSTANCE_TYPE, 3))
                                .typesForMinValues())
                .isEqualTo(3);
    }

    @Test
    void aReservationThatTheClaimDoesNotHoldIsNotOpen() {
        var reserved =
                type("r")
                        .offering(ZONE_1, "on-demand", 0.7)
                        .reserved(ZONE_1, "r-1", 1, 0.01)
                        .build();

        assertThat(choice().worstPrice(reserved)).isEqualTo(0.7);
    }

    @Test
    void anOfferingThatIsNotAvailableIsNotOpen() {
        var gone =
                type("g")
                        .offering(Offering.of(ZONE_2, "spot", 0.1).unavailable())
                        .offering(ZONE_1, "spot", 0.05)
                        .build();

        assertThat(choice().worstPrice(gone)).isEqualTo(0.05);
    }
}
