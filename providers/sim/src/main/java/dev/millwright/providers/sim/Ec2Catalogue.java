package dev.millwright.providers.sim;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.catalog.Overhead;
import dev.millwright.core.quantity.Resources;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
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

    private static final String TYPES_FILE = "ec2-us-east-1.csv";
    private static final String ZONES_FILE = "ec2-us-east-1-zones.csv";

    private final SequencedMap<String, Ec2Description> types;
    private final SequencedMap<String, String> zoneIds;

    private Ec2Catalogue(
            SequencedMap<String, Ec2Description> types, SequencedMap<String, String> zoneIds) {
        this.types = types;
        this.zoneIds = Collections.unmodifiableSequencedMap(zoneIds);
    }

    /// Reads the file that comes with this module.
    public static Ec2Catalogue load() {
        return parse(resource(TYPES_FILE), resource(ZONES_FILE));
    }

    /// @throws CatalogueFormatException when either content is not what the format says
    static Ec2Catalogue parse(String typesContent, String zonesContent) {
        var zoneIds = new TreeMap<String, String>();
        for (var row : CsvTable.parse(ZONES_FILE, zonesContent).rows()) {
            zoneIds.put(row.required("zone"), row.required("zone_id"));
        }
        var zones = List.copyOf(zoneIds.sequencedKeySet());
        var types = new TreeMap<String, Ec2Description>();
        for (var row : CsvTable.parse(TYPES_FILE, typesContent).rows()) {
            var type = Ec2Description.read(row, zones);
            if (types.put(type.name(), type) != null) {
                throw row.fault("type", "each type once");
            }
        }
        return new Ec2Catalogue(types, zoneIds);
    }

    private static String resource(String name) {
        try (var stream = Ec2Catalogue.class.getResourceAsStream(name)) {
            if (stream == null) {
                throw new IllegalStateException(
                        "%s is not beside the classes; build the module with its resources"
                                .formatted(name));
            }
            return new String(stream.readAllBytes(), StandardCharsets.US_ASCII);
        } catch (IOException failure) {
            throw new UncheckedIOException("%s could not be read".formatted(name), failure);
        }
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
                                        Ec2Requirements.of(type, REGION, ourZoneIds),
                                        offerings.of(type),
                                        Ec2Resources.capacity(type, settings),
                                        overhead(type)))
                .toList();
    }

    private static Overhead overhead(Ec2Description type) {
        return new Overhead(
                Ec2Resources.kubeReserved(type), Resources.NONE, Ec2Resources.evictionThreshold());
    }
}
