package dev.millwright.world.invariant;

import dev.millwright.world.happening.Happening;
import dev.millwright.world.invariant.seen.Sight;

import org.jspecify.annotations.Nullable;

/// Only the replica that leads acts: the one that was elected last, and only until it knows that it
/// leads no more. One that stands still may have been followed by another without knowing; it must
/// find out before it acts again.
final class OneLeader implements Invariant {

    private final Court court;
    private @Nullable String leader;

    OneLeader(Court court) {
        this.court = court;
    }

    @Override
    public String name() {
        return "one-leader";
    }

    @Override
    public void saw(Sight sight) {
        if (sight instanceof Sight.Of(Happening.Led(_, var replica, var leads))) {
            if (leads) {
                leader = replica;
            } else if (replica.equals(leader)) {
                leader = null;
            }
        } else if (sight
                        instanceof
                        Sight.Of(Happening.Acted(var at, var replica, var controller, var what))
                && !replica.equals(leader)) {
            court.tell(
                    breach(
                            at,
                            "replica %s: %s did \"%s\" while %s leads; wanted only the leader to act"
                                    .formatted(
                                            replica,
                                            controller,
                                            what,
                                            leader == null ? "nobody" : leader)));
        }
    }
}
