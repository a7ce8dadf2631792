package dev.millwright.world.invariant;

import dev.millwright.world.happening.Happening;
import dev.millwright.world.invariant.seen.Sight;

import java.time.Instant;

/// When the world outside last got in the way: a fault, a machine lost, a launch refused. Bounds on
/// time run from there, since nobody can be quick against all of it.
public final class Trouble {

    private static final String TERMINATED = "TERMINATED";

    private Instant lastAt = Instant.EPOCH;

    void saw(Sight sight) {
        if (sight instanceof Sight.Of(var happening) && isTrouble(happening)) {
            lastAt = happening.at();
        }
    }

    public static boolean isTrouble(Happening happening) {
        return switch (happening) {
            case Happening.Struck _, Happening.Noticed _ -> true;
            case Happening.Stopped(_, _, var cause) -> !cause.equals(TERMINATED);
            case Happening.Asked asked -> isRefusal(asked);
            case Happening.Changed _,
                    Happening.Evicted _,
                    Happening.Started _,
                    Happening.Led _,
                    Happening.Acted _,
                    Happening.Said _,
                    Happening.Decided _,
                    Happening.Published _ ->
                    false;
        };
    }

    private static boolean isRefusal(Happening.Asked asked) {
        var answer = asked.answer();
        return answer.startsWith("InsufficientCapacity")
                || answer.startsWith("NodeClassNotReady")
                || answer.startsWith("Refused")
                || answer.startsWith("Failed");
    }

    public Instant lastAt() {
        return lastAt;
    }

    /// The later of the two: from when on somebody could have done something about it.
    public Instant calmSince(Instant moment) {
        return moment.isAfter(lastAt) ? moment : lastAt;
    }
}
