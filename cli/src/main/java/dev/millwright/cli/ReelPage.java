package dev.millwright.cli;

import dev.millwright.dashboard.ledger.DeliberationReel;
import dev.millwright.dashboard.page.Content;
import dev.millwright.dashboard.page.DashboardServer;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

import java.io.IOException;
import java.util.function.IntConsumer;

/// Decisions on a page of this machine, until somebody stops it.
final class ReelPage {

    static final String DESCRIPTION =
            "on a page at this port until it is stopped; 0 takes any that is free.";

    private static final int PORT_MAX = 65_535;

    private ReelPage() {}

    /// Before anything is computed for the page.
    static void check(CommandSpec spec, int port) {
        if (port < 0 || port > PORT_MAX) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--port: found %d; wanted a number from 0 to %d".formatted(port, PORT_MAX));
        }
    }

    /// Returns the process's exit code. `what` is shown, as a note says.
    static int serve(
            String what, DeliberationReel reel, int port, Terminal terminal, IntConsumer halt)
            throws IOException, InterruptedException {
        return Termination.guarded(
                terminal,
                Termination.STOP_MAX,
                halt,
                stop -> {
                    try (var server = DashboardServer.start(port, Content.recorded(reel))) {
                        terminal.note(
                                "%s is shown at %s; Ctrl-C ends it"
                                        .formatted(what, server.address()));
                        terminal.flush();
                        stop.await();
                    }
                    return 0;
                });
    }
}
