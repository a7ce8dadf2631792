package dev.millwright.providers.sim;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.spi.ec2.CatalogueFormatException;
import dev.millwright.spi.ec2.CsvTable;
import dev.millwright.spi.ec2.CsvTable.Source;

import java.util.Collections;
import java.util.List;
import java.util.SequencedMap;
import java.util.TreeMap;

/// The instance types of EC2 in one region, from a file of ours: no account is asked.
///
/// The file and its origins are described in `docs/reference/catalogue.md`. Labels, capacity,
/// overhead and offerings follow Karpenter's AWS provider with Amazon Linux 2023.
public final class Ec2Catalogue {

    public static final String REGION = "us-east-1";

    /// What makes the files of all other regions.
    static final String REGIONS_TOOL = "providers/sim/tools/regions.py";

    /// The day of the on-demand prices of this region.
    private static final String PUBLISHED_ON = "2026-07-06";

    /// The day of all spot prices that somebody saw.
    static final String SPOT_OBSERVED_ON = "2025-05-28";

    private static final String TOOL = "providers/sim/tools/catalogue.py";
    private static final Source TYPES = new Source("ec2-us-east-1.csv", TOOL);
    private static final Source ZONES = new Source("ec2-us-east-1-zones.csv", TOOL);

    private final SequencedMap<String, Ec2Description> types;
    private final SequencedMap<String, String> zoneIds;

    private Ec2Catalogue(
            SequencedMap<String, Ec2Description> types, SequencedMap<String, String> zoneIds) {
        this.types = types;
        this.zoneIds = Collections.unmodifiableSequencedMap(zoneIds);
    }

    /// Reads the file that comes with this module.
    public static Ec2Catalogue load() {
        return read(
                CsvTable.load(Ec2Catalogue.class, TYPES), CsvTable.load(Ec2Catalogue.class, ZONES));
    }

    /// @throws CatalogueFormatException when either content is not what the format says
    static Ec2Catalogue parse(String typesContent, String zonesContent) {
        return read(CsvTable.parse(TYPES, typesContent), CsvTable.parse(ZONES, zonesContent));
    }

    private static Ec2Catalogue read(CsvTable typesTable, CsvTable zonesTable) {
        var zoneIds = zoneIds(zonesTable);
        var zones = List.copyOf(zoneIds.sequencedKeySet());
        var types = new TreeMap<String, Ec2Description>();
        for (var row : typesTable.rows()) {
            var type = Ec2Description.read(row, zones, PUBLISHED_ON);
            if (types.put(type.name(), type) != null) {
                throw row.fault("type", "each type once");
            }
        }
        return new Ec2Catalogue(types, zoneIds);
    }

    private static SequencedMap<String, String> zoneIds(CsvTable zonesTable) {
        var zoneIds = new TreeMap<String, String>();
        for (var row : zonesTable.rows()) {
            zoneIds.put(row.required("zone"), row.required("zone_id"));
        }
        return zoneIds;
    }

    static SequencedMap<String, String> homeZoneIds() {
        return zoneIds(CsvTable.load(Ec2Catalogue.class, ZONES));
    }

    static List<CsvTable.Row> homeRows() {
        return CsvTable.load(Ec2Catalogue.class, TYPES).rows();
    }

    static Ec2Description describedAtHome(CsvTable.Row row, List<String> zones) {
        return Ec2Description.read(row, zones, PUBLISHED_ON);
    }

    /// The zone ids of the region by zone name.
    public SequencedMap<String, String> zoneIds() {
        return zoneIds;
    }

    /// All types by name, those without a price too: they are listed but never available.
    ///
    /// @throws IllegalArgumentException when the settings name a zone the region does not have
    public List<InstanceType> instanceTypes(Ec2Settings settings) {
        var ourZoneIds = new TreeMap<String, String>();
        for (var zone : settings.zones()) {
            var id = zoneIds.get(zone);
            if (id == null) {
                throw new IllegalArgumentException(
                        "zone \"%s\" is unknown; wanted some of %s"
                                .formatted(zone, zoneIds.sequencedKeySet()));
            }
            ourZoneIds.put(zone, id);
        }
        var offerings = new Ec2Offerings(zoneIds, settings.zones());
        return types.sequencedValues().stream()
                .map(
                        type ->
                                new InstanceType(
                                        type.name(),
                                        AmazonLinux.requirements(type, REGION, ourZoneIds),
                                        offerings.of(type),
                                        AmazonLinux.capacity(type.machine(), settings),
                                        AmazonLinux.overhead(type.machine())))
                .toList();
    }
}
