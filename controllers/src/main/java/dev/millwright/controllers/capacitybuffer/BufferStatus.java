package dev.millwright.controllers.capacitybuffer;

import dev.millwright.kube.client.ApiWrite;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.object.BufferObject;
import dev.millwright.kube.object.Condition;
import dev.millwright.kube.object.Condition.Status;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// A buffer's status as it is written. Its conditions have no root: each stands for itself.
final class BufferStatus {

    private BufferStatus() {}

    /// The conditions with this one in its place, or at the end. It keeps its moment while its
    /// status stays.
    static List<Condition> with(
            BufferObject buffer,
            String type,
            Status status,
            String reason,
            String message,
            Instant now) {
        var after = new ArrayList<Condition>();
        var changedAt = now;
        var place = -1;
        for (var condition : buffer.status().conditions()) {
            if (condition.type().equals(type)) {
                place = after.size();
                changedAt = condition.status() == status ? condition.changedAt() : now;
            } else {
                after.add(condition);
            }
        }
        after.add(
                place < 0 ? after.size() : place,
                new Condition(
                        type, status, reason, message, changedAt, buffer.meta().generation()));
        return after;
    }

    static Tree conditions(List<Condition> conditions) {
        return Tree.of().putList("conditions", conditions.stream().map(Condition::value).toList());
    }

    static ApiWrite patch(BufferObject buffer, Tree status) {
        return new ApiWrite.Patch(
                ResourceType.CAPACITY_BUFFER,
                buffer.name(),
                ApiWrite.PatchKind.MERGE,
                ApiWrite.Subresource.STATUS,
                Tree.of("metadata", buffer.meta().locked()).put("status", status).mapping());
    }
}
