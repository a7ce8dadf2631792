package dev.millwright.cli;

import picocli.CommandLine.IParameterPreprocessor;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;

import java.util.Map;
import java.util.Stack;
import java.util.regex.Pattern;

/// Takes `pod/web`, as kubectl prints names, for `pod web`.
final class KubectlGrammar implements IParameterPreprocessor {

    private static final Pattern KIND_AND_NAME = Pattern.compile("(?<kind>[a-z]+)/(?<name>.+)");

    @Override
    @SuppressWarnings("JdkObsolete") // Picocli keeps arguments in a Stack.
    public boolean preprocess(
            Stack<String> arguments,
            CommandSpec command,
            ArgSpec argument,
            Map<String, Object> information) {
        var matcher = KIND_AND_NAME.matcher(arguments.isEmpty() ? "" : arguments.peek());
        if (matcher.matches() && command.subcommands().containsKey(matcher.group("kind"))) {
            arguments.pop();
            arguments.push(matcher.group("name"));
            arguments.push(matcher.group("kind"));
        }
        return false; // Picocli goes on from here.
    }
}
