package dev.millwright.cli;

import dev.millwright.controllers.settings.Flag;

import picocli.CommandLine.IParameterPreprocessor;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

import java.util.List;
import java.util.SequencedMap;
import java.util.TreeMap;

/// Options of a command made from the table of flags, and what was given for them. Texts are passed
/// on as they are: the settings' reader checks flags and variables alike.
final class FlagOptions {

    /// A boolean flag takes a value only behind `=`, so that it does not swallow the next word.
    private static final IParameterPreprocessor TOGGLE =
            (arguments, command, option, info) -> {
                option.setValue(
                        List.of("=".equals(info.get("separator")) ? arguments.pop() : "true"));
                return true;
            };

    private FlagOptions() {}

    static void addTo(CommandSpec command) {
        for (var flag : Flag.values()) {
            command.addOption(option(flag));
        }
    }

    /// A list, because of a flag that is given twice the last counts.
    private static OptionSpec option(Flag flag) {
        var option =
                OptionSpec.builder("--" + flag.flagName())
                        .type(List.class)
                        .auxiliaryTypes(String.class)
                        .paramLabel(flag.valueLabel())
                        .description(description(flag));
        return switch (flag.kind()) {
            case TOGGLE -> option.arity("0..1").preprocessor(TOGGLE).build();
            case CHOICE ->
                    option.arity("1")
                            .completionCandidates(
                                    flag.choices().stream()
                                            .filter(word -> !word.isEmpty())
                                            .toList())
                            .build();
            case TEXT, WHOLE, DECIMAL, DURATION -> option.arity("1").build();
        };
    }

    private static String description(Flag flag) {
        return flag.defaultText().isEmpty()
                ? "%s (%s)".formatted(flag.help(), flag.variable())
                : "%s (%s, default %s)".formatted(flag.help(), flag.variable(), flag.defaultText());
    }

    /// What was given, by the flags' names.
    static SequencedMap<String, String> given(CommandSpec command) {
        var given = new TreeMap<String, String>();
        for (var flag : Flag.values()) {
            List<String> values = command.findOption("--" + flag.flagName()).getValue();
            if (values != null && !values.isEmpty()) {
                given.put(flag.flagName(), values.getLast());
            }
        }
        return given;
    }
}
