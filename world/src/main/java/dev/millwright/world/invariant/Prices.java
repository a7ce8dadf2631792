package dev.millwright.world.invariant;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.label.LabelKeys;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// What machines cost, by the labels that say which offering they are.
public final class Prices {

    private record Key(String type, String zone, String capacityType) {}

    private final Map<Key, Double> pricePerHour = new HashMap<>();

    public Prices(List<InstanceType> types) {
        for (var type : types) {
            for (var offering : type.offerings()) {
                pricePerHour.putIfAbsent(
                        new Key(type.name(), offering.zone(), offering.capacityType()),
                        offering.pricePerHour());
            }
        }
    }

    /// In USD per hour; 0 for what nobody sells.
    public double perHour(Map<String, String> labels) {
        return pricePerHour.getOrDefault(
                new Key(
                        labels.getOrDefault(LabelKeys.INSTANCE_TYPE, ""),
                        labels.getOrDefault(LabelKeys.ZONE, ""),
                        labels.getOrDefault(LabelKeys.CAPACITY_TYPE, "")),
                0.0);
    }
}
