package dev.millwright.spi;

import static dev.millwright.testing.kit.Given.instanceType;
import static dev.millwright.testing.kit.Given.nodePool;
import static dev.millwright.testing.kit.cloud.MachineClaimBuilder.machineClaim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.catalog.Offering;
import dev.millwright.core.catalog.Offering.Overrides;
import dev.millwright.core.policy.NodeOverlay;
import dev.millwright.core.policy.OverlayEvaluation;
import dev.millwright.core.policy.PriceChange;
import dev.millwright.core.quantity.Quantity;
import dev.millwright.core.quantity.Resources;
import dev.millwright.spi.CloudCall.Outcome;
import dev.millwright.testing.kit.FakeCatalogue;
import dev.millwright.testing.kit.FakeClock;
import dev.millwright.testing.kit.cloud.FakeCloud;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.math.BigDecimal;
import java.util.List;
import java.util.TreeMap;

/// What a cloud says and sells: answers through decorators, room for pods, overlaid prices and the
/// labels of errors.
final class CloudTypesTest {

    private final FakeCloud cloud = new FakeCloud(new FakeClock());
    private final CloudProvider decorated =
            new MeteredCloud(
                    new OverlaidCloud(cloud, new OverlayStore()), () -> 0, (_, _, _) -> {});

    @Test
    @Tag("M200")
    void thatAMachineIsGoneIsRecognisedThroughDecorators() {
        assertThat(decorated.find("nobody")).isInstanceOf(FindAnswer.Gone.class);
        assertThat(decorated.terminate(machineClaim("a").providerId("nobody").build()))
                .isInstanceOf(TerminateAnswer.Gone.class);
    }

    @Test
    @Tag("M201")
    void insufficientCapacityIsRecognisedThroughDecorators() {
        var answer = new LaunchAnswer.InsufficientCapacity("none left");
        cloud.nextLaunch(answer);

        assertThat(decorated.launch(machineClaim("a").build())).isEqualTo(answer);
    }

    @Test
    @Tag("M202")
    void aClassThatIsNotReadyIsRecognisedThroughDecorators() {
        var answer = new LaunchAnswer.NodeClassNotReady("not yet");
        cloud.nextLaunch(answer);

        assertThat(decorated.launch(machineClaim("a").build())).isEqualTo(answer);
    }

    @Test
    @Tag("M203")
    void aRefusedLaunchKeepsItsReasonThroughDecorators() {
        var answer = new LaunchAnswer.Refused("NoSubnet", "there is no subnet");
        cloud.nextLaunch(answer);

        assertThat(decorated.launch(machineClaim("a").build())).isEqualTo(answer);
    }

    @Test
    @Tag("M204")
    void hugePagesComeOutOfMemory() {
        var type = instanceType("huge").memory("6Gi").resource("hugepages-2Mi", "2Gi").build();

        assertThat(type.allocatable().amount(Resources.MEMORY)).isEqualTo(Quantity.parse("4086Mi"));
        assertThat(type.allocatable().amount("hugepages-2Mi")).isEqualTo(Quantity.parse("2Gi"));
    }

    @Test
    @Tag("M205")
    void hugePagesMayTakeAllMemory() {
        var type = instanceType("huge").memory("4Gi").resource("hugepages-1Gi", "4Gi").build();

        assertThat(type.allocatable().amount(Resources.MEMORY)).isEqualTo(Quantity.ZERO);
    }

    @Test
    @Tag("M206")
    void offeringsWithoutOverridesLeaveOneRoom() {
        var type = instanceType("plain").build();

        assertThat(type.allocatableGroups())
                .containsExactly(
                        new InstanceType.AllocatableGroup(type.allocatable(), type.offerings()));
    }

    @Test
    @Tag("M207")
    void offeringsWithOverridesLeaveRoomsOfTheirOwn() {
        var plain = Offering.of(FakeCatalogue.ZONE_1, "spot", 1);
        var larger = overridden(Offering.of(FakeCatalogue.ZONE_2, "spot", 1), "8Gi");
        var alike = overridden(Offering.of(FakeCatalogue.ZONE_3, "spot", 1), "8Gi");
        var type = instanceType("mixed").offering(plain).offering(larger).offering(alike).build();

        var groups = type.allocatableGroups();

        assertThat(groups).hasSize(2);
        assertThat(groups.get(0).offerings()).containsExactly(plain);
        assertThat(groups.get(0).allocatable().amount(Resources.MEMORY))
                .isEqualTo(Quantity.parse("4086Mi"));
        assertThat(groups.get(1).offerings()).containsExactly(larger, alike);
        assertThat(groups.get(1).allocatable().amount(Resources.MEMORY))
                .isEqualTo(Quantity.parse("8182Mi"));
    }

