package dev.millwright.cli.shell;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/// A command that help lists, by the words that reach it. These are not always the specification's
/// own name: `explain node` and `explain nodeclaim` are one class.
record ShownCommand(List<String> words, CommandSpec specification) {

    ShownCommand {
        words = List.copyOf(words);
    }

    /// All commands, each before those below it, in the order in which help lists them.
    static List<ShownCommand> all(CommandSpec root) {
        var found = new ArrayList<ShownCommand>();
        new ShownCommand(List.of(root.name()), root).addTo(found);
        return List.copyOf(found);
    }

    private void addTo(List<ShownCommand> found) {
        found.add(this);
        below().forEach(child -> child.addTo(found));
    }

    List<ShownCommand> below() {
        var children = new ArrayList<ShownCommand>();
        specification
                .subcommands()
                .forEach((name, line) -> children.add(child(name, line.getCommandSpec())));
        children.removeIf(child -> child.isHidden() || child.isAlias());
        return List.copyOf(children);
    }

    private ShownCommand child(String name, CommandSpec child) {
        var path = new ArrayList<>(words);
        path.add(name);
        return new ShownCommand(path, child);
    }

    private boolean isHidden() {
        return specification.usageMessage().hidden();
    }

    private boolean isAlias() {
        return List.of(specification.aliases()).contains(name());
    }

    String name() {
        return words.getLast();
    }

    String path(String separator) {
        return String.join(separator, words);
    }

    String description() {
        return sentence(specification.usageMessage().description());
    }

    List<OptionSpec> options() {
        return specification.options().stream().filter(option -> !option.hidden()).toList();
    }

    List<PositionalParamSpec> parameters() {
        return specification.positionalParameters().stream()
                .filter(parameter -> !parameter.hidden())
                .toList();
    }

    /// All of a description in one line.
    static String sentence(String[] lines) {
        return Arrays.stream(lines)
                .map(line -> line.formatted().strip())
                .filter(line -> !line.isEmpty())
                .collect(Collectors.joining(" "));
    }
}
