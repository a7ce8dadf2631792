package dev.millwright.cli.market;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.catalog.Offering;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.SequencedMap;
import java.util.TreeMap;

/// What machines cost elsewhere: lines of `type,zone,capacityType,pricePerHour`, where a zone of
/// `*` means all. The first line may be a heading, and `#` begins a remark.
public record PriceList(SequencedMap<String, Double> prices) {

    private static final String HEADING = "type,zone,capacityType,pricePerHour";
    private static final String ANY_ZONE = "*";
    private static final int FIELDS = 4;

    /// More than ten clouds sell.
    private static final int LINES_MAX = 100_000;

    public PriceList {
        prices = new TreeMap<>(prices);
    }

    /// @throws IllegalArgumentException with the line that cannot be read
    public static PriceList parse(String name, List<String> lines) {
        if (lines.size() > LINES_MAX) {
            throw new IllegalArgumentException(
                    "%s: %d lines are more than %d".formatted(name, lines.size(), LINES_MAX));
        }
        var prices = new TreeMap<String, Double>();
        for (var number = 1; number <= lines.size(); number++) {
            var line = lines.get(number - 1).strip();
            if (line.isEmpty() || line.startsWith("#") || line.equals(HEADING)) {
                continue;
            }
            var fields = line.split(",", -1);
            var price = fields.length == FIELDS ? price(fields[3].strip()) : -1;
            if (price < 0) {
                throw new IllegalArgumentException(
                        "%s:%d: found \"%s\"; wanted %s such as m7g.large,*,on-demand,0.0816"
                                .formatted(name, number, line, HEADING));
            }
            prices.put(key(fields[0].strip(), fields[1].strip(), fields[2].strip()), price);
        }
        if (prices.isEmpty()) {
            throw new IllegalArgumentException(
                    "%s: holds no price; wanted lines of %s".formatted(name, HEADING));
        }
        return new PriceList(prices);
    }

    private static double price(String text) {
        try {
            var price = Double.parseDouble(text);
            return Double.isFinite(price) ? price : -1;
        } catch (NumberFormatException unreadable) {
            return -1;
        }
    }

    /// What the list says of one way to buy; null where it says nothing.
    @Nullable Double price(String type, String zone, String capacityType) {
        var own = prices.get(key(type, zone, capacityType));
        return own == null ? prices.get(key(type, ANY_ZONE, capacityType)) : own;
    }

    /// Whether a zone is named by any line.
    boolean hasZone(String zone) {
        return prices.keySet().stream().anyMatch(key -> key.split(" ", -1)[1].equals(zone));
    }

    private static String key(String type, String zone, String capacityType) {
        return String.join(" ", type, zone, capacityType);
    }

    /// A type that is not in the list is not for sale.
    List<InstanceType> applied(List<InstanceType> types) {
        return types.stream().map(this::applied).toList();
    }

    private InstanceType applied(InstanceType type) {
        var offerings = new ArrayList<Offering>();
        for (var offering : type.offerings()) {
            var price = price(type.name(), offering.zone(), offering.capacityType());
            offerings.add(
                    price == null
                            ? offering.unavailable()
                            : new Offering(
                                    offering.requirements(),
                                    price,
                                    offering.isAvailable(),
                                    offering.reservationCapacity(),
                                    offering.overrides(),
                                    offering.isPriceOverlaid()));
        }
        return type.withOfferings(offerings);
    }
}
