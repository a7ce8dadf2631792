package dev.millwright.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Unmatched;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;

/// What stands before the kinds of which it can be said why. As with kubectl, `pod/web` is the same
/// as `pod web`.
@Command(
        name = "explain",
        description = "Say why something is so, and the smallest change that would flip it.",
        synopsisSubcommandLabel = "KIND",
        footer = {
            "",
            "Examples:",
            "  millwright explain pod web-7f9c -n shop",
            "  millwright explain po/web-7f9c -n shop"
        })
final class ExplainCommand implements Callable<Integer> {

    @Spec
    @SuppressWarnings("NullAway.Init") // Set by picocli before anything runs.
    private CommandSpec spec;

    @Unmatched private List<String> arguments = new ArrayList<>();

    @Override
    public Integer call() {
        if (arguments.isEmpty()) {
            throw WrongUsage.withoutSubcommand(spec, "kind");
        }
        var first = arguments.getFirst();
        var slash = first.indexOf('/');
        var kind =
                spec.subcommands()
                        .get(first.substring(0, Math.max(0, slash)).toLowerCase(Locale.ROOT));
        if (kind == null) {
            throw new ParameterException(
                    spec.commandLine(),
                    "found \"%s\"; wanted KIND NAME or KIND/NAME, where KIND is one of %s"
                            .formatted(first, WrongUsage.names(spec)));
        }
        var rest = new ArrayList<>(arguments);
        rest.set(0, first.substring(slash + 1));
        return kind.execute(rest.toArray(String[]::new));
    }
}
