package dev.millwright.dashboard.page;

/// Whoever owns the fleet that is shown, and does what visitors ask for. Called from many threads.
@FunctionalInterface
public interface Controls {

    /// What came of an action, in a sentence for the visitor.
    sealed interface Outcome {
        String message();

        record Done(String message) implements Outcome {}

        record Refused(String message) implements Outcome {}
    }

    Outcome carryOut(Action action) throws InterruptedException;
}
