package dev.millwright.testing.bench.problem;

import dev.millwright.testing.kit.PodBuilder;
import dev.millwright.testing.kit.Problems;

import java.util.List;
import java.util.Locale;

/// What the pods of a benchmark problem are like.
public enum ProblemKind {
    DIVERSE,
    GENERIC,
    RANDSIZE,
    PREFERRING;

    public List<PodBuilder> pods(int count, long seed) {
        return switch (this) {
            case DIVERSE -> Problems.diverse(count, seed);
            case GENERIC -> Problems.generic(count, seed);
            case RANDSIZE -> Problems.randomSizes(count, seed);
            case PREFERRING -> Problems.preferring(count);
        };
    }

    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    static ProblemKind parse(String text) {
        for (var kind : values()) {
            if (kind.text().equals(text)) {
                return kind;
            }
        }
        throw new IllegalArgumentException(
                "kind of pods \"%s\" is unknown; wanted diverse, generic, randsize or preferring"
                        .formatted(text));
    }
}
