package dev.millwright.runtime.probe;

import org.jspecify.annotations.Nullable;

import java.util.function.Supplier;

/// Something that must hold for a probe to succeed. It answers at once: what is wrong in words, or
/// null.
public record Check(String name, Supplier<@Nullable String> problem) {

    /// Holds as long as somebody answers at all.
    static Check ping(String name) {
        return new Check(name, () -> null);
    }

    /// Like `problem`, but a check that breaks has failed.
    @Nullable String problemNow() {
        try {
            return problem.get();
        } catch (RuntimeException broken) {
            return String.valueOf(broken);
        }
    }
}
