package dev.millwright.kube.object;

import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;
import dev.millwright.kube.object.Condition.Status;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/// The conditions of one object: a root that sums up its dependents, and others beside them.
///
/// Root and dependents are always there, Unknown since the object's creation until somebody says
/// otherwise. A change makes a new value; the root follows by itself.
public final class Conditions {

    private static final String AWAITING = "AwaitingReconciliation";

    /// What a kind's conditions hang on.
    public record Family(String root, List<String> dependents) {
        public Family {
            dependents = List.copyOf(dependents);
        }

        boolean isFixed(String type) {
            return type.equals(root) || dependents.contains(type);
        }
    }

    private final Family family;
    private final Meta meta;
    private final List<Condition> all;

    private Conditions(Family family, Meta meta, List<Condition> all) {
        this.family = family;
        this.meta = meta;
        this.all = List.copyOf(all);
    }

    public static Conditions of(Family family, Meta meta, List<Condition> stored) {
        var all = new ArrayList<>(stored);
        var fixed = new ArrayList<>(family.dependents());
        fixed.add(family.root());
        for (var type : fixed) {
            if (all.stream().noneMatch(each -> each.type().equals(type))) {
                all.add(
                        new Condition(
                                type,
                                Status.UNKNOWN,
                                AWAITING,
                                "object is awaiting reconciliation",
                                meta.createdAt(),
                                meta.generation()));
            }
        }
        return new Conditions(family, meta, all);
    }

    public List<Condition> all() {
        return all;
    }

    public @Nullable Condition find(String type) {
        for (var condition : all) {
            if (condition.type().equals(type)) {
                return condition;
            }
        }
        return null;
    }

    /// A condition that nobody has set is Unknown.
    public Status status(String type) {
        var condition = find(type);
        return condition == null ? Status.UNKNOWN : condition.status();
    }

    public boolean isTrue(String type) {
        return status(type) == Status.TRUE;
    }

    public boolean isFalse(String type) {
        return status(type) == Status.FALSE;
    }

    public boolean isUnknown(String type) {
        return status(type) == Status.UNKNOWN;
    }

    public Conditions withTrue(String type, Instant now) {
        return with(type, Status.TRUE, type, "", now);
    }

    public Conditions with(String type, Status status, String reason, String message, Instant now) {
        var before = find(type);
        var after =
                new Condition(
                        type,
                        status,
                        reason,
                        message,
                        before != null && before.status() == status ? before.changedAt() : now,
                        meta.generation());
        if (after.equals(before)) {
            return this;
        }
        var changed = replaced(after);
        return type.equals(family.root()) ? changed : changed.withRoot(now);
    }

    /// The same conditions, seen at the object's present generation.
    public Conditions observed(String type) {
        var before = find(type);
        return before == null || before.observedGeneration() == meta.generation()
                ? this
                : replaced(before.observedAt(meta.generation())).withRoot(before.changedAt());
    }

    /// Takes an independent condition away; the root does not depend on it.
    public Conditions without(String type) {
        if (find(type) == null || family.isFixed(type)) {
            return this;
        }
        var kept =
                all.stream()
                        .filter(each -> !each.type().equals(type))
                        .sorted(Comparator.comparing(Condition::type))
                        .toList();
        return new Conditions(family, meta, kept);
    }

    private Conditions replaced(Condition after) {
        var next = new ArrayList<Condition>();
        for (var condition : all) {
            if (!condition.type().equals(after.type())) {
                next.add(meta.isDeleting() ? condition.observedAt(meta.generation()) : condition);
            }
        }
        next.add(after);
        next.sort(
                Comparator.comparing((Condition each) -> each.type().equals(family.root()))
                        .thenComparing(Condition::changedAt));
        return new Conditions(family, meta, next);
    }

    private Conditions withRoot(Instant now) {
        var unhealthy =
                all.stream()
                        .filter(each -> family.dependents().contains(each.type()))
                        .filter(each -> !isHealthy(each))
                        .sorted(Comparator.comparing(Condition::changedAt).reversed())
                        .toList();
        if (unhealthy.isEmpty()) {
            return with(family.root(), Status.TRUE, family.root(), "", now);
        }
        var isAnyFalse =
                unhealthy.stream()
                        .anyMatch(
                                each ->
                                        each.status() == Status.FALSE
                                                && each.observedGeneration() == meta.generation());
        var message =
                unhealthy.stream()
                        .map(each -> each.type() + "=" + each.status().text())
                        .collect(Collectors.joining(", "));
        return isAnyFalse
                ? with(family.root(), Status.FALSE, "UnhealthyDependents", message, now)
                : with(family.root(), Status.UNKNOWN, "ReconcilingDependents", message, now);
    }

    private boolean isHealthy(Condition condition) {
        return condition.isTrue() && condition.observedGeneration() == meta.generation();
    }

    public Value value() {
        return Tree.list(all.stream().map(Condition::value).toList());
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Conditions that && all.equals(that.all);
    }

    @Override
    public int hashCode() {
        return all.hashCode();
    }

    @Override
    public String toString() {
        return all.toString();
    }
}
