package dev.millwright.providers.aws.instancetype;

import static dev.millwright.testing.kit.aws.ClassFactsDraft.facts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.label.Operator;
import dev.millwright.core.label.Requirement;
import dev.millwright.core.label.SelectorRequirement;
import dev.millwright.core.quantity.Quantity;
import dev.millwright.core.quantity.Resources;
import dev.millwright.providers.aws.api.Asked;
import dev.millwright.providers.aws.api.AwsFault;
import dev.millwright.providers.aws.api.InstanceTypeInfo;
import dev.millwright.providers.aws.nodeclass.NodeClassStatus.Ami;
import dev.millwright.spi.ec2.Ec2Labels;
import dev.millwright.testing.kit.aws.TypeShop;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

final class TypeRefreshTest {

    private static final Ami ONE = new Ami("ami-1", "one", false, List.of());
    private static final Ami TWO = new Ami("ami-2", "two", false, List.of());

    private final TypeShop shop = new TypeShop();

    private Quantity memory(ClassFacts facts) {
        return shop.type(facts, "m5.xlarge").capacity().amount(Resources.MEMORY);
    }

    @Test
    @Tag("AWS-D11")
    void aLocalZoneOffersWhatItHas() {
        var zones = new TreeMap<>(shop.infos().zonesByType());
        zones.put("r5d.2xlarge", new TreeSet<>(List.of("us-east-1a", "us-east-1-bos-1a")));
        shop.known().acceptZones(new Asked.Told<>(zones));
        var facts =
                facts().withoutSubnets()
                        .subnet("subnet-9", "us-east-1-bos-1a", "use1-bos1-az1")
                        .build();

        assertThat(shop.offering(facts, "r5d.2xlarge", "on-demand", "us-east-1-bos-1a"))
                .matches(offering -> offering.isAvailable());
        assertThat(shop.offering(facts, "m5.large", "on-demand", "us-east-1-bos-1a"))
                .matches(offering -> !offering.isAvailable());
        assertThat(shop.type(facts, "r5d.2xlarge").requirements().on(LabelKeys.ZONE).values())
                .containsExactly("us-east-1-bos-1a");
    }

    @Test
    @Tag("AWS-D15")
    void theLeastMemorySeenCounts() {
        var facts = facts().amis(ONE).build();
        var first = Quantity.parse("15000Mi");
        shop.memory().see("m5.xlarge", facts.amis(), first, shop.now());
        assertThat(memory(facts)).isEqualTo(first);

        shop.memory().see("m5.xlarge", facts.amis(), Quantity.parse("15900Mi"), shop.now());
        assertThat(memory(facts)).isEqualTo(first);

        shop.memory().see("m5.xlarge", facts.amis(), Quantity.parse("14900Mi"), shop.now());
        assertThat(memory(facts)).isEqualTo(Quantity.parse("14900Mi"));
    }

    @Test
    @Tag("AWS-D15")
    void otherImagesBeginWithThePercentageAgain() {
        var facts = facts().amis(ONE).build();
        shop.memory().see("m5.xlarge", facts.amis(), Quantity.parse("15000Mi"), shop.now());

        assertThat(memory(facts().amis(TWO).build())).isEqualTo(Quantity.parse("15155Mi"));
        assertThat(memory(facts)).isEqualTo(Quantity.parse("15000Mi"));
    }

    @Test
    @Tag("AWS-D15")
    void whatWasSeenLongAgoIsForgotten() {
        var facts = facts().amis(ONE).build();
        shop.memory().see("m5.xlarge", facts.amis(), Quantity.parse("15000Mi"), shop.now());
        shop.advance(Duration.ofDays(59));
        shop.memory().see("m5.xlarge", facts.amis(), Quantity.parse("15000Mi"), shop.now());
        shop.advance(Duration.ofDays(59));
        assertThat(memory(facts)).isEqualTo(Quantity.parse("15000Mi"));

        shop.advance(Duration.ofDays(1));
        assertThat(memory(facts)).isEqualTo(Quantity.parse("15155Mi"));
    }

    @Test
    @Tag("AWS-D15")
    void aTypeIsStartedFromTheFirstImageItMeets() {
        var nvidia =
                new Ami(
                        "ami-gpu",
                        "gpu",
                        false,
                        List.of(needs(Ec2Labels.GPU_COUNT, Operator.EXISTS)));
        var arm =
                new Ami(
                        "ami-arm",
                        "arm",
                        false,
                        List.of(needs(LabelKeys.ARCH, Operator.IN, "arm64")));
        var standard =
                new Ami(
                        "ami-std",
                        "std",
                        false,
                        List.of(
                                needs(LabelKeys.ARCH, Operator.IN, "amd64"),
                                needs(Ec2Labels.GPU_COUNT, Operator.DOES_NOT_EXIST)));
        var amis = List.of(nvidia, arm, standard);

        assertThat(image("m5.large", amis)).isEqualTo("ami-std");
        assertThat(image("m6g.large", amis)).isEqualTo("ami-arm");
        assertThat(image("g4dn.xlarge", amis)).isEqualTo("ami-gpu");
        assertThat(image("m6g.large", List.of(standard))).isEqualTo("none");
    }

    private static SelectorRequirement needs(String key, Operator operator, String... values) {
        return Requirement.of(key, operator, values).selectorRequirements().getFirst();
    }

    private String image(String type, List<Ami> amis) {
        var found = ImageChoice.of(shop.type(facts().build(), type).requirements(), amis);
        return found == null ? "none" : found.id();
    }

    @Test
    @Tag("AWS-D17")
    void whatFailsOrIsEmptyStaysAsItWas() {
        var known = shop.known();
        var before = known.picture();

        assertThat(
                        known.acceptTypes(
                                new Asked.Refused<>(
                                        AwsFault.refused("RequestLimitExceeded", "slow down"))))
                .isEqualTo("instance types: RequestLimitExceeded: slow down");
        assertThat(known.acceptTypes(new Asked.Told<>(List.of()))).contains("EC2 told none");
        assertThat(
                        known.acceptZones(
                                new Asked.Refused<>(AwsFault.refused("InternalError", "oops"))))
                .isEqualTo("instance type offerings: InternalError: oops");
        assertThat(known.acceptZones(new Asked.Told<>(new TreeMap<String, SortedSet<String>>())))
                .contains("EC2 told none");
        assertThat(known.picture()).isSameAs(before);
    }

    @Test
    @Tag("AWS-D17")
    void theSameAnswerAgainChangesNothing() {
        var before = shop.types(facts().build());
        shop.known()
                .acceptTypes(new Asked.Told<>(List.copyOf(shop.infos().types().sequencedValues())));

        assertThat(shop.types(facts().build())).isSameAs(before);
    }

    @Test
    @Tag("AWS-D17")
    void aTypeThatIsGoneIsNotListedAnyMore() {
        var rest =
                shop.infos().types().sequencedValues().stream()
                        .filter(info -> !info.name().equals("m5.large"))
                        .toList();
        shop.known().acceptTypes(new Asked.Told<>(rest));

        assertThat(shop.types(facts().build()))
                .hasSize(rest.size())
                .noneMatch(type -> type.name().equals("m5.large"));
    }

    @Test
    @Tag("AWS-D17")
    void beforeTheFirstAnswerNothingIsKnown() {
        var known = new KnownTypes(TypeTables.load());
        List<InstanceTypeInfo> one = List.of(shop.infos().type("m5.large"));
        known.acceptTypes(new Asked.Told<>(one));

        assertThat(known.picture().types()).hasSize(1);
        assertThat(known.picture().zones()).isEmpty();
    }
}
