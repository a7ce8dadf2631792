package dev.millwright.cli.replay;

import dev.millwright.core.deliberation.Deliberation;
import dev.millwright.dashboard.ledger.DeliberationReel;
import dev.millwright.kube.record.RecordEntry;
import dev.millwright.kube.record.RecordReader;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/// A record as a page shows it: decision by decision, with answers from what each was made from.
///
/// @param left decisions before the first one that is shown
/// @param damages of files, in words
public record RecordedReel(DeliberationReel reel, long left, List<String> damages) {

    /// Decisions that are held. Each is a whole cluster, although what did not change from one to
    /// the next is held once; of a longer record the newest are shown.
    static final int DECISIONS_MAX = 2_000;

    public RecordedReel {
        damages = List.copyOf(damages);
    }

    public static RecordedReel of(String title, RecordReader reader, Replay.Wish wish) {
        var held = new ArrayDeque<Deliberation>();
        var left = 0L;
        var damages = new ArrayList<String>();
        while (reader.hasNext()) {
            switch (reader.next()) {
                case RecordEntry.Decided(_, var deliberation) -> {
                    if (wish.isWanted(deliberation.at())) {
                        held.addLast(deliberation);
                    }
                    if (held.size() > DECISIONS_MAX) {
                        held.removeFirst();
                        left++;
                    }
                }
                case RecordEntry.Missed _ -> {}
                case RecordEntry.Damaged damage -> damages.add(damage.explain());
            }
        }
        return new RecordedReel(DeliberationReel.of(title, List.copyOf(held)), left, damages);
    }
}
