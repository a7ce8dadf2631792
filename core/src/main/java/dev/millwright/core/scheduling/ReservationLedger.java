package dev.millwright.core.scheduling;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/// Counts the free slots of reservations and who holds them while a plan is made. A host holds a
/// reservation once, however often it asks.
final class ReservationLedger {

    private final Map<String, Integer> free = new HashMap<>();
    private final Map<String, Set<String>> heldByHost = new HashMap<>();

    /// A ledger that knows no reservation yet.
    ReservationLedger() {}

    /// Offers a reservation. The same one may be seen through several offerings; the least capacity
    /// told is believed.
    void offer(String reservation, int capacity) {
        free.merge(reservation, capacity, Math::min);
    }

    boolean canReserve(String host, String reservation) {
        return isHeld(host, reservation) || free(reservation) > 0;
    }

    /// @throws IllegalStateException when the host does not hold it yet and no slot is free
    void reserve(String host, String reservation) {
        if (isHeld(host, reservation)) {
            return;
        }
        var left = free(reservation);
        if (left == 0) {
            throw new IllegalStateException(
                    "reservation %s has no free slot for host %s".formatted(reservation, host));
        }
        free.put(reservation, left - 1);
        heldByHost.computeIfAbsent(host, _ -> new HashSet<>()).add(reservation);
    }

    /// Gives the slot back; nothing happens when the host does not hold it.
    void release(String host, String reservation) {
        var held = heldByHost.get(host);
        if (held != null && held.remove(reservation)) {
            free.merge(reservation, 1, Integer::sum);
        }
    }

    boolean isHeld(String host, String reservation) {
        var held = heldByHost.get(host);
        return held != null && held.contains(reservation);
    }

    /// @throws IllegalStateException when nobody offered the reservation
    int free(String reservation) {
        var left = free.get(reservation);
        if (left == null) {
            throw new IllegalStateException("reservation %s is unknown".formatted(reservation));
        }
        return left;
    }
}
