package dev.millwright.cli;

import dev.millwright.controllers.settings.Flag;
import dev.millwright.runtime.flag.CommandFlag;
import dev.millwright.runtime.flag.FlagsException;

import picocli.CommandLine.IParameterPreprocessor;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

import java.util.List;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/// Options of a command made from a table of flags, and what was given for them. Texts are passed
/// on as they are: the settings' reader checks them.
final class FlagOptions {

    /// A boolean flag takes a value only behind `=`, so that it does not swallow the next word.
    private static final IParameterPreprocessor TOGGLE =
            (arguments, command, option, info) -> {
                option.setValue(
                        List.of("=".equals(info.get("separator")) ? arguments.pop() : "true"));
                return true;
            };

    /// One flag of a table. `words` are those of a choice, to be completed.
    private record Row(
            String name, boolean isToggle, String label, List<String> words, String description) {}

    private FlagOptions() {}

    /// Those of the autoscaler.
    static void addTo(CommandSpec command) {
        Stream.of(Flag.values()).map(FlagOptions::row).forEach(row -> add(command, row));
    }

    /// Those of another process.
    static void addTo(CommandSpec command, CommandFlag... flags) {
        Stream.of(flags).map(FlagOptions::row).forEach(row -> add(command, row));
    }

    private static Row row(Flag flag) {
        return new Row(
                flag.flagName(),
                flag.kind() == Flag.Kind.TOGGLE,
                flag.valueLabel(),
                flag.choices().stream().filter(word -> !word.isEmpty()).toList(),
                flag.defaultText().isEmpty()
                        ? "%s (%s)".formatted(flag.help(), flag.variable())
                        : "%s (%s, default %s)"
                                .formatted(flag.help(), flag.variable(), flag.defaultText()));
    }

    private static Row row(CommandFlag flag) {
        return new Row(
                flag.flagName(),
                flag.kind() == CommandFlag.Kind.TOGGLE,
                flag.valueLabel(),
                flag.choices(),
                flag.defaultText().isEmpty()
                        ? flag.help()
                        : "%s (default %s)".formatted(flag.help(), flag.defaultText()));
    }

    /// A list, because a flag may be given twice.
    private static void add(CommandSpec command, Row row) {
        var option =
                OptionSpec.builder("--" + row.name())
                        .type(List.class)
                        .auxiliaryTypes(String.class)
                        .paramLabel(row.label())
                        .description(row.description());
        if (row.isToggle()) {
            option.arity("0..1").preprocessor(TOGGLE);
        } else {
            option.arity("1").completionCandidates(row.words().isEmpty() ? null : row.words());
        }
        command.addOption(option.build());
    }

    /// What was given for the autoscaler's flags, by their names; of a flag that was given twice,
    /// the last.
    static SequencedMap<String, String> given(CommandSpec command) {
        var given = new TreeMap<String, String>();
        for (var flag : Flag.values()) {
            var values = values(command, flag.flagName());
            if (!values.isEmpty()) {
                given.put(flag.flagName(), values.getLast());
            }
        }
        return given;
    }

    /// All that was given for a process's flags, by their names.
    static SequencedMap<String, List<String>> given(CommandSpec command, CommandFlag... flags) {
        var given = new TreeMap<String, List<String>>();
        for (var flag : flags) {
            var values = values(command, flag.flagName());
            if (!values.isEmpty()) {
                given.put(flag.flagName(), values);
            }
        }
        return given;
    }

    /// As the managers do whose flags these are, a process ends with 1 for a value that it cannot
    /// use.
    static int refused(FlagsException refused, Terminal terminal) {
        refused.faults().forEach(fault -> terminal.err().println("millwright: " + fault));
        terminal.flush();
        return Failures.EXIT_CODE;
    }

    private static List<String> values(CommandSpec command, String name) {
        List<String> values = command.findOption("--" + name).getValue();
        return values == null ? List.of() : List.copyOf(values);
    }
}
