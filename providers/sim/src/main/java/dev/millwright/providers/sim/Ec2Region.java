package dev.millwright.providers.sim;

import dev.millwright.spi.ec2.CsvTable;

import org.jspecify.annotations.Nullable;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;

/// A region of EC2 that the catalogue knows.
///
/// @param zoneIds zone ids by zone name
/// @param isAssumed whether nobody tells which zone offers which type: each is taken to be offered
///   in all of them
public record Ec2Region(String name, SequencedMap<String, String> zoneIds, boolean isAssumed) {

    private static final CsvTable.Source ELSEWHERE =
            new CsvTable.Source("ec2-zones.csv", Ec2Catalogue.REGIONS_TOOL);

    private static final Pattern ZONE =
            Pattern.compile("(?<region>[a-z]{2}(-[a-z]+){1,2}-[0-9])([a-z]|-[a-z0-9]+-[a-z0-9-]+)");

    public Ec2Region {
        zoneIds = Collections.unmodifiableSequencedMap(new TreeMap<>(zoneIds));
    }

    /// All regions by name.
    public static SequencedMap<String, Ec2Region> all() {
        var zoneIds = new TreeMap<String, TreeMap<String, String>>();
        var assumed = new TreeMap<String, Boolean>();
        for (var row : CsvTable.load(Ec2Region.class, ELSEWHERE).rows()) {
            var region = row.required("region");
            zoneIds.computeIfAbsent(region, _ -> new TreeMap<>())
                    .put(row.required("zone"), row.required("zone_id"));
            assumed.put(region, row.flag("is_assumed"));
        }
        zoneIds.put(Ec2Catalogue.REGION, new TreeMap<>(Ec2Catalogue.homeZoneIds()));
        var regions = new LinkedHashMap<String, Ec2Region>();
        zoneIds.forEach(
                (name, ids) ->
                        regions.put(
                                name, new Ec2Region(name, ids, assumed.getOrDefault(name, false))));
        return Collections.unmodifiableSequencedMap(regions);
    }

    /// The region of a zone's name, known or not: `eu-west-1b` lies in `eu-west-1`, and so does the
    /// local zone `eu-west-1-ber-1a`. Null where the name is no zone of AWS.
    public static @Nullable String ofZone(String zone) {
        var matcher = ZONE.matcher(zone);
        return matcher.matches() ? matcher.group("region") : null;
    }
}
