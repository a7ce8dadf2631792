package dev.millwright.cli.shell;

import static java.util.stream.Collectors.joining;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.StreamSupport;

/// A script that completes our commands and options in fish, for which picocli has none.
public final class FishCompletion {

    private FishCompletion() {}

    public static String of(CommandSpec root) {
        var commands = ShownCommand.all(root);
        var lines = new ArrayList<String>();
        for (var command : commands) {
            var here =
                    "complete -c %s -n 'test (__millwright_command) = \"%s\"'"
                            .formatted(root.name(), command.path(" "));
            command.below()
                    .forEach(child -> lines.add("%s -f -a %s".formatted(here, entry(child))));
            command.options().forEach(option -> lines.add("%s %s".formatted(here, entry(option))));
        }
        var names = commands.stream().map(each -> quoted(each.path(" "))).collect(joining(" "));
        return head(names, root.name()) + String.join("\n", lines) + "\n";
    }

    /// Says which command the words before the cursor have reached. Options and names are passed
    /// over.
    private static String head(String names, String root) {
        return """
        # fish completion of millwright
        set -g __millwright_commands %s

        function __millwright_command
            set -l reached %s
            for word in (commandline -opc)[2..-1]
                if contains -- "$reached $word" $__millwright_commands
                    set reached "$reached $word"
                end
            end
            echo $reached
        end

        """
                .formatted(names, root);
    }

    private static String entry(ShownCommand command) {
        return "%s -d %s".formatted(command.name(), quoted(command.description()));
    }

    private static String entry(OptionSpec option) {
        var words = new ArrayList<String>();
        for (var name : option.names()) {
            words.add(
                    name.startsWith("--") ? "-l " + name.substring(2) : "-s " + name.substring(1));
        }
        if (option.arity().max() > 0) {
            words.add("-r");
            var choices = choices(option);
            if (!choices.isEmpty()) {
                words.add("-f -a " + quoted(String.join(" ", choices)));
            }
        }
        words.add("-d " + quoted(ShownCommand.sentence(option.description())));
        return String.join(" ", words);
    }

    private static List<String> choices(OptionSpec option) {
        var candidates = option.completionCandidates();
        return candidates == null
                ? List.of()
                : StreamSupport.stream(candidates.spliterator(), false).toList();
    }

    private static String quoted(String text) {
        return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
    }
}
