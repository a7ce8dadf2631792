package dev.millwright.providers.aws.instancetype;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import dev.millwright.kube.cache.View;
import dev.millwright.kube.object.ObjectReader;
import dev.millwright.providers.aws.network.CapacityReservations;
import dev.millwright.providers.aws.network.ZonalShifts;
import dev.millwright.providers.aws.offering.LiveNews;
import dev.millwright.providers.aws.pricing.PriceBook;
import dev.millwright.providers.aws.pricing.PriceBook.Market;
import dev.millwright.providers.aws.pricing.PriceRefreshController;
import dev.millwright.runtime.step.Step.Ending;
import dev.millwright.spi.ec2.Ec2Labels;
import dev.millwright.testing.kit.aws.AccountClients;
import dev.millwright.testing.kit.aws.ApiFault;
import dev.millwright.testing.kit.aws.TestAccount;
import dev.millwright.testing.kit.aws.account.TestAccountExtension;
import dev.millwright.testing.kit.aws.account.TestAccounts;
import dev.millwright.testing.kit.cluster.Rig;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.time.Duration;
import java.util.List;

/// What EC2 and the price list tell.
@ExtendWith(TestAccountExtension.class)
@Tag("account")
final class RefreshTest {

    private static final Ending TWICE_A_DAY = new Ending.Again(Duration.ofHours(12));

    private final TestAccount endpoint = TestAccounts.shared();
    private final AccountClients clients = endpoint.clients();
    private final Rig rig = new Rig();
    private final KnownTypes known = new KnownTypes(TypeTables.load());
    private final PriceBook book = new PriceBook(new Market("us-east-1", false));

    @AfterEach
    void close() {
        clients.close();
    }

    private TypeRefreshController types() {
        return new TypeRefreshController(clients.ec2(), known);
    }

    private PriceRefreshController prices(PriceBook book) {
        return new PriceRefreshController(clients.ec2(), clients.pricing(), book);
    }

    @Test
    @Tag("AWS-D17")
    void allPagesOfTypesAndZonesAreTakenIn() {
        assertThat(rig.run(types())).isEqualTo(TWICE_A_DAY);

        var picture = known.picture();
        assertThat(picture.types()).hasSizeGreaterThan(1_000);
        assertThat(picture.zones()).contains("us-east-1a", "us-east-1f");
        assertThat(picture.types().get("m5.large").zones()).contains("us-east-1a");
        assertThat(endpoint.calls("DescribeInstanceTypes")).isGreaterThan(10);
    }

    @Test
    @Tag("AWS-D17")
    void gaugesTellWhatTypesHave() {
        rig.run(types());

        assertThat(rig.gauge(TypeFamilies.CPU_CORES, "m5.large")).isEqualTo(2);
        assertThat(rig.gauge(TypeFamilies.MEMORY_BYTES, "m5.large")).isEqualTo(8L << 30);
    }

    @Test
    @Tag("AWS-D17")
    void aRefreshThatFailsOnTheWayChangesNothing() {
        rig.run(types());
        var before = known.picture();
        endpoint.fail(
                ApiFault.refuse("DescribeInstanceTypes", "InvalidParameterValue", 400).after(3));

        assertThat(rig.run(types()))
                .isInstanceOfSatisfying(
                        Ending.Failed.class,
                        failed -> assertThat(failed.message()).contains("InvalidParameterValue"));
        assertThat(known.picture()).isSameAs(before);
    }

    @Test
    @Tag("AWS-D17")
    void theOtherAnswerIsTakenInWhenOneFails() {
        endpoint.fail(
                ApiFault.refuse("DescribeInstanceTypeOfferings", "InvalidParameterValue", 400));

        assertThat(rig.run(types())).isInstanceOf(Ending.Failed.class);
        assertThat(known.picture().types()).isNotEmpty();
        assertThat(known.picture().zones()).isEmpty();
    }

    @Test
    @Tag("AWS-D16")
    void pricesOnDemandAndOfSpotAreTakenIn() {
        assertThat(rig.run(prices(book))).isEqualTo(TWICE_A_DAY);

        assertThat(book.prices().onDemand("m5.large")).isEqualTo(0.096);
        assertThat(book.prices().spot("g4dn.8xlarge", "us-east-1a")).isEqualTo(0.7987);
        assertThat(book.prices().spot("g4dn.8xlarge", "us-east-1e")).isNull();
        assertThat(endpoint.calls("GetProducts")).isGreaterThan(2);
    }

    @Test
    @Tag("AWS-D16")
    void spotPricesAreTakenInWhenThePriceListFails() {
        endpoint.fail(ApiFault.refuse("GetProducts", "AccessDeniedException", 400).always());
        var before = book.prices().onDemand("m5.large");

        assertThat(rig.run(prices(book)))
                .isInstanceOfSatisfying(
                        Ending.Failed.class,
                        failed ->
                                assertThat(failed.message())
                                        .contains("on-demand prices")
                                        .contains("AccessDeniedException"));
        assertThat(book.prices().onDemand("m5.large")).isEqualTo(before);
        assertThat(book.prices().spot("g4dn.8xlarge", "us-east-1a")).isEqualTo(0.7987);
    }

    @ParameterizedTest
    @Tag("AWS-D16")
    @CsvSource({"us-east-1, true", "us-gov-west-1, false"})
    void whereThereIsNoPriceListNobodyAsksIt(String region, boolean isIsolated) {
        var quiet = new PriceBook(new Market(region, isIsolated));
        rig.run(prices(quiet));
        rig.run(prices(quiet));

        assertThat(endpoint.calls("GetProducts")).isZero();
        assertThat(endpoint.calls("DescribeSpotPriceHistory")).isPositive();
        assertThat(rig.lines())
                .filteredOn(line -> line.message().equals("on-demand prices are not asked for"))
                .hasSize(1);
    }

    private LiveNews news(View view) {
        return new LiveNews(
                ZonalShifts.unheeded(), new CapacityReservations(clients.ec2(), rig.clock()), view);
    }

    private void overlay(String name, String type, String validated) {
        rig.apply(
                """
                apiVersion: karpenter.sh/v1alpha1
                kind: NodeOverlay
                metadata: {name: %s, generation: 1}
                spec:
                  price: "2.5"
                  requirements:
                  - {key: node.kubernetes.io/instance-type, operator: In, values: [%s]}
                status:
                  conditions:
                  - {type: ValidationSucceeded, status: "%s", reason: r, observedGeneration: 1}
                """
                        .formatted(name, type, validated));
    }

    @Test
    @Tag("AWS-D10")
    void onlyOverlaysWithoutFaultGivePrices() {
        overlay("sound", "mac2.metal", "True");
        overlay("faulty", "mac1.metal", "False");

        assertThat(news(rig.view()).previewPrices()).containsExactly(entry("mac2.metal", 2.5));
    }

    @Test
    @Tag("AWS-D10")
    void withTheGateOffNoOverlayGivesAPrice() {
        var withoutOverlays =
                new View(new ObjectReader(Ec2Labels.VOCABULARY), List.of(), List.of());

        assertThat(news(withoutOverlays).previewPrices()).isEmpty();
    }
}
