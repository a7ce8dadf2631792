package dev.millwright.core.forecast;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.catalog.Offering;
import dev.millwright.core.cluster.Node;
import dev.millwright.core.cluster.NodeClaim;
import dev.millwright.core.cluster.StateNode;
import dev.millwright.core.disruption.Machine.Standing;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.label.LabelVocabulary;
import dev.millwright.core.label.Requirement;
import dev.millwright.core.label.Requirements;
import dev.millwright.core.policy.NodePool;
import dev.millwright.core.scheduling.NodeClaimDraft;
import dev.millwright.core.scheduling.PlannedClaim;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.SequencedMap;
import java.util.TreeMap;

/// A node that does not exist yet, as its claim and its machine will make it: the cheapest that
/// will do is bought.
record Newcomer(
        NodePool pool,
        Requirements wanted,
        NodeClaimDraft draft,
        InstanceType type,
        Offering offering) {

    /// A way to buy.
    private record Option(InstanceType type, Offering offering) {
        private static final Comparator<Option> CHEAPEST_FIRST =
                Comparator.comparingDouble((Option each) -> each.offering().pricePerHour())
                        .thenComparing(each -> each.type().name())
                        .thenComparing(each -> each.offering().zone())
                        .thenComparing(each -> each.offering().capacityType());
    }

    /// For pods: of the types that a plan chose. Null when the catalogue has none of them.
    static @Nullable Newcomer of(
            NodePool pool,
            PlannedClaim claim,
            List<InstanceType> catalog,
            LabelVocabulary vocabulary) {
        var names = claim.types().stream().map(PlannedClaim.TypeOption::name).toList();
        var isReserved = !claim.reservationIds().isEmpty();
        var best =
                catalog.stream()
                        .filter(type -> names.contains(type.name()))
                        .flatMap(
                                type ->
                                        type.offerings().stream()
                                                .map(offering -> new Option(type, offering)))
                        .filter(each -> each.offering().isLaunchable())
                        .filter(each -> isReserved || !each.offering().isReserved())
                        .filter(
                                each ->
                                        claim.requirements()
                                                .isCompatible(
                                                        each.offering().requirements(),
                                                        vocabulary.wellKnown()))
                        .min(Option.CHEAPEST_FIRST)
                        .orElse(null);
        return best == null
                ? null
                : new Newcomer(
                        pool,
                        claim.requirements(),
                        NodeClaimDraft.of(pool, claim, catalog, "", vocabulary),
                        best.type(),
                        best.offering());
    }

    /// For a static pool: whatever its template allows.
    static @Nullable Newcomer ofTemplate(
            NodePool pool, List<InstanceType> catalog, LabelVocabulary vocabulary) {
        return of(pool, pool.domainRequirements(vocabulary), catalog, vocabulary);
    }

    /// Of a pool, whatever meets these requirements.
    static @Nullable Newcomer of(
            NodePool pool,
            Requirements wanted,
            List<InstanceType> catalog,
            LabelVocabulary vocabulary) {
        var best =
                catalog.stream()
                        .filter(
                                type ->
                                        wanted.isCompatible(
                                                type.requirements(), vocabulary.wellKnown()))
                        .flatMap(
                                type ->
                                        type.offerings().stream()
                                                .map(offering -> new Option(type, offering)))
                        .filter(each -> each.offering().isLaunchable())
                        .filter(
                                each ->
                                        wanted.isCompatible(
                                                each.offering().requirements(),
                                                vocabulary.wellKnown()))
                        .min(Option.CHEAPEST_FIRST)
                        .orElse(null);
        return best == null
                ? null
                : new Newcomer(
                        pool,
                        wanted,
                        NodeClaimDraft.ofTemplate(pool, "", vocabulary),
                        best.type(),
                        best.offering());
    }

    Purchase purchase(String name) {
        return new Purchase(
                name,
                pool.name(),
                type.name(),
                offering.zone(),
                offering.capacityType(),
                offering.pricePerHour());
    }

    /// On its way: its claim speaks for it.
    Unit coming(String name, Instant now) {
        var claim =
                new NodeClaim(
                        name,
                        providerId(name),
                        labels(),
                        draft.annotations(),
                        draft.taints(),
                        draft.startupTaints(),
                        type.capacity().overriddenBy(offering.overrides().capacity()),
                        type.allocatable(offering.overrides()),
                        false);
        var standing =
                new Standing("uid of " + name, true, false, false, false, 0, null, false, null);
        return new Unit(
                new StateNode(null, claim, false, false),
                standing,
                purchase(name),
                Unit.Stage.COMING,
                now);
    }

    /// Up and running.
    Node node(String name) {
        var labels = new TreeMap<>(labels());
        labels.put(LabelKeys.HOSTNAME, name);
        labels.put(LabelKeys.REGISTERED, "true");
        labels.put(LabelKeys.INITIALIZED, "true");
        return new Node(
                name,
                providerId(name),
                labels,
                draft.annotations(),
                draft.taints(),
                type.capacity().overriddenBy(offering.overrides().capacity()),
                type.allocatable(offering.overrides()),
                type.volumeAttachmentLimits(),
                false);
    }

    private static String providerId(String name) {
        return "forecast:///" + name;
    }

    /// The claim's own, then what its requirements leave no choice about, then the machine's.
    private SequencedMap<String, String> labels() {
        var labels = new TreeMap<>(draft.labels());
        for (var wish : wanted.all()) {
            if (!wish.isComplement() && wish.values().size() == 1) {
                labels.put(wish.key(), wish.values().getFirst());
            }
        }
        labels.remove(LabelKeys.HOSTNAME);
        for (var promise : type.requirements().and(offering.requirements()).all()) {
            put(labels, promise.intersection(wanted.on(promise.key())));
        }
        labels.put(LabelKeys.INSTANCE_TYPE, type.name());
        labels.put(LabelKeys.NODE_POOL, pool.name());
        return labels;
    }

    private static void put(SequencedMap<String, String> labels, Requirement promise) {
        if (!promise.isComplement() && !promise.anyValue().isEmpty()) {
            labels.put(promise.key(), promise.has("linux") ? "linux" : promise.anyValue());
        }
    }
}
