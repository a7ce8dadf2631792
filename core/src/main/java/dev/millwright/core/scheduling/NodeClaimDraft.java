package dev.millwright.core.scheduling;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.catalog.Offering;
import dev.millwright.core.label.AnnotationKeys;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.label.LabelVocabulary;
import dev.millwright.core.label.Operator;
import dev.millwright.core.label.Requirement;
import dev.millwright.core.label.Requirements;
import dev.millwright.core.label.SelectorRequirement;
import dev.millwright.core.label.Taint;
import dev.millwright.core.policy.NodePool;
import dev.millwright.core.policy.NodePool.NodeClassRef;
import dev.millwright.core.policy.NodePoolHash;
import dev.millwright.core.quantity.Resources;

import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/// A NodeClaim object as it is to be made, but for what only the API server and the pool's own
/// object know: its final name, its owner, and how long it lives.
public record NodeClaimDraft(
        String generateName,
        SequencedMap<String, String> labels,
        SequencedMap<String, String> annotations,
        List<SelectorRequirement> requirements,
        List<Taint> taints,
        List<Taint> startupTaints,
        NodeClassRef nodeClassRef,
        Resources requests) {

    /// Keys that a plan reasons about and that a node gets later, by itself.
    private static final List<String> SIMULATED =
            List.of(LabelKeys.REGISTERED, LabelKeys.INITIALIZED, LabelKeys.HOSTNAME);

    public NodeClaimDraft {
        labels = Collections.unmodifiableSequencedMap(new TreeMap<>(labels));
        annotations = Collections.unmodifiableSequencedMap(new TreeMap<>(annotations));
        requirements = List.copyOf(requirements);
        taints = List.copyOf(taints);
        startupTaints = List.copyOf(startupTaints);
    }

    /// For pods: of the types that a plan chose. `catalog` is what the plan was made from;
    /// `nodePoolHash` is the hash of that moment, even if the pool has changed since.
    public static NodeClaimDraft of(
            NodePool nodePool,
            PlannedClaim claim,
            List<InstanceType> catalog,
            String nodePoolHash,
            LabelVocabulary vocabulary) {
        var types = chosen(claim, catalog);
        var annotations = annotations(nodePool, nodePoolHash);
        annotations.put(
                AnnotationKeys.MIN_VALUES_RELAXED, Boolean.toString(claim.isMinValuesRelaxed()));
        if (types.stream().anyMatch(NodeClaimDraft::isPriceOverlaid)) {
            annotations.put(AnnotationKeys.PRICE_OVERLAY_APPLIED, "true");
        }
        if (types.stream().anyMatch(InstanceType::isCapacityOverlaid)) {
            annotations.put(AnnotationKeys.CAPACITY_OVERLAY_APPLIED, "true");
        }
        var wanted = claim.requirements();
        var names = claim.types().stream().map(PlannedClaim.TypeOption::name).toList();
        var narrowed =
                wanted.replace(
                                Requirement.of(
                                        LabelKeys.INSTANCE_TYPE,
                                        Operator.IN,
                                        wanted.on(LabelKeys.INSTANCE_TYPE).minValues(),
                                        names))
                        .replace(capacityTypes(claim, types, vocabulary));
        return draft(nodePool, narrowed, annotations, claim.requests(), vocabulary);
    }

    /// For a static pool: of the template alone; the provider chooses the type.
    public static NodeClaimDraft ofTemplate(
            NodePool nodePool, String nodePoolHash, LabelVocabulary vocabulary) {
        return draft(
                nodePool,
                nodePool.nodeRequirements(vocabulary),
                annotations(nodePool, nodePoolHash),
                Resources.NONE,
                vocabulary);
    }

    private static NodeClaimDraft draft(
            NodePool nodePool,
            Requirements wanted,
            SequencedMap<String, String> annotations,
            Resources requests,
            LabelVocabulary vocabulary) {
        var template = nodePool.template();
        var written = wanted;
        for (var key : SIMULATED) {
            written = written.without(key);
        }
        return new NodeClaimDraft(
                nodePool.name() + "-",
                labels(nodePool, written, vocabulary),
                annotations,
                written.selectorRequirements(),
                template.taints(),
                template.startupTaints(),
                template.nodeClassRef(),
                requests);
    }

    /// A label that neither provider nor kubelet will set is decided here, so that the node keeps
    /// what its claim promised.
    private static TreeMap<String, String> labels(
            NodePool nodePool, Requirements wanted, LabelVocabulary vocabulary) {
        var labels = new TreeMap<>(nodePool.template().labels());
        for (var requirement : wanted.all()) {
            var key = requirement.key();
            var value = requirement.anyValue();
            if (!vocabulary.wellKnown().contains(key)
                    && !vocabulary.isRestricted(key)
                    && !value.isEmpty()) {
                labels.put(key, value);
            }
        }
        var reference = nodePool.template().nodeClassRef();
        labels.put(LabelKeys.NODE_POOL, nodePool.name());
        labels.put(reference.labelKey(), reference.name());
        return labels;
    }

    private static TreeMap<String, String> annotations(NodePool nodePool, String nodePoolHash) {
        var annotations = new TreeMap<>(nodePool.template().annotations());
        annotations.put(AnnotationKeys.NODE_POOL_HASH, nodePoolHash);
        annotations.put(AnnotationKeys.NODE_POOL_HASH_VERSION, NodePoolHash.VERSION);
        return annotations;
    }

    private static List<InstanceType> chosen(PlannedClaim claim, List<InstanceType> catalog) {
        var names = new HashSet<String>();
        claim.types().forEach(option -> names.add(option.name()));
        return catalog.stream().filter(type -> names.contains(type.name())).toList();
    }

    private static boolean isPriceOverlaid(InstanceType type) {
        return type.offerings().stream().anyMatch(Offering::isPriceOverlaid);
    }

    /// The capacity types the chosen types can be had as. Reserved is one of them only for a claim
    /// that holds a reservation: the others' slots are promised elsewhere.
    private static Requirement capacityTypes(
            PlannedClaim claim, List<InstanceType> types, LabelVocabulary vocabulary) {
        var wanted = claim.requirements().on(LabelKeys.CAPACITY_TYPE);
        var open = new TreeSet<String>();
        for (var type : types) {
            for (var offering : type.offerings()) {
                if (offering.isLaunchable()
                        && offering.isReserved() != claim.reservationIds().isEmpty()
                        && claim.requirements()
                                .isCompatible(offering.requirements(), vocabulary.wellKnown())) {
                    open.add(offering.capacityType());
                }
            }
        }
        if (open.isEmpty()) {
            claim.types().forEach(option -> open.add(option.capacityType()));
        }
        return wanted.intersection(
                Requirement.of(LabelKeys.CAPACITY_TYPE, Operator.IN, null, open));
    }
}
