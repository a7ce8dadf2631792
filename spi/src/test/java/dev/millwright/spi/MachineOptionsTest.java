package dev.millwright.spi;

import static dev.millwright.testing.kit.Given.instanceType;
import static dev.millwright.testing.kit.cloud.MachineClaimBuilder.machineClaim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.catalog.Offering;
import dev.millwright.core.catalog.Offering.Overrides;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.label.Operator;
import dev.millwright.core.quantity.Resources;
import dev.millwright.testing.kit.FakeCatalogue;
import dev.millwright.testing.kit.cloud.MachineClaimBuilder;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.stream.IntStream;

final class MachineOptionsTest {

    private static final List<InstanceType> TYPES =
            List.of(
                    instanceType("dear").offering("z1", "on-demand", 3).build(),
                    instanceType("cheap")
                            .offering("z2", "spot", 1)
                            .offering("z1", "spot", 1)
                            .offering("z1", "on-demand", 2)
                            .build());

    @Test
    void theyComeCheapestFirstAndTiesByName() {
        assertThat(options(machineClaim("a"), TYPES))
                .extracting(MachineOptionsTest::text)
                .containsExactly(
                        "cheap z1 spot",
                        "cheap z2 spot",
                        "cheap z1 on-demand",
                        "dear z1 on-demand");
    }

    @Test
    void everyKindOfRequirementNarrowsThem() {
        var claim =
                machineClaim("a")
                        .requirement(LabelKeys.INSTANCE_TYPE, Operator.NOT_IN, "dear")
                        .requirement("failure-domain.beta.kubernetes.io/zone", Operator.IN, "z1")
                        .requirement(LabelKeys.CAPACITY_TYPE, Operator.EXISTS)
                        .requirement(FakeCatalogue.INTEGER, Operator.GTE, "4")
                        .requirement(FakeCatalogue.INTEGER, Operator.LT, "5")
                        .requirement(FakeCatalogue.SPECIAL, Operator.DOES_NOT_EXIST);

        assertThat(options(claim, TYPES))
                .extracting(MachineOptionsTest::text)
                .containsExactly("cheap z1 spot", "cheap z1 on-demand");
    }

    @Test
    void aLabelTheTypeMustNotHaveExcludesWhoeverDemandsIt() {
        var claim = machineClaim("a").requirement(FakeCatalogue.SPECIAL, Operator.EXISTS);

        assertThat(options(claim, TYPES)).isEmpty();
    }

    @Test
    void oneKnownTypeAmongUnknownOnesIsEnough() {
        assertThat(options(machineClaim("a").types("cheap", "unheard-of"), TYPES)).hasSize(3);
    }

    @Test
    void unknownTypesAreNamedUpToFive() {
        var names = IntStream.range(0, 8).mapToObj(number -> "type-" + number);
        var claim = machineClaim("a").types(names.toArray(String[]::new)).build();

        var options = MachineOptions.of(claim, TYPES, FakeCatalogue.VOCABULARY);

        assertThat(options)
                .isInstanceOfSatisfying(
                        MachineOptions.UnknownTypes.class,
                        unknown ->
                                assertThat(unknown.explain(claim))
                                        .contains("NodeClaim a", "type-4", "or 3 others")
                                        .doesNotContain("type-5"));
    }

    @Test
    void anOfferingWithMoreRoomMayFitWhereOthersDoNot() {
        var roomy =
                new Offering(
                        Offering.of("z3", "spot", 9).requirements(),
                        9,
                        true,
                        0,
                        new Overrides(Resources.parse("memory", "64Gi"), null),
                        false);
        var type = instanceType("mixed").offering("z1", "spot", 1).offering(roomy).build();

        var options = options(machineClaim("a").request("memory", "32Gi"), List.of(type));

        assertThat(options).extracting(MachineOptionsTest::text).containsExactly("mixed z3 spot");
        assertThat(options.getFirst().capacity())
                .isEqualTo(Resources.parse("cpu", "4", "memory", "64Gi", "pods", "5"));
    }

    @Test
    void fullReservationsAndUnavailableOfferingsAreKnownButNotLaunchable() {
        var type =
                instanceType("reserved")
                        .reserved("z1", "full", 0, 0.1)
                        .reserved("z1", "free", 2, 0.2)
                        .offering(Offering.of("z1", "on-demand", 3).unavailable())
                        .build();

        var options =
                MachineOptions.of(
                        machineClaim("a").build(), List.of(type), FakeCatalogue.VOCABULARY);

        assertThat(options)
                .isInstanceOfSatisfying(
                        MachineOptions.Known.class,
                        known ->
                                assertThat(known.launchable())
                                        .singleElement()
                                        .matches(
                                                option -> option.offering().pricePerHour() == 0.2));
    }

    @Test
    void aLabelThatIsOpenGetsOneValueThatTheClaimAllows() {
        var anything = machineClaim("a");
        var windows =
                machineClaim("a").requirement(LabelKeys.OS, Operator.NOT_IN, "linux", "darwin");
        var open = machineClaim("a").requirement("example.com/shard", Operator.GT, "6");

        assertThat(labelOf(anything, LabelKeys.OS)).isEqualTo("linux");
        assertThat(labelOf(windows, LabelKeys.OS)).isEqualTo("windows");
        assertThat(labelOf(open, "example.com/shard")).isEqualTo("7");
    }

    private static String labelOf(MachineClaimBuilder claim, String key) {
        return options(claim, TYPES)
                .getFirst()
                .labels(claim.build(), FakeCatalogue.VOCABULARY)
                .getOrDefault(key, "");
    }

    private static List<MachineOption> options(
            MachineClaimBuilder claim, List<InstanceType> types) {
        if (MachineOptions.of(claim.build(), types, FakeCatalogue.VOCABULARY)
                instanceof MachineOptions.Known(var options)) {
            return options;
        }
        throw new AssertionError("the types are unknown");
    }

    private static String text(MachineOption option) {
        return "%s %s %s"
                .formatted(
                        option.type().name(),
                        option.offering().zone(),
                        option.offering().capacityType());
    }
}
