package dev.millwright.cli;

import dev.millwright.cli.demo.DemoWorld;
import dev.millwright.cli.demo.Show;

import java.io.ByteArrayInputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.function.LongFunction;

/// One run of the command line in this process: what it wrote and how it ended.
record CommandRun(int exitCode, String out, String err) {

    static final Map<String, String> PLAIN = Map.of("LANG", "C");

    static CommandRun of(String... arguments) {
        return with("", PLAIN, arguments);
    }

    static CommandRun with(String input, Map<String, String> environment, String... arguments) {
        return with(input, environment, (_, _, _) -> 0, arguments);
    }

    /// With somebody in the place of the operator.
    static CommandRun operating(
            OperatorStart operator, Map<String, String> environment, String... arguments) {
        return with("", environment, operator, arguments);
    }

    /// With another show in the place of the demo's world.
    static CommandRun showing(LongFunction<Show> shows, String... arguments) {
        return with("", PLAIN, (_, _, _) -> 0, shows, arguments);
    }

    private static CommandRun with(
            String input,
            Map<String, String> environment,
            OperatorStart operator,
            String... arguments) {
        return with(input, environment, operator, DemoWorld::of, arguments);
    }

    private static CommandRun with(
            String input,
            Map<String, String> environment,
            OperatorStart operator,
            LongFunction<Show> shows,
            String... arguments) {
        var out = new StringWriter();
        var err = new StringWriter();
        var terminal =
                Terminal.ofStreams(
                        new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)),
                        new PrintWriter(out),
                        new PrintWriter(err),
                        environment);
        var exitCode = Main.commandLine(terminal, operator, shows, _ -> {}).execute(arguments);
        terminal.flush();
        return new CommandRun(exitCode, out.toString(), err.toString());
    }

    static CommandRun reading(String input, String... arguments) {
        return with(input, PLAIN, arguments);
    }
}
