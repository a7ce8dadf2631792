package dev.millwright.capi.machine.deployment;

import dev.millwright.capi.machine.object.MachineFacts;
import dev.millwright.kube.document.Field;

import java.time.Instant;

/// A deployment's machines in numbers, none of them being deleted.
///
/// @param updated those of the present template
record Counts(int total, int updated, int ready, int available) {

    static Counts of(Revisions revisions, DeploymentSpec spec, Instant now) {
        var newest = revisions.newest();
        var total = 0;
        var ready = 0;
        var available = 0;
        for (var revision : revisions.all()) {
            var live = revision.live();
            total += live.size();
            ready += Math.toIntExact(live.stream().filter(MachineFacts::isReady).count());
            available += revision.available(spec.minReady(), now);
        }
        return new Counts(total, newest == null ? 0 : newest.live().size(), ready, available);
    }

    /// As they were written last.
    static Counts of(Field status) {
        return new Counts(
                number(status, "replicas"),
                number(status, "updatedReplicas"),
                number(status, "readyReplicas"),
                number(status, "availableReplicas"));
    }

    private static int number(Field status, String name) {
        return status.at(name).whole(0, Integer.MAX_VALUE, 0);
    }

    boolean isComplete(int replicas) {
        return updated == replicas && total == replicas && available == replicas;
    }

    /// Whether a rollout has come nearer to its end.
    boolean isBeyond(Counts before) {
        return updated > before.updated
                || total - updated < before.total - before.updated
                || ready > before.ready
                || available > before.available;
    }
}
