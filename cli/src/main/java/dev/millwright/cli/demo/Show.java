package dev.millwright.cli.demo;

import dev.millwright.dashboard.page.Action;
import dev.millwright.dashboard.page.Controls.Outcome;
import dev.millwright.dashboard.picture.Answers;
import dev.millwright.dashboard.picture.Picture;
import dev.millwright.world.store.ApiStore;

import org.jspecify.annotations.Nullable;

import java.time.Instant;

/// What people watch: something that lives in a time of its own. It belongs to one thread.
public interface Show {

    /// Where its own time is.
    Instant now();

    /// Lives on until that moment.
    void playUntil(Instant end);

    /// How it stands; what is said about pace is for who sets it to fill in.
    Picture picture();

    /// Its cluster's objects, for its thread alone.
    ApiStore store();

    /// Who says why things are as they are, to any thread; null if nobody does.
    default @Nullable Answers answers() {
        return null;
    }

    /// An action on the fleet; those on time do not come here.
    Outcome carryOut(Action action);
}
