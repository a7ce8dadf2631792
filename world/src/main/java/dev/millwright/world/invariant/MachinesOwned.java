package dev.millwright.world.invariant;

import dev.millwright.kube.object.ClaimObject;
import dev.millwright.world.happening.Happening;
import dev.millwright.world.invariant.seen.SeenMachine;
import dev.millwright.world.invariant.seen.Sight;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;

/// No machine runs for long without a claim that stands for it: it would cost money for ever.
final class MachinesOwned implements Invariant {

    private final Court court;
    private final Patience<String> unowned = new Patience<>(Bounds.UNOWNED_MACHINE);
    private final Map<String, TreeSet<String>> idsByUid = new HashMap<>();
    private final Map<String, String> uidById = new HashMap<>();

    MachinesOwned(Court court) {
        this.court = court;
    }

    @Override
    public String name() {
        return "machine-owned";
    }

    @Override
    public void saw(Sight sight) {
        switch (sight) {
            case Sight.Of(Happening.Started(var at, var machine, var claim)) -> {
                idsByUid.computeIfAbsent(claim.uid(), _ -> new TreeSet<>())
                        .add(machine.providerId());
                uidById.put(machine.providerId(), claim.uid());
                look(claim.uid(), at);
            }
            case Sight.Of(Happening.Stopped(_, var providerId, _)) -> stopped(providerId);
            case Sight.OfClaim(var at, _, var before, var after) -> look(uid(before, after), at);
            case Sight.Of _, Sight.OfPod _, Sight.OfNode _, Sight.OfPool _, Sight.OfBudget _ -> {}
        }
        tellOverdue(sight.at());
    }

    private static String uid(@Nullable ClaimObject before, @Nullable ClaimObject after) {
        var claim = after == null ? before : after;
        return claim == null ? "" : claim.meta().uid();
    }

    private void stopped(String providerId) {
        unowned.end(providerId);
        var uid = uidById.remove(providerId);
        if (uid != null) {
            idsByUid.computeIfPresent(
                    uid, (_, ids) -> ids.remove(providerId) && ids.isEmpty() ? null : ids);
        }
    }

    /// A claim that was not told yet which machine is its own stands for all that were launched for
    /// it.
    private void look(String uid, Instant at) {
        var claim = court.cluster().claimByUid(uid);
        for (var id : idsByUid.getOrDefault(uid, new TreeSet<>())) {
            var isOwned =
                    claim != null
                            && (claim.providerId().isEmpty() || claim.providerId().equals(id));
            unowned.update(id, !isOwned, at);
        }
    }

    private void tellOverdue(Instant now) {
        for (var waiting : unowned.overdue(now, court.trouble())) {
            var machine = court.cluster().machine(waiting.key());
            if (machine != null) {
                court.tell(breach(now, inWords(machine, waiting.since())));
            }
        }
    }

    private static String inWords(SeenMachine machine, Instant since) {
        return "machine %s of NodeClaim %s: runs without a claim since %s; wanted it gone within %d minutes"
                .formatted(
                        machine.providerId(),
                        machine.claim().name(),
                        since,
                        Bounds.UNOWNED_MACHINE.toMinutes());
    }

    @Override
    public void end(Instant at) {
        tellOverdue(at);
    }
}
