package dev.millwright.controllers.node.health;

import dev.millwright.core.policy.RepairPolicy;
import dev.millwright.kube.object.Condition;
import dev.millwright.kube.object.NodeObject;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.List;

/// A condition of a node that its provider does not tolerate for ever, and when its patience ends.
record Ailment(Condition condition, RepairPolicy policy, Instant dueAt) {

    /// The one whose time is up first, or null of a healthy node. Of two at once the policy that
    /// stands first counts.
    static @Nullable Ailment of(NodeObject node, List<RepairPolicy> policies) {
        Ailment first = null;
        for (var policy : policies) {
            var condition = node.condition(policy.conditionType());
            if (condition == null || !condition.status().text().equals(policy.conditionStatus())) {
                continue;
            }
            var dueAt = condition.changedAt().plus(policy.toleration());
            if (first == null || dueAt.isBefore(first.dueAt())) {
                first = new Ailment(condition, policy, dueAt);
            }
        }
        return first;
    }
}
