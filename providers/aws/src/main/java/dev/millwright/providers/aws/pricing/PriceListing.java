package dev.millwright.providers.aws.pricing;

import dev.millwright.kube.document.JsonReader;
import dev.millwright.kube.document.Value;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;
import java.util.SequencedMap;
import java.util.TreeMap;

/// Reads products of AWS's price list. One that cannot be read, or is free, is passed over.
final class PriceListing {

    private PriceListing() {}

    /// The price per hour by instance type.
    static SequencedMap<String, Double> read(List<String> products, String currency) {
        var prices = new TreeMap<String, Double>();
        for (var product : products) {
            var document = document(product);
            var type =
                    document == null
                            ? null
                            : mapping(mapping(document, "product"), "attributes")
                                    .text("instanceType");
            var price = document == null ? null : price(document, currency);
            if (type != null && !type.isEmpty() && price != null) {
                prices.put(type, price);
            }
        }
        return prices;
    }

    private static Value.@Nullable Mapping document(String product) {
        try {
            return JsonReader.object(product.getBytes(StandardCharsets.UTF_8));
        } catch (IOException _) {
            return null;
        }
    }

    private static @Nullable Double price(Value.Mapping document, String currency) {
        var terms = mapping(mapping(document, "terms"), "OnDemand");
        for (var term : terms.fields().sequencedValues()) {
            for (var dimension : values(mapping(term, "priceDimensions"))) {
                var price = number(mapping(dimension, "pricePerUnit").text(currency));
                if (price != null) {
                    return price;
                }
            }
        }
        return null;
    }

    private static @Nullable Double number(@Nullable String text) {
        if (text == null) {
            return null;
        }
        try {
            var price = Double.parseDouble(text);
            return price > 0 && Double.isFinite(price) ? price : null;
        } catch (NumberFormatException _) {
            return null;
        }
    }

    private static Collection<Value> values(Value.Mapping mapping) {
        return mapping.fields().sequencedValues();
    }

    /// The field where it is a mapping, otherwise an empty one.
    private static Value.Mapping mapping(Value value, String field) {
        return value instanceof Value.Mapping(_, var fields)
                        && fields.get(field) instanceof Value.Mapping found
                ? found
                : new Value.Mapping(value.position(), new TreeMap<>());
    }
}
