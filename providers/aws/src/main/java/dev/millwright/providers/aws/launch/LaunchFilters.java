package dev.millwright.providers.aws.launch;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.catalog.Offering;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.quantity.Quantity;
import dev.millwright.core.quantity.Resources;
import dev.millwright.spi.ec2.Ec2Labels;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.stream.Collectors;

/// Which types, bought which way, a launch asks EC2 for: what a claim allows, narrowed step by
/// step. The first step that leaves nothing ends it.
final class LaunchFilters {

    private static final List<String> EXOTIC_RESOURCES =
            List.of(
                    "aws.amazon.com/neuron",
                    "aws.amazon.com/neuroncore",
                    "amd.com/gpu",
                    "nvidia.com/gpu",
                    "habana.ai/gaudi");

    /// What the filters leave, and what each took away, by the filters' names in their order.
    record Outcome(List<InstanceType> types, List<Rejection> rejections) {
        public Outcome {
            types = List.copyOf(types);
            rejections = List.copyOf(rejections);
        }
    }

    /// @param types the names of those that a filter rejected, in order
    record Rejection(String filter, List<String> types) {
        public Rejection {
            types = List.copyOf(types);
        }
    }

    private record Named(
            String name, BiFunction<Wish, List<InstanceType>, List<InstanceType>> narrowing) {}

    private static final List<Named> ALL =
            List.of(
                    new Named("compatible-available-filter", LaunchFilters::compatible),
                    new Named(
                            "capacity-reservation-type-filter", LaunchFilters::oneReservationKind),
                    new Named("capacity-block-filter", LaunchFilters::oneCapacityBlock),
                    new Named("reserved-offering-filter", LaunchFilters::oneReservationPerZone),
                    new Named("exotic-instance-filter", LaunchFilters::ordinary),
                    new Named("spot-offering-filter", LaunchFilters::worthwhileSpot));

    private LaunchFilters() {}

    static Outcome apply(Wish wish, List<InstanceType> types) {
        var rejections = new ArrayList<Rejection>();
        var left = types;
        for (var filter : ALL) {
            var kept = filter.narrowing().apply(wish, left);
            var keptNames = kept.stream().map(InstanceType::name).collect(Collectors.toSet());
            var rejected =
                    left.stream()
                            .map(InstanceType::name)
                            .filter(name -> !keptNames.contains(name))
                            .toList();
            if (!rejected.isEmpty()) {
                rejections.add(new Rejection(filter.name(), rejected));
            }
            left = kept;
            if (left.isEmpty()) {
                break;
            }
        }
        return new Outcome(left, rejections);
    }

    /// A type must fit and be to be had the same way: the room may differ from offering to
    /// offering.
    private static List<InstanceType> compatible(Wish wish, List<InstanceType> types) {
        return types.stream()
                .filter(type -> wish.accepts(type.requirements()))
                .filter(
                        type ->
                                type.allocatableGroups().stream()
                                        .anyMatch(group -> isTaken(wish, group)))
                .toList();
    }

    private static boolean isTaken(Wish wish, InstanceType.AllocatableGroup group) {
        return wish.requests().fitsIn(group.allocatable())
                && group.offerings().stream()
                        .anyMatch(
                                offering ->
                                        offering.isLaunchable()
                                                && wish.accepts(offering.requirements()));
    }

    /// The kinds of reservations, the one to prefer at the same price first.
    private enum ReservationKind {
        DEFAULT,
        CAPACITY_BLOCK,
        INTERRUPTIBLE;

        static ReservationKind of(Offering offering) {
            if (has(offering, Ec2Labels.RESERVATION_TYPE, "capacity-block")) {
                return CAPACITY_BLOCK;
            }
            return has(offering, Ec2Labels.RESERVATION_INTERRUPTIBLE, "true")
                    ? INTERRUPTIBLE
                    : DEFAULT;
        }

        private static boolean has(Offering offering, String key, String value) {
            var requirement = offering.requirements().orNull(key);
            return requirement != null && !requirement.isComplement() && requirement.has(value);
        }
    }

    /// One fleet buys one kind of reservation.
    private static List<InstanceType> oneReservationKind(Wish wish, List<InstanceType> types) {
        if (!wish.allows(LabelKeys.CAPACITY_TYPE_RESERVED)) {
            return types;
        }
        var cheapest =
                types.stream()
                        .flatMap(wish::launchable)
                        .filter(Offering::isReserved)
                        .min(
                                Comparator.comparingDouble(Offering::pricePerHour)
                                        .thenComparing(ReservationKind::of));
        if (cheapest.isEmpty()) {
            return types;
        }
        var kind = ReservationKind.of(cheapest.get());
        return kept(
                types,
                type ->
                        wish.launchable(type)
                                .filter(Offering::isReserved)
                                .filter(offering -> ReservationKind.of(offering) == kind)
                                .toList());
    }

