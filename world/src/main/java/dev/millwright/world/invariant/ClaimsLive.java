package dev.millwright.world.invariant;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.object.ClaimObject;
import dev.millwright.world.happening.Happening;
import dev.millwright.world.invariant.seen.Sight;

import java.time.Duration;
import java.time.Instant;

/// No claim stands for a machine that is gone: its room would be counted on for ever.
final class ClaimsLive implements Invariant {

    private final Court court;
    private final Patience<ObjectName> hollow = new Patience<>(Bounds.CLAIM_WITHOUT_MACHINE);
    private final Patience<ObjectName> unjoined = new Patience<>(Bounds.CLAIM_NEVER_JOINED);

    ClaimsLive(Court court) {
        this.court = court;
    }

    @Override
    public String name() {
        return "claim-live";
    }

    @Override
    public void saw(Sight sight) {
        if (sight instanceof Sight.OfClaim(var at, _, var before, var after)) {
            if (after != null) {
                look(after, at);
            } else if (before != null) {
                hollow.end(before.name());
                unjoined.end(before.name());
            }
        } else if (sight instanceof Sight.Of(Happening.Stopped(var at, var providerId, _))) {
            var claim = court.cluster().claimOf(providerId);
            if (claim != null) {
                look(claim, at);
            }
        }
        tellOverdue(sight.at());
    }

    private void look(ClaimObject claim, Instant at) {
        var isHollow =
                !claim.providerId().isEmpty()
                        && !claim.isDeleting()
                        && court.cluster().machine(claim.providerId()) == null;
        var isRegistered = claim.conditions().isTrue(ClaimObject.REGISTERED);
        hollow.update(claim.name(), isHollow && isRegistered, at);
        unjoined.update(claim.name(), isHollow && !isRegistered, at);
    }

    private void tellOverdue(Instant now) {
        hollow.overdue(now, court.trouble())
                .forEach(late -> tell(late.key(), late.since(), Bounds.CLAIM_WITHOUT_MACHINE, now));
        unjoined.overdue(now, court.trouble())
                .forEach(late -> tell(late.key(), late.since(), Bounds.CLAIM_NEVER_JOINED, now));
    }

    private void tell(ObjectName claim, Instant since, Duration bound, Instant now) {
        court.tell(
                breach(
                        now,
                        "NodeClaim %s: its machine is gone since %s; wanted the claim deleted within %d minutes"
                                .formatted(claim.name(), since, bound.toMinutes())));
    }

    @Override
    public void end(Instant at) {
        tellOverdue(at);
    }
}
