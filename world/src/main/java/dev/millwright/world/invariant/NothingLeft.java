package dev.millwright.world.invariant;

import dev.millwright.world.invariant.seen.Sight;

import org.jspecify.annotations.Nullable;

import java.time.Instant;

/// Where all pools were deleted and time has passed, nothing of ours is left: no machine, no claim
/// and no node that we hold.
final class NothingLeft implements Invariant {

    private final Court court;
    private @Nullable Instant withoutPoolsSince;

    NothingLeft(Court court) {
        this.court = court;
    }

    @Override
    public String name() {
        return "nothing-left";
    }

    @Override
    public void saw(Sight sight) {
        if (sight instanceof Sight.OfPool(var at, _, var before, _)) {
            withoutPoolsSince = before != null && court.cluster().pools().isEmpty() ? at : null;
        }
    }

    @Override
    public void end(Instant at) {
        var since = withoutPoolsSince;
        if (since == null || court.trouble().calmSince(since).plus(Bounds.DESTROYED).isAfter(at)) {
            return;
        }
        for (var machine : court.cluster().machines()) {
            tell(at, since, "machine " + machine.providerId());
        }
        for (var claim : court.cluster().claims()) {
            tell(at, since, "NodeClaim " + claim.name().name());
        }
    }

    private void tell(Instant at, Instant since, String what) {
        court.tell(
                breach(
                        at,
                        "%s: is still there, though the last pool went at %s; wanted nothing left after %d minutes"
                                .formatted(what, since, Bounds.DESTROYED.toMinutes())));
    }
}
