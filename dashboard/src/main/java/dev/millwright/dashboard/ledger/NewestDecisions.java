package dev.millwright.dashboard.ledger;

import dev.millwright.core.deliberation.Deliberation;

import java.util.ArrayDeque;
import java.util.List;

/// The newest of many decisions, for a page. Each is a whole cluster, although what did not change
/// from one to the next is held once; a page of more would need too much memory.
public final class NewestDecisions {

    static final int HELD_MAX = 2_000;

    private final ArrayDeque<Deliberation> held = new ArrayDeque<>();
    private long left;

    public void add(Deliberation deliberation) {
        held.addLast(deliberation);
        if (held.size() > HELD_MAX) {
            held.removeFirst();
            left++;
        }
    }

    /// Those before the first one that is held.
    public long left() {
        return left;
    }

    public DeliberationReel reel(String title) {
        return DeliberationReel.of(title, List.copyOf(held));
    }
}
