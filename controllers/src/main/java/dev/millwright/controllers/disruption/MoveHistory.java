package dev.millwright.controllers.disruption;

import dev.millwright.controllers.disruption.DisruptionQueue.Entry;
import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.disruption.Candidate;
import dev.millwright.core.disruption.Command.Replacement;
import dev.millwright.core.disruption.PastMoves;
import dev.millwright.core.disruption.PastMoves.Target;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.object.ClaimObject;
import dev.millwright.kube.object.NodeObject;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/// Remembers what consolidations of the whole fleet bought, until something outside changes or the
/// horizon has passed; and what they asked for and did not get, for a while. A process that dies
/// forgets it: the worst is one move more.
public final class MoveHistory {

    /// How long a target is left alone that could not be had. Clouds speak of minutes.
    private static final Duration VAIN_FOR = Duration.ofMinutes(15);

    /// For so long after a move the pods that were evicted may still be on their way.
    private static final Duration SETTLING = Duration.ofMinutes(2);

    /// Of each kind; beyond, what comes is not remembered.
    private static final int REMEMBERED_MAX = 10_000;

    /// What was seen of a node that was bought: which workloads' pods are on it, and what was asked
    /// and offered. Only the first may change by moves of our own.
    private record Sight(long pods, long offers) {}

    private record Bought(Instant until, @Nullable Sight sight) {}

    private final SequencedMap<String, Bought> boughtByClaim = new TreeMap<>();
    private final Map<Target, Instant> vainUntil = new HashMap<>();
    private Instant lastBusyAt = Instant.EPOCH;
    private long takenBack;

    /// The command was carried out.
    synchronized void done(Entry entry, Instant now) {
        var command = entry.command();
        var horizon =
                command.candidates().stream()
                        .map(Candidate::pool)
                        .map(pool -> pool.horizon())
                        .filter(each -> each != null)
                        .min(Duration::compareTo);
        if (command.method().leavesWhatItBought() && horizon.isPresent()) {
            for (var claim : entry.replacements()) {
                if (boughtByClaim.size() < REMEMBERED_MAX) {
                    boughtByClaim.put(claim, new Bought(now.plus(horizon.get()), null));
                }
            }
        }
    }

    /// How many commands were taken back so far.
    synchronized long takenBack() {
        return takenBack;
    }

    /// The command was taken back: a new node was lost, or did not come up in time.
    synchronized void vain(Entry entry, Instant now) {
        takenBack++;
        if (!entry.command().method().leavesWhatItBought()) {
            return;
        }
        for (var replacement : entry.command().replacements()) {
            if (replacement instanceof Replacement.Planned(var claim)) {
                for (var type : claim.types()) {
                    if (vainUntil.size() < REMEMBERED_MAX) {
                        vainUntil.put(
                                new Target(claim.nodePool(), type.name()), now.plus(VAIN_FOR));
                    }
                }
            }
        }
    }

    /// What is still worth knowing.
    ///
    /// @param isBusy whether moves are under way, so that pods that come are no sign from outside
    synchronized PastMoves past(
            View view,
            SequencedMap<String, List<InstanceType>> types,
            boolean isBusy,
            Instant now) {
        vainUntil.values().removeIf(until -> !now.isBefore(until));
        if (boughtByClaim.isEmpty()) {
            return vainUntil.isEmpty()
                    ? PastMoves.NONE
                    : new PastMoves(new TreeSet<>(), vainUntil.keySet());
        }
        if (isBusy || view.claims().stream().anyMatch(ClaimObject::isDeleting)) {
            lastBusyAt = now;
        }
        var isSettling = now.isBefore(lastBusyAt.plus(SETTLING));
        var settled = new TreeSet<String>();
        for (var name : List.copyOf(boughtByClaim.keySet())) {
            var bought = boughtByClaim.get(name);
            var claim = view.claim(name);
            var nodes = claim == null ? List.<NodeObject>of() : view.nodesOf(claim.providerId());
            if (bought == null
                    || claim == null
                    || nodes.size() != 1
                    || !now.isBefore(bought.until())) {
                boughtByClaim.remove(name);
                continue;
            }
            var node = nodes.getFirst();
            var sight = sight(view, claim, node, types.getOrDefault(claim.nodePool(), List.of()));
            if (isChanged(bought.sight(), sight, isSettling)) {
                boughtByClaim.remove(name);
            } else {
                boughtByClaim.put(name, new Bought(bought.until(), sight));
                settled.add(node.name().name());
            }
        }
        return new PastMoves(settled, vainUntil.keySet());
    }

    private static boolean isChanged(@Nullable Sight before, Sight now, boolean isSettling) {
        return before != null
                && (before.offers() != now.offers()
                        || (!isSettling && before.pods() != now.pods()));
    }

    private static Sight sight(
            View view, ClaimObject claim, NodeObject node, List<InstanceType> types) {
        var pods = 0L;
        for (var pod : view.podsOn(node.name().name())) {
            if (pod.isActive()) {
                pods +=
                        Fingerprint.of(
                                pod.pod().name().namespace(),
                                pod.pod().labels(),
                                pod.pod().requests());
            }
        }
        var offers = 0L;
        for (var type : types) {
            for (var offering : type.offerings()) {
                offers +=
                        Fingerprint.of(
                                type.name(),
                                offering.zone(),
                                offering.capacityType(),
                                offering.pricePerHour());
            }
        }
        var pool = view.pool(claim.nodePool());
        return new Sight(
                pods, offers + (pool == null ? 0 : Fingerprint.of(pool.meta().generation())));
    }
}
