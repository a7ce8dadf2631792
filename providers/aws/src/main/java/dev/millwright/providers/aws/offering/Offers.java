package dev.millwright.providers.aws.offering;

import dev.millwright.core.catalog.Offering;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.label.Requirement;
import dev.millwright.core.label.Requirements;
import dev.millwright.providers.aws.instancetype.BareType;
import dev.millwright.providers.aws.instancetype.ClassFacts;
import dev.millwright.providers.aws.nodeclass.NodeClassStatus.CapacityReservation;
import dev.millwright.providers.aws.nodeclass.NodeClassStatus.ReservationState;
import dev.millwright.providers.aws.offering.UnavailableOfferings.Mark;
import dev.millwright.providers.aws.offering.UnavailableOfferings.Marks;
import dev.millwright.providers.aws.offering.UnavailableOfferings.Scope;
import dev.millwright.providers.aws.pricing.Prices;
import dev.millwright.spi.ec2.Ec2Labels;
import dev.millwright.spi.ec2.Ec2Requirements;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SequencedMap;
import java.util.SequencedSet;
import java.util.TreeMap;
import java.util.stream.IntStream;

/// The offerings of types under one class at one moment.
///
/// Every zone of the region has an offering, also one that none of our nodes may be in: it is
/// unavailable, as Karpenter's metrics show it. What offerings require is built once and shared:
/// thousands of them differ only in price.
final class Offers {

    /// A reservation is paid for; what remains of its price keeps the order of the types.
    private static final double RESERVED_DIVISOR = 10_000_000;

    private static final List<String> BOUGHT =
            List.of(LabelKeys.CAPACITY_TYPE_ON_DEMAND, LabelKeys.CAPACITY_TYPE_SPOT);

    /// A zone as all types find it.
    ///
    /// @param zoneId null where none of our nodes may be; empty where it is not known yet
    /// @param isFull whether no subnet there has an address left
    /// @param wants by capacity type, for each partition
    private record Shelf(
            @Nullable String zoneId,
            boolean isShifted,
            boolean isFull,
            SequencedMap<String, List<Requirements>> wants) {

        boolean isOpen() {
            return zoneId != null && !isShifted;
        }
    }

    private final ClassFacts facts;
    private final Prices prices;
    private final Marks marks;
    private final boolean isReservedCapacityOn;
    private final List<Integer> partitions;
    private final List<Scope> scopes;
    private final SequencedMap<String, Shelf> shelves = new TreeMap<>();

    /// @param zones all of the region
    Offers(
            ClassFacts facts,
            SequencedSet<String> zones,
            Market market,
            boolean isReservedCapacityOn) {
        this.facts = facts;
        this.prices = market.prices();
        this.marks = market.marks();
        this.isReservedCapacityOn = isReservedCapacityOn;
        this.partitions = IntStream.rangeClosed(1, facts.partitions()).boxed().toList();
        this.scopes = scopes();
        zones.forEach(zone -> shelves.put(zone, shelf(zone, market)));
    }

    /// What all offerings of a moment depend on.
    record Market(Prices prices, Marks marks, SequencedSet<String> shiftedZoneIds) {}

    /// Where a refusal concerns each way to buy: one scope for each partition, or a single one.
    private List<Scope> scopes() {
        var group = facts.group();
        if (group == null) {
            return List.of(Scope.ANYWHERE);
        }
        return partitions.isEmpty()
                ? List.of(Scope.group(group.id()))
                : partitions.stream()
                        .map(partition -> Scope.partition(group.id(), partition.toString()))
                        .toList();
    }

    private Shelf shelf(String zone, Market market) {
        var subnets =
                facts.subnets().stream().filter(subnet -> subnet.zone().equals(zone)).toList();
        var zoneId = subnets.isEmpty() ? null : subnets.getFirst().zoneId();
        var wants = new TreeMap<String, List<Requirements>>();
        for (var capacityType : BOUGHT) {
            wants.put(
                    capacityType,
                    split(Ec2Requirements.offering(capacityType, zone, knownOrNull(zoneId))));
        }
        return new Shelf(
                zoneId,
                zoneId != null && market.shiftedZoneIds().contains(zoneId),
                subnets.stream().allMatch(subnet -> marks.subnets().contains(subnet.id())),
                Collections.unmodifiableSequencedMap(wants));
    }

    private static @Nullable String knownOrNull(@Nullable String zoneId) {
        return zoneId == null || zoneId.isEmpty() ? null : zoneId;
    }

