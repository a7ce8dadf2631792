package dev.millwright.controllers.disruption;

import dev.millwright.core.disruption.NodeHealth;
import dev.millwright.core.disruption.NodeHealth.Sign;
import dev.millwright.kube.object.ClaimObject;
import dev.millwright.kube.object.Condition.Status;
import dev.millwright.kube.object.NodeObject;

import org.jspecify.annotations.Nullable;

import java.time.Instant;

/// Reads how a node is, and what was tried about it.
final class Health {

    private Health() {}

    static NodeHealth of(
            @Nullable NodeObject node,
            @Nullable ClaimObject claim,
            RebootHistory reboots,
            Instant now) {
        if (node == null) {
            return NodeHealth.UNKNOWN;
        }
        var rebooting = claim == null ? null : claim.conditions().find(ClaimObject.REBOOTING);
        return new NodeHealth(
                node.conditions().stream()
                        .map(
                                each ->
                                        new Sign(
                                                each.type(),
                                                each.status().text(),
                                                each.reason(),
                                                each.changedAt()))
                        .toList(),
                node.meta().createdAt(),
                rebooting != null && rebooting.isTrue(),
                rebooting != null && rebooting.status() == Status.FALSE
                        ? rebooting.changedAt()
                        : null,
                claim == null ? 0 : reboots.recent(claim.meta().uid(), now));
    }
}
