package dev.millwright.testing.kit.generator;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/// Chance, from a seed alone.
final class Dice {

    private final SplittableRandom random;

    Dice(long seed) {
        this.random = new SplittableRandom(seed);
    }

    boolean chance(int percent) {
        return random.nextInt(100) < percent;
    }

    /// A whole number from `least` to `most`, both possible.
    int between(int least, int most) {
        return random.nextInt(least, most + 1);
    }

    double fraction() {
        return random.nextDouble();
    }

    <T> T pick(List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }

    @SafeVarargs
    @SuppressWarnings("varargs")
    final <T> T pick(T... choices) {
        return choices[random.nextInt(choices.length)];
    }

    /// At least one of the choices, in their order.
    <T> List<T> some(List<T> choices) {
        var chosen = new ArrayList<T>();
        for (var choice : choices) {
            if (chance(55)) {
                chosen.add(choice);
            }
        }
        return chosen.isEmpty() ? List.of(pick(choices)) : chosen;
    }

    <T> List<T> shuffled(List<T> elements) {
        var copy = new ArrayList<>(elements);
        for (var last = copy.size() - 1; last > 0; last--) {
            var other = random.nextInt(last + 1);
            var kept = copy.get(last);
            copy.set(last, copy.get(other));
            copy.set(other, kept);
        }
        return copy;
    }
}