    private static Offering overridden(Offering offering, String memory) {
        return new Offering(
                offering.requirements(),
                offering.pricePerHour(),
                true,
                0,
                new Overrides(Resources.parse(Resources.MEMORY, memory), null),
                false);
    }

    @ParameterizedTest
    @CsvSource({"-10%, 10, 9", "-50%, 10, 5", "-25%, 1.5, 1.125"})
    @Tag("M208")
    void aPriceFallsByAPercentage(String text, double before, double after) {
        assertThat(PriceChange.parseAdjustment(text).apply(before)).isEqualTo(after);
    }

    @ParameterizedTest
    @CsvSource({"+10%, 10, 11", "+100%, 10, 20"})
    @Tag("M209")
    void aPriceRisesByAPercentage(String text, double before, double after) {
        assertThat(PriceChange.parseAdjustment(text).apply(before)).isEqualTo(after);
    }

    @Test
    @Tag("M210")
    void noPercentageMakesAPriceNegative() {
        assertThat(PriceChange.parseAdjustment("-100%").apply(10)).isZero();
        assertThat(new PriceChange.Scaled(new BigDecimal("-200")).apply(10)).isZero();
    }

    @ParameterizedTest
    @CsvSource({"+0, 10, 10", "+5, 10, 15", "+0.75, 1.25, 2", "+100, 0.001, 100.001"})
    @Tag("M211")
    void aNumberIsAdded(String text, double before, double after) {
        assertThat(PriceChange.parseAdjustment(text).apply(before)).isEqualTo(after);
    }

    @ParameterizedTest
    @CsvSource({"-2.5, 10, 7.5", "-10, 10, 0"})
    @Tag("M212")
    void aNumberIsTaken(String text, double before, double after) {
        assertThat(PriceChange.parseAdjustment(text).apply(before)).isEqualTo(after);
    }

    @Test
    @Tag("M213")
    void noNumberMakesAPriceNegative() {
        assertThat(PriceChange.parseAdjustment("-15").apply(10)).isZero();
    }

    @Test
    @Tag("M214")
    void fractionsAreExact() {
        assertThat(PriceChange.parseAdjustment("+0.0001").apply(0.0001)).isEqualTo(0.0002);
    }

    @Test
    @Tag("M215")
    void aPriceIsReplaced() {
        assertThat(PriceChange.parsePrice("20.0").apply(82)).isEqualTo(20);
    }

    @Test
    @Tag("M216")
    void anOverlayWithoutPriceLeavesIt() {
        var type = instanceType("plain").build();
        var catalogs = new TreeMap<String, List<InstanceType>>();
        catalogs.put("default", List.of(type));
        var overlay =
                new NodeOverlay(
                        "more", 0, List.of(), null, null, Resources.parse("example.com/d", "1"));

        var evaluation =
                OverlayEvaluation.evaluate(
                        List.of(overlay),
                        List.of(nodePool("default").nodePool()),
                        catalogs,
                        FakeCatalogue.VOCABULARY);

        assertThat(evaluation.catalogs().sequencedValues().getFirst())
                .first()
                .extracting(InstanceType::offerings)
                .isEqualTo(type.offerings());
    }

    @Test
    @Tag("M217")
    void aMachineThatIsGoneHasItsErrorLabel() {
        assertThat(Outcome.of(new TerminateAnswer.Gone()).error())
                .isEqualTo("NodeClaimNotFoundError");
        assertThat(Outcome.of(new FindAnswer.Gone()).error()).isEqualTo("NodeClaimNotFoundError");
        assertThat(Outcome.of(new DriftAnswer.Gone()).error()).isEqualTo("NodeClaimNotFoundError");
    }

    @Test
    @Tag("M218")
    void insufficientCapacityHasItsErrorLabel() {
        assertThat(Outcome.of(new LaunchAnswer.InsufficientCapacity("")).error())
                .isEqualTo("InsufficientCapacityError");
    }

    @Test
    @Tag("M219")
    void aClassThatIsNotReadyHasItsErrorLabel() {
        assertThat(Outcome.of(new LaunchAnswer.NodeClassNotReady("")).error())
                .isEqualTo("NodeClassNotReadyError");
    }

    @Test
    @Tag("M220")
    void anyOtherErrorHasAnEmptyLabel() {
        assertThat(
                        List.of(
                                Outcome.of(new LaunchAnswer.Failed("")),
                                Outcome.of(new LaunchAnswer.Refused("", "")),
                                Outcome.of(new TerminateAnswer.Failed("")),
                                Outcome.of(new FindAnswer.Failed("")),
                                Outcome.of(new ListAnswer.Failed("")),
                                Outcome.of(new DriftAnswer.Failed("")),
                                Outcome.of(new CatalogAnswer.Failed("")),
                                Outcome.of(new CatalogAnswer.Unevaluated())))
                .allMatch(Outcome::isError)
                .allMatch(outcome -> outcome.error().isEmpty());
    }
}
