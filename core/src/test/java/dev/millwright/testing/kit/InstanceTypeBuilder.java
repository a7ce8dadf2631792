package dev.millwright.testing.kit;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.catalog.Offering;
import dev.millwright.core.catalog.Overhead;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.label.LabelVocabulary;
import dev.millwright.core.label.Requirement;
import dev.millwright.core.label.Requirements;
import dev.millwright.core.quantity.Quantity;
import dev.millwright.core.quantity.Resources;

import java.util.List;
import java.util.TreeSet;

/// An instance type in the making: 4 cpus, 4Gi, 5 pods, amd64, offered in all zones at the price of
/// its resources, until told otherwise.
public record InstanceTypeBuilder(
        String name,
        Resources capacity,
        Resources overhead,
        String arch,
        List<String> systems,
        List<Requirement> extra,
        List<Offering> offerings) {

    static InstanceTypeBuilder named(String name) {
        return new InstanceTypeBuilder(
                name,
                Resources.parse("cpu", "4", "memory", "4Gi", "pods", "5"),
                FakeCatalogue.OVERHEAD,
                "amd64",
                List.of("darwin", "linux", "windows"),
                List.of(),
                List.of());
    }

    public InstanceTypeBuilder cpu(String quantity) {
        return resource(Resources.CPU, quantity);
    }

    public InstanceTypeBuilder memory(String quantity) {
        return resource(Resources.MEMORY, quantity);
    }

    public InstanceTypeBuilder pods(int count) {
        return resource(Resources.PODS, Integer.toString(count));
    }

    public InstanceTypeBuilder resource(String resource, String quantity) {
        return new InstanceTypeBuilder(
                name,
                capacity.with(resource, Quantity.parse(quantity)),
                overhead,
                arch,
                systems,
                extra,
                offerings);
    }

    public InstanceTypeBuilder withoutOverhead() {
        return new InstanceTypeBuilder(
                name, capacity, Resources.NONE, arch, systems, extra, offerings);
    }

    public InstanceTypeBuilder arch(String other) {
        return new InstanceTypeBuilder(name, capacity, overhead, other, systems, extra, offerings);
    }

    public InstanceTypeBuilder systems(String... others) {
        return new InstanceTypeBuilder(
                name, capacity, overhead, arch, List.of(others), extra, offerings);
    }

    /// A label of the machine besides the usual ones.
    public InstanceTypeBuilder requirement(Requirement requirement) {
        return new InstanceTypeBuilder(
                name,
                capacity,
                overhead,
                arch,
                systems,
                PodBuilder.plus(extra, requirement),
                offerings);
    }

    /// Offered this way; the first call replaces the usual five offerings.
    public InstanceTypeBuilder offering(String zone, String capacityType, double price) {
        return offering(Offering.of(zone, capacityType, price));
    }

    public InstanceTypeBuilder offering(Offering offering) {
        return new InstanceTypeBuilder(
                name,
                capacity,
                overhead,
                arch,
                systems,
                extra,
                PodBuilder.plus(offerings, offering));
    }

    /// Offered by a reservation with this many free slots.
    public InstanceTypeBuilder reserved(String zone, String id, int slots, double price) {
        return offering(
                new Offering(
                        Requirements.of(
                                Requirement.in(
                                        LabelKeys.CAPACITY_TYPE, LabelKeys.CAPACITY_TYPE_RESERVED),
                                Requirement.in(LabelKeys.ZONE, zone),
                                Requirement.in(LabelVocabulary.DEFAULT_RESERVATION_ID_KEY, id)),
                        price,
                        true,
                        slots,
                        Offering.Overrides.NONE,
                        false));
    }

    /// Offered nowhere: the usual offerings are there and none of them is available.
    public InstanceTypeBuilder unavailable() {
        return new InstanceTypeBuilder(
                name,
                capacity,
                overhead,
                arch,
                systems,
                extra,
                ways().stream().map(Offering::unavailable).toList());
    }

    public double price() {
        return FakeCatalogue.price(capacity);
    }

    public InstanceType build() {
        return new InstanceType(
                name,
                requirements().and(extra),
                ways(),
                capacity,
                Overhead.ofKubeReserved(overhead));
    }

    private List<Offering> ways() {
        return offerings.isEmpty() ? FakeCatalogue.offerings(price()) : offerings;
    }

    private Requirements requirements() {
        var isLarge =
                capacity.amount(Resources.CPU).compareTo(Quantity.ofUnits(4)) > 0
                        && capacity.amount(Resources.MEMORY).compareTo(Quantity.parse("8Gi")) > 0;
        return Requirements.of(
                Requirement.in(LabelKeys.INSTANCE_TYPE, name),
                Requirement.in(LabelKeys.ARCH, arch),
                Requirement.in(LabelKeys.OS, systems.toArray(String[]::new)),
                Requirement.in(LabelKeys.ZONE, offered(LabelKeys.ZONE)),
                Requirement.in(LabelKeys.CAPACITY_TYPE, offered(LabelKeys.CAPACITY_TYPE)),
                Requirement.in(FakeCatalogue.SIZE, isLarge ? "large" : "small"),
                isLarge
                        ? Requirement.in(FakeCatalogue.SPECIAL, "optional")
                        : Requirement.doesNotExist(FakeCatalogue.SPECIAL),
                Requirement.in(FakeCatalogue.INTEGER, capacity.amount(Resources.CPU).toString()));
    }

    private String[] offered(String key) {
        var values = new TreeSet<String>();
        ways().stream()
                .filter(Offering::isAvailable)
                .forEach(offering -> values.addAll(offering.requirements().on(key).values()));
        return values.toArray(String[]::new);
    }
}
