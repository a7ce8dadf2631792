package dev.millwright.runtime.step;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// What a controller wants done for one key: effects in order, and how it ends.
///
/// An effect whose answer ends otherwise than [Ending.Done] abandons those behind it, and its
/// ending becomes the step's.
public record Step(List<Effect> effects, Ending ending) {

    public sealed interface Ending {

        /// All is well; come again when something changes.
        record Done() implements Ending {}

        /// Nothing more to do, though not all effects were carried out: the object is gone.
        record Stop() implements Ending {}

        /// Come again after a while, whatever happens.
        record Again(Duration after) implements Ending {}

        /// Somebody else was quicker; come again by the controller's back-off, without a word.
        record Retry() implements Ending {}

        /// It went wrong; say so and come again by the controller's back-off.
        record Failed(String message) implements Ending {}
    }

    public static final Step DONE = new Step(List.of(), new Ending.Done());
    public static final Step STOP = new Step(List.of(), new Ending.Stop());
    public static final Step RETRY = new Step(List.of(), new Ending.Retry());

    public Step {
        effects = List.copyOf(effects);
    }

    public static Step of(Effect... effects) {
        return new Step(List.of(effects), new Ending.Done());
    }

    public static Step of(List<Effect> effects) {
        return new Step(effects, new Ending.Done());
    }

    public static Step again(Duration after) {
        return new Step(List.of(), new Ending.Again(after));
    }

    public static Step failed(String message) {
        return new Step(List.of(), new Ending.Failed(message));
    }

    /// The same effects, and then again. The sooner of two moments counts.
    public Step thenAgain(@Nullable Duration after) {
        if (after == null) {
            return this;
        }
        return switch (ending) {
            case Ending.Done() -> new Step(effects, new Ending.Again(after));
            case Ending.Again(var sooner) ->
                    sooner.compareTo(after) <= 0
                            ? this
                            : new Step(effects, new Ending.Again(after));
            case Ending.Stop(), Ending.Retry(), Ending.Failed(_) -> this;
        };
    }

    public Step thenFailed(String message) {
        return new Step(effects, new Ending.Failed(message));
    }

    /// These effects before the others; the other's ending.
    public Step followedBy(Step other) {
        var all = new ArrayList<>(effects);
        all.addAll(other.effects());
        return new Step(all, other.ending());
    }
}
