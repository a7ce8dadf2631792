package dev.millwright.spi;

import static dev.millwright.testing.kit.Given.in;
import static dev.millwright.testing.kit.Given.instanceType;
import static dev.millwright.testing.kit.Given.nodePool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.catalog.Offering;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.policy.NodeOverlay;
import dev.millwright.core.policy.NodePool;
import dev.millwright.core.quantity.Quantity;
import dev.millwright.core.quantity.Resources;
import dev.millwright.testing.kit.FakeCatalogue;
import dev.millwright.testing.kit.FakeClock;
import dev.millwright.testing.kit.cloud.FakeCloud;

import org.junit.jupiter.api.Test;

import java.util.List;

final class OverlaidCloudTest {

    private static final NodePool POOL = nodePool("default").nodePool();

    private final FakeCloud cloud = new FakeCloud(new FakeClock()).types(FakeCatalogue.linear(3));
    private final OverlayStore store = new OverlayStore();
    private final OverlaidCloud overlaid = new OverlaidCloud(cloud, store);

    @Test
    void aPoolThatWasNotEvaluatedSitsOut() {
        store.replace(List.of(), List.of("other"));

        assertThat(overlaid.catalog(POOL)).isEqualTo(new CatalogAnswer.Unevaluated());
    }

    @Test
    void nothingIsEvaluatedAtFirst() {
        assertThat(overlaid.catalog(POOL)).isEqualTo(new CatalogAnswer.Unevaluated());
    }

    @Test
    void withoutOverlaysTheCatalogueIsTheCloudsOwn() {
        store.replace(List.of(), List.of("default"));

        assertThat(types()).isSameAs(plain());
    }

    @Test
    void overlaysChangePricesAndCapacityOfWhatTheyMatch() {
        store.replace(List.of(costly("fake-it-1")), List.of("default"));

        assertThat(types().get(1).offerings())
                .allMatch(offering -> offering.pricePerHour() == 99)
                .allMatch(Offering::isPriceOverlaid);
        assertThat(types().get(1).capacity().amount("example.com/dongle"))
                .isEqualTo(Quantity.ofUnits(1));
        assertThat(types().get(0)).isSameAs(plain().get(0));
    }

    @Test
    void theOverlaidCatalogueIsTheSameListUntilItChanges() {
        store.replace(List.of(costly("fake-it-1")), List.of("default"));
        var before = types();

        assertThat(types()).isSameAs(before);
        store.replace(List.of(costly("fake-it-2")), List.of("default"));
        assertThat(types()).isNotSameAs(before);
    }

    @Test
    void whatRanOutSinceTheEvaluationIsOut() {
        store.replace(List.of(costly("fake-it-1")), List.of("default"));
        types();
        cloud.types(List.of(instanceType("fake-it-1").unavailable().build()));

        assertThat(types().getFirst().offerings())
                .noneMatch(Offering::isAvailable)
                .allMatch(offering -> offering.pricePerHour() == 99);
    }

    @Test
    void aFailingCatalogueStaysAFailure() {
        store.replace(List.of(), List.of("default"));
        cloud.catalogAnswer("default", new CatalogAnswer.Failed("no"));

        assertThat(overlaid.catalog(POOL)).isEqualTo(new CatalogAnswer.Failed("no"));
    }

    private static NodeOverlay costly(String type) {
        return new NodeOverlay(
                "costly",
                0,
                List.of(in(LabelKeys.INSTANCE_TYPE, type)),
                "99",
                null,
                Resources.parse("example.com/dongle", "1"));
    }

    private List<InstanceType> types() {
        return typesOf(overlaid.catalog(POOL));
    }

    private List<InstanceType> plain() {
        return typesOf(cloud.catalog(POOL));
    }

    private static List<InstanceType> typesOf(CatalogAnswer answer) {
        if (answer instanceof CatalogAnswer.Types(var types)) {
            return types;
        }
        throw new AssertionError("wanted types, found " + answer);
    }
}
