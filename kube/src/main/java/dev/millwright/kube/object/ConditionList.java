package dev.millwright.kube.object;

import dev.millwright.kube.document.Field;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;
import dev.millwright.kube.object.Condition.Status;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// Conditions that stand beside each other, none of them summing up the others. A change makes a
/// new value; the time of a condition moves only when its status does.
public record ConditionList(List<Condition> all) {

    public static final ConditionList NONE = new ConditionList(List.of());

    /// In the order of their types, so that two lists of the same conditions are equal.
    public ConditionList {
        all = all.stream().sorted(Comparator.comparing(Condition::type)).toList();
    }

    /// Of an object's status.
    public static ConditionList of(Field status) {
        return new ConditionList(
                status.at("conditions").elements().stream().map(Condition::of).toList());
    }

    public @Nullable Condition find(String type) {
        for (var condition : all) {
            if (condition.type().equals(type)) {
                return condition;
            }
        }
        return null;
    }

    public boolean isTrue(String type) {
        var condition = find(type);
        return condition != null && condition.isTrue();
    }

    /// Whether somebody has said that it is not so; a condition nobody set is not false.
    public boolean isFalse(String type) {
        var condition = find(type);
        return condition != null && condition.status() == Status.FALSE;
    }

    /// @param generation the object's, which this condition was seen at; 0 leaves it out
    public ConditionList with(
            String type,
            Status status,
            String reason,
            String message,
            long generation,
            Instant now) {
        var before = find(type);
        var since = before != null && before.status() == status ? before.changedAt() : now;
        return with(new Condition(type, status, reason, message, since, generation));
    }

    public ConditionList with(Condition condition) {
        var next = new ArrayList<>(without(condition.type()).all());
        next.add(condition);
        return new ConditionList(next);
    }

    public ConditionList without(String type) {
        return new ConditionList(all.stream().filter(each -> !each.type().equals(type)).toList());
    }

    public Value value() {
        return Tree.list(all.stream().map(Condition::value).toList());
    }
}
