package dev.millwright.providers.aws.controllers.nodeclass;

import org.jspecify.annotations.Nullable;

/// What became of trying a class.
sealed interface Verdict {

    record Good() implements Verdict {}

    /// EC2 would not let it through, and will not in a moment either.
    record Refused(String reason, String message) implements Verdict {}

    /// Nothing was learned that lasts: to be tried again at once. Perhaps it is worth telling what
    /// was seen.
    record Unsettled(@Nullable Refused refused) implements Verdict {}

    /// It could not be tried.
    record Failed(String why) implements Verdict {}
}
