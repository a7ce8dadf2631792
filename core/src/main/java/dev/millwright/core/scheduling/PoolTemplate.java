package dev.millwright.core.scheduling;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.catalog.Offering;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.label.Requirement;
import dev.millwright.core.label.Requirements;
import dev.millwright.core.policy.NodePool;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/// A pool made ready for packing: every way to buy one of its types is a *shape*, a bit in the sets
/// of this class.
///
/// A shape is an instance type with one of its allocatable groups, less what daemons take of it.
/// Adding a pod to a node in the making is then an `and` of three sets: shapes that meet the
/// requirements, shapes that are large enough, shapes still possible. Measured by
/// `FirstFitBenchmark`.
final class PoolTemplate {

    /// An instance type, bought in a way that leaves this much room.
    record Shape(InstanceType type, InstanceType.AllocatableGroup group, DaemonGroup daemons) {}

    private final NodePool pool;
    private final RequirementSpace space;
    private final int requirements;
    private final double nodeFeePerHour;
    private final List<Shape> shapes;
    private final List<DaemonGroup> daemonGroups;
    private final long[] usable;
    private final long[][] roomSteps;
    private final long[][][] roomMasks;
    private final long[][] capacities;
    private final List<Requirements> offeringSets = new ArrayList<>();
    private final List<long[]> shapesByOffering = new ArrayList<>();
    private final int[][] offeringSetsOf;
    private final Map<Requirement, long[]> byRequirement = new HashMap<>();
    private final List<long @Nullable []> byRequirements = new ArrayList<>();
    private final List<double @Nullable []> prices = new ArrayList<>();
    private final List<int @Nullable []> orders = new ArrayList<>();
    private final List<boolean @Nullable []> spot = new ArrayList<>();
    private final boolean hasReservations;
    private final FleetPricing pricing;

    PoolTemplate(
            NodePool pool,
            List<DaemonGroup> daemonGroups,
            RequirementSpace space,
            ResourceSpace resources,
            int requirements,
            double nodeFeePerHour) {
        this.pool = pool;
        this.space = space;
        this.requirements = requirements;
        this.nodeFeePerHour = nodeFeePerHour;
        this.daemonGroups = daemonGroups;
        this.shapes = shapes(daemonGroups);
        this.usable = Bits.ofSize(shapes.size());
        this.offeringSetsOf = new int[shapes.size()][];
        this.capacities = new long[shapes.size()][];
        var room = new long[shapes.size()][];
        for (var index = 0; index < room.length; index++) {
            room[index] = room(shapes.get(index), resources);
            capacities[index] = resources.demand(shapes.get(index).type().capacity());
            if (room[index].length == resources.size()
                    && Arrays.stream(room[index]).allMatch(amount -> amount >= 0)
                    && !shapes.get(index).group().allocatable().hasNegative()) {
                Bits.with(usable, index);
            }
        }
        this.roomSteps = new long[resources.size()][];
        this.roomMasks = new long[resources.size()][][];
        for (var resource = 0; resource < resources.size(); resource++) {
            indexRoom(resource, room);
        }
        indexOfferings();
        this.hasReservations =
                shapes.stream()
                        .anyMatch(
                                shape ->
                                        shape.group().offerings().stream()
                                                .anyMatch(Offering::isReserved));
        this.pricing = new FleetPricing(this, resources.size());
    }

    private static List<Shape> shapes(List<DaemonGroup> daemonGroups) {
        var shapes = new ArrayList<Shape>();
        for (var daemons : daemonGroups) {
            for (var type : daemons.types()) {
                for (var group : type.allocatableGroups()) {
                    if (!group.offerings().isEmpty()) {
                        shapes.add(new Shape(type, group, daemons));
                    }
                }
            }
        }
        return List.copyOf(shapes);
    }

    private static long[] room(Shape shape, ResourceSpace resources) {
        var allocatable = resources.supply(shape.group().allocatable());
        var daemons = resources.demand(shape.daemons().overhead());
        for (var index = 0; index < allocatable.length; index++) {
            allocatable[index] -= daemons[index];
        }
        return allocatable;
    }

    /// For each amount some shape has, the set of shapes that have at least that much.
    private void indexRoom(int resource, long[][] room) {
        var steps =
                Arrays.stream(room)
                        .mapToLong(amounts -> amounts[resource])
                        .sorted()
                        .distinct()
                        .toArray();
        var masks = new long[steps.length][];
        for (var step = 0; step < steps.length; step++) {
            masks[step] = Bits.ofSize(shapes.size());
        }
        for (var shape = 0; shape < room.length; shape++) {
            var last = Arrays.binarySearch(steps, room[shape][resource]);
            for (var step = 0; step <= last; step++) {
                Bits.with(masks[step], shape);
            }
        }
        roomSteps[resource] = steps;
        roomMasks[resource] = masks;
    }

