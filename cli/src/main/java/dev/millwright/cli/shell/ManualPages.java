package dev.millwright.cli.shell;

import static java.util.stream.Collectors.joining;

import picocli.CommandLine.Help;
import picocli.CommandLine.Model.CommandSpec;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SequencedMap;
import java.util.TreeMap;

/// A page of section 1 for every command, as `man` reads it.
public final class ManualPages {

    private ManualPages() {}

    /// The text of each page by the name of its file, such as `millwright-explain-pod.1`.
    public static SequencedMap<String, String> of(CommandSpec root, String version) {
        var pages = new TreeMap<String, String>();
        for (var command : ShownCommand.all(root)) {
            pages.put(title(command) + ".1", page(command, version));
        }
        return pages;
    }

    private static String title(ShownCommand command) {
        return command.path("-");
    }

    private static String page(ShownCommand command, String version) {
        var lines = new ArrayList<String>();
        var title = title(command);
        lines.add(".TH \"%s\" 1 \"\" \"millwright %s\"".formatted(text(title), text(version)));
        var description = command.description();
        lines.add(".SH NAME");
        lines.add(text(title) + " \\- " + text(description));
        lines.add(".SH SYNOPSIS");
        lines.add(text(synopsis(command)));
        var parameters = command.parameters();
        if (!parameters.isEmpty()) {
            lines.add(".SH ARGUMENTS");
            parameters.forEach(
                    each -> lines.addAll(item(each.paramLabel(), each.description(), "\\fI")));
        }
        lines.add(".SH OPTIONS");
        for (var option : command.options()) {
            var names = String.join(", ", option.names());
            var label = option.arity().max() > 0 ? names + " " + option.paramLabel() : names;
            lines.addAll(item(label, option.description(), "\\fB"));
        }
        var below = command.below();
        if (!below.isEmpty()) {
            lines.add(".SH COMMANDS");
            below.forEach(
                    child ->
                            lines.addAll(
                                    item(
                                            title(child) + "(1)",
                                            child.specification().usageMessage().description(),
                                            "\\fB")));
        }
        lines.addAll(footer(command));
        return String.join("\n", lines) + "\n";
    }

    private static String synopsis(ShownCommand command) {
        var help = new Help(command.specification(), Help.defaultColorScheme(Help.Ansi.OFF));
        var own = command.specification().qualifiedName();
        var words = help.synopsis(0).strip().replaceAll("\\s+", " ");
        return command.path(" ") + words.substring(own.length());
    }

    private static List<String> item(String label, String[] description, String font) {
        return List.of(
                ".TP", font + text(label) + "\\fR", text(ShownCommand.sentence(description)));
    }

    /// Lines that begin with a space are commands to type, and stay as they are.
    private static List<String> footer(ShownCommand command) {
        var footer = command.specification().usageMessage().footer();
        if (Arrays.stream(footer).allMatch(String::isBlank)) {
            return List.of();
        }
        var body =
                Arrays.stream(footer)
                        .map(line -> text(line.formatted()))
                        .dropWhile(String::isBlank)
                        .collect(joining("\n"));
        return List.of(".SH NOTES", ".nf", body, ".fi");
    }

    /// No line of ours is taken for a request, no hyphen for a dash.
    private static String text(String plain) {
        var escaped = plain.replace("\\", "\\e").replace("-", "\\-");
        return escaped.startsWith(".") || escaped.startsWith("'") ? "\\&" + escaped : escaped;
    }
}
