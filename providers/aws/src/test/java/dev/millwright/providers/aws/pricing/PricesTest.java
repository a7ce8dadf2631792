package dev.millwright.providers.aws.pricing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.providers.aws.api.Asked;
import dev.millwright.providers.aws.api.AwsFault;
import dev.millwright.providers.aws.api.SpotPrice;
import dev.millwright.providers.aws.pricing.PriceBook.Market;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;

final class PricesTest {

    private static final Instant NOON = Instant.parse("2026-01-05T12:00:00Z");

    private final PriceBook book = new PriceBook(new Market("us-east-1", false));

    private static String product(String type, String currency, String price) {
        return """
        {"product": {"productFamily": "Compute Instance",
                     "attributes": {"instanceType": "%s", "regionCode": "us-east-1"}},
         "terms": {"OnDemand": {"A.B": {"priceDimensions":
           {"A.B.C": {"unit": "Hrs", "pricePerUnit": {"%s": "%s"}}}}}}}
        """
                .formatted(type, currency, price);
    }

    private static Asked<List<String>> products(String... products) {
        return new Asked.Told<>(List.of(products));
    }

    private static @Nullable String take(
            PriceBook book, Asked<List<String>> virtual, Asked<List<String>> metal) {
        return book.acceptOnDemand(new PriceBook.OnDemand(virtual, metal));
    }

    private static SpotPrice spot(String type, String zone, String price) {
        return new SpotPrice(type, zone, new BigDecimal(price), NOON);
    }

    @ParameterizedTest
    @Tag("AWS-D16")
    @CsvSource({
        "us-east-1, 0.096",
        "eu-west-1, 0.096",
        "us-gov-west-1, 0.121",
        "cn-north-1, 1.013",
        "cn-northwest-1, 0.096",
    })
    void eachPartitionBeginsWithATable(String region, double price) {
        assertThat(new PriceBook(new Market(region, false)).prices().onDemand("m5.large"))
                .isEqualTo(price);
    }

    @Test
    @Tag("AWS-D16")
    void spotCostsWhatOnDemandCostsUntilItIsKnown() {
        assertThat(book.prices().spot("m5.large", "us-east-1a")).isEqualTo(0.096);
        assertThat(book.prices().spot("x99.large", "us-east-1a")).isNull();
    }

    @Test
    @Tag("AWS-D16")
    void onceSpotIsKnownOnlyZonesThatWereToldHaveAPrice() {
        book.acceptSpot(new Asked.Told<>(List.of(spot("m5.large", "us-east-1a", "0.04"))));

        assertThat(book.prices().spot("m5.large", "us-east-1a")).isEqualTo(0.04);
        assertThat(book.prices().spot("m5.large", "us-east-1b")).isNull();
        assertThat(book.prices().spot("m5.xlarge", "us-east-1a")).isNull();
    }

    @Test
    @Tag("AWS-D16")
    void newerSpotPricesAreLaidOverTheOld() {
        book.acceptSpot(
                new Asked.Told<>(
                        List.of(
                                spot("m5.large", "us-east-1a", "0.04"),
                                spot("m5.large", "us-east-1b", "0.05"))));
        book.acceptSpot(new Asked.Told<>(List.of(spot("m5.large", "us-east-1a", "0.06"))));

        assertThat(book.prices().spot("m5.large", "us-east-1a")).isEqualTo(0.06);
        assertThat(book.prices().spot("m5.large", "us-east-1b")).isEqualTo(0.05);
    }

    @Test
    @Tag("AWS-D16")
    void ofSeveralSpotPricesTheNewestCounts() {
        book.acceptSpot(
                new Asked.Told<>(
                        List.of(
                                spot("m5.large", "us-east-1a", "0.04"),
                                new SpotPrice(
                                        "m5.large",
                                        "us-east-1a",
                                        new BigDecimal("0.07"),
                                        NOON.minusSeconds(60)))));

        assertThat(book.prices().spot("m5.large", "us-east-1a")).isEqualTo(0.04);
    }

