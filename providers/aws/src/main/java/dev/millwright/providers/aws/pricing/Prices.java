package dev.millwright.providers.aws.pricing;

import org.jspecify.annotations.Nullable;

import java.util.Collections;
import java.util.SequencedMap;
import java.util.TreeMap;

/// What is known of prices at one moment, per hour and in the region's currency.
///
/// @param onDemand by type
/// @param spot by type and zone; null until spot prices were asked for the first time: as long, a
///   spot machine is thought to cost what it costs on demand by our table
/// @param table on-demand prices by type that come with this module
public record Prices(
        SequencedMap<String, Double> onDemand,
        @Nullable SequencedMap<String, SequencedMap<String, Double>> spot,
        SequencedMap<String, Double> table) {

    public Prices {
        onDemand = Collections.unmodifiableSequencedMap(new TreeMap<>(onDemand));
        spot = spot == null ? null : copy(spot);
        table = Collections.unmodifiableSequencedMap(new TreeMap<>(table));
    }

    /// Nothing but the table.
    public static Prices ofTable(SequencedMap<String, Double> table) {
        return new Prices(table, null, table);
    }

    private static SequencedMap<String, SequencedMap<String, Double>> copy(
            SequencedMap<String, SequencedMap<String, Double>> spot) {
        var copy = new TreeMap<String, SequencedMap<String, Double>>();
        spot.forEach(
                (type, byZone) ->
                        copy.put(
                                type, Collections.unmodifiableSequencedMap(new TreeMap<>(byZone))));
        return Collections.unmodifiableSequencedMap(copy);
    }

    public @Nullable Double onDemand(String type) {
        return onDemand.get(type);
    }

    public @Nullable Double spot(String type, String zone) {
        if (spot == null) {
            return table.get(type);
        }
        var byZone = spot.get(type);
        return byZone == null ? null : byZone.get(zone);
    }

    /// These in place of ours; what they do not say stays.
    public Prices withOnDemand(SequencedMap<String, Double> newer) {
        var merged = new TreeMap<>(onDemand);
        merged.putAll(newer);
        return new Prices(merged, spot, table);
    }

    /// These in place of ours; what they do not say stays.
    public Prices withSpot(SequencedMap<String, SequencedMap<String, Double>> newer) {
        var merged = new TreeMap<String, SequencedMap<String, Double>>();
        if (spot != null) {
            merged.putAll(spot);
        }
        newer.forEach(
                (type, byZone) -> {
                    var zones = new TreeMap<>(merged.getOrDefault(type, new TreeMap<>()));
                    zones.putAll(byZone);
                    merged.put(type, zones);
                });
        return new Prices(onDemand, merged, table);
    }
}
