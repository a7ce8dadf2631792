package dev.millwright.testing.kit.checker;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.policy.NodePool;
import dev.millwright.core.policy.SchedulingPolicy.Reservations;
import dev.millwright.core.quantity.Quantity;
import dev.millwright.core.quantity.Resources;
import dev.millwright.core.scheduling.PlannedClaim;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// What all claims of the pass share: the pools' limits and the reservations' slots.
final class PoolRules {

    private final Facts facts;
    private final List<Violation> violations = new ArrayList<>();

    PoolRules(Facts facts) {
        this.facts = facts;
    }

    List<Violation> check() {
        facts.pools().values().forEach(this::checkLimits);
        checkReservations();
        return violations;
    }

    /// Each claim may open only with types that fit what earlier ones left, and takes the dearest
    /// of its types off. Types only drop out later, so that the sum over final types is bounded by
    /// the limit whatever the order was.
    private void checkLimits(NodePool pool) {
        var claims =
                facts.plan().claims().stream()
                        .filter(claim -> claim.nodePool().equals(pool.name()))
                        .toList();
        if (claims.isEmpty() || pool.limits().isEmpty()) {
            return;
        }
        var remaining = remaining(pool);
        for (var name : pool.limits().amounts().keySet()) {
            var left = remaining.amount(name);
            if (name.equals(Resources.NODES)) {
                if (left.compareTo(Quantity.ZERO) <= 0) {
                    report(Violation.Rule.LIMITS, pool.name(), "may have no further node");
                }
                continue;
            }
            var taken = Quantity.ZERO;
            for (var claim : claims) {
                taken = taken.plus(largest(pool, claim, name));
            }
            if (taken.compareTo(left) > 0) {
                report(
                        Violation.Rule.LIMITS,
                        pool.name(),
                        "takes up to %s %s, left are %s".formatted(taken, name, left));
            }
        }
    }

    private Resources remaining(NodePool pool) {
        var remaining = pool.limits();
        for (var node : facts.problem().snapshot().nodes()) {
            if (!node.isMarkedForDeletion()
                    && pool.name().equals(node.labels().get(LabelKeys.NODE_POOL))) {
                remaining = remaining.minus(node.capacity().with(Resources.NODES, Quantity.ONE));
            }
        }
        return remaining;
    }

    private Quantity largest(NodePool pool, PlannedClaim claim, String resource) {
        var largest = Quantity.ZERO;
        for (var option : claim.types()) {
            for (var type : facts.typesOf(pool)) {
                if (type.name().equals(option.name())) {
                    largest = largest.max(type.capacity().amount(resource));
                }
            }
        }
        return largest;
    }

    private void checkReservations() {
        if (facts.problem().policy().reservations() == Reservations.OFF) {
            return;
        }
        var slots = slots();
        var held = new TreeMap<String, Integer>();
        for (var index = 0; index < facts.plan().claims().size(); index++) {
            var claim = facts.plan().claims().get(index);
            claim.reservationIds().forEach(id -> held.merge(id, 1, Integer::sum));
            if (!claim.reservationIds().isEmpty()) {
                checkReserved(facts.placeOf(index), claim);
            }
        }
        held.forEach(
                (id, count) -> {
                    int free = slots.getOrDefault(id, 0);
                    if (count > free) {
                        report(
                                Violation.Rule.RESERVATIONS,
                                id,
                                "is held by %d claims, has %d slots".formatted(count, free));
                    }
                });
    }

    private void checkReserved(Facts.Place place, PlannedClaim claim) {
        var isReserved =
                LabelKeys.CAPACITY_TYPE_RESERVED.equals(place.decided(LabelKeys.CAPACITY_TYPE));
        var ids = place.possible(facts.vocabulary().reservationIdKey());
        if (!isReserved
                || ids == null
                || !ids.equals(claim.reservationIds().stream().sorted().toList())) {
            report(
                    Violation.Rule.RESERVATIONS,
                    place.name(),
                    "holds %s, yet its requirements are %s"
                            .formatted(claim.reservationIds(), claim.requirements()));
        }
    }

    /// Free slots by reservation; where offerings disagree the least is meant.
    private Map<String, Integer> slots() {
        var slots = new TreeMap<String, Integer>();
        for (var pool : facts.pools().values()) {
            for (var type : facts.typesOf(pool)) {
                addSlots(slots, type);
            }
        }
        return slots;
    }

    private void addSlots(Map<String, Integer> slots, InstanceType type) {
        for (var offering : type.offerings()) {
            if (offering.isReserved()) {
                slots.merge(
                        offering.reservationId(facts.vocabulary().reservationIdKey()),
                        offering.reservationCapacity(),
                        Math::min);
            }
        }
    }

    private void report(Violation.Rule rule, String subject, String problem) {
        violations.add(new Violation(rule, subject, problem));
    }
}
