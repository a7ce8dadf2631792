package dev.millwright.providers.aws.pricing;

import dev.millwright.providers.aws.instancetype.TypeTables;
import dev.millwright.spi.ec2.CsvTable;

import java.util.SequencedMap;
import java.util.TreeMap;

/// On-demand prices that come with this module, for as long as nobody may or can ask AWS.
final class PriceTable {

    private static final CsvTable.Source SOURCE =
            new CsvTable.Source("/dev/millwright/providers/aws/ec2-prices.csv", TypeTables.TOOL);

    /// Whose prices stand in for those of regions that the table does not have.
    private static final String ANY_REGION = "us-east-1";

    private PriceTable() {}

    static SequencedMap<String, Double> of(String region) {
        var byRegion = new TreeMap<String, SequencedMap<String, Double>>();
        for (var row : CsvTable.load(PriceTable.class, SOURCE).rows()) {
            var price = row.price("price_per_hour");
            if (price == null) {
                throw row.fault("price_per_hour", "a price");
            }
            byRegion.computeIfAbsent(row.required("region"), _ -> new TreeMap<>())
                    .put(row.required("type"), price.doubleValue());
        }
        var own = byRegion.get(region);
        return own != null ? own : byRegion.getOrDefault(ANY_REGION, new TreeMap<>());
    }
}
