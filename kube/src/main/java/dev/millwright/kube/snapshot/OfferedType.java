package dev.millwright.kube.snapshot;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.catalog.Offering;
import dev.millwright.core.catalog.Overhead;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.label.LabelVocabulary;
import dev.millwright.core.label.Operator;
import dev.millwright.core.label.Requirement;
import dev.millwright.core.label.Requirements;
import dev.millwright.core.quantity.Quantity;
import dev.millwright.core.quantity.Resources;
import dev.millwright.kube.document.Field;
import dev.millwright.kube.document.Shortened;
import dev.millwright.kube.translation.ObjectMeta;
import dev.millwright.kube.translation.SizeTranslation;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.SequencedMap;
import java.util.TreeMap;

/// An instance type as a file states it. Its requirements are made later: they depend on the
/// vocabulary, which may stand further down in the file.
record OfferedType(
        String name,
        String arch,
        List<String> systems,
        Resources capacity,
        @Nullable Resources allocatable,
        SequencedMap<String, String> labels,
        List<Purchase> purchases,
        SequencedMap<String, Integer> volumeAttachmentLimits) {

    /// One way to buy it.
    record Purchase(
            String zone,
            String capacityType,
            double pricePerHour,
            boolean isAvailable,
            String reservationId,
            int reservationCapacity) {

        boolean isReserved() {
            return capacityType.equals(LabelKeys.CAPACITY_TYPE_RESERVED);
        }
    }

    static OfferedType of(Field stated) {
        var name = stated.at("name").requiredText("the instance type's name");
        var type = name.isEmpty() ? stated : stated.named("instance type " + Shortened.of(name));
        var capacity = type.at("capacity");
        if (!capacity.isPresent()) {
            capacity.missing("cpuMilli, memoryBytes and pods");
        }
        var allocatable = type.at("allocatable");
        var purchases = new ArrayList<Purchase>();
        for (var offering : type.at("offerings").elements()) {
            purchases.add(purchase(offering, name));
        }
        return new OfferedType(
                name,
                type.at("arch").text("amd64"),
                type.at("os").isPresent() ? type.at("os").textList() : List.of("linux"),
                SizeTranslation.resources(capacity),
                allocatable.isPresent() ? SizeTranslation.resources(allocatable) : null,
                type.at("labels").texts(ObjectMeta.LABEL_LENGTH_MAX),
                purchases,
                volumeLimits(type.at("volumeAttachmentLimits")));
    }

    private static Purchase purchase(Field offering, String type) {
        var zone = offering.at("zone").requiredText("a zone");
        var available = offering.at("available");
        var price = offering.at("price").amount();
        if (!offering.at("price").isPresent()) {
            offering.at("price").missing("USD per hour");
        }
        return new Purchase(
                zone,
                offering.at("capacityType").requiredText("on-demand, spot or reserved"),
                price == null ? 0 : price,
                !available.isPresent() || available.isTrue(),
                // Without an id two reservations would share one count of free slots.
                offering.at("reservationId").text("reservation-%s-%s".formatted(type, zone)),
                offering.at("reservationCapacity").whole(0, Integer.MAX_VALUE, 0));
    }

    private static SequencedMap<String, Integer> volumeLimits(Field field) {
        var limits = new TreeMap<String, Integer>();
        field.entries()
                .forEach(
                        (driver, limit) ->
                                limits.put(driver, limit.whole(0, Integer.MAX_VALUE, 0)));
        return limits;
    }

    boolean isReserved() {
        return purchases.stream().anyMatch(Purchase::isReserved);
    }

    /// What providers state: a well-known key that the type lacks is absent, not open; and where
    /// any type of the file is reserved, every other says that it has no reservation.
    InstanceType instanceType(
            LabelVocabulary vocabulary, List<String> fileKeys, boolean isAnyReserved) {
        var requirements = new ArrayList<Requirement>();
        requirements.add(Requirement.in(LabelKeys.INSTANCE_TYPE, name));
        requirements.add(Requirement.in(LabelKeys.ARCH, arch));
        requirements.add(Requirement.of(LabelKeys.OS, Operator.IN, null, systems));
        requirements.add(in(LabelKeys.ZONE, purchases.stream().map(Purchase::zone).toList()));
        requirements.add(
                in(
                        LabelKeys.CAPACITY_TYPE,
                        purchases.stream().map(Purchase::capacityType).toList()));
        labels.forEach(
                (key, value) -> requirements.add(Requirement.in(vocabulary.normalize(key), value)));
        if (isAnyReserved) {
            var ids =
                    purchases.stream()
                            .filter(Purchase::isReserved)
                            .map(Purchase::reservationId)
                            .toList();
            requirements.add(in(vocabulary.reservationIdKey(), ids));
        }
        var stated = Requirements.of(requirements);
        for (var key : fileKeys) {
            if (!stated.has(key)) {
                stated = stated.and(Requirement.doesNotExist(key));
            }
        }
        return new InstanceType(
                name,
                stated,
                purchases.stream()
                        .map(purchase -> offering(purchase, vocabulary, isAnyReserved))
                        .toList(),
                capacity,
                Overhead.ofKubeReserved(overhead()),
                volumeAttachmentLimits,
                false);
    }

    private static Requirement in(String key, List<String> values) {
        return Requirement.of(key, Operator.IN, null, values);
    }

    private static Offering offering(
            Purchase purchase, LabelVocabulary vocabulary, boolean isAnyReserved) {
        var requirements =
                Requirements.of(
                        Requirement.in(LabelKeys.CAPACITY_TYPE, purchase.capacityType()),
                        Requirement.in(LabelKeys.ZONE, purchase.zone()));
        if (isAnyReserved) {
            var key = vocabulary.reservationIdKey();
            requirements =
                    requirements.and(
                            purchase.isReserved()
                                    ? Requirement.in(key, purchase.reservationId())
                                    : Requirement.doesNotExist(key));
        }
        return new Offering(
                requirements,
                purchase.pricePerHour(),
                purchase.isAvailable(),
                purchase.reservationCapacity(),
                Offering.Overrides.NONE,
                false);
    }

    /// Capacity less allocatable; what allocatable does not name is wholly allocatable.
    private Resources overhead() {
        var overhead = new TreeMap<String, Quantity>();
        if (allocatable != null) {
            allocatable
                    .amounts()
                    .forEach(
                            (resource, usable) -> {
                                var kept = capacity.amount(resource).minus(usable);
                                if (!kept.isZero()) {
                                    overhead.put(resource, kept);
                                }
                            });
        }
        return new Resources(overhead);
    }
}
