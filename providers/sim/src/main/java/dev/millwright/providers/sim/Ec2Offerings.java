package dev.millwright.providers.sim;

import dev.millwright.core.catalog.Offering;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.label.Requirements;
import dev.millwright.spi.ec2.Ec2Requirements;

import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/// How EC2 sells its types: in every zone of the region, on demand and as spot.
///
/// A zone that does not have a type, or that none of our nodes may be in, still gets an offering
/// which is unavailable, as Karpenter's metrics show one. The requirements are built once and
/// shared: thousands of offerings differ only in price.
final class Ec2Offerings {

    /// Amazon Linux 2023 does not start on the first Graviton.
    private static final String WITHOUT_IMAGE_PREFIX = "a1.";

    /// A zone and what offerings in it require, by capacity type.
    private record Shelf(String zone, boolean isOurs, SequencedMap<String, Requirements> wants) {

        Shelf {
            wants = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(wants));
        }
    }

    private final List<Shelf> shelves;

    /// @param zoneIds the zone ids of the whole region by zone name
    /// @param ourZones the zones that nodes may be in
    Ec2Offerings(SequencedMap<String, String> zoneIds, List<String> ourZones) {
        var built = new ArrayList<Shelf>();
        zoneIds.forEach((zone, id) -> built.add(shelf(zone, ourZones.contains(zone) ? id : null)));
        this.shelves = List.copyOf(built);
    }

    private static Shelf shelf(String zone, @Nullable String id) {
        var wants = new LinkedHashMap<String, Requirements>();
        for (var capacityType :
                List.of(LabelKeys.CAPACITY_TYPE_ON_DEMAND, LabelKeys.CAPACITY_TYPE_SPOT)) {
            wants.put(capacityType, Ec2Requirements.offering(capacityType, zone, id));
        }
        return new Shelf(zone, id != null, wants);
    }

    List<Offering> of(Ec2Description type) {
        var hasImage = !type.name().startsWith(WITHOUT_IMAGE_PREFIX);
        var offerings = new ArrayList<Offering>();
        for (var shelf : shelves) {
            var zone = type.zone(shelf.zone());
            shelf.wants()
                    .forEach(
                            (capacityType, wants) -> {
                                if (type.machine().isSoldAs(capacityType)) {
                                    var price = price(type, zone, capacityType);
                                    var isAvailable = hasImage && shelf.isOurs() && zone != null;
                                    offerings.add(offering(wants, price, isAvailable));
                                }
                            });
        }
        return offerings;
    }

    private static @Nullable BigDecimal price(
            Ec2Description type, Ec2Description.@Nullable ZoneOffer zone, String capacityType) {
        if (capacityType.equals(LabelKeys.CAPACITY_TYPE_ON_DEMAND)) {
            return type.onDemandUsdPerHour();
        }
        return zone == null ? null : zone.spotUsdPerHour();
    }

    private static Offering offering(
            Requirements wants, @Nullable BigDecimal price, boolean isAvailable) {
        return new Offering(
                wants,
                price == null ? 0 : price.doubleValue(),
                isAvailable && price != null,
                0,
                Offering.Overrides.NONE,
                false);
    }
}
