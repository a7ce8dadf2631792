package dev.millwright.providers.sim;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;

class Ec2SalesTest {

    private static List<String> regions() {
        return List.copyOf(Ec2Region.all().keySet());
    }

    private static Ec2Sales sales(String region) {
        return Ec2Sales.load(Ec2Region.all().get(region));
    }

    @Test
    void thirtyFourRegionsAreKnown() {
        assertThat(regions()).hasSize(34).contains("us-east-1", "mx-central-1", "us-gov-east-1");
    }

    /// The youngest regions have no machines as old as m5.
    @ParameterizedTest
    @MethodSource("regions")
    void everyRegionSellsMachinesAtAPriceInZonesOfItsOwn(String name) {
        var sales = sales(name);

        assertThat(sales.onDemand()).hasSizeGreaterThan(200);
        assertThat(sales.zonesByType().get("c6g.large"))
                .isNotEmpty()
                .isSubsetOf(sales.region().zoneIds().keySet());
        assertThat(sales.onDemand().get("c6g.large")).isBetween(0.04, 0.11);
        assertThat(sales.origin("c6g.large", "on-demand").asOf()).startsWith("202");
    }

    @ParameterizedTest
    @MethodSource("regions")
    void spotNeverCostsMoreThanOnDemand(String name) {
        var sales = sales(name);
        var onDemand = sales.onDemand();

        assertThat(sales.spot().entrySet())
                .isNotEmpty()
                .allSatisfy(
                        each ->
                                assertThat(each.getValue().values())
                                        .allMatch(price -> price <= onDemand.get(each.getKey())));
    }

    /// As AWS published them on the day that the file names.
    @ParameterizedTest
    @CsvSource({
        "eu-west-1, m5.large, 0.107, 2025-05-28, true",
        "ap-northeast-2, m5.xlarge, 0.236, 2025-05-28, true",
        "us-gov-west-1, m5.large, 0.121, 2026-06-15, false",
        "us-east-1, m5.large, 0.096, 2026-07-06, false"
    })
    void aPriceIsAsAwsPublishedIt(
            String region, String type, double price, String day, boolean isEstimated) {
        var sales = sales(region);

        assertThat(sales.onDemand().get(type)).isEqualTo(price);
        assertThat(sales.origin(type, "on-demand"))
                .isEqualTo(new Ec2Sales.Origin(day, isEstimated));
        assertThat(sales.origin(type, "spot").isEstimated()).isTrue();
    }

    @Test
    void aRegionWithoutPricesDescribesEveryType() {
        var region = new Ec2Region("xx-north-1", Ec2Region.all().get("eu-west-1").zoneIds(), true);
        var sales = Ec2Sales.unpriced(region);

        assertThat(sales.onDemand()).isEmpty();
        assertThat(sales.rows()).hasSize(1_395);
        assertThat(sales.zonesByType().get("m5.large")).hasSize(3);
    }

    @ParameterizedTest
    @CsvSource({
        "eu-west-1b, eu-west-1",
        "us-gov-west-1a, us-gov-west-1",
        "us-east-1-bos-1a, us-east-1",
        "ap-southeast-7c, ap-southeast-7"
    })
    void aZoneTellsItsRegion(String zone, String region) {
        assertThat(Ec2Region.ofZone(zone)).isEqualTo(region);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "test-zone-a", "zone-1", "westeurope-1", ""})
    void aNameOfAnotherCloudIsNoZone(String zone) {
        assertThat(Ec2Region.ofZone(zone)).isNull();
    }
}
