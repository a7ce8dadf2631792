package dev.millwright.world.cluster;

import dev.millwright.world.time.Agenda;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/// What a controller has to look at: each key is booked once, however often it is marked, and
/// looked at as it is then.
public final class DirtyKeys<K> {

    private record Turn(Instant at, Agenda.Booking booking) {}

    private final Agenda agenda;
    private final Duration latency;
    private final Consumer<K> act;
    private final Map<K, Turn> turns = new HashMap<>();

    public DirtyKeys(Agenda agenda, Duration latency, Consumer<K> act) {
        this.agenda = agenda;
        this.latency = latency;
        this.act = act;
    }

    public void mark(K key) {
        markAt(key, agenda.instant().plus(latency));
    }

    public void markAfter(K key, Duration wait) {
        markAt(key, agenda.instant().plus(wait));
    }

    /// A turn that comes earlier anyway stays.
    public void markAt(K key, Instant at) {
        var turn = turns.get(key);
        if (turn != null) {
            if (!at.isBefore(turn.at())) {
                return;
            }
            turn.booking().cancel();
        }
        turns.put(key, new Turn(at, agenda.at(at, () -> run(key))));
    }

    private void run(K key) {
        turns.remove(key);
        act.accept(key);
    }
}