    private void indexOfferings() {
        var numbers = new HashMap<Requirements, Integer>();
        for (var shape = 0; shape < shapes.size(); shape++) {
            var offerings = shapes.get(shape).group().offerings();
            offeringSetsOf[shape] = new int[offerings.size()];
            for (var index = 0; index < offerings.size(); index++) {
                var number =
                        numbers.computeIfAbsent(
                                offerings.get(index).requirements(),
                                set -> {
                                    offeringSets.add(set);
                                    shapesByOffering.add(Bits.ofSize(shapes.size()));
                                    return offeringSets.size() - 1;
                                });
                offeringSetsOf[shape][index] = number;
                Bits.with(shapesByOffering.get(number), shape);
            }
        }
    }

    NodePool pool() {
        return pool;
    }

    String name() {
        return pool.name();
    }

    /// The number of what every node of the pool promises.
    int requirements() {
        return requirements;
    }

    List<Shape> shapes() {
        return shapes;
    }

    Shape shape(int index) {
        return shapes.get(index);
    }

    List<DaemonGroup> daemonGroups() {
        return daemonGroups;
    }

    /// Answers what loads cost here.
    FleetPricing pricing() {
        return pricing;
    }

    boolean hasReservations() {
        return hasReservations;
    }

    /// Shapes that could hold a pod at all. Callers do not change it.
    long[] usable() {
        return usable;
    }

    /// What the machine of the shape counts against the pool's limits.
    long[] capacity(int shape) {
        return capacities[shape];
    }

    /// Leaves shapes that count no more than this against the pool's limits.
    void keepWithin(long[] most, long[] candidates) {
        for (var shape = Bits.next(candidates, 0);
                shape >= 0;
                shape = Bits.next(candidates, shape + 1)) {
            for (var resource = 0; resource < most.length; resource++) {
                if (capacities[shape][resource] > most[resource]) {
                    Bits.clear(candidates, shape);
                    break;
                }
            }
        }
    }

    /// Shapes that meet the requirement set and have an available offering for it. Callers do not
    /// change it.
    long[] meeting(int set) {
        while (byRequirements.size() <= set) {
            byRequirements.add(null);
        }
        var known = byRequirements.get(set);
        if (known == null) {
            known = computeMeeting(space.at(set));
            byRequirements.set(set, known);
        }
        return known;
    }

    private long[] computeMeeting(Requirements wanted) {
        var result = offered(wanted);
        Bits.andInto(result, usable);
        for (var requirement : wanted.all()) {
            Bits.andInto(result, byRequirement.computeIfAbsent(requirement, this::meetingKey));
        }
        return result;
    }

    /// Shapes with an offering that the requirements allow.
    long[] offered(Requirements wanted) {
        var result = Bits.ofSize(shapes.size());
        for (var number = 0; number < offeringSets.size(); number++) {
            if (wanted.isCompatible(offeringSets.get(number), space.wellKnown())) {
                Bits.orInto(result, shapesByOffering.get(number));
            }
        }
        return result;
    }

    private long[] meetingKey(Requirement requirement) {
        var incoming = Requirements.of(requirement);
        var result = Bits.ofSize(shapes.size());
        for (var shape = 0; shape < shapes.size(); shape++) {
            if (shapes.get(shape).type().requirements().intersects(incoming)) {
                Bits.with(result, shape);
            }
        }
        return result;
    }

    /// Leaves in `candidates` only shapes that have room for the total; tells whether any is left.
    boolean keepFitting(long[] candidates, long[] total) {
        var any = 0L;
        for (var resource = 0; resource < total.length; resource++) {
            if (total[resource] <= 0) {
                continue;
            }
            var steps = roomSteps[resource];
            var step = Arrays.binarySearch(steps, total[resource]);
            step = step < 0 ? -step - 1 : step;
            if (step == steps.length) {
                return false;
            }
            if (step == 0) {
                continue;
            }
            var mask = roomMasks[resource][step];
            any = 0L;
            for (var word = 0; word < candidates.length; word++) {
                candidates[word] &= mask[word];
                any |= candidates[word];
            }
            if (any == 0) {
                return false;
            }
        }
        return any != 0 || !Bits.isEmpty(candidates);
    }

    /// What a node of the pool costs an hour beside its machine.
    double nodeFeePerHour() {
        return nodeFeePerHour;
    }

