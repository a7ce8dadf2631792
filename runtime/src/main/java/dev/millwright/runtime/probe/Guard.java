package dev.millwright.runtime.probe;

import org.jspecify.annotations.Nullable;

/// Says who may read what a process shows of itself.
@FunctionalInterface
public interface Guard {

    Guard OPEN = (_, _) -> Verdict.ALLOWED;

    enum Verdict {
        ALLOWED,
        UNAUTHENTICATED,
        FORBIDDEN,
        UNDECIDED
    }

    /// @param authorization the header of that name, null where there is none
    Verdict judge(String path, @Nullable String authorization);
}
