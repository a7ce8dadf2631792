package dev.millwright.cli;

import java.time.Duration;
import java.util.function.IntConsumer;

/// Turns SIGTERM and SIGINT into a wish to stop, waits for the end, and leaves with its exit code:
/// Java alone would leave at once, with the signal's.
final class Termination implements AutoCloseable {

    /// Below the 30 seconds after which Kubernetes kills.
    private static final Duration STOP_MAX = Duration.ofSeconds(25);

    private final StopSignal signal;
    private final IntConsumer halt;
    private final Thread hook = new Thread(this::stop, "termination");

    private Termination(StopSignal signal, IntConsumer halt) {
        this.signal = signal;
        this.halt = halt;
    }

    static Termination watch(StopSignal signal, IntConsumer halt) {
        var termination = new Termination(signal, halt);
        Runtime.getRuntime().addShutdownHook(termination.hook);
        return termination;
    }

    /// What happens when the signal comes.
    void stop() {
        signal.request();
        try {
            halt.accept(signal.exitCode(STOP_MAX));
        } catch (InterruptedException hurried) {
            halt.accept(Failures.EXIT_CODE);
        }
    }

    @Override
    public void close() {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException alreadyStopping) {
            // The hook is what ends the process then.
        }
    }
}
