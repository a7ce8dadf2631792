package dev.millwright.core.catalog;

import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.label.Requirement;
import dev.millwright.core.label.Requirements;
import dev.millwright.core.quantity.Resources;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// One way to buy an instance type: a zone, a capacity type, a price in USD per hour.
///
/// `reservationCapacity` counts the free slots of a reserved offering. An override replaces the
/// type's own capacity or overhead entries when the machine is bought this way.
public record Offering(
        Requirements requirements,
        double pricePerHour,
        boolean isAvailable,
        int reservationCapacity,
        Overrides overrides,
        boolean isPriceOverlaid) {

    /// What differs from the instance type when bought this way.
    public record Overrides(Resources capacity, @Nullable Overhead overhead) {
        public static final Overrides NONE = new Overrides(Resources.NONE, null);

        public boolean isEmpty() {
            return capacity.isEmpty() && overhead == null;
        }
    }

    public Offering {
        if (!(pricePerHour >= 0) || Double.isInfinite(pricePerHour)) {
            throw new IllegalArgumentException(
                    "offering %s: price %s must be a number of at least 0"
                            .formatted(requirements, pricePerHour));
        }
        if (reservationCapacity < 0) {
            throw new IllegalArgumentException(
                    "offering %s: reservation capacity %d must not be negative"
                            .formatted(requirements, reservationCapacity));
        }
    }

    public static Offering of(String zone, String capacityType, double pricePerHour) {
        return new Offering(
                Requirements.of(
                        Requirement.in(LabelKeys.CAPACITY_TYPE, capacityType),
                        Requirement.in(LabelKeys.ZONE, zone)),
                pricePerHour,
                true,
                0,
                Overrides.NONE,
                false);
    }

    public Offering unavailable() {
        return new Offering(
                requirements, pricePerHour, false, reservationCapacity, overrides, isPriceOverlaid);
    }

    public Offering withOverlaidPrice(double price) {
        return new Offering(requirements, price, isAvailable, reservationCapacity, overrides, true);
    }

    public String zone() {
        return only(LabelKeys.ZONE);
    }

    public String capacityType() {
        return only(LabelKeys.CAPACITY_TYPE);
    }

    public boolean isReserved() {
        return capacityType().equals(LabelKeys.CAPACITY_TYPE_RESERVED);
    }

    public String reservationId(String reservationIdKey) {
        return only(reservationIdKey);
    }

    /// Whether a machine could be had this way right now: a full reservation is healthy, yet gives
    /// none.
    public boolean isLaunchable() {
        return isAvailable && (!isReserved() || reservationCapacity > 0);
    }

    private String only(String key) {
        List<String> values = requirements.on(key).values();
        return values.isEmpty() ? "" : values.getFirst();
    }
}
