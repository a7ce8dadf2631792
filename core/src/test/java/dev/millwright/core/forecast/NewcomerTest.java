package dev.millwright.core.forecast;

import static dev.millwright.core.disruption.FleetBuilder.type;
import static dev.millwright.testing.kit.FakeCatalogue.ZONE_1;
import static dev.millwright.testing.kit.FakeCatalogue.ZONE_2;
import static dev.millwright.testing.kit.Given.NOON;
import static dev.millwright.testing.kit.Given.cluster;
import static dev.millwright.testing.kit.Given.in;
import static dev.millwright.testing.kit.Given.nodePool;
import static dev.millwright.testing.kit.Given.notIn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.catalog.Offering;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.label.LabelVocabulary;
import dev.millwright.core.label.Requirements;
import dev.millwright.core.policy.NodePool;
import dev.millwright.core.quantity.Resources;
import dev.millwright.core.scheduling.PlannedClaim;
import dev.millwright.core.scheduling.PlannedClaim.TypeOption;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;

final class NewcomerTest {

    private static final NodePool POOL = nodePool("default").nodePool();
    private static final LabelVocabulary VOCABULARY = cluster().problem().policy().vocabulary();

    private static PlannedClaim claim(Requirements wanted, String... types) {
        var options =
                Arrays.stream(types)
                        .map(name -> new TypeOption(name, ZONE_1, "on-demand", 1, Resources.NONE))
                        .toList();
        return new PlannedClaim(
                "default", wanted, options, List.of(), Resources.NONE, List.of(), false);
    }

    private static @Nullable Newcomer bought(PlannedClaim claim, InstanceType... catalog) {
        return Newcomer.of(POOL, claim, List.of(catalog), VOCABULARY);
    }

    private static @Nullable Newcomer filling(Requirements wanted, InstanceType... catalog) {
        return Newcomer.of(POOL, wanted, List.of(catalog), VOCABULARY);
    }

    private static String what(@Nullable Newcomer newcomer) {
        var purchase = Objects.requireNonNull(newcomer).purchase("new");
        return String.join(" ", purchase.instanceType(), purchase.zone(), purchase.capacityType());
    }

    private static InstanceType offered(
            String name, String zone, String capacityType, double price) {
        return type(name, 4).offering(zone, capacityType, price).build();
    }

    @Test
    void theCheapestOfThePlannedTypesIsBought() {
        var catalog =
                new InstanceType[] {
                    offered("a", ZONE_1, "on-demand", 3),
                    offered("b", ZONE_1, "on-demand", 2),
                    offered("c", ZONE_1, "on-demand", 1)
                };

        assertThat(what(bought(claim(Requirements.NONE, "a", "b"), catalog)))
                .isEqualTo("b test-zone-1 on-demand");
    }

    @Test
    void ofEqualPricesTheFirstNameThenZoneThenCapacityTypeIsBought() {
        var twoNames =
                new InstanceType[] {
                    offered("b", ZONE_1, "on-demand", 1), offered("a", ZONE_2, "spot", 1)
                };
        var twoZones =
                type("a", 4).offering(ZONE_2, "on-demand", 1).offering(ZONE_1, "spot", 1).build();
        var twoKinds =
                type("a", 4).offering(ZONE_1, "spot", 1).offering(ZONE_1, "on-demand", 1).build();

        assertThat(what(bought(claim(Requirements.NONE, "a", "b"), twoNames)))
                .isEqualTo("a test-zone-2 spot");
        assertThat(what(bought(claim(Requirements.NONE, "a"), twoZones)))
                .isEqualTo("a test-zone-1 spot");
        assertThat(what(bought(claim(Requirements.NONE, "a"), twoKinds)))
                .isEqualTo("a test-zone-1 on-demand");
    }

    @Test
    void whatIsSoldOutIsNotBought() {
        var type =
                type("a", 4)
                        .offering(Offering.of(ZONE_1, "on-demand", 1).unavailable())
                        .offering(ZONE_2, "on-demand", 2)
                        .build();

        assertThat(what(bought(claim(Requirements.NONE, "a"), type)))
                .isEqualTo("a test-zone-2 on-demand");
        assertThat(what(filling(Requirements.NONE, type))).isEqualTo("a test-zone-2 on-demand");
    }

