package dev.millwright.spi;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.catalog.Offering;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.label.LabelVocabulary;
import dev.millwright.core.label.Requirement;
import dev.millwright.core.quantity.Resources;

import java.util.Comparator;
import java.util.List;
import java.util.SequencedMap;
import java.util.TreeMap;

/// One machine that would do for a claim: a type, bought one way.
public record MachineOption(InstanceType type, Offering offering) {

    /// Cheapest first; ties by name, so that the same claim gets the same machine.
    public static final Comparator<MachineOption> CHEAPEST_FIRST =
            Comparator.comparingDouble((MachineOption option) -> option.offering().pricePerHour())
                    .thenComparing(option -> option.type().name())
                    .thenComparing(option -> option.offering().zone())
                    .thenComparing(option -> option.offering().capacityType())
                    .thenComparing(option -> option.offering().requirements().toString());

    /// Taken before others where a machine leaves a label open and the claim does not mind.
    private static final List<String> PREFERRED_VALUES = List.of("linux", "default");

    public Resources capacity() {
        return type.capacity().overriddenBy(offering.overrides().capacity());
    }

    public Resources allocatable() {
        return type.allocatable(offering.overrides());
    }

    /// The machine's labels, each with one value: the claim's labels, then what its requirements
    /// leave no choice about, then the type's and the offering's own.
    public SequencedMap<String, String> labels(MachineClaim claim, LabelVocabulary vocabulary) {
        var wishes = MachineOptions.wishes(claim, vocabulary);
        var promises = type.requirements().and(offering.requirements());
        var labels = new TreeMap<>(claim.labels());
        for (var wish : wishes.all()) {
            var isDemand = !wish.operator().allowsAbsence();
            if (wish.size() == 1 || (isDemand && !labels.containsKey(wish.key()))) {
                put(labels, wish);
            }
        }
        labels.put(LabelKeys.INSTANCE_TYPE, type.name());
        for (var promise : promises.all()) {
            if (!promise.isComplement() || wishes.has(promise.key())) {
                put(labels, promise.intersection(wishes.on(promise.key())));
            }
        }
        return labels;
    }

    private static void put(SequencedMap<String, String> labels, Requirement requirement) {
        var value =
                PREFERRED_VALUES.stream()
                        .filter(
                                preferred ->
                                        !requirement.isComplement() && requirement.has(preferred))
                        .findFirst()
                        .orElseGet(requirement::anyValue);
        if (!value.isEmpty()) {
            labels.put(requirement.key(), value);
        }
    }
}
