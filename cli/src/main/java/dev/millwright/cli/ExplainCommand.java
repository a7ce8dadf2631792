package dev.millwright.cli;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.IParameterPreprocessor;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Unmatched;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Stack;
import java.util.concurrent.Callable;

/// What stands before the kinds of which it can be said why. As with kubectl, `pod/web` is the same
/// as `pod web`.
@Command(
        name = "explain",
        description = "Say why something is so, and the smallest change that would flip it.",
        synopsisSubcommandLabel = "KIND",
        preprocessor = ExplainCommand.KubectlOrder.class,
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
        throw new ParameterException(
                spec.commandLine(),
                "found \"%s\"; wanted KIND NAME or KIND/NAME, where KIND is one of %s"
                        .formatted(subject(), WrongUsage.names(spec)));
    }

    /// What was perhaps meant as the object: options come with their values, which look alike.
    private String subject() {
        return arguments.stream()
                .filter(each -> each.contains("/") && !each.startsWith("/"))
                .findFirst()
                .orElse(arguments.getFirst());
    }

    /// Brings the object to the front as `KIND NAME`, so that the kind's own command reads what
    /// stood before it: `explain -n shop pod/web` is `explain pod web -n shop`.
    static final class KubectlOrder implements IParameterPreprocessor {

        @Override
        public boolean preprocess(
                Stack<String> arguments,
                CommandSpec spec,
                @Nullable ArgSpec option,
                Map<String, Object> info) {
            var ordered = new ArrayList<>(arguments.reversed()); // The top comes first.
            var at = subject(ordered, spec);
            if (at >= 0) {
                bring(ordered, at, spec);
                arguments.clear();
                arguments.addAll(ordered.reversed());
            }
            return false;
        }

        private static void bring(List<String> arguments, int at, CommandSpec spec) {
            var subject = arguments.remove(at);
            var slash = subject.indexOf('/');
            if (slash >= 0) {
                arguments.addFirst(subject.substring(slash + 1));
            } else if (at < arguments.size() && !isOption(arguments.get(at))) {
                arguments.addFirst(arguments.remove(at));
            }
            arguments.addFirst(kind(subject, spec));
        }

        /// Where the first argument is that names a kind; -1 where none does. Values of options are
        /// passed over.
        private static int subject(List<String> arguments, CommandSpec spec) {
            for (var at = 0; at < arguments.size(); at++) {
                var argument = arguments.get(at);
                if (!kind(argument, spec).isEmpty()) {
                    return at;
                }
                if (!isOption(argument)) {
                    return -1;
                }
                at += valuesOf(argument, spec);
            }
            return -1;
        }

        private static boolean isOption(String argument) {
            return argument.startsWith("-") && argument.length() > 1;
        }

        /// Empty when the argument names none.
        private static String kind(String argument, CommandSpec spec) {
            var slash = argument.indexOf('/');
            var name =
                    (slash < 0 ? argument : argument.substring(0, slash)).toLowerCase(Locale.ROOT);
            return spec.subcommands().containsKey(name) ? name : "";
        }

        private static int valuesOf(String option, CommandSpec spec) {
            for (var kind : spec.subcommands().values()) {
                var known = kind.getCommandSpec().findOption(option);
                if (known != null) {
                    return known.arity().max() > 0 ? 1 : 0;
                }
            }
            return 0;
        }
    }
}
