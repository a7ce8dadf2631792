package dev.millwright.cli;

import picocli.CommandLine.Option;

/// How a command ends that leaves pods waiting, for scripts that must not pass over it.
final class WaitingExit {

    static final int WAITING = 3;

    @Option(
            names = "--fail-on-waiting",
            description = "Exit with code 3 when pods are left waiting.")
    private boolean isFailing;

    /// @param waiting pods that are left
    int code(int waiting) {
        return isFailing && waiting > 0 ? WAITING : 0;
    }
}
