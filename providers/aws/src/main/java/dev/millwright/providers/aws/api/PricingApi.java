package dev.millwright.providers.aws.api;

import java.util.List;
import java.util.SequencedMap;

/// What we ask of the price list.
public interface PricingApi {

    /// Products whose fields have these values, each as the JSON text that AWS sends.
    List<String> products(SequencedMap<String, String> fields) throws AwsFault;
}
