package dev.millwright.cli;

import dev.millwright.runtime.process.StopSignal;

import java.io.IOException;
import java.time.Duration;
import java.util.function.IntConsumer;

/// Turns SIGTERM and SIGINT into a wish to stop, waits for the end, and leaves with its exit code:
/// Java alone would leave at once, with the signal's.
final class Termination implements AutoCloseable {

    /// Below the 30 seconds after which Kubernetes kills.
    static final Duration STOP_MAX = Duration.ofSeconds(25);

    private final StopSignal signal;
    private final Duration stopMax;
    private final IntConsumer halt;
    private final Thread hook = new Thread(this::stop, "termination");

    private Termination(StopSignal signal, Duration stopMax, IntConsumer halt) {
        this.signal = signal;
        this.stopMax = stopMax;
        this.halt = halt;
    }

    /// What runs until it is told to stop.
    @FunctionalInterface
    interface Stoppable {
        /// Returns the process's exit code.
        int run(StopSignal stop) throws IOException, InterruptedException;
    }

    /// Runs it under our watch, and leaves nothing unsaid.
    static int guarded(Terminal terminal, Duration stopMax, IntConsumer halt, Stoppable what)
            throws IOException, InterruptedException {
        terminal.flush();
        var stop = new StopSignal();
        var exitCode = Failures.EXIT_CODE;
        try (var _ = watch(stop, stopMax, halt)) {
            exitCode = what.run(stop);
            return exitCode;
        } finally {
            terminal.flush();
            stop.end(exitCode);
        }
    }

    static Termination watch(StopSignal signal, IntConsumer halt) {
        return watch(signal, STOP_MAX, halt);
    }

    private static Termination watch(StopSignal signal, Duration stopMax, IntConsumer halt) {
        var termination = new Termination(signal, stopMax, halt);
        Runtime.getRuntime().addShutdownHook(termination.hook);
        return termination;
    }

    /// What happens when the signal comes.
    void stop() {
        signal.request();
        try {
            halt.accept(signal.exitCode(stopMax));
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
