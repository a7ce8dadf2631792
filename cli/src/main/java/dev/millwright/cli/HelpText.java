package dev.millwright.cli;

import picocli.CommandLine;

import java.util.ArrayList;

/// Makes help as wide as the terminal. Footers stand in the source in lines of their own; their
/// sentences become paragraphs here, so that each is wrapped once.
final class HelpText {

    private HelpText() {}

    static void widen(CommandLine line, int width) {
        line.setUsageHelpAutoWidth(false);
        line.setUsageHelpWidth(width);
        reflow(line);
    }

    private static void reflow(CommandLine line) {
        var usage = line.getCommandSpec().usageMessage();
        usage.footer(paragraphs(usage.footer()));
        line.getSubcommands().values().forEach(HelpText::reflow);
    }

    /// Lines that are indented, as examples are, and headings stay as they are.
    static String[] paragraphs(String[] lines) {
        var paragraphs = new ArrayList<String>();
        var isOpen = false;
        for (var line : lines) {
            var isProse = !line.isEmpty() && !line.startsWith(" ") && !line.endsWith(":");
            if (isProse && isOpen) {
                paragraphs.set(paragraphs.size() - 1, paragraphs.getLast() + " " + line);
            } else {
                paragraphs.add(line);
            }
            isOpen = isProse;
        }
        return paragraphs.toArray(String[]::new);
    }
}
