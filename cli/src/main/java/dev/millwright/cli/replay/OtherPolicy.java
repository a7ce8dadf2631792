package dev.millwright.cli.replay;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.deliberation.Deliberation;
import dev.millwright.core.disruption.DisruptionProblem;
import dev.millwright.core.disruption.MethodCase;
import dev.millwright.core.disruption.PoolRules;
import dev.millwright.core.policy.NodePool;
import dev.millwright.core.policy.SchedulingPolicy.Packing;
import dev.millwright.core.scheduling.SchedulingProblem;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.SequencedMap;
import java.util.TreeMap;

/// What people might have said instead: pools in place of those of the same name, others beside
/// them, and how to pack.
///
/// A pool that the record does not know buys what a recorded pool of the same class could.
///
/// @param rules those of the pools
public record OtherPolicy(SequencedMap<String, PoolRules> rules, @Nullable Packing packing) {

    public OtherPolicy {
        rules = new TreeMap<>(rules);
    }

    /// The same question to other rules; what was answered stays what it was.
    Deliberation applied(Deliberation deliberation) {
        return switch (deliberation) {
            case Deliberation.Provisioning(var problem, var plan) ->
                    new Deliberation.Provisioning(applied(problem), plan);
            case Deliberation.Disruption(var asked, var decision) ->
                    new Deliberation.Disruption(
                            new MethodCase(
                                    applied(asked.problem()),
                                    asked.method(),
                                    asked.options(),
                                    asked.memory()),
                            decision);
            case Deliberation.SecondLook(var problem, var commands, var validations) ->
                    new Deliberation.SecondLook(applied(problem), commands, validations);
        };
    }

    private SchedulingProblem applied(SchedulingProblem problem) {
        var pools = new TreeMap<String, NodePool>();
        problem.nodePools().forEach(pool -> pools.put(pool.name(), pool));
        rules.forEach((name, rule) -> pools.put(name, rule.pool()));
        var catalogs = new TreeMap<>(problem.catalogs());
        for (var rule : rules.values()) {
            var types = types(problem, rule.pool());
            if (!catalogs.containsKey(rule.name()) && types != null) {
                catalogs.put(rule.name(), types);
            }
        }
        return new SchedulingProblem(
                problem.snapshot(),
                List.copyOf(pools.values()),
                catalogs,
                packing == null ? problem.policy() : problem.policy().withPacking(packing),
                problem.removed(),
                problem.isForced());
    }

    private static @Nullable List<InstanceType> types(SchedulingProblem problem, NodePool pool) {
        var wanted = pool.template().nodeClassRef();
        for (var each : problem.nodePools()) {
            if (each.template().nodeClassRef().equals(wanted)) {
                return problem.catalogs().get(each.name());
            }
        }
        return null;
    }

    private DisruptionProblem applied(DisruptionProblem problem) {
        var pools = new TreeMap<>(problem.pools());
        pools.putAll(rules);
        return new DisruptionProblem(
                        applied(problem.scheduling()),
                        problem.machines(),
                        pools,
                        problem.isSpotToSpot())
                .withPast(problem.past());
    }
}
