package dev.millwright.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

import java.util.LinkedHashMap;

/// Says what runs here: our version, and the Java and machine below it.
@Command(
        name = "version",
        description = "Show the version, and what it runs on.",
        footer = {"", "Example:", "  millwright version -o json"})
final class VersionCommand implements Runnable {

    private final Terminal terminal;

    @Mixin private OutputOptions output = new OutputOptions();

    VersionCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public void run() {
        var facts = new LinkedHashMap<String, String>();
        facts.put("version", RootCommand.Version.text());
        facts.put("java", Runtime.version().toString());
        facts.put("os", System.getProperty("os.name"));
        facts.put("arch", System.getProperty("os.arch"));
        switch (output.format()) {
            case TABLE -> terminal.out().println("millwright " + facts.get("version"));
            case WIDE ->
                    terminal.out()
                            .printf("millwright %s, Java %s, %s %s%n", facts.values().toArray());
            case JSON -> ResultText.json(facts, terminal.out());
            case YAML -> ResultText.yaml(facts, terminal.out());
        }
        terminal.flush();
    }
}
