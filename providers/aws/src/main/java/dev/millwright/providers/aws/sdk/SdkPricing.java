package dev.millwright.providers.aws.sdk;

import dev.millwright.providers.aws.api.AwsFault;
import dev.millwright.providers.aws.api.PricingApi;

import software.amazon.awssdk.services.pricing.PricingClient;
import software.amazon.awssdk.services.pricing.model.Filter;
import software.amazon.awssdk.services.pricing.model.FilterType;

import java.util.List;
import java.util.SequencedMap;

final class SdkPricing implements PricingApi {

    private static final int PAGE = 100;
    private static final String SERVICE = "AmazonEC2";

    private final PricingClient client;

    SdkPricing(PricingClient client) {
        this.client = client;
    }

    /// The price list is served in few regions; the one nearest to ours.
    static String regionFor(String region) {
        if (region.startsWith("ap-")) {
            return "ap-south-1";
        }
        if (region.startsWith("cn-")) {
            return "cn-northwest-1";
        }
        return region.startsWith("eu-") ? "eu-central-1" : "us-east-1";
    }

    @Override
    public List<String> products(SequencedMap<String, String> fields) throws AwsFault {
        var filters =
                fields.entrySet().stream()
                        .map(
                                field ->
                                        Filter.builder()
                                                .type(FilterType.TERM_MATCH)
                                                .field(field.getKey())
                                                .value(field.getValue())
                                                .build())
                        .toList();
        return Pages.all(
                token ->
                        client.getProducts(
                                r ->
                                        r.serviceCode(SERVICE)
                                                .filters(filters)
                                                .maxResults(PAGE)
                                                .nextToken(token)),
                answer -> answer.priceList(),
                answer -> answer.nextToken());
    }
}
