package dev.millwright.world.invariant;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.object.NodeObject;
import dev.millwright.world.invariant.seen.SeenPod;
import dev.millwright.world.invariant.seen.Sight;

import java.time.Instant;

/// What is being deleted goes in the end. A node and its claim wait for pods as long as those are
/// there; a pod has the rest of its grace.
final class NothingStuck implements Invariant {

    /// An object by kind and name, in that order.
    private record Thing(String kind, ObjectName name) implements Comparable<Thing> {
        @Override
        public int compareTo(Thing other) {
            var byKind = kind.compareTo(other.kind);
            return byKind == 0 ? name.compareTo(other.name) : byKind;
        }

        @Override
        public String toString() {
            return kind + " " + (name.namespace().isEmpty() ? name.name() : name.toString());
        }
    }

    private final Court court;
    private final Patience<Thing> deleting = new Patience<>(Bounds.DELETING);

    NothingStuck(Court court) {
        this.court = court;
    }

    @Override
    public String name() {
        return "nothing-stuck";
    }

    @Override
    public void saw(Sight sight) {
        switch (sight) {
            case Sight.OfPod(var at, _, var before, var after) -> {
                if (before != null) {
                    podChanged(before, at);
                }
                if (after != null) {
                    podChanged(after, at);
                    var end = after.deletedAt();
                    deleting.update(
                            new Thing("Pod", after.name()),
                            end != null,
                            end != null && end.isAfter(at) ? end : at);
                } else if (before != null) {
                    deleting.end(new Thing("Pod", before.name()));
                }
            }
            case Sight.OfNode(var at, _, var before, var after) -> {
                if (after != null) {
                    look(after, at);
                } else if (before != null) {
                    deleting.end(new Thing("Node", before.name()));
                    lookAtClaim(before.providerId(), at);
                }
            }
            case Sight.OfClaim(var at, _, var before, var after) -> {
                if (after != null) {
                    look(after.name(), after.isDeleting(), after.providerId(), at);
                } else if (before != null) {
                    deleting.end(new Thing("NodeClaim", before.name()));
                }
            }
            case Sight.OfPool(var at, _, var before, var after) -> {
                var pool = after == null ? before : after;
                if (pool != null) {
                    deleting.update(
                            new Thing("NodePool", pool.name()),
                            after != null && after.isDeleting(),
                            at);
                }
            }
            case Sight.OfBudget _, Sight.Of _ -> {}
        }
        tellOverdue(sight.at());
    }

    /// The last pod of a node may be what its deletion waited for.
    private void podChanged(SeenPod pod, Instant at) {
        var node = court.cluster().node(pod.nodeName());
        if (node != null && node.isDeleting()) {
            look(node, at);
        }
    }

    private void look(NodeObject node, Instant at) {
        deleting.update(new Thing("Node", node.name()), node.isDeleting() && !isHeld(node, at), at);
        lookAtClaim(node.providerId(), at);
    }

    private void lookAtClaim(String providerId, Instant at) {
        var claim = court.cluster().claimOf(providerId);
        if (claim != null) {
            look(claim.name(), claim.isDeleting(), providerId, at);
        }
    }

    private void look(ObjectName claim, boolean isDeleting, String providerId, Instant at) {
        var isHeld =
                court.cluster().nodesOf(providerId).stream().anyMatch(node -> isHeld(node, at));
        deleting.update(new Thing("NodeClaim", claim), isDeleting && !isHeld, at);
    }

    private boolean isHeld(NodeObject node, Instant at) {
        return court.cluster().podsOn(node.name().name()).stream()
                .anyMatch(pod -> pod.holdsDrain(at));
    }

    private void tellOverdue(Instant now) {
        for (var late : deleting.overdue(now, court.trouble())) {
            court.tell(
                    breach(
                            now,
                            "%s: is being deleted, and nothing holds it since %s; wanted it gone within %d minutes"
                                    .formatted(
                                            late.key(),
                                            late.since(),
                                            Bounds.DELETING.toMinutes())));
        }
    }

    @Override
    public void end(Instant at) {
        tellOverdue(at);
    }
}
