package dev.millwright.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import picocli.CommandLine;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// README lists every command that there is, and no other.
class ReadmeCommandsTest {

    private static final Pattern CODE = Pattern.compile("`([^`]+)`");
    private static final String TABLE = "| commands | |\n";

    @Test
    void everyCommandIsInTheReadme() throws IOException {
        var readme = Files.readString(Path.of("../README.md"));
        var from = readme.indexOf(TABLE);
        assertThat(from).as("the table of commands").isNotNegative();
        var table = readme.substring(from, readme.indexOf("\n\n", from));
        var told = new TreeSet<String>();
        table.lines()
                .map(line -> line.split("\\|", -1)[1])
                .forEach(cell -> CODE.matcher(cell).results().forEach(at -> told.add(at.group(1))));

        var terminal =
                Terminal.ofStreams(
                        new ByteArrayInputStream(new byte[0]),
                        new PrintWriter(new StringWriter()),
                        new PrintWriter(new StringWriter()),
                        CommandRun.PLAIN);
        var root = Main.commandLine(terminal, Main.Parts.OURS, _ -> {});
        assertThat(told).isEqualTo(new TreeSet<>(names(root).toList()));
    }

    /// What `explain` asks about are arguments to a reader, not commands of their own.
    private static Stream<String> names(CommandLine line) {
        return line.getSubcommands().entrySet().stream()
                .flatMap(
                        each ->
                                each.getValue().getSubcommands().isEmpty()
                                                || each.getKey().equals("explain")
                                        ? Stream.of(each.getKey())
                                        : names(each.getValue())
                                                .map(name -> each.getKey() + " " + name));
    }
}
