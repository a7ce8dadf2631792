package dev.millwright.testing.kit.aws.fake;

import dev.millwright.providers.aws.api.InstanceTypeInfo;
import dev.millwright.providers.sim.Ec2Catalogue;
import dev.millwright.spi.ec2.CsvTable;
import dev.millwright.testing.kit.aws.Ec2Infos;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.SequencedMap;
import java.util.SequencedSet;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/// What EC2 sells in us-east-1, where and at what price: the catalogue of the simulated cloud,
/// which [AwsEndpoint] reads too.
final class FakeCatalogue {

    private static final String TOOL = "providers/sim/tools/catalogue.py";
    private static final CsvTable.Source TYPES = new CsvTable.Source("ec2-us-east-1.csv", TOOL);
    private static final CsvTable.Source ZONES =
            new CsvTable.Source("ec2-us-east-1-zones.csv", TOOL);

    /// What a zone has in place of a price where it offers a type, but not as spot.
    private static final String UNPRICED = "-";

    private final Ec2Infos infos = Ec2Infos.load();
    private final SequencedMap<String, String> zoneIds = new TreeMap<>();
    private final SequencedMap<String, CsvTable.Row> rows = new TreeMap<>();

    private FakeCatalogue() {
        for (var row : CsvTable.load(Ec2Catalogue.class, ZONES).rows()) {
            zoneIds.put(row.required("zone"), row.required("zone_id"));
        }
        for (var row : CsvTable.load(Ec2Catalogue.class, TYPES).rows()) {
            rows.put(row.required("type"), row);
        }
    }

    static FakeCatalogue shared() {
        return Shared.CATALOGUE;
    }

    private static final class Shared {
        private static final FakeCatalogue CATALOGUE = new FakeCatalogue();
    }

    List<InstanceTypeInfo> infos() {
        return List.copyOf(infos.types().sequencedValues());
    }

    SequencedSet<String> types() {
        return rows.sequencedKeySet();
    }

    boolean isKnown(String type) {
        return rows.containsKey(type);
    }

    SequencedSet<String> zones() {
        return zoneIds.sequencedKeySet();
    }

    /// Empty for a zone that the region does not have.
    String zoneId(String zone) {
        return zoneIds.getOrDefault(zone, "");
    }

    SortedSet<String> zonesOf(String type) {
        return infos.zonesByType().getOrDefault(type, new TreeSet<>());
    }

    List<String> architectures(String type) {
        return row(type).list("architectures");
    }

    boolean isBareMetal(String type) {
        return row(type).flag("bare_metal");
    }

    /// Null for what is not sold on demand.
    @Nullable String onDemand(String type) {
        var price = row(type).text("on_demand_usd_per_hour");
        return price.isEmpty() ? null : price;
    }

    /// Null for what is not sold as spot in this zone.
    @Nullable String spot(String type, String zone) {
        if (!zoneIds.containsKey(zone)) {
            return null;
        }
        var price = row(type).text(zone);
        return price.isEmpty() || price.equals(UNPRICED) ? null : price;
    }

    private CsvTable.Row row(String type) {
        var row = rows.get(type);
        if (row == null) {
            throw new IllegalArgumentException("no type %s in the catalogue".formatted(type));
        }
        return row;
    }
}
