package dev.millwright.testing.kit.checker;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.catalog.Offering;
import dev.millwright.core.cluster.Pod;
import dev.millwright.core.policy.NodePool;
import dev.millwright.core.policy.SchedulingPolicy.Reservations;
import dev.millwright.core.quantity.Resources;
import dev.millwright.core.scheduling.PlannedClaim;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.stream.Collectors;

/// The instance types of a claim: each of them must do for all of its pods, and the cheapest come
/// first.
final class TypeRules {

    /// Types a launch may name.
    private static final int TYPES_MAX = 600;

    private static final double PRICE_TOLERANCE = 1e-9;

    private final Facts facts;
    private final List<Violation> violations = new ArrayList<>();

    TypeRules(Facts facts) {
        this.facts = facts;
    }

    /// A way to launch a type for a claim, with the room it leaves.
    private record Way(Offering offering, Resources allocatable) {}

    List<Violation> check() {
        for (var index = 0; index < facts.plan().claims().size(); index++) {
            var claim = facts.plan().claims().get(index);
            var pool = facts.pools().get(claim.nodePool());
            if (pool != null) {
                check(facts.placeOf(index), pool, claim);
            }
        }
        return violations;
    }

    private void check(Facts.Place place, NodePool pool, PlannedClaim claim) {
        checkOrder(place, claim);
        for (var option : claim.types()) {
            var type =
                    facts.typesOf(pool).stream()
                            .filter(candidate -> candidate.name().equals(option.name()))
                            .findFirst()
                            .orElse(null);
            if (type == null) {
                report(Violation.Rule.OFFERINGS, place, option.name() + " is no type of the pool");
                continue;
            }
            checkOption(place, pool, claim, type, option);
        }
        checkFlexibility(place, pool, claim);
        checkMinValues(place, pool, claim);
    }

    private void checkOrder(Facts.Place place, PlannedClaim claim) {
        var names = new HashSet<String>();
        var last = 0.0;
        for (var option : claim.types()) {
            if (!names.add(option.name())) {
                report(Violation.Rule.TYPE_ORDER, place, option.name() + " is listed twice");
            }
            if (option.pricePerHour() < last - PRICE_TOLERANCE) {
                report(
                        Violation.Rule.TYPE_ORDER,
                        place,
                        "%s at %s comes after a type at %s"
                                .formatted(option.name(), option.pricePerHour(), last));
            }
            last = option.pricePerHour();
        }
        if (claim.types().size() > TYPES_MAX) {
            report(Violation.Rule.TYPE_ORDER, place, claim.types().size() + " types are too many");
        }
    }

    private void checkOption(
            Facts.Place place,
            NodePool pool,
            PlannedClaim claim,
            InstanceType type,
            PlannedClaim.TypeOption option) {
        if (!type.requirements().intersects(claim.requirements())) {
            report(
                    Violation.Rule.OFFERINGS,
                    place,
                    "%s is %s, wanted %s"
                            .formatted(type.name(), type.requirements(), claim.requirements()));
        }
        var ways = ways(pool, claim, type);
        var stated =
                ways.stream()
                        .filter(way -> way.offering().zone().equals(option.zone()))
                        .filter(way -> way.offering().capacityType().equals(option.capacityType()))
                        .filter(
                                way ->
                                        Math.abs(
                                                        way.offering().pricePerHour()
                                                                - option.pricePerHour())
                                                <= PRICE_TOLERANCE)
                        .toList();
        if (stated.isEmpty()) {
            report(
                    Violation.Rule.OFFERINGS,
                    place,
                    "%s cannot be had as %s; it can as %s".formatted(type.name(), option, ways));
            return;
        }
        if (stated.stream().noneMatch(way -> way.allocatable().equals(option.allocatable()))) {
            report(
                    Violation.Rule.RESOURCES,
                    place,
                    "%s leaves %s, not %s"
                            .formatted(
                                    type.name(),
                                    stated.getFirst().allocatable(),
                                    option.allocatable()));
        }
        var least =
                ways.stream().mapToDouble(way -> way.offering().pricePerHour()).min().orElseThrow();
        if (option.pricePerHour() > least + PRICE_TOLERANCE) {
            report(
                    Violation.Rule.OFFERINGS,
                    place,
                    "%s costs %s, not %s".formatted(type.name(), least, option.pricePerHour()));
        }
    }

