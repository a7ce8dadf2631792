package dev.millwright.core.explain;

import dev.millwright.core.label.Operator;
import dev.millwright.core.label.Requirement;
import dev.millwright.core.label.Taint;
import dev.millwright.core.policy.NodePool;
import dev.millwright.core.quantity.Resources;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// A change to a pool, which all its pods share.
public sealed interface PoolChange extends Change {

    String nodePool();

    NodePool on(NodePool pool);

    /// The label was meant to be another; what is required of it stays.
    record RenameRequirement(String nodePool, String from, String to) implements PoolChange {
        @Override
        public String topic() {
            return "requirement %s %s".formatted(nodePool, from);
        }

        @Override
        public double effort() {
            return Effort.MEND + 0.04;
        }

        @Override
        public String describe() {
            return "require it of label %s instead of %s".formatted(to, from);
        }

        @Override
        public NodePool on(NodePool pool) {
            return pool.withRequirements(
                    pool.template().requirements().stream()
                            .map(each -> each.key().equals(from) ? renamed(each) : each)
                            .toList());
        }

        private Requirement renamed(Requirement requirement) {
            return requirement.selectorRequirements().stream()
                    .map(
                            each ->
                                    Requirement.of(
                                            to, each.operator(), each.minValues(), each.values()))
                    .reduce(Requirement::intersection)
                    .orElseGet(() -> Requirement.exists(to));
        }
    }

    /// The value was meant to be another.
    record ReplaceValue(String nodePool, String key, String from, String to) implements PoolChange {
        @Override
        public String topic() {
            return "requirement %s %s".formatted(nodePool, key);
        }

        @Override
        public double effort() {
            return Effort.MEND + 0.05;
        }

        @Override
        public String describe() {
            return "allow %s=%s instead of %s".formatted(key, to, from);
        }

        @Override
        public NodePool on(NodePool pool) {
            return pool.withRequirements(
                    pool.template().requirements().stream().map(this::replaced).toList());
        }

        private Requirement replaced(Requirement requirement) {
            if (!requirement.key().equals(key)
                    || requirement.isComplement()
                    || !requirement.has(from)) {
                return requirement;
            }
            var values = new ArrayList<>(requirement.values());
            values.remove(from);
            values.add(to);
            return Requirement.of(key, Operator.IN, requirement.minValues(), values);
        }
    }

    /// Lets a label take a value that the pool excludes.
    record Admit(String nodePool, String key, String value) implements PoolChange {
        @Override
        public String topic() {
            return "requirement %s %s".formatted(nodePool, key);
        }

        @Override
        public double effort() {
            return Effort.POOL;
        }

        @Override
        public String describe() {
            return "allow %s=%s".formatted(key, value);
        }

        @Override
        public NodePool on(NodePool pool) {
            return pool.withRequirements(
                    pool.template().requirements().stream().map(this::widened).toList());
        }

        private Requirement widened(Requirement requirement) {
            if (!requirement.key().equals(key) || requirement.has(value)) {
                return requirement;
            }
            var values = new ArrayList<>(requirement.values());
            if (!requirement.isComplement()) {
                values.add(value);
                return Requirement.of(key, Operator.IN, requirement.minValues(), values);
            }
            values.remove(value); // Bounds that exclude it are not taken over.
            return Requirement.of(key, Operator.NOT_IN, requirement.minValues(), values);
        }
    }

    /// Raises limits to these amounts.
    record RaiseLimits(String nodePool, Resources limits) implements PoolChange {
        @Override
        public String topic() {
            return "limits " + nodePool;
        }

        @Override
        public double effort() {
            var cpu = limits.amount(Resources.CPU).toDouble() + limits.names().size();
            return Effort.BOUND
                    + Math.min(0.01, Math.log1p(cpu) / 10_000); // The lower raise first.
        }

        @Override
        public String describe() {
            return limits.amounts().entrySet().stream()
                    .map(
                            entry ->
                                    "raise the limit of %s to %s"
                                            .formatted(
                                                    entry.getKey(),
                                                    Resources.render(
                                                            entry.getKey(), entry.getValue())))
                    .collect(Collectors.joining(" and "));
        }

        @Override
        public NodePool on(NodePool pool) {
            return pool.withLimits(pool.limits().overriddenBy(limits));
        }
    }

    record LowerMinValues(String nodePool, String key, int minValues) implements PoolChange {
        @Override
        public String topic() {
            return "requirement %s %s".formatted(nodePool, key);
        }

        @Override
        public double effort() {
            return Effort.POOL + 0.02;
        }

        @Override
        public String describe() {
            return minValues < 1
                    ? "take minValues of %s away".formatted(key)
                    : "ask for at least %d values of %s".formatted(minValues, key);
        }

        @Override
        public NodePool on(NodePool pool) {
            return pool.withRequirements(
                    pool.template().requirements().stream()
                            .map(
                                    each ->
                                            each.key().equals(key)
                                                    ? each.withMinValues(
                                                            minValues < 1 ? null : minValues)
                                                    : each)
                            .toList());
        }
    }

    /// Gives the pool's nodes a label.
    record AddLabel(String nodePool, String key, String value) implements PoolChange {
        @Override
        public String topic() {
            return "pool label %s %s".formatted(nodePool, key);
        }

        @Override
        public double effort() {
            return Effort.POOL + 0.04;
        }

        @Override
        public String describe() {
            return "give its nodes the label %s=%s".formatted(key, value);
        }

        @Override
        public NodePool on(NodePool pool) {
            var labels = new TreeMap<>(pool.template().labels());
            labels.put(key, value);
            return pool.withLabels(labels);
        }
    }

    record DropTaint(String nodePool, Taint taint) implements PoolChange {
        @Override
        public String topic() {
            return "taint " + taint.key();
        }

        @Override
        public double effort() {
            return Effort.POOL + 0.08;
        }

        @Override
        public String describe() {
            return "take away the taint %s".formatted(taint);
        }

        @Override
        public NodePool on(NodePool pool) {
            return pool.withTaints(
                    pool.template().taints().stream().filter(each -> !each.equals(taint)).toList());
        }
    }

    /// Takes everything away that the pool requires of a label.
    record DropRequirement(String nodePool, String key) implements PoolChange {
        @Override
        public String topic() {
            return "requirement %s %s".formatted(nodePool, key);
        }

        @Override
        public double effort() {
            return Effort.POOL + 0.06;
        }

        @Override
        public String describe() {
            return "require nothing of label %s".formatted(key);
        }

        @Override
        public NodePool on(NodePool pool) {
            List<Requirement> kept =
                    pool.template().requirements().stream()
                            .filter(each -> !each.key().equals(key))
                            .toList();
            return pool.withRequirements(kept);
        }
    }
}
