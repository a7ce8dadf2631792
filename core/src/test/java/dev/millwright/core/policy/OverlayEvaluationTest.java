package dev.millwright.core.policy;

import static dev.millwright.core.label.LabelKeys.ARCH;
import static dev.millwright.core.label.LabelKeys.CAPACITY_TYPE;
import static dev.millwright.core.label.LabelKeys.HOSTNAME;
import static dev.millwright.core.label.LabelKeys.INSTANCE_TYPE;
import static dev.millwright.core.label.LabelKeys.NODE_POOL;
import static dev.millwright.core.label.LabelKeys.ZONE;
import static dev.millwright.testing.kit.FakeCatalogue.INTEGER;
import static dev.millwright.testing.kit.FakeCatalogue.VOCABULARY;
import static dev.millwright.testing.kit.FakeCatalogue.ZONE_1;
import static dev.millwright.testing.kit.FakeCatalogue.ZONE_2;
import static dev.millwright.testing.kit.Given.gt;
import static dev.millwright.testing.kit.Given.in;
import static dev.millwright.testing.kit.Given.instanceType;
import static dev.millwright.testing.kit.Given.nodePool;
import static dev.millwright.testing.kit.Given.notIn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.catalog.Offering;
import dev.millwright.core.label.Requirement;
import dev.millwright.core.policy.OverlayEvaluation.Contested;
import dev.millwright.core.policy.OverlayEvaluation.Outcome;
import dev.millwright.core.quantity.Quantity;
import dev.millwright.core.quantity.Resources;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;

/// Overlays laid on what pools can buy.
@Tag("K-overlay")
final class OverlayEvaluationTest {

    private static final String FUSE = "example.com/fuse";
    private static final String SLOT = "example.com/slot";

    /// Two machines: `a` with one cpu, `b` with two, each for 1 USD in two ways.
    private static final List<InstanceType> CATALOGUE =
            List.of(machine("a", "1"), machine("b", "2"));

    private static final NodePool ONE = nodePool("one").label("team", "red").nodePool();
    private static final NodePool TWO = nodePool("two").nodePool();

    private static InstanceType machine(String name, String cpu) {
        return instanceType(name)
                .cpu(cpu)
                .offering(ZONE_1, "spot", 1)
                .offering(ZONE_2, "on-demand", 1)
                .build();
    }

    // What is meant ----------------------------------------------------------------------------

    @Test
    void withoutOverlaysEverythingStaysTheSame() {
        var result = evaluate();

        assertThat(result.catalogs().get("one")).isEqualTo(CATALOGUE);
        assertThat(result.catalogs().get("one").getFirst()).isSameAs(CATALOGUE.getFirst());
        assertThat(result.outcomes()).isEmpty();
    }

    @Test
    void anOverlayWithoutRequirementsMeansEveryMachine() {
        var result = evaluate(price("all", 0, "5"));

        assertThat(prices(result, "one")).containsExactly(5.0, 5.0, 5.0, 5.0);
        assertThat(prices(result, "two")).containsExactly(5.0, 5.0, 5.0, 5.0);
        assertThat(result.outcomes().get("all")).isEqualTo(new Outcome.Applied(4));
    }

    @Test
    void anOverlayMeansMachinesByType() {
        var result = evaluate(price("type", 0, "5", in(INSTANCE_TYPE, "b")));

        assertThat(prices(result, "one")).containsExactly(1.0, 1.0, 5.0, 5.0);
    }

    @Test
    void anOverlayMeansOfferingsByCapacityType() {
        var result = evaluate(price("spot", 0, "5", in(CAPACITY_TYPE, "spot")));

        assertThat(prices(result, "one")).containsExactly(5.0, 1.0, 5.0, 1.0);
    }

    @Test
    void anOverlayMeansOfferingsByZone() {
        var result = evaluate(price("zone", 0, "5", in(ZONE, ZONE_2)));

        assertThat(prices(result, "one")).containsExactly(1.0, 5.0, 1.0, 5.0);
    }

    @Test
    void anOverlayMeansMachinesByAProvidersNumber() {
        var result = evaluate(price("cpus", 0, "5", gt(INTEGER, 1)));

        assertThat(prices(result, "one")).containsExactly(1.0, 1.0, 5.0, 5.0);
    }

    @Test
    void anOverlayMeansOnePool() {
        var result = evaluate(price("pool", 0, "5", in(NODE_POOL, "two")));

        assertThat(prices(result, "one")).containsOnly(1.0);
        assertThat(prices(result, "two")).containsOnly(5.0);
    }

