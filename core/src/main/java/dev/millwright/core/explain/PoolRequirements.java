package dev.millwright.core.explain;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.catalog.Offering;
import dev.millwright.core.label.Requirement;
import dev.millwright.core.label.Requirements;
import dev.millwright.core.label.Slips;
import dev.millwright.core.policy.NodePool;
import dev.millwright.core.scheduling.PoolTypes;
import dev.millwright.core.scheduling.SchedulingProblem;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.SequencedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/// Which of a pool's requirements leave it without an instance type, and what they could be
/// instead. Grows with requirements times types.
public final class PoolRequirements {

    /// Values of one label that are tried, those that give most types back first.
    private static final int VALUES_MAX = 2;

    private final NodePool pool;
    private final List<InstanceType> types;
    private final Requirements wanted;
    private final SequencedSet<String> wellKnown;

    /// A requirement without which an instance type would be left, and the values that there would
    /// be of its label.
    public record Decisive(Requirement wanted, List<String> offered) {
        public Decisive {
            offered = List.copyOf(offered);
        }
    }

    public PoolRequirements(SchedulingProblem problem, NodePool pool) {
        var vocabulary = problem.policy().vocabulary();
        this.pool = pool;
        this.types = problem.catalogs().getOrDefault(pool.name(), List.of());
        this.wanted = pool.nodeRequirements(vocabulary);
        this.wellKnown = vocabulary.wellKnown();
    }

    /// Types that all requirements leave.
    List<InstanceType> left() {
        return meeting(wanted);
    }

    private List<InstanceType> meeting(Requirements these) {
        return types.stream().filter(type -> PoolTypes.isUsable(type, these, wellKnown)).toList();
    }

    /// Of what a pod and the pool require together, that which alone leaves no type; nothing where
    /// it takes several.
    public List<Decisive> decisive(Requirements together) {
        var found = new ArrayList<Decisive>();
        for (var requirement : together.all()) {
            var others = together.without(requirement.key());
            var left =
                    wellKnown.contains(requirement.key()) ? meeting(others) : types.subList(0, 0);
            if (!left.isEmpty()) {
                found.add(
                        new Decisive(
                                requirement,
                                List.copyOf(values(requirement.key(), left, others).keySet())));
            }
        }
        return found;
    }

    private SequencedSet<String> keys() {
        var keys = new TreeSet<String>();
        pool.template().requirements().forEach(each -> keys.add(each.key()));
        return keys;
    }

    private List<Requirement> on(String key) {
        return pool.template().requirements().stream()
                .filter(each -> each.key().equals(key))
                .toList();
    }

    /// Those that exclude everything by themselves, else those without which something would be
    /// left.
    List<PoolFinding> findings() {
        var impossible = new ArrayList<PoolFinding>();
        var decisive = new ArrayList<PoolFinding>();
        for (var key : keys()) {
            var alone = meeting(Requirements.of(on(key))).size();
            var others = meeting(wanted.without(key)).size();
            var finding =
                    new PoolFinding.Excludes(on(key), alone, others, types.size(), meant(key));
            if (alone == 0) {
                impossible.add(finding);
            } else if (others > 0) {
                decisive.add(finding);
            }
        }
        if (!impossible.isEmpty()) {
            return impossible;
        }
        return decisive.isEmpty()
                ? List.of(new PoolFinding.ExcludedTogether(types.size()))
                : decisive;
    }

    private @Nullable String meant(String key) {
        return slips(key, values(key, types, Requirements.NONE)).stream()
                .map(Slip::to)
                .findFirst()
                .orElse(null);
    }

    /// A value that is required, and one that there is.
    private record Slip(String from, String to, int slips) {}

    private List<Slip> slips(String key, SequencedMap<String, Integer> there) {
        var near = new ArrayList<Slip>();
        for (var requirement : on(key)) {
            for (var value :
                    requirement.isComplement() ? List.<String>of() : requirement.values()) {
                if (!there.containsKey(value)) {
                    for (var other : there.keySet()) {
                        if (Slips.isLikely(value, other)) {
                            near.add(new Slip(value, other, Slips.between(value, other)));
                        }
                    }
                }
            }
        }
        near.sort(
                Comparator.comparingInt(Slip::slips)
                        .thenComparing(Slip::from)
                        .thenComparing(Slip::to));
        return near.stream().limit(VALUES_MAX).toList();
    }

    /// What might give types back. Each is about one label.
    List<PoolChange> remedies() {
        var found = new LinkedHashSet<PoolChange>();
        for (var key : keys()) {
            var others = wanted.without(key);
            var there = values(key, meeting(others), others);
            for (var slip : slips(key, there)) {
                found.add(new PoolChange.ReplaceValue(pool.name(), key, slip.from(), slip.to()));
            }
            there.entrySet().stream()
                    .sorted(
                            Comparator.<Map.Entry<String, Integer>>comparingInt(
                                            entry -> -entry.getValue())
                                    .thenComparing(Map.Entry::getKey))
                    .limit(VALUES_MAX)
                    .forEach(
                            entry ->
                                    found.add(
                                            new PoolChange.Admit(
                                                    pool.name(), key, entry.getKey())));
            found.add(new PoolChange.DropRequirement(pool.name(), key));
            lowerMinValues(key, found);
        }
        return List.copyOf(found);
    }

    private void lowerMinValues(String key, SequencedSet<PoolChange> found) {
        if (on(key).stream().anyMatch(each -> each.minValues() != null)) {
            var unmet = PoolTypes.unmetMinValues(left(), wanted);
            if (unmet != null && unmet.key().equals(key)) {
                found.add(new PoolChange.LowerMinValues(pool.name(), key, unmet.found()));
            }
            found.add(new PoolChange.LowerMinValues(pool.name(), key, 0));
        }
    }

    /// The values of a label among types and what they are offered as, and how many types have
    /// each.
    private SequencedMap<String, Integer> values(
            String key, List<InstanceType> among, Requirements others) {
        var counts = new TreeMap<String, Integer>();
        for (var type : among) {
            var ofType = new TreeSet<>(values(type.requirements(), key));
            for (var offering : type.offerings()) {
                if (isOffered(offering, others)) {
                    ofType.addAll(values(offering.requirements(), key));
                }
            }
            ofType.forEach(value -> counts.merge(value, 1, Integer::sum));
        }
        return counts;
    }

    private boolean isOffered(Offering offering, Requirements others) {
        return offering.isAvailable()
                && (others.isEmpty() || others.isCompatible(offering.requirements(), wellKnown));
    }

    private static List<String> values(Requirements of, String key) {
        var requirement = of.orNull(key);
        return requirement == null || requirement.isComplement() ? List.of() : requirement.values();
    }
}
