package dev.millwright.providers.aws.launch;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.catalog.Offering;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.label.Requirements;
import dev.millwright.core.quantity.Quantity;
import dev.millwright.core.quantity.Resources;
import dev.millwright.providers.aws.instancetype.ImageChoice;
import dev.millwright.providers.aws.nodeclass.NodeClassStatus;
import dev.millwright.spi.ec2.Ec2Labels;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.TreeMap;

/// Types that are launched by one template: what the template says is the same for all of them.
///
/// @param efaInterfaces how many the claim gets; zero when it asks for none
/// @param reservation null unless the launch is from a reservation
record TemplateGroup(
        NodeClassStatus.Ami image,
        int efaInterfaces,
        int podsMax,
        @Nullable Reservation reservation,
        List<InstanceType> types) {

    static final String EFA = "vpc.amazonaws.com/efa";

    record Reservation(String id, String type, boolean isInterruptible) {

        boolean isCapacityBlock() {
            return type.equals("capacity-block");
        }

        static Reservation of(Offering offering) {
            return new Reservation(
                    only(offering.requirements(), Ec2Labels.RESERVATION_ID),
                    only(offering.requirements(), Ec2Labels.RESERVATION_TYPE),
                    only(offering.requirements(), Ec2Labels.RESERVATION_INTERRUPTIBLE)
                            .equals("true"));
        }

        private static String only(Requirements requirements, String key) {
            var requirement = requirements.orNull(key);
            return requirement == null || requirement.isComplement() ? "" : requirement.anyValue();
        }
    }

    private record Key(NodeClassStatus.Ami image, int efaInterfaces, int podsMax) {}

    TemplateGroup {
        types = List.copyOf(types);
    }

    /// Types for which no image will do are left out: the result may be empty.
    static List<TemplateGroup> of(
            Wish wish,
            List<NodeClassStatus.Ami> images,
            List<InstanceType> types,
            String capacityType) {
        var typesByKey = new LinkedHashMap<Key, List<InstanceType>>();
        for (var type : types) {
            var image = ImageChoice.of(type.requirements(), images);
            if (image != null) {
                var efa = isPositive(wish.requests(), EFA) ? amount(type, EFA) : 0;
                var key = new Key(image, efa, amount(type, Resources.PODS));
                typesByKey.computeIfAbsent(key, _ -> new ArrayList<>()).add(type);
            }
        }
        var groups = new ArrayList<TemplateGroup>();
        typesByKey.forEach(
                (key, alike) -> {
                    if (capacityType.equals(LabelKeys.CAPACITY_TYPE_RESERVED)) {
                        groups.addAll(byReservation(wish, key, alike));
                    } else {
                        groups.add(group(key, null, alike));
                    }
                });
        return groups;
    }

    private static List<TemplateGroup> byReservation(Wish wish, Key key, List<InstanceType> types) {
        var typesByReservation =
                new TreeMap<Reservation, List<InstanceType>>(
                        Comparator.comparing(Reservation::id)
                                .thenComparing(Reservation::type)
                                .thenComparing(Reservation::isInterruptible));
        for (var type : types) {
            wish.launchable(type)
                    .filter(Offering::isReserved)
                    .map(Reservation::of)
                    .distinct()
                    .forEach(
                            reservation ->
                                    typesByReservation
                                            .computeIfAbsent(reservation, _ -> new ArrayList<>())
                                            .add(type));
        }
        return typesByReservation.entrySet().stream()
                .map(entry -> group(key, entry.getKey(), entry.getValue()))
                .toList();
    }

    private static TemplateGroup group(
            Key key, @Nullable Reservation reservation, List<InstanceType> types) {
        return new TemplateGroup(
                key.image(), key.efaInterfaces(), key.podsMax(), reservation, types);
    }

    /// Whether one of this group's machines may be bought this way.
    boolean isBoughtBy(Offering offering) {
        return reservation == null
                ? !offering.isReserved()
                : offering.isReserved()
                        && offering.reservationId(Ec2Labels.RESERVATION_ID)
                                .equals(reservation.id());
    }

    private static boolean isPositive(Resources resources, String name) {
        return resources.amount(name).compareTo(Quantity.ZERO) > 0;
    }

    private static int amount(InstanceType type, String name) {
        return Math.toIntExact(type.capacity().amount(name).units());
    }
}
