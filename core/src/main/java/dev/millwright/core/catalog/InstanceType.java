package dev.millwright.core.catalog;

import dev.millwright.core.label.Requirements;
import dev.millwright.core.quantity.Quantity;
import dev.millwright.core.quantity.Resources;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.TreeMap;

/// A machine that can be bought: what it is, what it holds and how it is offered.
public record InstanceType(
        String name,
        Requirements requirements,
        List<Offering> offerings,
        Resources capacity,
        Overhead overhead,
        SequencedMap<String, Integer> volumeAttachmentLimits,
        boolean isCapacityOverlaid) {

    /// Offerings that leave pods the same room.
    public record AllocatableGroup(Resources allocatable, List<Offering> offerings) {
        public AllocatableGroup {
            offerings = List.copyOf(offerings);
        }
    }

    public InstanceType {
        offerings = List.copyOf(offerings);
        volumeAttachmentLimits =
                Collections.unmodifiableSequencedMap(new TreeMap<>(volumeAttachmentLimits));
    }

    public InstanceType(
            String name,
            Requirements requirements,
            List<Offering> offerings,
            Resources capacity,
            Overhead overhead) {
        this(name, requirements, offerings, capacity, overhead, new TreeMap<>(), false);
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
        var byOverride = new LinkedHashMap<Offering.Overrides, List<Offering>>();
        byOverride.put(Offering.Overrides.NONE, new ArrayList<>());
        for (var offering : offerings) {
            if (offering.isAvailable()) {
                byOverride
                        .computeIfAbsent(offering.overrides(), overrides -> new ArrayList<>())
                        .add(offering);
            }
        }
        var groups = new ArrayList<AllocatableGroup>();
        byOverride.forEach(
                (overrides, group) ->
                        groups.add(new AllocatableGroup(allocatable(overrides), group)));
        return groups;
    }
}
