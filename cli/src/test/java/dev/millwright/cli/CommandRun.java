package dev.millwright.cli;

import java.io.ByteArrayInputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.Map;

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

    private static CommandRun with(
            String input,
            Map<String, String> environment,
            OperatorStart operator,
            String... arguments) {
        var out = new StringWriter();
        var err = new StringWriter();
        var terminal =
                Terminal.ofStreams(
                        new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)),
                        new PrintWriter(out),
                        new PrintWriter(err),
                        environment);
        var exitCode = Main.commandLine(terminal, operator, _ -> {}).execute(arguments);
        terminal.flush();
        return new CommandRun(exitCode, out.toString(), err.toString());
    }

    static CommandRun reading(String input, String... arguments) {
        return with(input, PLAIN, arguments);
    }
}
