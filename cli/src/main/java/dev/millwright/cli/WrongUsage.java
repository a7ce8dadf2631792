package dev.millwright.cli;

import picocli.CommandLine;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

import java.util.IdentityHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/// Says what was wrong with the arguments and where help is; the whole help would bury it.
final class WrongUsage implements IParameterExceptionHandler {

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
        err.println("millwright: " + wrong.getMessage());
        CommandLine.UnmatchedArgumentException.printSuggestions(wrong, err);
        err.println("See '%s --help'.".formatted(command.getCommandSpec().qualifiedName()));
        err.flush();
        return command.getCommandSpec().exitCodeOnInvalidInput();
    }
}