    private List<Requirements> split(Requirements whole) {
        return partitions.isEmpty()
                ? List.of(whole)
                : partitions.stream()
                        .map(
                                partition ->
                                        whole.and(
                                                Requirement.in(
                                                        Ec2Labels.PLACEMENT_GROUP_PARTITION,
                                                        partition.toString())))
                        .toList();
    }

    /// @param previewPrice for a type AWS has no price of, or null
    /// @param freeSlots by reservation id
    List<Offering> of(
            BareType bare, @Nullable Double previewPrice, SequencedMap<String, Integer> freeSlots) {
        var offerings = new ArrayList<Offering>();
        for (var zone : shelves.sequencedKeySet()) {
            for (var capacityType : BOUGHT) {
                if (bare.known().machine().isSoldAs(capacityType)) {
                    addBought(offerings, bare, new Place(zone, capacityType), previewPrice);
                }
            }
        }
        if (isReservedCapacityOn) {
            facts.reservationsOf(bare.type().name())
                    .forEach(
                            reservation ->
                                    addReserved(
                                            offerings,
                                            bare,
                                            reservation,
                                            freeSlots.getOrDefault(reservation.id(), 0)));
        }
        return offerings;
    }

    private record Place(String zone, String capacityType) {}

    private void addBought(
            List<Offering> offerings, BareType bare, Place place, @Nullable Double previewPrice) {
        var shelf = shelves.get(place.zone());
        if (shelf == null) {
            return;
        }
        var type = bare.type().name();
        var listed = price(type, place);
        var price = listed == null ? previewPrice : listed;
        var isPossible =
                bare.isFitting()
                        && price != null
                        && shelf.isOpen()
                        && !shelf.isFull()
                        && bare.known().zones().contains(place.zone())
                        && !marks.capacityTypes().contains(place.capacityType());
        var wants = shelf.wants().getOrDefault(place.capacityType(), List.of());
        for (var index = 0; index < wants.size(); index++) {
            var isAvailable = isPossible && !isRefused(type, place, scopes.get(index));
            offerings.add(offering(wants.get(index), price == null ? 0 : price, isAvailable, 0));
        }
    }

    /// A refusal counts wherever it includes the place: one for the whole group in each of its
    /// partitions, one for anywhere in all groups.
    private boolean isRefused(String type, Place place, Scope scope) {
        return isMarked(type, place, Scope.ANYWHERE)
                || isMarked(type, place, Scope.group(scope.group()))
                || isMarked(type, place, scope);
    }

    private boolean isMarked(String type, Place place, Scope scope) {
        return marks.has(new Mark(place.capacityType(), type, place.zone(), scope));
    }

    private @Nullable Double price(String type, Place place) {
        return place.capacityType().equals(LabelKeys.CAPACITY_TYPE_ON_DEMAND)
                ? prices.onDemand(type)
                : prices.spot(type, place.zone());
    }

    private void addReserved(
            List<Offering> offerings, BareType bare, CapacityReservation reservation, int free) {
        var zone = reservation.availabilityZone();
        var shelf = shelves.get(zone);
        var onDemand = prices.onDemand(bare.type().name());
        var isAvailable =
                bare.isFitting()
                        && free > 0
                        && shelf != null
                        && shelf.isOpen()
                        && bare.known().zones().contains(zone)
                        && reservation.state() != ReservationState.EXPIRING;
        var zoneId = shelf == null ? null : shelf.zoneId();
        for (var wants : split(requirements(reservation, knownOrNull(zoneId)))) {
            offerings.add(
                    offering(
                            wants,
                            onDemand == null ? 0 : onDemand / RESERVED_DIVISOR,
                            isAvailable,
                            Math.max(0, free)));
        }
    }

    private static Requirements requirements(
            CapacityReservation reservation, @Nullable String zoneId) {
        var wants =
                Requirements.of(
                        Requirement.in(LabelKeys.CAPACITY_TYPE, LabelKeys.CAPACITY_TYPE_RESERVED),
                        Requirement.in(LabelKeys.ZONE, reservation.availabilityZone()),
                        Requirement.in(Ec2Labels.RESERVATION_ID, reservation.id()),
                        Requirement.in(Ec2Labels.RESERVATION_TYPE, reservation.type().text()),
                        Requirement.in(
                                Ec2Labels.RESERVATION_INTERRUPTIBLE,
                                Boolean.toString(reservation.isInterruptible())));
        return zoneId == null ? wants : wants.and(Requirement.in(Ec2Labels.ZONE_ID, zoneId));
    }

    private static Offering offering(
            Requirements wants, double price, boolean isAvailable, int reservationCapacity) {
        return new Offering(
                wants, price, isAvailable, reservationCapacity, Offering.Overrides.NONE, false);
    }
}
