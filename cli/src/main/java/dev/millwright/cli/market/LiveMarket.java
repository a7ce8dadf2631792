package dev.millwright.cli.market;

import dev.millwright.providers.aws.api.Ec2Api;
import dev.millwright.providers.aws.api.PricingApi;

/// A door to AWS for one question.
@FunctionalInterface
public interface LiveMarket {

    /// @param ec2 of the region
    /// @param pricing the price list
    /// @param closing lets the connections go
    record Asked(Ec2Api ec2, PricingApi pricing, Runnable closing) implements AutoCloseable {
        @Override
        public void close() {
            closing.run();
        }
    }

    Asked open(String region);
}