    @Test
    void anOverlayMeansPoolsByTheirLabels() {
        var result = evaluate(price("label", 0, "5", in("team", "red")));

        assertThat(prices(result, "one")).containsOnly(5.0);
        assertThat(prices(result, "two")).containsOnly(1.0);
    }

    @Test
    void aLabelThatNobodyDefinesMeansNothing() {
        var result = evaluate(price("label", 0, "5", in("crew", "red")));

        assertThat(prices(result, "one")).containsOnly(1.0);
        assertThat(result.outcomes().get("label")).isEqualTo(new Outcome.Applied(0));
    }

    @Test
    void aMachineThatIsNotOfferedThisWayIsNotMeant() {
        var result =
                evaluate(
                        capacity(
                                "none",
                                0,
                                FUSE,
                                "1",
                                in(ZONE, ZONE_1),
                                in(CAPACITY_TYPE, "on-demand")));

        assertThat(result.catalogs().get("one")).isEqualTo(CATALOGUE);
    }

    @Test
    void requirementsOfMachinesAreNotChanged() {
        var result = evaluate(price("all", 0, "5"), capacity("size", 0, FUSE, "1"));

        assertThat(result.catalogs().get("one"))
                .extracting(InstanceType::requirements)
                .containsExactly(
                        CATALOGUE.getFirst().requirements(), CATALOGUE.getLast().requirements());
    }

    @Test
    void aPoolThatWasNotEvaluatedStaysUnknown() {
        var catalogs = new TreeMap<String, List<InstanceType>>();
        catalogs.put("one", CATALOGUE);

        var result =
                OverlayEvaluation.evaluate(
                        List.of(price("all", 0, "5")), List.of(ONE, TWO), catalogs, VOCABULARY);

        assertThat(result.catalogs()).containsOnlyKeys("one");
    }

    // What is laid -----------------------------------------------------------------------------

    @Test
    void anOverlaidPriceIsMarked() {
        var offerings =
                evaluate(price("spot", 0, "5", in(CAPACITY_TYPE, "spot")))
                        .catalogs()
                        .get("one")
                        .getFirst()
                        .offerings();

        assertThat(offerings).extracting(Offering::isPriceOverlaid).containsExactly(true, false);
    }

    @Test
    void anAdjustmentWorksOnTheProvidersPrice() {
        var result = evaluate(adjustment("dearer", 2, "+50%"), adjustment("cheaper", 1, "-0.5"));

        assertThat(prices(result, "one")).containsOnly(1.5);
    }

    @Test
    void capacityIsTheWholeMachinesThoughOneOfferingIsMeant() {
        var type =
                evaluate(capacity("size", 0, FUSE, "3", in(CAPACITY_TYPE, "spot")))
                        .catalogs()
                        .get("one")
                        .getFirst();

        assertThat(type.capacity().amount(FUSE)).isEqualTo(Quantity.ofUnits(3));
        assertThat(type.allocatable().amount(FUSE)).isEqualTo(Quantity.ofUnits(3));
        assertThat(type.isCapacityOverlaid()).isTrue();
        assertThat(type.offerings()).isEqualTo(CATALOGUE.getFirst().offerings());
    }

    @Test
    void pricesAndCapacityOfSeveralOverlaysMeetOnOneMachine() {
        var type =
                evaluate(
                                price("price", 0, "5"),
                                capacity("fuse", 0, FUSE, "1"),
                                capacity("slot", 0, SLOT, "2"))
                        .catalogs()
                        .get("one")
                        .getFirst();

        assertThat(type.offerings().getFirst().pricePerHour()).isEqualTo(5);
        assertThat(type.capacity().amount(FUSE)).isEqualTo(Quantity.ofUnits(1));
        assertThat(type.capacity().amount(SLOT)).isEqualTo(Quantity.ofUnits(2));
    }

    @Test
    void overridesOfSingleOfferingsSurvive() {
        var override = new Offering.Overrides(Resources.parse("example.com/gpu", "1"), null);
        var offering = Offering.of(ZONE_1, "spot", 1);
        var type =
                instanceType("a")
                        .offering(
                                new Offering(offering.requirements(), 1, true, 0, override, false))
                        .build();
        var catalogs = new TreeMap<String, List<InstanceType>>();
        catalogs.put("one", List.of(type));

        var result =
                OverlayEvaluation.evaluate(
                        List.of(price("all", 0, "5")), List.of(ONE), catalogs, VOCABULARY);

        assertThat(result.catalogs().get("one").getFirst().offerings().getFirst().overrides())
                .isEqualTo(override);
    }

    // Who wins ---------------------------------------------------------------------------------