    /// All ways to launch the type that leave room for the pods and the daemons and clash with no
    /// daemon's port.
    private List<Way> ways(NodePool pool, PlannedClaim claim, InstanceType type) {
        var pods = facts.knownPods(claim.pods());
        var daemons = Daemons.of(facts, pool, type);
        if (daemons.stream().anyMatch(daemon -> clashes(daemon, pods))) {
            return List.of();
        }
        var wanted = Daemons.requests(pods).plus(Daemons.requests(daemons));
        var ways = new ArrayList<Way>();
        for (var group : type.allocatableGroups()) {
            for (var offering : group.offerings()) {
                if (isOpen(claim, offering) && wanted.fitsIn(group.allocatable())) {
                    ways.add(new Way(offering, group.allocatable()));
                }
            }
        }
        return ways;
    }

    private static boolean clashes(Pod daemon, List<Pod> pods) {
        return pods.stream().anyMatch(pod -> ExistingNodeRules.clash(daemon, pod));
    }

    private boolean isOpen(PlannedClaim claim, Offering offering) {
        var vocabulary = facts.vocabulary();
        if (!offering.isLaunchable()
                || !claim.requirements()
                        .isCompatible(offering.requirements(), vocabulary.wellKnown())) {
            return false;
        }
        if (!offering.isReserved() || facts.problem().policy().reservations() == Reservations.OFF) {
            return true;
        }
        return claim.reservationIds()
                .contains(offering.reservationId(vocabulary.reservationIdKey()));
    }

    /// All types that would do are listed. A type that does at the end did all along: requirements
    /// and requests only grow. Limits and reservations drop types for reasons of other claims, and
    /// the list is cut at its bound.
    private void checkFlexibility(Facts.Place place, NodePool pool, PlannedClaim claim) {
        if (!pool.limits().isEmpty()
                || !claim.reservationIds().isEmpty()
                || claim.types().size() >= TYPES_MAX) {
            return;
        }
        var listed =
                claim.types().stream()
                        .map(PlannedClaim.TypeOption::name)
                        .collect(Collectors.toSet());
        for (var type : facts.typesOf(pool)) {
            if (!listed.contains(type.name())
                    && type.requirements().intersects(claim.requirements())
                    && type.requirements().intersects(pool.nodeRequirements(facts.vocabulary()))
                    && !ways(pool, claim, type).isEmpty()) {
                report(
                        Violation.Rule.FLEXIBILITY,
                        place,
                        type.name() + " would do but is not listed");
            }
        }
    }

    /// Values are counted over the types that are listed and those that only a full reservation
    /// keeps off the list: Karpenter takes these for types that may still be launched. It counts
    /// before a claim settles for its reservations, so that nothing is known of a claim that has
    /// some.
    private void checkMinValues(Facts.Place place, NodePool pool, PlannedClaim claim) {
        if (claim.isMinValuesRelaxed() || !claim.reservationIds().isEmpty()) {
            return;
        }
        for (var requirement : pool.nodeRequirements(facts.vocabulary()).all()) {
            var wanted = requirement.minValues();
            if (wanted == null) {
                continue;
            }
            var values =
                    facts.typesOf(pool).stream()
                            .filter(type -> isListed(claim, type) || isOnlyReserved(claim, type))
                            .flatMap(
                                    type ->
                                            type
                                                    .requirements()
                                                    .on(requirement.key())
                                                    .values()
                                                    .stream())
                            .collect(Collectors.toSet());
            if (values.size() < wanted) {
                report(
                        Violation.Rule.MIN_VALUES,
                        place,
                        "%s has %d values, wanted %d"
                                .formatted(requirement.key(), values.size(), wanted));
            }
        }
    }

    private static boolean isListed(PlannedClaim claim, InstanceType type) {
        return claim.types().stream().anyMatch(option -> option.name().equals(type.name()));
    }

    private boolean isOnlyReserved(PlannedClaim claim, InstanceType type) {
        return type.requirements().intersects(claim.requirements())
                && type.offerings().stream()
                        .anyMatch(offering -> offering.isReserved() && offering.isAvailable());
    }

    private void report(Violation.Rule rule, Facts.Place place, String problem) {
        violations.add(new Violation(rule, place.name(), problem));
    }
}
