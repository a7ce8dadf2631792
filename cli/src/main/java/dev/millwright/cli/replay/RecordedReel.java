package dev.millwright.cli.replay;

import dev.millwright.dashboard.ledger.DeliberationReel;
import dev.millwright.dashboard.ledger.NewestDecisions;
import dev.millwright.kube.record.RecordEntry;
import dev.millwright.kube.record.RecordReader;

import java.util.ArrayList;
import java.util.List;

/// A record as a page shows it: decision by decision, with answers from what each was made from.
///
/// @param left decisions before the first one that is shown
/// @param damages of files, in words
public record RecordedReel(DeliberationReel reel, long left, List<String> damages) {

    public RecordedReel {
        damages = List.copyOf(damages);
    }

    public static RecordedReel of(String title, RecordReader reader, Replay.Wish wish) {
        var held = new NewestDecisions();
        var damages = new ArrayList<String>();
        while (reader.hasNext()) {
            switch (reader.next()) {
                case RecordEntry.Decided(_, var deliberation) -> {
                    if (wish.isWanted(deliberation.at())) {
                        held.add(deliberation);
                    }
                }
                case RecordEntry.Missed _ -> {}
                case RecordEntry.Damaged damage -> damages.add(damage.explain());
            }
        }
        return new RecordedReel(held.reel(title), held.left(), damages);
    }
}