    /// Price per hour of the cheapest offering of each shape that the requirement set allows, the
    /// fee of a node included; infinite where there is none. All that compares fleets compares
    /// these. Callers do not change it.
    double[] prices(int set) {
        while (prices.size() <= set) {
            prices.add(null);
        }
        var known = prices.get(set);
        if (known == null) {
            known = computePrices(space.at(set));
            prices.set(set, known);
        }
        return known;
    }

    private double[] computePrices(Requirements wanted) {
        var allowed = allowedOfferings(wanted, true);
        var result = new double[shapes.size()];
        for (var shape = 0; shape < result.length; shape++) {
            var cheapest = cheapestOffering(shape, allowed);
            result[shape] =
                    cheapest == null
                            ? Double.POSITIVE_INFINITY
                            : cheapest.pricePerHour() + nodeFeePerHour;
        }
        return result;
    }

    /// Which of the template's offerings, by the number of their requirements, the set allows.
    boolean[] allowedOfferings(Requirements wanted, boolean isReserving) {
        var allowed = new boolean[offeringSets.size()];
        for (var number = 0; number < allowed.length; number++) {
            var offering = offeringSets.get(number);
            var isReserved =
                    offering.on(LabelKeys.CAPACITY_TYPE).has(LabelKeys.CAPACITY_TYPE_RESERVED);
            allowed[number] =
                    (isReserving || !isReserved)
                            && wanted.isCompatible(offering, space.wellKnown());
        }
        return allowed;
    }

    /// Which of the template's offerings the set allows as spot.
    boolean[] spotOfferings(int set) {
        while (spot.size() <= set) {
            spot.add(null);
        }
        var known = spot.get(set);
        if (known == null) {
            var only = Requirement.in(LabelKeys.CAPACITY_TYPE, LabelKeys.CAPACITY_TYPE_SPOT);
            var wanted = space.at(set).and(only);
            known = allowedOfferings(wanted, false);
            spot.set(set, known);
        }
        return known;
    }

    /// Shapes by price under the requirement set. Callers do not change it.
    private int[] byPrice(int set) {
        while (orders.size() <= set) {
            orders.add(null);
        }
        var known = orders.get(set);
        if (known == null) {
            var priced = prices(set);
            known =
                    IntStream.range(0, shapes.size())
                            .boxed()
                            .sorted(Comparator.comparingDouble(shape -> priced[shape]))
                            .mapToInt(Integer::intValue)
                            .toArray();
            orders.set(set, known);
        }
        return known;
    }

    /// The place, in the order of price, of the cheapest of the candidates, which is not before
    /// `from`.
    int cheapest(long[] candidates, int set, int from) {
        var order = byPrice(set);
        for (var index = from; index < order.length; index++) {
            if (Bits.has(candidates, order[index])) {
                return index;
            }
        }
        return order.length;
    }

    /// Price of the shape at this place in the order of price, with the fee of a node; infinite
    /// behind the last.
    double priceAt(int set, int index) {
        var order = byPrice(set);
        return index < order.length ? prices(set)[order[index]] : Double.POSITIVE_INFINITY;
    }

    /// Fills in for each resource the most room that any of the shapes has.
    void mostRoom(long[] shapeSet, long[] result) {
        for (var resource = 0; resource < result.length; resource++) {
            var low = 0;
            var high = roomSteps[resource].length - 1;
            while (low < high) {
                var middle = (low + high + 1) >>> 1;
                if (Bits.intersects(roomMasks[resource][middle], shapeSet)) {
                    low = middle;
                } else {
                    high = middle - 1;
                }
            }
            result[resource] = roomSteps[resource][low];
        }
    }

    /// Room of the shape for a resource, after daemons.
    long room(int shape, int resource) {
        var steps = roomSteps[resource];
        var low = 0;
        var high = steps.length - 1;
        while (low < high) {
            var middle = (low + high + 1) >>> 1;
            if (Bits.has(roomMasks[resource][middle], shape)) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return steps[low];
    }

    /// The cheapest launchable offering of the shape among the allowed ones, or null; of equal
    /// price the first by capacity type and zone.
    @Nullable Offering cheapestOffering(int shape, boolean[] allowed) {
        var offerings = shapes.get(shape).group().offerings();
        var sets = offeringSetsOf[shape];
        Offering best = null;
        for (var index = 0; index < sets.length; index++) {
            var offering = offerings.get(index);
            if (allowed[sets[index]]
                    && offering.isLaunchable()
                    && (best == null || isBefore(offering, best))) {
                best = offering;
            }
        }
        return best;
    }

    private static boolean isBefore(Offering one, Offering other) {
        var order = Double.compare(one.pricePerHour(), other.pricePerHour());
        if (order == 0) {
            order = one.capacityType().compareTo(other.capacityType());
        }
        return order == 0 ? one.zone().compareTo(other.zone()) < 0 : order < 0;
    }
}
