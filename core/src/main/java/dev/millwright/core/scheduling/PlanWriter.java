package dev.millwright.core.scheduling;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.label.Requirement;
import dev.millwright.core.label.Requirements;
import dev.millwright.core.policy.SchedulingPolicy.MinValues;
import dev.millwright.core.policy.SchedulingPolicy.Reservations;
import dev.millwright.core.quantity.Resources;
import dev.millwright.core.scheduling.Plan.ExistingPlacement;
import dev.millwright.core.scheduling.Plan.WaitingPod;
import dev.millwright.core.scheduling.PlannedClaim.TypeOption;

import org.jspecify.annotations.Nullable;

import java.nio.LongBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/// Turns what a pass arrived at into a plan.
final class PlanWriter {

    /// How many instance types a launch may name.
    static final int TYPES_MAX = 600;

    private final Pass pass;
    private final FirstFit outcomes;
    private final List<PlannedClaim> claims = new ArrayList<>();
    private final List<WaitingPod> waiting = new ArrayList<>();
    private final Map<OptionsKey, PricedShapes> priced = new HashMap<>();
    private final Map<TypesKey, List<TypeOption>> typeLists = new HashMap<>();

    private record OptionsKey(String nodePool, Requirements wanted, boolean isReserving) {}

    /// Shapes of a template by price under one requirement set; shapes that cannot be launched are
    /// left out.
    private record PricedShapes(int[] order, TypeOption[] options) {}

    /// Claims that may have the same shapes share one list of types.
    private record TypesKey(PricedShapes priced, LongBuffer shapes) {}

    PlanWriter(Pass pass, FirstFit outcomes) {
        this.pass = pass;
        this.outcomes = outcomes;
    }

    /// A plan of which nothing is proven yet.
    Plan write() {
        waiting.addAll(pass.problem().rejected());
        var refusals = new RefusalFinder(pass);
        for (var pod = 0; pod < pass.problem().podCount(); pod++) {
            var reason = reason(pod, refusals);
            if (reason != null) {
                waiting.add(new WaitingPod(pass.problem().pod(pod).name(), reason));
            }
        }
        pass.claims().forEach(this::write);
        var existing = new ArrayList<ExistingPlacement>();
        for (var node : pass.nodes()) {
            if (!node.pods().isEmpty()) {
                existing.add(
                        new ExistingPlacement(
                                node.room().node().name(),
                                node.pods().stream()
                                        .map(pod -> pass.problem().pod(pod).name())
                                        .toList()));
            }
        }
        waiting.sort(Comparator.comparing(WaitingPod::pod));
        var price = claims.stream().mapToDouble(PlannedClaim::pricePerHour).sum();
        return new Plan(
                claims,
                existing,
                waiting,
                price,
                0,
                pass.problem().problem().policy().packing(),
                pass.problem().poolsWithoutTypes());
    }

    private @Nullable WaitReason reason(int pod, RefusalFinder refusals) {
        return switch (outcomes.outcome(pod)) {
            case PLACED -> null;
            case RESOURCE_CLAIMS -> new WaitReason.ResourceClaimsUnsupported();
            case RESERVATION_PENDING ->
                    new WaitReason.ReservationPending(outcomes.pendingPool(pod));
            case REFUSED ->
                    pass.templates().isEmpty()
                            ? new WaitReason.NodePoolsWithoutTypes(
                                    pass.problem().poolsWithoutTypes())
                            : new WaitReason.Refused(refusals.refusals(pass.podClass(pod)));
        };
    }

    private void write(OpenClaim claim) {
        var wanted = finalRequirements(claim);
        var types = types(claim, wanted);
        var pods =
                Arrays.stream(claim.pods())
                        .mapToObj(pod -> pass.problem().pod(pod).name())
                        .toList();
        var problem = lostChoice(claim, wanted, types);
        if (problem != null || types.isEmpty()) {
            var text = problem == null ? "no launchable offering is left" : problem.explain();
            for (ObjectName pod : pods) {
                waiting.add(
                        new WaitingPod(
                                pod, new WaitReason.MinValuesLost(claim.template().name(), text)));
            }
            return;
        }
        claims.add(
                new PlannedClaim(
                        claim.template().name(),
                        wanted,
                        types,
                        pods,
                        pass.problem()
                                .resources()
                                .resources(claim.total())
                                .plus(leastDaemons(claim)),
                        claim.reservations(),
                        claim.isMinValuesRelaxed(),
                        claim.template().nodeFeePerHour()));
    }

