package dev.millwright.testing.kit.aws.fake;

import dev.millwright.kube.document.JsonWriter;
import dev.millwright.kube.document.Tree;
import dev.millwright.providers.aws.api.AwsFault;
import dev.millwright.providers.aws.api.PricingApi;
import dev.millwright.testing.kit.aws.TestAccount;

import java.util.ArrayList;
import java.util.List;
import java.util.SequencedMap;
import java.util.Set;
import java.util.function.Supplier;

/// The price list of a [FakeAccount].
final class FakePrices implements PricingApi {

    private static final int PAGE = 100;
    private static final String FAMILY = "Compute Instance";
    private static final String BARE_METAL = "Compute Instance (bare metal)";
    private static final Set<String> TENANCIES = Set.of("Shared", "Dedicated");

    private final Supplier<FakeState> state;

    FakePrices(Supplier<FakeState> state) {
        this.state = state;
    }

    @Override
    public List<String> products(SequencedMap<String, String> fields) throws AwsFault {
        var products = new ArrayList<String>();
        var catalogue = state.get().catalogue();
        var family = fields.getOrDefault("productFamily", FAMILY);
        var tenancy = fields.getOrDefault("tenancy", "Shared");
        var region = fields.getOrDefault("regionCode", TestAccount.REGION);
        for (var type : catalogue.types()) {
            var price = catalogue.onDemand(type);
            if (price != null
                    && region.equals(TestAccount.REGION)
                    && TENANCIES.contains(tenancy)
                    && fields.getOrDefault("instanceType", type).equals(type)
                    && catalogue.isBareMetal(type) == family.equals(BARE_METAL)) {
                products.add(product(type, price, family, tenancy));
            }
        }
        return state.get()
                .calls()
                .pagesAsTheyAre(
                        "GetProducts", Tree.of().putTexts("Filters", fields), PAGE, () -> products);
    }

    private static String product(String type, String price, String family, String tenancy) {
        var attributes =
                Tree.of("instanceType", type)
                        .put("regionCode", TestAccount.REGION)
                        .put("operatingSystem", "Linux")
                        .put("tenancy", tenancy);
        var term = type + ".JRTCKXETXF";
        var dimension = Tree.of("unit", "Hrs").put("pricePerUnit", Tree.of("USD", price));
        var dimensions = Tree.of(term + ".6YS6EN2CT7", dimension);
        var offer = Tree.of("sku", type).put("priceDimensions", dimensions);
        var product =
                Tree.of("sku", type).put("productFamily", family).put("attributes", attributes);
        return JsonWriter.text(
                Tree.of("serviceCode", "AmazonEC2")
                        .put("product", product)
                        .put("terms", Tree.of("OnDemand", Tree.of(term, offer)))
                        .mapping());
    }
}
