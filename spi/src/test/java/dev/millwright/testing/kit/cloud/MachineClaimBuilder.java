package dev.millwright.testing.kit.cloud;

import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.label.Operator;
import dev.millwright.core.label.Requirement;
import dev.millwright.core.label.SelectorRequirement;
import dev.millwright.core.label.Taint;
import dev.millwright.core.policy.NodePool.NodeClassRef;
import dev.millwright.core.quantity.Quantity;
import dev.millwright.core.quantity.Resources;
import dev.millwright.spi.Machine;
import dev.millwright.spi.MachineClaim;
import dev.millwright.testing.kit.Given;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SequencedMap;
import java.util.TreeMap;

/// A claim in the making, as a cloud is asked with it: made at noon for the pool `default` and its
/// class `default`, without requests, open to every machine. The uid follows from the name.
public record MachineClaimBuilder(MachineClaim claim) {

    public static MachineClaimBuilder machineClaim(String name) {
        var labels = new TreeMap<String, String>();
        labels.put(LabelKeys.NODE_POOL, "default");
        var classKind = FakeCloud.NODE_CLASS;
        return new MachineClaimBuilder(
                new MachineClaim(
                        name,
                        name + "-uid",
                        Given.NOON,
                        labels,
                        new TreeMap<>(),
                        List.of(),
                        List.of(),
                        List.of(),
                        Resources.NONE,
                        new NodeClassRef(classKind.group(), classKind.kind(), "default"),
                        "",
                        ""));
    }

    public MachineClaimBuilder uid(String uid) {
        var it = claim;
        return copy(uid, it.createdAt(), it.nodeClassRef(), it.providerId());
    }

    public MachineClaimBuilder createdAt(Instant moment) {
        var it = claim;
        return copy(it.uid(), moment, it.nodeClassRef(), it.providerId());
    }

    public MachineClaimBuilder nodeClass(NodeClassRef reference) {
        var it = claim;
        return copy(it.uid(), it.createdAt(), reference, it.providerId());
    }

    public MachineClaimBuilder providerId(String providerId) {
        var it = claim;
        return copy(it.uid(), it.createdAt(), it.nodeClassRef(), providerId);
    }

    /// As the claim is once it has its machine.
    public MachineClaimBuilder on(Machine machine) {
        var labels = new TreeMap<>(claim.labels());
        labels.putAll(machine.labels());
        var annotations = new TreeMap<>(claim.annotations());
        annotations.putAll(machine.annotations());
        return new MachineClaimBuilder(
                new MachineClaim(
                        claim.name(),
                        claim.uid(),
                        claim.createdAt(),
                        labels,
                        annotations,
                        claim.requirements(),
                        claim.taints(),
                        claim.startupTaints(),
                        claim.requests(),
                        claim.nodeClassRef(),
                        machine.providerId(),
                        machine.imageId()));
    }

    public MachineClaimBuilder types(String... names) {
        return requirement(LabelKeys.INSTANCE_TYPE, Operator.IN, names);
    }

    public MachineClaimBuilder zones(String... names) {
        return requirement(LabelKeys.ZONE, Operator.IN, names);
    }

    public MachineClaimBuilder capacityTypes(String... names) {
        return requirement(LabelKeys.CAPACITY_TYPE, Operator.IN, names);
    }

    public MachineClaimBuilder requirement(String key, Operator operator, String... values) {
        return requirements(List.of(new SelectorRequirement(key, operator, List.of(values), null)));
    }

    public MachineClaimBuilder requirement(Requirement requirement) {
        return requirements(requirement.selectorRequirements());
    }

    private MachineClaimBuilder requirements(List<SelectorRequirement> more) {
        var all = new ArrayList<>(claim.requirements());
        all.addAll(more);
        return copy(claim.labels(), all, claim.requests());
    }

    public MachineClaimBuilder label(String key, String value) {
        var labels = new TreeMap<>(claim.labels());
        labels.put(key, value);
        return copy(labels, claim.requirements(), claim.requests());
    }

    public MachineClaimBuilder request(String resource, String quantity) {
        return copy(
                claim.labels(),
                claim.requirements(),
                claim.requests().with(resource, Quantity.parse(quantity)));
    }

    public MachineClaimBuilder annotation(String key, String value) {
        var annotations = new TreeMap<>(claim.annotations());
        annotations.put(key, value);
        return copy(annotations, claim.taints(), claim.startupTaints());
    }

    public MachineClaimBuilder taint(Taint taint) {
        var taints = new ArrayList<>(claim.taints());
        taints.add(taint);
        return copy(claim.annotations(), taints, claim.startupTaints());
    }

    public MachineClaimBuilder startupTaint(Taint taint) {
        var taints = new ArrayList<>(claim.startupTaints());
        taints.add(taint);
        return copy(claim.annotations(), claim.taints(), taints);
    }

    public MachineClaim build() {
        return claim;
    }

    private MachineClaimBuilder copy(
            String uid, Instant createdAt, NodeClassRef nodeClassRef, String providerId) {
        return new MachineClaimBuilder(
                new MachineClaim(
                        claim.name(),
                        uid,
                        createdAt,
                        claim.labels(),
                        claim.annotations(),
                        claim.requirements(),
                        claim.taints(),
                        claim.startupTaints(),
                        claim.requests(),
                        nodeClassRef,
                        providerId,
                        claim.imageId()));
    }

    private MachineClaimBuilder copy(
            SequencedMap<String, String> labels,
            List<SelectorRequirement> requirements,
            Resources requests) {
        return new MachineClaimBuilder(
                new MachineClaim(
                        claim.name(),
                        claim.uid(),
                        claim.createdAt(),
                        labels,
                        claim.annotations(),
                        requirements,
                        claim.taints(),
                        claim.startupTaints(),
                        requests,
                        claim.nodeClassRef(),
                        claim.providerId(),
                        claim.imageId()));
    }

    private MachineClaimBuilder copy(
            SequencedMap<String, String> annotations,
            List<Taint> taints,
            List<Taint> startupTaints) {
        return new MachineClaimBuilder(
                new MachineClaim(
                        claim.name(),
                        claim.uid(),
                        claim.createdAt(),
                        claim.labels(),
                        annotations,
                        claim.requirements(),
                        taints,
                        startupTaints,
                        claim.requests(),
                        claim.nodeClassRef(),
                        claim.providerId(),
                        claim.imageId()));
    }
}
