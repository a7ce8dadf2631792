package dev.millwright.kube.record.value;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.catalog.Offering;
import dev.millwright.core.catalog.Overhead;

import java.util.List;
import java.util.SequencedMap;
import java.util.TreeMap;

/// Machines that can be bought.
final class CatalogSpellings {

    private static final Spelling<Overhead> OVERHEAD =
            Spelling.of(
                    "overhead",
                    (out, overhead) -> {
                        out.value(LabelSpellings.RESOURCES, overhead.kubeReserved());
                        out.value(LabelSpellings.RESOURCES, overhead.systemReserved());
                        out.value(LabelSpellings.RESOURCES, overhead.evictionThreshold());
                    },
                    in ->
                            new Overhead(
                                    in.value(LabelSpellings.RESOURCES),
                                    in.value(LabelSpellings.RESOURCES),
                                    in.value(LabelSpellings.RESOURCES)));

    private static final Spelling<Offering.Overrides> OVERRIDES =
            Spelling.of(
                    "overrides",
                    (out, overrides) -> {
                        out.value(LabelSpellings.RESOURCES, overrides.capacity());
                        out.valueOrNone(OVERHEAD, overrides.overhead());
                    },
                    in ->
                            new Offering.Overrides(
                                    in.value(LabelSpellings.RESOURCES), in.valueOrNone(OVERHEAD)));

    private static final Spelling<Offering> OFFERING =
            Spelling.of(
                    "offering",
                    (out, offering) -> {
                        out.value(LabelSpellings.REQUIREMENTS, offering.requirements());
                        out.real(offering.pricePerHour());
                        out.flag(offering.isAvailable());
                        out.count(offering.reservationCapacity());
                        out.value(OVERRIDES, offering.overrides());
                        out.flag(offering.isPriceOverlaid());
                    },
                    in ->
                            new Offering(
                                    in.value(LabelSpellings.REQUIREMENTS),
                                    in.real(),
                                    in.flag(),
                                    in.count(),
                                    in.value(OVERRIDES),
                                    in.flag()));

    static final Spelling<InstanceType> INSTANCE_TYPE =
            Spelling.of(
                    "instance type",
                    (out, type) -> {
                        out.text(type.name());
                        out.value(LabelSpellings.REQUIREMENTS, type.requirements());
                        out.list(OFFERING, type.offerings());
                        out.value(LabelSpellings.RESOURCES, type.capacity());
                        out.value(OVERHEAD, type.overhead());
                        out.value(CatalogSpellings.COUNTS, type.volumeAttachmentLimits());
                        out.flag(type.isCapacityOverlaid());
                    },
                    in ->
                            new InstanceType(
                                    in.text(),
                                    in.value(LabelSpellings.REQUIREMENTS),
                                    in.list(OFFERING),
                                    in.value(LabelSpellings.RESOURCES),
                                    in.value(OVERHEAD),
                                    in.value(CatalogSpellings.COUNTS),
                                    in.flag()));

    /// Volumes by driver, pods by domain.
    static final Spelling<SequencedMap<String, Integer>> COUNTS =
            Spelling.of(
                    "counts",
                    (out, counts) -> {
                        out.count(counts.size());
                        counts.forEach(
                                (key, count) -> {
                                    out.text(key);
                                    out.number(count);
                                });
                    },
                    CatalogSpellings::counts);

    /// What one pool can buy.
    static final Spelling<List<InstanceType>> TYPES =
            Spelling.of(
                    "instance types",
                    (out, types) -> out.list(INSTANCE_TYPE, types),
                    in -> List.copyOf(in.list(INSTANCE_TYPE)));

    private CatalogSpellings() {}

    private static SequencedMap<String, Integer> counts(ValueIn in) {
        var counts = new TreeMap<String, Integer>();
        for (var left = in.countWithin(); left > 0; left--) {
            counts.put(in.text(), in.whole());
        }
        return counts;
    }
}
