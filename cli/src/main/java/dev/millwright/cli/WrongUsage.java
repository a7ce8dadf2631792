package dev.millwright.cli;

import picocli.CommandLine;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

import java.util.IdentityHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// Says what was wrong with the arguments and where help is; the whole help would bury it.
final class WrongUsage implements IParameterExceptionHandler {

    private static final Pattern NOT_A_NUMBER =
            Pattern.compile("'([^']*)' is not an? (int|long|double)");

    /// Of a command that only stands before others.
    static ParameterException withoutSubcommand(CommandSpec spec, String what) {
        return new ParameterException(
                spec.commandLine(),
                "a %s is missing; wanted one of %s".formatted(what, names(spec)));
    }

    /// Its subcommands, each by its first name.
    static String names(CommandSpec spec) {
        var names = new IdentityHashMap<CommandLine, String>();
        return spec.subcommands().entrySet().stream()
                .filter(each -> names.putIfAbsent(each.getValue(), each.getKey()) == null)
                .map(Map.Entry::getKey)
                .collect(Collectors.joining(", "));
    }

    @Override
    public int handleParseException(ParameterException wrong, String[] arguments) {
        var command = wrong.getCommandLine();
        var err = command.getErr();
        err.println("millwright: " + words(String.valueOf(wrong.getMessage())));
        CommandLine.UnmatchedArgumentException.printSuggestions(wrong, err);
        err.println("See '%s --help'.".formatted(command.getCommandSpec().qualifiedName()));
        err.flush();
        return command.getCommandSpec().exitCodeOnInvalidInput();
    }

    /// Picocli calls kinds of numbers by Java's names.
    private static String words(String message) {
        var number = NOT_A_NUMBER.matcher(message);
        return number.find()
                ? number.replaceFirst(
                        Matcher.quoteReplacement(
                                "found \"%s\"; wanted a %snumber"
                                        .formatted(
                                                number.group(1),
                                                number.group(2).equals("double") ? "" : "whole ")))
                : message;
    }
}
