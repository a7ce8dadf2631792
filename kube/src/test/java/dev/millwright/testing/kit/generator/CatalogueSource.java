package dev.millwright.testing.kit.generator;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Instance types of a world. Prices have a random part, so that no two offerings cost the same.
final class CatalogueSource {

    static final List<String> ZONES = List.of("zone-a", "zone-b", "zone-c");
    static final List<String> CAPACITY_TYPES = List.of("spot", "on-demand");
    static final String GPU = "example.com/gpu";
    static final String RESERVATION_ID = "example.com/reservation-id";

    /// Labels that this catalogue makes well known.
    static final List<String> WELL_KNOWN = List.of("example.com/cores", "example.com/size");

    private static final long GIB = 1L << 30;
    private static final long OVERHEAD_MEMORY_BYTES = 100L << 20;
    private static final int OVERHEAD_CPU_MILLI = 100;

    private final Dice dice;
    private final Set<Feature> features;

    CatalogueSource(Dice dice, Set<Feature> features) {
        this.dice = dice;
        this.features = features;
    }

    List<Object> types() {
        var count = dice.between(2, 12);
        var types = new ArrayList<Object>();
        for (var index = 0; index < count; index++) {
            types.add(type("type-" + (char) ('a' + index)));
        }
        return types;
    }

    private Map<String, Object> type(String name) {
        var cores = dice.pick(1, 2, 2, 4, 4, 8, 8, 16, 32);
        var gibPerCore = dice.pick(1, 2, 4, 4, 8);
        var memoryBytes = cores * gibPerCore * GIB;
        var pods = dice.pick(5, 10, 20, 58, 110);
        var hasGpu = features.contains(Feature.EXTENDED_RESOURCES) && dice.chance(30);
        var gpus = hasGpu ? Tree.map(GPU, Integer.toString(dice.between(1, 4))) : Tree.map();
        var price = cores * 0.04 + cores * gibPerCore * 0.005 + (hasGpu ? 0.5 : 0);
        var arch = dice.chance(75) ? "amd64" : "arm64";
        var labels =
                Tree.map(
                        "example.com/cores",
                        Integer.toString(cores),
                        "example.com/size",
                        dice.chance(80) ? (cores <= 4 ? "small" : "large") : null);
        return Tree.map(
                "name",
                name,
                "arch",
                arch,
                "os",
                List.of("linux"),
                "capacity",
                Tree.map(
                        "cpuMilli",
                        cores * 1000,
                        "memoryBytes",
                        memoryBytes,
                        "pods",
                        pods,
                        "resources",
                        Tree.unlessEmpty(gpus)),
                "allocatable",
                Tree.map(
                        "cpuMilli",
                        cores * 1000 - OVERHEAD_CPU_MILLI,
                        "memoryBytes",
                        memoryBytes - OVERHEAD_MEMORY_BYTES,
                        "pods",
                        pods,
                        "resources",
                        Tree.unlessEmpty(gpus)),
                "labels",
                labels,
                "offerings",
                offerings(name, price));
    }

    private List<Object> offerings(String type, double price) {
        var offerings = new ArrayList<Object>();
        var zones = dice.chance(70) ? ZONES : dice.some(ZONES);
        for (var zone : zones) {
            for (var capacityType : CAPACITY_TYPES) {
                if (dice.chance(90)) {
                    offerings.add(offering(zone, capacityType, price));
                }
            }
        }
        if (offerings.isEmpty()) {
            offerings.add(offering(zones.getFirst(), "on-demand", price));
        }
        if (features.contains(Feature.RESERVATIONS) && dice.chance(30)) {
            var zone = dice.pick(zones);
            offerings.add(
                    Tree.map(
                            "zone",
                            zone,
                            "capacityType",
                            "reserved",
                            "price",
                            rounded(price * 0.001),
                            "available",
                            true,
                            "reservationId",
                            "r-" + type + "-" + zone,
                            "reservationCapacity",
                            dice.between(0, 3)));
        }
        return offerings;
    }

    private Map<String, Object> offering(String zone, String capacityType, double price) {
        var share = capacityType.equals("spot") ? 0.3 + 0.3 * dice.fraction() : 1.0;
        var isOut = features.contains(Feature.UNAVAILABLE_OFFERINGS) && dice.chance(20);
        return Tree.map(
                "zone",
                zone,
                "capacityType",
                capacityType,
                "price",
                rounded(price * share * (1 + 0.1 * dice.fraction())),
                "available",
                !isOut);
    }

    private static double rounded(double price) {
        return Math.round(price * 1e6) / 1e6;
    }
}