    @Test
    void aReservationIsTakenOnlyByAClaimForIt() {
        var type =
                type("a", 4)
                        .reserved(ZONE_1, "cr-1", 1, 0)
                        .offering(ZONE_1, "on-demand", 1)
                        .build();
        var plain = claim(Requirements.NONE, "a");
        var reserved =
                new PlannedClaim(
                        "default",
                        Requirements.NONE,
                        plain.types(),
                        List.of(),
                        Resources.NONE,
                        List.of("cr-1"),
                        false);

        assertThat(what(bought(plain, type))).isEqualTo("a test-zone-1 on-demand");
        assertThat(what(bought(reserved, type))).isEqualTo("a test-zone-1 reserved");
    }

    @Test
    void onlyWhatTheRequirementsAllowIsBought() {
        var type =
                type("a", 4)
                        .offering(ZONE_1, "on-demand", 1)
                        .offering(ZONE_2, "on-demand", 2)
                        .build();
        var wanted = Requirements.of(in(LabelKeys.ZONE, ZONE_2));

        assertThat(what(bought(claim(wanted, "a"), type))).isEqualTo("a test-zone-2 on-demand");
        assertThat(what(filling(wanted, type))).isEqualTo("a test-zone-2 on-demand");
    }

    @Test
    void aTypeThatTheTemplateDoesNotAllowIsNotBought() {
        var wanted = Requirements.of(in(LabelKeys.INSTANCE_TYPE, "b"));

        assertThat(
                        what(
                                filling(
                                        wanted,
                                        offered("a", ZONE_1, "on-demand", 1),
                                        offered("b", ZONE_1, "on-demand", 2))))
                .isEqualTo("b test-zone-1 on-demand");
    }

    @Test
    void nothingIsBoughtWhereNothingIsForSale() {
        assertThat(bought(claim(Requirements.NONE, "gone"), offered("a", ZONE_1, "spot", 1)))
                .isNull();
        assertThat(
                        filling(
                                Requirements.of(in(LabelKeys.ZONE, ZONE_2)),
                                offered("a", ZONE_1, "spot", 1)))
                .isNull();
    }

    @Test
    void aNodeBearsWhatItsClaimLeavesNoChoiceAboutAndWhatItsMachineIs() {
        var wanted =
                Requirements.of(
                        in("team", "a"),
                        in(LabelKeys.HOSTNAME, "planned"),
                        in(LabelKeys.OS, "windows", "linux"));
        var newcomer =
                Objects.requireNonNull(bought(claim(wanted, "a"), offered("a", ZONE_1, "spot", 1)));

        var node = newcomer.node("new");

        assertThat(node.labels())
                .containsEntry("team", "a")
                .containsEntry(LabelKeys.HOSTNAME, "new")
                .containsEntry(LabelKeys.OS, "linux")
                .containsEntry(LabelKeys.ZONE, ZONE_1)
                .containsEntry(LabelKeys.CAPACITY_TYPE, "spot")
                .containsEntry(LabelKeys.INSTANCE_TYPE, "a")
                .containsEntry(LabelKeys.NODE_POOL, "default");
        assertThat(node.providerId()).isEqualTo("forecast:///new");
        assertThat(newcomer.coming("new", NOON).node().isInitialized()).isFalse();
    }

    @Test
    void ofSeveralSystemsTheNodeRunsLinux() {
        var many = type("a", 4).systems("darwin", "linux").offering(ZONE_1, "spot", 1).build();
        var newcomer = Objects.requireNonNull(bought(claim(Requirements.NONE, "a"), many));

        assertThat(newcomer.node("new").labels()).containsEntry(LabelKeys.OS, "linux");
    }

    @Test
    void aNodeNeverBearsAValueThatItsClaimExcludes() {
        var wanted = Requirements.of(notIn("team", "a"));
        var newcomer =
                Objects.requireNonNull(bought(claim(wanted, "a"), offered("a", ZONE_1, "spot", 1)));

        assertThat(newcomer.node("new").labels()).doesNotContainEntry("team", "a");
    }
}
