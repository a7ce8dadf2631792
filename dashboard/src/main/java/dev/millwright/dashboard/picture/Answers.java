package dev.millwright.dashboard.picture;

/// Whoever knows why. Called from several threads.
public interface Answers {

    /// What a visitor points at.
    record Subject(Kind kind, String name) {}

    enum Kind {
        POD,
        NODE
    }

    sealed interface Reply {

        record Known(Answer answer) implements Reply {}

        /// There is no such thing, or nothing was decided about it.
        record Unknown(String message) implements Reply {}

        /// Others asked first; later it can be answered.
        record Busy(String message) implements Reply {}
    }

    /// Why the subject is as it is, and what would change it.
    Reply explain(Subject subject) throws InterruptedException;

    /// All that is known of an entry of the picture's decisions.
    Reply decision(long number);
}