    /// A claim that holds reservations may be launched into these alone. Labels that only served to
    /// count daemons go.
    private Requirements finalRequirements(OpenClaim claim) {
        var wanted =
                pass.problem()
                        .space()
                        .at(claim.set())
                        .without(LabelKeys.REGISTERED)
                        .without(LabelKeys.INITIALIZED);
        if (claim.reservations().isEmpty()) {
            return wanted;
        }
        var key = pass.problem().problem().policy().vocabulary().reservationIdKey();
        return wanted.replace(
                        Requirement.in(LabelKeys.CAPACITY_TYPE, LabelKeys.CAPACITY_TYPE_RESERVED))
                .and(Requirement.in(key, claim.reservations().toArray(String[]::new)));
    }

    private List<TypeOption> types(OpenClaim claim, Requirements wanted) {
        var isReserving =
                !claim.reservations().isEmpty()
                        || pass.problem().problem().policy().reservations() == Reservations.OFF;
        var byPrice =
                priced.computeIfAbsent(
                        new OptionsKey(claim.template().name(), wanted, isReserving),
                        _ -> price(claim.template(), wanted, isReserving));
        var key = new TypesKey(byPrice, LongBuffer.wrap(claim.shapes()));
        return typeLists.computeIfAbsent(key, _ -> types(byPrice, claim.shapes()));
    }

    /// The cheapest shape stands for its type.
    private static List<TypeOption> types(PricedShapes byPrice, long[] shapes) {
        var types = new ArrayList<TypeOption>();
        var seen = new java.util.HashSet<String>();
        for (var index = 0; index < byPrice.order().length && types.size() < TYPES_MAX; index++) {
            if (Bits.has(shapes, byPrice.order()[index])
                    && seen.add(byPrice.options()[index].name())) {
                types.add(byPrice.options()[index]);
            }
        }
        return List.copyOf(types);
    }

    /// A claim without a reservation of its own is not priced by one that another claim holds.
    private static PricedShapes price(
            PoolTemplate template, Requirements wanted, boolean isReserving) {
        var allowed = template.allowedOfferings(wanted, isReserving);
        var options = new ArrayList<TypeOption>();
        var shapes = new ArrayList<Integer>();
        for (var shape = 0; shape < template.shapes().size(); shape++) {
            var offering = template.cheapestOffering(shape, allowed);
            if (offering != null) {
                var room = template.shape(shape);
                shapes.add(shape);
                options.add(
                        new TypeOption(
                                room.type().name(),
                                offering.zone(),
                                offering.capacityType(),
                                offering.pricePerHour(),
                                room.group().allocatable()));
            }
        }
        var order = new Integer[options.size()];
        Arrays.setAll(order, index -> index);
        Arrays.sort(
                order,
                Comparator.comparingDouble((Integer index) -> options.get(index).pricePerHour())
                        .thenComparing(index -> options.get(index).name()));
        return new PricedShapes(
                Arrays.stream(order).mapToInt(shapes::get).toArray(),
                Arrays.stream(order).map(options::get).toArray(TypeOption[]::new));
    }

    /// Whether cutting the types to the number a launch may name broke minValues.
    private Refusal.@Nullable MinValues lostChoice(
            OpenClaim claim, Requirements wanted, List<TypeOption> types) {
        if (!wanted.hasMinValues()
                || pass.problem().problem().policy().minValues() == MinValues.BEST_EFFORT) {
            return null;
        }
        var launchable = types.stream().map(TypeOption::name).collect(Collectors.toSet());
        var kept = new ArrayList<InstanceType>();
        var all = Pass.types(claim.template(), claim.shapes());
        all.stream().filter(type -> launchable.contains(type.name())).forEach(kept::add);
        all.stream().filter(type -> !launchable.contains(type.name())).forEach(kept::add);
        return PoolTypes.unmetMinValues(kept.subList(0, Math.min(kept.size(), TYPES_MAX)), wanted);
    }

    /// What daemons take at least, whichever type is launched.
    private static Resources leastDaemons(OpenClaim claim) {
        Resources least = null;
        for (var group : claim.template().daemonGroups()) {
            if (isPossible(claim, group)) {
                least = least == null ? group.overhead() : least.minOfShared(group.overhead());
            }
        }
        return least == null ? Resources.NONE : least;
    }

    private static boolean isPossible(OpenClaim claim, DaemonGroup group) {
        for (var shape = Bits.next(claim.shapes(), 0);
                shape >= 0;
                shape = Bits.next(claim.shapes(), shape + 1)) {
            if (claim.template().shape(shape).daemons().equals(group)) {
                return true;
            }
        }
        return false;
    }
}
