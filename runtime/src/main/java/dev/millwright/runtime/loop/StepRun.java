package dev.millwright.runtime.loop;

import dev.millwright.runtime.step.Effect;
import dev.millwright.runtime.step.Step;
import dev.millwright.runtime.step.Step.Ending;

import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;
import java.util.Iterator;

/// A step under way. Whoever carries it out asks for the next effect, does it, and says what its
/// answer leads to: at once on a real cluster, an hour of events later in a simulated world.
public final class StepRun {

    private record Level(Iterator<Effect> effects, Ending ending) {
        Level(Step step) {
            this(step.effects().iterator(), step.ending());
        }
    }

    private final ArrayDeque<Level> levels = new ArrayDeque<>();
    private @Nullable Ending ending;

    public StepRun(Step step) {
        levels.push(new Level(step));
    }

    /// The next effect, or null once the step has ended.
    public @Nullable Effect next() {
        while (ending == null) {
            var level = levels.element();
            if (level.effects().hasNext()) {
                return level.effects().next();
            }
            levels.pop();
            if (levels.isEmpty() || !(level.ending() instanceof Ending.Done)) {
                end(level.ending());
            }
        }
        return null;
    }

    /// The answer to the last effect leads to this, which comes before all that is left.
    public void follow(Step step) {
        levels.push(new Level(step));
    }

    /// All that is left is abandoned.
    public void end(Ending other) {
        ending = other;
        levels.clear();
    }

    /// How the step ended.
    ///
    /// @throws IllegalStateException while it has not
    public Ending ending() {
        if (ending == null) {
            throw new IllegalStateException("the step has effects left");
        }
        return ending;
    }
}