    /// EC2 takes one capacity block a fleet.
    private static List<InstanceType> oneCapacityBlock(Wish wish, List<InstanceType> types) {
        if (!wish.allows(LabelKeys.CAPACITY_TYPE_RESERVED)) {
            return types;
        }
        InstanceType cheapestType = null;
        Offering cheapest = null;
        for (var type : types) {
            for (var offering : type.offerings()) {
                var isBlock =
                        offering.isReserved()
                                && ReservationKind.of(offering) == ReservationKind.CAPACITY_BLOCK;
                if (isBlock
                        && (cheapest == null
                                || offering.pricePerHour() < cheapest.pricePerHour())) {
                    cheapestType = type;
                    cheapest = offering;
                }
            }
        }
        return cheapestType == null || cheapest == null
                ? types
                : List.of(cheapestType.withOfferings(List.of(cheapest)));
    }

    /// Of several reservations in a zone the one with most left.
    private static List<InstanceType> oneReservationPerZone(Wish wish, List<InstanceType> types) {
        if (!wish.allows(LabelKeys.CAPACITY_TYPE_RESERVED)) {
            return types;
        }
        var reserved =
                kept(
                        types,
                        type -> {
                            var byZone = new TreeMap<String, Offering>();
                            wish.launchable(type)
                                    .filter(Offering::isReserved)
                                    .forEach(
                                            offering ->
                                                    byZone.merge(
                                                            offering.zone(),
                                                            offering,
                                                            LaunchFilters::larger));
                            return List.copyOf(byZone.values());
                        });
        return reserved.isEmpty() ? types : reserved;
    }

    private static Offering larger(Offering one, Offering other) {
        return other.reservationCapacity() > one.reservationCapacity() ? other : one;
    }

    /// Metal and accelerators only for who asks for them, or where there is nothing else.
    private static List<InstanceType> ordinary(Wish wish, List<InstanceType> types) {
        if (wish.hasMinValues()) {
            return types;
        }
        var ordinary = types.stream().filter(type -> !isExotic(type)).toList();
        return ordinary.isEmpty() ? types : ordinary;
    }

    private static boolean isExotic(InstanceType type) {
        var size = type.requirements().on(Ec2Labels.SIZE);
        return (!size.isComplement()
                        && size.values().stream().anyMatch(value -> value.contains("metal")))
                || EXOTIC_RESOURCES.stream().anyMatch(name -> isPositive(type.capacity(), name));
    }

    private static boolean isPositive(Resources resources, String name) {
        return resources.amount(name).compareTo(Quantity.ZERO) > 0;
    }

    /// Spot that costs more than on-demand is no bargain.
    private static List<InstanceType> worthwhileSpot(Wish wish, List<InstanceType> types) {
        if (wish.hasMinValues()
                || !wish.allows(LabelKeys.CAPACITY_TYPE_SPOT)
                || !wish.allows(LabelKeys.CAPACITY_TYPE_ON_DEMAND)) {
            return types;
        }
        var onDemand = cheapest(wish, types, LabelKeys.CAPACITY_TYPE_ON_DEMAND);
        if (onDemand == null || cheapest(wish, types, LabelKeys.CAPACITY_TYPE_SPOT) == null) {
            return types;
        }
        return kept(
                types,
                type ->
                        type.offerings().stream()
                                .filter(
                                        offering ->
                                                !offering.capacityType()
                                                                .equals(
                                                                        LabelKeys
                                                                                .CAPACITY_TYPE_SPOT)
                                                        || offering.pricePerHour() <= onDemand)
                                .toList());
    }

    private static @Nullable Double cheapest(
            Wish wish, List<InstanceType> types, String capacityType) {
        var prices =
                types.stream()
                        .flatMap(wish::launchable)
                        .filter(offering -> offering.capacityType().equals(capacityType))
                        .mapToDouble(Offering::pricePerHour)
                        .min();
        return prices.isPresent() ? prices.getAsDouble() : null;
    }

    @FunctionalInterface
    private interface OfferingChoice {
        List<Offering> of(InstanceType type);
    }

    /// The types with what is left of their offerings, less those with none.
    private static List<InstanceType> kept(List<InstanceType> types, OfferingChoice choice) {
        var kept = new ArrayList<InstanceType>();
        for (var type : types) {
            var offerings = choice.of(type);
            if (!offerings.isEmpty()) {
                kept.add(
                        offerings.size() == type.offerings().size()
                                ? type
                                : type.withOfferings(offerings));
            }
        }
        return kept;
    }
}
