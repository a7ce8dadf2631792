package dev.millwright.world.invariant;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.kube.object.ClaimObject;
import dev.millwright.kube.object.NodeObject;
import dev.millwright.world.invariant.seen.Sight;

import org.jspecify.annotations.Nullable;

import java.time.Instant;

/// No node that we hold by our finalizer outlives its claim: nobody would release it.
final class NodesOwned implements Invariant {

    private final Court court;
    private final Patience<ObjectName> unowned = new Patience<>(Bounds.UNOWNED_NODE);

    NodesOwned(Court court) {
        this.court = court;
    }

    @Override
    public String name() {
        return "node-owned";
    }

    @Override
    public void saw(Sight sight) {
        if (sight instanceof Sight.OfNode(var at, _, var before, var after)) {
            if (after == null) {
                if (before != null) {
                    unowned.end(before.name());
                }
            } else {
                look(after, at);
            }
        } else if (sight instanceof Sight.OfClaim(var at, _, var before, var after)) {
            lookAtNodesOf(before, at);
            lookAtNodesOf(after, at);
        } else if (sight instanceof Sight.OfPod(var at, _, var before, _) && before != null) {
            var node = court.cluster().node(before.nodeName());
            if (node != null && node.isDeleting()) {
                look(node, at);
            }
        }
        tellOverdue(sight.at());
    }

    private void lookAtNodesOf(@Nullable ClaimObject claim, Instant at) {
        if (claim != null && !claim.providerId().isEmpty()) {
            court.cluster().nodesOf(claim.providerId()).forEach(node -> look(node, at));
        }
    }

    /// A node that is drained is on its way: [NothingStuck] sees that it gets there.
    private void look(NodeObject node, Instant at) {
        var isOurs = node.meta().hasFinalizer(LabelKeys.TERMINATION_FINALIZER);
        var isOwned = court.cluster().claimOf(node.providerId()) != null;
        unowned.update(node.name(), isOurs && !isOwned && !node.isDeleting(), at);
    }

    private void tellOverdue(Instant now) {
        for (var late : unowned.overdue(now, court.trouble())) {
            court.tell(
                    breach(
                            now,
                            "Node %s: has our finalizer and no claim since %s; wanted it released within %d minutes"
                                    .formatted(
                                            late.key().name(),
                                            late.since(),
                                            Bounds.UNOWNED_NODE.toMinutes())));
        }
    }

    @Override
    public void end(Instant at) {
        tellOverdue(at);
    }
}