    @Tag("L150")
    @Tag("L151")
    @Test
    void heavierOverlaysGoFirstAndOfEqualOnesTheLaterName() {
        assertThat(
                        List.of(price("a", 1, "1"), price("c", 1, "1"), price("b", 2, "1")).stream()
                                .sorted(NodeOverlay.ORDER)
                                .map(NodeOverlay::name))
                .containsExactly("b", "c", "a");
    }

    @Test
    void theHeavierPriceWins() {
        var result = evaluate(price("light", 1, "3"), price("heavy", 2, "5"));

        assertThat(prices(result, "one")).containsOnly(5.0);
        assertThat(result.outcomes().values()).containsOnly(new Outcome.Applied(4));
    }

    @Test
    void theLighterPriceHoldsWhereTheHeavierSaysNothing() {
        var result =
                evaluate(price("light", 1, "3"), price("heavy", 2, "5", in(INSTANCE_TYPE, "a")));

        assertThat(prices(result, "one")).containsExactly(5.0, 5.0, 3.0, 3.0);
    }

    @Test
    void theHeavierCapacityWins() {
        var result = evaluate(capacity("light", 1, FUSE, "3"), capacity("heavy", 2, FUSE, "5"));

        assertThat(result.catalogs().get("one").getFirst().capacity().amount(FUSE))
                .isEqualTo(Quantity.ofUnits(5));
    }

    @Test
    void pricesOfEqualWeightConflictAndTheLaterNameStays() {
        var result = evaluate(price("a", 1, "3"), price("b", 1, "5"));

        assertThat(prices(result, "one")).containsOnly(5.0);
        assertThat(result.outcomes().get("b")).isEqualTo(new Outcome.Applied(4));
        assertThat(result.outcomes().get("a"))
                .isEqualTo(
                        new Outcome.Conflict("b", new Contested.Price("one", "a", ZONE_1, "spot")));
        assertThat(result.outcomes().get("a").explain())
                .isEqualTo(
                        "NodeOverlay b of the same weight already sets the price of a (test-zone-1,"
                                + " spot) in NodePool one; give one of them another weight");
    }

    @Test
    void equalPricesConflictToo() {
        var result = evaluate(price("a", 1, "3"), price("b", 1, "3"));

        assertThat(result.outcomes().get("a")).isInstanceOf(Outcome.Conflict.class);
    }

    @Test
    void equalCapacitiesConflictToo() {
        var result = evaluate(capacity("a", 1, FUSE, "3"), capacity("b", 1, FUSE, "3"));

        assertThat(result.outcomes().get("a"))
                .isEqualTo(new Outcome.Conflict("b", new Contested.Capacity("one", "a", FUSE)));
        assertThat(result.outcomes().get("b")).isEqualTo(new Outcome.Applied(4));
    }

    @Test
    void overlaysThatExcludeEachOtherDoNotConflict() {
        var result =
                evaluate(
                        price("a", 1, "3", in(INSTANCE_TYPE, "a")),
                        price("b", 1, "5", notIn(INSTANCE_TYPE, "a")));

        assertThat(prices(result, "one")).containsExactly(3.0, 3.0, 5.0, 5.0);
    }

    @Test
    void overlaysOfOneMachinesDifferentOfferingsDoNotConflict() {
        var result =
                evaluate(
                        price("a", 1, "3", in(ZONE, ZONE_1)), price("b", 1, "5", in(ZONE, ZONE_2)));

        assertThat(prices(result, "one")).containsExactly(3.0, 5.0, 3.0, 5.0);
    }

    @Test
    void aPriceAndACapacityDoNotConflict() {
        var result = evaluate(price("a", 1, "3"), capacity("b", 1, FUSE, "1"));

        assertThat(result.outcomes().values()).containsOnly(new Outcome.Applied(4));
    }

    @Test
    void lightOverlaysConflictBelowAHeavierOne() {
        var result = evaluate(price("a", 1, "3"), price("b", 1, "4"), price("heavy", 9, "5"));

        assertThat(prices(result, "one")).containsOnly(5.0);
        assertThat(result.outcomes().get("b")).isEqualTo(new Outcome.Applied(4));
        assertThat(result.outcomes().get("a")).isInstanceOf(Outcome.Conflict.class);
    }

    @Test
    void aConflictOnOneTypeKeepsTheOverlayFromAll() {
        var result = evaluate(price("a", 1, "3"), price("b", 1, "5", in(INSTANCE_TYPE, "b")));

        assertThat(prices(result, "one")).containsExactly(1.0, 1.0, 5.0, 5.0);
    }

