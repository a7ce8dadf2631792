package dev.millwright.world.invariant;

import dev.millwright.core.policy.NodePoolBudgets.Reason;
import dev.millwright.kube.object.ClaimObject;
import dev.millwright.world.invariant.seen.Sight;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
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
        private final String by;
        private final Instant at;
        private final TreeMap<String, Double> sources = new TreeMap<>();
        private final TreeMap<String, Double> replacements = new TreeMap<>();

        private Move(String by, Instant at) {
            this.by = by;
            this.at = at;
        }

        private static double sum(Map<String, Double> prices) {
            return prices.values().stream().mapToDouble(Double::doubleValue).sum();
        }
    }

    private final Court court;
    private final Prices prices;
    private final ArrayDeque<Move> moves = new ArrayDeque<>();

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

    private static boolean isMarked(ClaimObject claim) {
        var condition = claim.conditions().find(ClaimObject.DISRUPTION_REASON);
        return condition != null
                && condition.isTrue()
                && condition.reason().equals(Reason.UNDERUTILIZED.text());
    }

    private void marked(String by, Instant at, ClaimObject claim) {
        var open = lastOf(by);
        if (open == null || !open.replacements.isEmpty()) {
            open = new Move(by, at);
            moves.addLast(open);
            if (moves.size() > MOVES_MAX) {
                moves.removeFirst();
            }
        }
        open.sources.put(uid(claim), prices.perHour(claim.meta().labels()));
    }

    private @Nullable Move lastOf(String by) {
        for (var each = moves.descendingIterator(); each.hasNext(); ) {
            var move = each.next();
            if (move.by.equals(by)) {
                return move;
            }
        }
        return null;
    }

    private void made(String by, Instant at, ClaimObject claim) {
        var open = lastOf(by);
        if (open != null && !open.at.plus(MADE_WITHIN).isBefore(at)) {
            open.replacements.put(uid(claim), 0.0);
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
