package dev.millwright.core.explain;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.label.Requirement;
import dev.millwright.core.label.Requirements;
import dev.millwright.core.policy.NodePool;
import dev.millwright.core.scheduling.SchedulingProblem;

import java.util.Collection;
import java.util.List;
import java.util.SequencedSet;
import java.util.TreeSet;

/// Every value that a label takes somewhere in the cluster or its catalogues: what is not among
/// them was perhaps mistyped. Grows with types and their offerings, for each question.
final class KnownValues {

    private final SchedulingProblem problem;

    KnownValues(SchedulingProblem problem) {
        this.problem = problem;
    }

    SequencedSet<String> of(String key) {
        var values = new TreeSet<String>();
        if (key.equals(LabelKeys.NODE_POOL)) {
            problem.nodePools().stream().map(NodePool::name).forEach(values::add);
            return values;
        }
        values.addAll(problem.policy().vocabulary().knownValues().getOrDefault(key, List.of()));
        problem.catalogs().values().forEach(types -> ofTypes(types, key, values));
        for (var pool : problem.nodePools()) {
            var label = pool.template().labels().get(key);
            if (label != null) {
                values.add(label);
            }
        }
        for (var node : problem.snapshot().nodes()) {
            var label = node.labels().get(key);
            if (label != null) {
                values.add(label);
            }
        }
        return values;
    }

    /// The keys that pools or nodes bring besides those that are well known.
    SequencedSet<String> ownKeys() {
        var keys = new TreeSet<String>();
        for (var pool : problem.nodePools()) {
            keys.addAll(pool.template().labels().keySet());
            pool.template().requirements().stream().map(Requirement::key).forEach(keys::add);
        }
        return keys;
    }

    private static void ofTypes(
            Collection<InstanceType> types, String key, SequencedSet<String> values) {
        for (var type : types) {
            add(type.requirements(), key, values);
            for (var offering : type.offerings()) {
                add(offering.requirements(), key, values);
            }
        }
    }

    private static void add(Requirements requirements, String key, SequencedSet<String> values) {
        var requirement = requirements.orNull(key);
        if (requirement != null && !requirement.isComplement()) {
            values.addAll(requirement.values());
        }
    }
}
