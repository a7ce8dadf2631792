package dev.millwright.core.scheduling;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.catalog.Offering;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.label.LabelVocabulary;
import dev.millwright.core.label.Requirement;
import dev.millwright.core.label.Requirements;
import dev.millwright.core.scheduling.PlannedClaim.TypeOption;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/// What a planned claim may be launched as, to be narrowed: by price, to spot, to fewer types.
///
/// `types` are the catalogue's, in the order of `claim.types()`.
public record LaunchChoice(
        PlannedClaim claim, List<InstanceType> types, LabelVocabulary vocabulary) {

    /// A spot machine is replaced by spot only where it may be one of so many types, or it would
    /// soon be out of capacity or interrupted again.
    public static final int SPOT_TYPES_MIN = 15;

    /// In the order in which a launch goes for them.
    private static final List<String> CAPACITY_TYPES =
            List.of(
                    LabelKeys.CAPACITY_TYPE_RESERVED,
                    LabelKeys.CAPACITY_TYPE_SPOT,
                    LabelKeys.CAPACITY_TYPE_ON_DEMAND);

    public LaunchChoice {
        types = List.copyOf(types);
    }

    /// @param byName the catalogue's types
    public static LaunchChoice of(
            PlannedClaim claim, Map<String, InstanceType> byName, LabelVocabulary vocabulary) {
        return new LaunchChoice(
                claim,
                claim.types().stream()
                        .filter(option -> byName.containsKey(option.name()))
                        .map(option -> byName.get(option.name()))
                        .toList(),
                vocabulary);
    }

    /// The claim with those of its types only that cost less at best, the node's fee included.
    public static PlannedClaim cheaperThan(PlannedClaim claim, double spendPerHour) {
        return new PlannedClaim(
                claim.nodePool(),
                claim.requirements(),
                claim.types().subList(0, affordable(claim, spendPerHour)),
                claim.pods(),
                claim.requests(),
                claim.reservationIds(),
                claim.isMinValuesRelaxed(),
                claim.nodeFeePerHour());
    }

    public boolean isEmpty() {
        return types.isEmpty();
    }

    public boolean mayBe(String capacityType) {
        return claim.requirements().on(LabelKeys.CAPACITY_TYPE).has(capacityType);
    }

    /// The most a launch of the type may cost: the dearest offering of the capacity type that is
    /// gone for first; infinite when there is none.
    public double worstPrice(InstanceType type) {
        for (var capacityType : CAPACITY_TYPES) {
            var dearest = Double.NEGATIVE_INFINITY;
            for (var offering : type.offerings()) {
                if (offering.capacityType().equals(capacityType) && isOpen(offering)) {
                    dearest = Math.max(dearest, offering.pricePerHour());
                }
            }
            if (dearest >= 0) {
                return dearest;
            }
        }
        return Double.POSITIVE_INFINITY;
    }

    /// A reservation that the claim does not hold is promised elsewhere.
    private boolean isOpen(Offering offering) {
        return offering.isLaunchable()
                && offering.isReserved() != claim.reservationIds().isEmpty()
                && claim.requirements()
                        .isCompatible(offering.requirements(), vocabulary.wellKnown());
    }

    /// Types whose launch costs less, whatever offering it gets, the node's fee included.
    public LaunchChoice below(double spendPerHour) {
        return with(
                claim.requirements(),
                types.subList(0, affordable(claim, spendPerHour)).stream()
                        .filter(type -> worstPrice(type) + claim.nodeFeePerHour() < spendPerHour)
                        .toList());
    }

    /// The least of all types' worst prices with the node's fee; infinite when there are none.
    public double leastWorstSpend() {
        var least = Double.POSITIVE_INFINITY;
        for (var index = 0; index < types.size(); index++) {
            if (claim.types().get(index).pricePerHour() >= least) {
                break; // The worst price is no less than the best, and those only rise from here.
            }
            least = Math.min(least, worstPrice(types.get(index)));
        }
        return least + claim.nodeFeePerHour();
    }

    /// How many of the claim's types cost less at best; they are the first.
    private static int affordable(PlannedClaim claim, double spendPerHour) {
        var options = claim.types();
        var count = 0;
        while (count < options.size()
                && options.get(count).pricePerHour() + claim.nodeFeePerHour() < spendPerHour) {
            count++;
        }
        return count;
    }

    /// The same choice for the pods of another claim.
    public LaunchChoice forPodsOf(PlannedClaim other) {
        return new LaunchChoice(
                new PlannedClaim(
                        claim.nodePool(),
                        claim.requirements(),
                        claim.types(),
                        other.pods(),
                        other.requests(),
                        claim.reservationIds(),
                        claim.isMinValuesRelaxed(),
                        claim.nodeFeePerHour()),
                types,
                vocabulary);
    }

    /// The types of which this is true.
    public LaunchChoice kept(Predicate<InstanceType> condition) {
        return with(claim.requirements(), types.stream().filter(condition).toList());
    }

    /// Spot alone, and the types that can be had so, the cheapest first.
    public LaunchChoice asSpot() {
        return as(LabelKeys.CAPACITY_TYPE_SPOT);
    }

    /// This capacity type alone, and the types that can be had so, the cheapest first.
    public LaunchChoice as(String capacityType) {
        var wanted =
                claim.requirements().and(Requirement.in(LabelKeys.CAPACITY_TYPE, capacityType));
        return with(wanted, types);
    }

    /// No more types than this, the cheapest.
    public LaunchChoice limited(int count) {
        return count >= types.size() ? this : with(claim.requirements(), types.subList(0, count));
    }

    /// What minValues are not met by, or null.
    public @Nullable String unmetMinValues() {
        var unmet = PoolTypes.unmetMinValues(types, claim.requirements());
        return unmet == null ? null : unmet.explain();
    }

    /// How many of the cheapest types it takes to meet minValues.
    public int typesForMinValues() {
        for (var count = 1; count < types.size(); count++) {
            if (PoolTypes.unmetMinValues(types.subList(0, count), claim.requirements()) == null) {
                return count;
            }
        }
        return types.size();
    }

    private LaunchChoice with(Requirements wanted, Collection<InstanceType> some) {
        Map<String, TypeOption> known = new HashMap<>();
        claim.types().forEach(option -> known.put(option.name(), option));
        var narrowed = new LaunchChoice(claimOf(wanted, List.of()), List.of(), vocabulary);
        record Priced(InstanceType type, TypeOption option) {}
        var priced = new ArrayList<Priced>();
        for (var type : some) {
            var before = known.get(type.name());
            var offering = narrowed.cheapest(type);
            if (before != null && offering != null) {
                priced.add(
                        new Priced(
                                type,
                                new TypeOption(
                                        type.name(),
                                        offering.zone(),
                                        offering.capacityType(),
                                        offering.pricePerHour(),
                                        before.allocatable())));
            }
        }
        priced.sort(
                Comparator.comparingDouble((Priced each) -> each.option().pricePerHour())
                        .thenComparing(each -> each.option().name()));
        return new LaunchChoice(
                claimOf(wanted, priced.stream().map(Priced::option).toList()),
                priced.stream().map(Priced::type).toList(),
                vocabulary);
    }

    private PlannedClaim claimOf(Requirements wanted, List<TypeOption> options) {
        return new PlannedClaim(
                claim.nodePool(),
                wanted,
                options,
                claim.pods(),
                claim.requests(),
                claim.reservationIds(),
                claim.isMinValuesRelaxed(),
                claim.nodeFeePerHour());
    }

    private @Nullable Offering cheapest(InstanceType type) {
        Offering cheapest = null;
        for (var offering : type.offerings()) {
            if (isOpen(offering)
                    && (cheapest == null || offering.pricePerHour() < cheapest.pricePerHour())) {
                cheapest = offering;
            }
        }
        return cheapest;
    }
}
