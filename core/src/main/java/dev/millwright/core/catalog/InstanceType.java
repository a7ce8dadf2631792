package dev.millwright.core.catalog;

import dev.millwright.core.label.Requirements;
import dev.millwright.core.quantity.Quantity;
import dev.millwright.core.quantity.Resources;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.TreeMap;

/// A machine that can be bought: what it is, what it holds and how it is offered.
///
/// A value like a record, but for the groups of its offerings: every plan asks for them, of every
/// type in the catalogue, and a catalogue outlives many plans.
public final class InstanceType {

    /// Offerings that leave pods the same room.
    public record AllocatableGroup(Resources allocatable, List<Offering> offerings) {
        public AllocatableGroup {
            offerings = List.copyOf(offerings);
        }
    }

    private final String name;
    private final Requirements requirements;
    private final List<Offering> offerings;
    private final Resources capacity;
    private final Overhead overhead;
    private final SequencedMap<String, Integer> volumeAttachmentLimits;
    private final boolean isCapacityOverlaid;

    /// Null until somebody asks. Two threads may both work it out, and find the same.
    private volatile @Nullable List<AllocatableGroup> groups;

    public InstanceType(
            String name,
            Requirements requirements,
            List<Offering> offerings,
            Resources capacity,
            Overhead overhead,
            SequencedMap<String, Integer> volumeAttachmentLimits,
            boolean isCapacityOverlaid) {
        this.name = name;
        this.requirements = requirements;
        this.offerings = List.copyOf(offerings);
        this.capacity = capacity;
        this.overhead = overhead;
        this.volumeAttachmentLimits =
                Collections.unmodifiableSequencedMap(new TreeMap<>(volumeAttachmentLimits));
        this.isCapacityOverlaid = isCapacityOverlaid;
    }

    public InstanceType(
            String name,
            Requirements requirements,
            List<Offering> offerings,
            Resources capacity,
            Overhead overhead) {
        this(name, requirements, offerings, capacity, overhead, new TreeMap<>(), false);
    }

    public String name() {
        return name;
    }

    public Requirements requirements() {
        return requirements;
    }

    public List<Offering> offerings() {
        return offerings;
    }

    public Resources capacity() {
        return capacity;
    }

    public Overhead overhead() {
        return overhead;
    }

    public SequencedMap<String, Integer> volumeAttachmentLimits() {
        return volumeAttachmentLimits;
    }

    public boolean isCapacityOverlaid() {
        return isCapacityOverlaid;
    }

    public InstanceType withOfferings(List<Offering> others) {
        return new InstanceType(
                name,
                requirements,
                others,
                capacity,
                overhead,
                volumeAttachmentLimits,
                isCapacityOverlaid);
    }

    public InstanceType withOverlaidCapacity(Resources more) {
        return new InstanceType(
                name,
                requirements,
                offerings,
                capacity.overriddenBy(more),
                overhead,
                volumeAttachmentLimits,
                true);
    }

    /// What pods get of the machine when bought without overrides.
    public Resources allocatable() {
        return allocatable(Offering.Overrides.NONE);
    }

    /// What pods get of the machine: capacity less overhead, and huge pages come out of memory.
    public Resources allocatable(Offering.Overrides overrides) {
        var whole = capacity.overriddenBy(overrides.capacity());
        var kept = overhead.total();
        if (overrides.overhead() != null) {
            kept = kept.overriddenBy(overrides.overhead().total());
        }
        var rest = whole.minus(kept);
        for (var name : whole.names()) {
            if (name.startsWith(Resources.HUGE_PAGES_PREFIX)) {
                var memory = rest.amount(Resources.MEMORY).minus(whole.amount(name));
                rest = rest.with(Resources.MEMORY, memory.max(Quantity.ZERO));
            }
        }
        return rest;
    }

    /// Available offerings grouped by the room they leave. The first group is the one without
    /// overrides, even when empty.
    public List<AllocatableGroup> allocatableGroups() {
        var known = groups;
        if (known == null) {
            known = grouped();
            groups = known;
        }
        return known;
    }

    private List<AllocatableGroup> grouped() {
        var byOverride = new LinkedHashMap<Offering.Overrides, List<Offering>>();
        byOverride.put(Offering.Overrides.NONE, new ArrayList<>());
        for (var offering : offerings) {
            if (offering.isAvailable()) {
                byOverride
                        .computeIfAbsent(offering.overrides(), overrides -> new ArrayList<>())
                        .add(offering);
            }
        }
        var grouped = new ArrayList<AllocatableGroup>();
        byOverride.forEach(
                (overrides, group) ->
                        grouped.add(new AllocatableGroup(allocatable(overrides), group)));
        return List.copyOf(grouped);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return this == other
                || (other instanceof InstanceType type
                        && name.equals(type.name)
                        && requirements.equals(type.requirements)
                        && offerings.equals(type.offerings)
                        && capacity.equals(type.capacity)
                        && overhead.equals(type.overhead)
                        && volumeAttachmentLimits.equals(type.volumeAttachmentLimits)
                        && isCapacityOverlaid == type.isCapacityOverlaid);
    }

    @Override
    public int hashCode() {
        return Objects.hash(
                name,
                requirements,
                offerings,
                capacity,
                overhead,
                volumeAttachmentLimits,
                isCapacityOverlaid);
    }

    @Override
    public String toString() {
        return "InstanceType[name=%s, requirements=%s, offerings=%s, capacity=%s, overhead=%s]"
                .formatted(name, requirements, offerings, capacity, overhead);
    }
}