    @Test
    @Tag("AWS-D16")
    void anEmptyOrFailedSpotAnswerLeavesAllAsItWas() {
        var before = book.prices();

        assertThat(book.acceptSpot(new Asked.Told<>(List.of()))).contains("EC2 told none");
        assertThat(book.acceptSpot(new Asked.Refused<>(AwsFault.refused("InternalError", "oops"))))
                .isEqualTo("spot prices: InternalError: oops");
        assertThat(book.prices()).isSameAs(before);
    }

    @Test
    @Tag("AWS-D16")
    void newerOnDemandPricesAreLaidOverTheOld() {
        var fault =
                take(
                        book,
                        products(
                                product("m5.large", "USD", "1.2"),
                                product("x99.large", "USD", "3")),
                        products(product("m5.metal", "USD", "9")));

        assertThat(fault).isNull();
        assertThat(book.prices().onDemand("m5.large")).isEqualTo(1.2);
        assertThat(book.prices().onDemand("x99.large")).isEqualTo(3);
        assertThat(book.prices().onDemand("m5.metal")).isEqualTo(9);
        assertThat(book.prices().onDemand("m5.xlarge")).isEqualTo(0.192);
    }

    @Test
    @Tag("AWS-D16")
    void bothKindsOfMachinesMustHavePrices() {
        var before = book.prices();

        assertThat(take(book, products(product("m5.large", "USD", "1.2")), products()))
                .contains("1 of virtual and 0 of bare-metal types");
        assertThat(
                        take(
                                book,
                                products(product("m5.large", "USD", "1.2")),
                                new Asked.Refused<>(
                                        AwsFault.refused("AccessDeniedException", "no"))))
                .isEqualTo("on-demand prices: AccessDeniedException: no");
        assertThat(book.prices()).isSameAs(before);
    }

    @Test
    @Tag("AWS-D16")
    void whatIsFreeOrUnreadableIsPassedOver() {
        take(
                book,
                products(
                        product("m5.large", "USD", "0.0000000000"),
                        product("m5.xlarge", "USD", "much"),
                        "{",
                        "[]",
                        "{\"product\": 3}",
                        product("c5.large", "USD", "0.5")),
                products(product("m5.metal", "USD", "9")));

        assertThat(book.prices().onDemand("m5.large")).isEqualTo(0.096);
        assertThat(book.prices().onDemand("m5.xlarge")).isEqualTo(0.192);
        assertThat(book.prices().onDemand("c5.large")).isEqualTo(0.5);
    }

    @Test
    @Tag("AWS-D16")
    void chinaPaysInItsOwnCurrency() {
        var china = new PriceBook(new Market("cn-north-1", false));
        take(
                china,
                products(product("m5.large", "CNY", "2"), product("m5.xlarge", "USD", "3")),
                products(product("m5.metal", "CNY", "9")));

        assertThat(china.prices().onDemand("m5.large")).isEqualTo(2);
        assertThat(china.prices().onDemand("m5.xlarge")).isNotEqualTo(3);
    }

    @ParameterizedTest
    @Tag("AWS-D16")
    @CsvSource({
        "us-east-1, true, the VPC is isolated",
        "us-gov-east-1, false, GovCloud has no price list",
        "us-east-1, false, ",
        "cn-north-1, false, ",
    })
    void someMarketsHaveNoPriceList(String region, boolean isIsolated, String silence) {
        assertThat(new Market(region, isIsolated).silence()).isEqualTo(silence);
    }

    @ParameterizedTest
    @Tag("AWS-D16")
    @CsvSource({
        "us-west-2, us-east-1",
        "ap-southeast-2, ap-south-1",
        "cn-north-1, cn-northwest-1",
        "eu-north-1, eu-central-1",
        "sa-east-1, us-east-1",
    })
    void thePriceListIsAskedWhereItIs(String region, String endpoint) {
        assertThat(PriceBook.endpointRegion(region)).isEqualTo(endpoint);
    }
}