    @Test
    void aConflictInOnePoolKeepsTheOverlayFromAll() {
        var result = evaluate(price("a", 1, "3"), price("b", 1, "5", in(NODE_POOL, "two")));

        assertThat(prices(result, "one")).containsOnly(1.0);
        assertThat(prices(result, "two")).containsOnly(5.0);
    }

    @Test
    void aConflictOverCapacityKeepsThePriceOfTheOverlayToo() {
        var both =
                new NodeOverlay(
                        "a", 1, List.of(), "3", null, Resources.parse(FUSE, "1", SLOT, "1"));
        var result = evaluate(both, capacity("b", 1, FUSE, "1", in(INSTANCE_TYPE, "b")));

        assertThat(prices(result, "one")).containsOnly(1.0);
        assertThat(result.catalogs().get("one").getFirst().capacity().has(SLOT)).isFalse();
    }

    @Test
    void aRejectedOverlayTouchesNothingAndSoConflictsWithNobody() {
        var result =
                evaluate(
                        price("c", 1, "5", in(INSTANCE_TYPE, "a")),
                        price("b", 1, "4"),
                        price("a", 1, "3", in(INSTANCE_TYPE, "b")));

        assertThat(result.outcomes().get("b")).isInstanceOf(Outcome.Conflict.class);
        assertThat(result.outcomes().get("a")).isEqualTo(new Outcome.Applied(2));
        assertThat(prices(result, "one")).containsExactly(5.0, 5.0, 3.0, 3.0);
    }

    @Test
    void theResultDoesNotDependOnTheOrderOfTheInput() {
        var one = evaluate(price("a", 1, "3"), price("b", 1, "4"), price("c", 2, "5"));
        var other = evaluate(price("c", 2, "5"), price("b", 1, "4"), price("a", 1, "3"));

        assertThat(one).isEqualTo(other);
    }

    // What is wrong ----------------------------------------------------------------------------

    @Test
    void aRestrictedLabelForbidsTheOverlay() {
        var result = evaluate(price("bad", 1, "3", in(HOSTNAME, "n")), price("good", 1, "5"));

        assertThat(result.outcomes().get("bad")).isInstanceOf(Outcome.Invalid.class);
        assertThat(prices(result, "one")).containsOnly(5.0);
    }

    @Test
    void aMalformedLabelForbidsTheOverlay() {
        assertThat(evaluate(price("bad", 1, "3", in(ARCH, "no good"))).outcomes().get("bad"))
                .isEqualTo(
                        new Outcome.Invalid(
                                List.of(
                                        "requirements: label \"kubernetes.io/arch\": value \"no"
                                                + " good\" is not a valid label value")));
    }

    @Test
    void resourcesOfTheProviderForbidTheOverlay() {
        assertThat(capacity("bad", 1, "memory", "1Gi").problems(VOCABULARY))
                .containsExactly(
                        "capacity: memory is the provider's to tell; only extended resources can be"
                                + " added");
    }

    @Test
    void allFaultsAreToldAtOnce() {
        var overlay =
                new NodeOverlay(
                        "bad",
                        10_001,
                        List.of(in(HOSTNAME, "n")),
                        "-3",
                        "+1",
                        Resources.parse("cpu", "1", "pods", "1"));

        assertThat(overlay.problems(VOCABULARY)).hasSize(6);
    }

    private static OverlayEvaluation evaluate(NodeOverlay... overlays) {
        var catalogs = new TreeMap<String, List<InstanceType>>();
        catalogs.put("one", CATALOGUE);
        catalogs.put("two", CATALOGUE);
        return OverlayEvaluation.evaluate(
                Arrays.asList(overlays), List.of(ONE, TWO), catalogs, VOCABULARY);
    }

    private static List<Double> prices(OverlayEvaluation result, String pool) {
        return result.catalogs().get(pool).stream()
                .flatMap(type -> type.offerings().stream())
                .map(Offering::pricePerHour)
                .toList();
    }

    private static NodeOverlay price(
            String name, int weight, String price, Requirement... requirements) {
        return new NodeOverlay(name, weight, List.of(requirements), price, null, Resources.NONE);
    }

    private static NodeOverlay adjustment(String name, int weight, String adjustment) {
        return new NodeOverlay(name, weight, List.of(), null, adjustment, Resources.NONE);
    }

    private static NodeOverlay capacity(
            String name,
            int weight,
            String resource,
            String quantity,
            Requirement... requirements) {
        return new NodeOverlay(
                name,
                weight,
                List.of(requirements),
                null,
                null,
                Resources.parse(resource, quantity));
    }
}
