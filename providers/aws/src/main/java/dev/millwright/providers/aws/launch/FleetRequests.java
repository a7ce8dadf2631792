package dev.millwright.providers.aws.launch;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.catalog.Offering;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.providers.aws.api.FleetRequest;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/// The request for one machine: every template with all it may be launched as.
final class FleetRequests {

    private FleetRequests() {}

    /// A group with the name of the template that was made for it.
    record Ensured(TemplateGroup group, String templateName) {}

    /// Everything a request is made of.
    ///
    /// @param subnetByZone where a machine of each zone would be
    /// @param context as the class has it; null without
    record Parts(
            Wish wish,
            String capacityType,
            List<Ensured> templates,
            SequencedMap<String, String> subnetByZone,
            SequencedMap<String, String> tags,
            @Nullable String context) {}

    /// Null when nothing could be launched: no zone that has an offering has a subnet.
    static @Nullable FleetRequest of(Parts parts) {
        var configs = new ArrayList<FleetRequest.Config>();
        for (var template : parts.templates()) {
            var overrides = overrides(parts, template.group());
            if (!overrides.isEmpty()) {
                configs.add(new FleetRequest.Config(template.templateName(), overrides));
            }
        }
        if (configs.isEmpty()) {
            return null;
        }
        var wish = parts.wish();
        var reservation = parts.templates().getFirst().group().reservation();
        var isSpot = parts.capacityType().equals(LabelKeys.CAPACITY_TYPE_SPOT);
        var isBlock = reservation != null && reservation.isCapacityBlock();
        var isInterruptible = reservation != null && reservation.isInterruptible() && !isBlock;
        return new FleetRequest(
                1,
                isBlock
                        ? "capacity-block"
                        : isInterruptible ? "reserved-capacity" : isSpot ? "spot" : "on-demand",
                isSpot ? spotAllocation(wish) : null,
                isSpot || isBlock || isInterruptible ? null : onDemandAllocation(wish),
                isInterruptible ? List.of("interruptible-capacity-reservation") : List.of(),
                wish.isMinValuesRelaxed() ? null : parts.context(),
                parts.tags(),
                configs,
                null);
    }

    /// Who changed prices by an overlay wants them heeded, whatever EC2 thinks of capacity.
    private static String spotAllocation(Wish wish) {
        return wish.isPriceOverlaid()
                ? "capacity-optimized-prioritized"
                : "price-capacity-optimized";
    }

    private static String onDemandAllocation(Wish wish) {
        return wish.isPriceOverlaid() ? "prioritized" : "lowest-price";
    }

    private record Place(String type, String zone) {}

    private static List<FleetRequest.Override> overrides(Parts parts, TemplateGroup group) {
        var byPlace = new LinkedHashMap<Place, FleetRequest.Override>();
        for (var type : group.types()) {
            parts.wish()
                    .launchable(type)
                    .filter(offering -> offering.capacityType().equals(parts.capacityType()))
                    .filter(group::isBoughtBy)
                    .forEach(offering -> add(byPlace, parts, group, type, offering));
        }
        return List.copyOf(byPlace.sequencedValues());
    }

    private static void add(
            SequencedMap<Place, FleetRequest.Override> byPlace,
            Parts parts,
            TemplateGroup group,
            InstanceType type,
            Offering offering) {
        var zone = offering.zone();
        var subnet = parts.subnetByZone().get(zone);
        if (subnet != null) {
            byPlace.putIfAbsent(
                    new Place(type.name(), zone),
                    new FleetRequest.Override(
                            type.name(),
                            subnet,
                            group.image().id(),
                            zone,
                            offering.pricePerHour()));
        }
    }
}
