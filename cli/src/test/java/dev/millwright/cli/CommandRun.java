package dev.millwright.cli;

import dev.millwright.addons.manager.AddonsSettings;
import dev.millwright.capi.manager.CaptSettings;
import dev.millwright.cli.demo.DemoWorld;
import dev.millwright.cli.demo.Show;
import dev.millwright.cli.market.LiveMarket;
import dev.millwright.controllers.settings.Settings;

import java.io.ByteArrayInputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.function.LongFunction;

/// One run of the command line in this process: what it wrote and how it ended.
record CommandRun(int exitCode, String out, String err) {

    static final Map<String, String> PLAIN = Map.of("LANG", "C");

    /// Ends a test that asks AWS.
    static final LiveMarket NO_AWS =
            region -> {
                throw new AssertionError("AWS was asked for " + region);
            };

    /// Nothing runs, and the demo shows its own world.
    private static final Main.Parts IDLE =
            new Main.Parts((_, _, _) -> 0, (_, _, _) -> 0, (_, _, _) -> 0, DemoWorld::of, NO_AWS);

    static CommandRun of(String... arguments) {
        return with("", PLAIN, arguments);
    }

    static CommandRun with(String input, Map<String, String> environment, String... arguments) {
        return with(input, environment, IDLE, arguments);
    }

    /// With somebody in the place of the operator.
    static CommandRun operating(
            OperatorStart<Settings> operator,
            Map<String, String> environment,
            String... arguments) {
        var parts =
                new Main.Parts(operator, IDLE.provider(), IDLE.addons(), IDLE.shows(), IDLE.live());
        return with("", environment, parts, arguments);
    }

    /// With somebody in the place of the Cluster API provider.
    static CommandRun providing(
            OperatorStart<CaptSettings> provider,
            Map<String, String> environment,
            String... arguments) {
        var parts =
                new Main.Parts(IDLE.operator(), provider, IDLE.addons(), IDLE.shows(), IDLE.live());
        return with("", environment, parts, arguments);
    }

    /// With somebody in the place of the add-ons.
    static CommandRun addingOn(
            OperatorStart<AddonsSettings> addons,
            Map<String, String> environment,
            String... arguments) {
        var parts =
                new Main.Parts(IDLE.operator(), IDLE.provider(), addons, IDLE.shows(), IDLE.live());
        return with("", environment, parts, arguments);
    }

    /// With another show in the place of the demo's world.
    static CommandRun showing(LongFunction<Show> shows, String... arguments) {
        var parts =
                new Main.Parts(IDLE.operator(), IDLE.provider(), IDLE.addons(), shows, IDLE.live());
        return with("", PLAIN, parts, arguments);
    }

    /// With an AWS account of the test's own.
    static CommandRun asking(LiveMarket live, String input, String... arguments) {
        var parts =
                new Main.Parts(IDLE.operator(), IDLE.provider(), IDLE.addons(), IDLE.shows(), live);
        return with(input, PLAIN, parts, arguments);
    }

    private static CommandRun with(
            String input, Map<String, String> environment, Main.Parts parts, String... arguments) {
        var out = new StringWriter();
        var err = new StringWriter();
        var terminal =
                Terminal.ofStreams(
                        new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)),
                        new PrintWriter(out),
                        new PrintWriter(err),
                        environment);
        var exitCode = Main.commandLine(terminal, parts, _ -> {}).execute(arguments);
        terminal.flush();
        return new CommandRun(exitCode, out.toString(), err.toString());
    }

    static CommandRun reading(String input, String... arguments) {
        return with(input, PLAIN, arguments);
    }
}
