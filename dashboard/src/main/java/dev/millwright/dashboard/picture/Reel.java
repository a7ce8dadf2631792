package dev.millwright.dashboard.picture;

import org.jspecify.annotations.Nullable;

import java.time.Instant;

/// Pictures of a fleet one after the other, to go back and forth in: what was kept of a fleet that
/// lives, or a record of one. Called from several threads.
public interface Reel {

    /// How many pictures there are now. A reel may grow; then the last ones are new.
    int length();

    /// When the picture of that index was so; indexes begin with 0, the oldest.
    Instant at(int index);

    Picture picture(int index);

    /// What can be asked about that picture; null when what it was made from is not kept.
    default @Nullable Answers answers(int index) {
        return null;
    }
}
