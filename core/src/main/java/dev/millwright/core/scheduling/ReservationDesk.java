package dev.millwright.core.scheduling;

import dev.millwright.core.label.Requirements;
import dev.millwright.core.policy.SchedulingPolicy.Reservations;

import java.util.List;
import java.util.TreeSet;

/// Decides which reservations a node in the making may count on. It asks for every one it could use
/// and gives back those it no longer can, so that no reservation is promised twice.
final class ReservationDesk {

    /// What a claim could hold. `isPending`: one fits, but another claim of this pass has it, or it
    /// is full and nothing else would do. `isFull`: only full ones fit, and waiting is not wanted.
    record Answer(List<String> ids, boolean isPending, boolean isFull) {
        private static final Answer NOT_ASKED = new Answer(List.of(), false, false);
    }

    private final ReservationLedger ledger = new ReservationLedger();
    private final Reservations mode;
    private final String idKey;
    private final RequirementSpace space;

    ReservationDesk(CompiledProblem problem) {
        this.mode = problem.problem().policy().reservations();
        this.idKey = problem.problem().policy().vocabulary().reservationIdKey();
        this.space = problem.space();
        for (var template : problem.templates()) {
            if (template.hasReservations()) {
                template.shapes().forEach(this::offer);
            }
        }
    }

    private void offer(PoolTemplate.Shape shape) {
        for (var offering : shape.group().offerings()) {
            if (offering.isReserved()) {
                ledger.offer(offering.reservationId(idKey), offering.reservationCapacity());
            }
        }
    }

    Answer ask(OpenClaim claim, Requirements wanted, long[] shapes) {
        if (mode == Reservations.OFF || !claim.template().hasReservations()) {
            return Answer.NOT_ASKED;
        }
        var ids = new TreeSet<String>();
        var hasFree = false;
        var hasFull = false;
        var hasOther = false;
        for (var shape = Bits.next(shapes, 0); shape >= 0; shape = Bits.next(shapes, shape + 1)) {
            for (var offering : claim.template().shape(shape).group().offerings()) {
                if (!wanted.isCompatible(offering.requirements(), space.wellKnown())) {
                    continue;
                }
                if (!offering.isReserved()) {
                    hasOther = true;
                } else if (offering.reservationCapacity() == 0) {
                    hasFull = true;
                } else {
                    hasFree = true;
                    if (ledger.canReserve(claim.host(), offering.reservationId(idKey))) {
                        ids.add(offering.reservationId(idKey));
                    }
                }
            }
        }
        var isStrict = mode == Reservations.STRICT;
        var isOnlyFull = hasFull && !hasFree && !hasOther;
        var wouldLoseAll = !claim.reservations().isEmpty() && ids.isEmpty();
        return new Answer(
                List.copyOf(ids),
                isStrict && ((hasFree && ids.isEmpty()) || isOnlyFull || wouldLoseAll),
                !isStrict && isOnlyFull);
    }

    /// Takes what the claim is to hold and gives back what it held besides.
    void settle(OpenClaim claim, List<String> ids) {
        for (var id : ids) {
            ledger.reserve(claim.host(), id);
        }
        for (var id : claim.reservations()) {
            if (!ids.contains(id)) {
                ledger.release(claim.host(), id);
            }
        }
    }
}
