package dev.millwright.world.invariant;

import dev.millwright.core.policy.NodePoolBudgets.Reason;
import dev.millwright.kube.object.ClaimObject;
import dev.millwright.world.invariant.seen.Sight;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/// A consolidation never raises the price: what it launches costs no more than what it takes away.
///
/// Which claims replace which is read from the order of what a controller does: it marks the claims
/// it takes away as underutilized, then makes those that replace them.
final class PriceKept implements Invariant {

    /// Moves that are watched at once; the oldest is forgotten beyond.
    private static final int MOVES_MAX = 1_000;

    /// A controller that marked claims makes their replacements right away, a slow API allowed for.
    private static final Duration MADE_WITHIN = Duration.ofMinutes(2);

    private static final double ROUNDING = 1e-9;

    /// One decision: what goes and what it cost, what comes and what that costs once it is known.
    private static final class Move {
        private final Instant at;
        private final TreeMap<String, Double> sources = new TreeMap<>();
        private final TreeMap<String, Double> replacements = new TreeMap<>();

        private Move(Instant at) {
            this.at = at;
        }

        private static double sum(Map<String, Double> prices) {
            return prices.values().stream().mapToDouble(Double::doubleValue).sum();
        }
    }

    private final Court court;
    private final Prices prices;
    private final ArrayDeque<Move> moves = new ArrayDeque<>();

    /// The move that a controller may still be making claims for.
    private final Map<String, Move> open = new HashMap<>();

    PriceKept(Court court, Prices prices) {
        this.court = court;
        this.prices = prices;
    }

    @Override
    public String name() {
        return "price-kept";
    }

    @Override
    public void saw(Sight sight) {
        if (!(sight instanceof Sight.OfClaim(var at, var by, var before, var after))) {
            return;
        }
        if (after == null) {
            if (before != null) {
                moves.removeIf(
                        move -> move.sources.remove(uid(before)) != null && move.sources.isEmpty());
            }
            return;
        }
        if (isMarked(after) && (before == null || !isMarked(before))) {
            marked(by, at, after);
        } else if (isDisrupted(after) && (before == null || !isDisrupted(before))) {
            open.remove(by); // What is made now is for something else.
        } else if (before != null && isMarked(before) && !isMarked(after)) {
            moves.removeIf(move -> move.sources.containsKey(uid(after)));
        }
        if (before == null) {
            made(by, at, after);
        } else if (before.providerId().isEmpty() && !after.providerId().isEmpty()) {
            launched(at, after);
        }
    }

    private static String uid(ClaimObject claim) {
        return claim.meta().uid();
    }

    private static boolean isDisrupted(ClaimObject claim) {
        return claim.conditions().isTrue(ClaimObject.DISRUPTION_REASON);
    }

    private static boolean isMarked(ClaimObject claim) {
        var condition = claim.conditions().find(ClaimObject.DISRUPTION_REASON);
        return condition != null
                && condition.isTrue()
                && condition.reason().equals(Reason.UNDERUTILIZED.text());
    }

    private void marked(String by, Instant at, ClaimObject claim) {
        var move = open.get(by);
        if (move == null || !move.replacements.isEmpty()) {
            move = new Move(at);
            open.put(by, move);
            moves.addLast(move);
            if (moves.size() > MOVES_MAX) {
                moves.removeFirst();
            }
        }
        move.sources.put(uid(claim), prices.perHour(claim.meta().labels()));
    }

    private void made(String by, Instant at, ClaimObject claim) {
        var move = open.get(by);
        if (move != null && !move.at.plus(MADE_WITHIN).isBefore(at)) {
            move.replacements.put(uid(claim), 0.0);
        }
    }

    private void launched(Instant at, ClaimObject claim) {
        for (var move : moves) {
            if (move.replacements.containsKey(uid(claim))) {
                move.replacements.put(uid(claim), prices.perHour(claim.meta().labels()));
                check(at, claim, move);
            }
        }
    }

    private void check(Instant at, ClaimObject claim, Move move) {
        var before = Move.sum(move.sources);
        var after = Move.sum(move.replacements);
        if (after > before + ROUNDING) {
            court.tell(
                    breach(
                            at,
                            "NodeClaim %s: the consolidation it replaces %d nodes by costs %.4f USD an hour; wanted at most the %.4f of before"
                                    .formatted(
                                            claim.name().name(),
                                            move.sources.size(),
                                            after,
                                            before)));
        }
    }
}
