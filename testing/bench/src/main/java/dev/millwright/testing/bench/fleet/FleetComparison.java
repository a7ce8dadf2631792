package dev.millwright.testing.bench.fleet;

import dev.millwright.testing.bench.comparison.ChildProcess;
import dev.millwright.testing.bench.comparison.Circumstances;
import dev.millwright.testing.bench.comparison.Fields;
import dev.millwright.testing.bench.comparison.JsonLine;
import dev.millwright.testing.bench.comparison.KeptAnswer;
import dev.millwright.testing.bench.comparison.OwnProgram;
import dev.millwright.testing.bench.comparison.ReportPage;
import dev.millwright.testing.bench.comparison.Rounded;
import dev.millwright.testing.bench.problem.BenchFleet;
import dev.millwright.testing.kit.generator.PlainJson;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Consolidates fleets by us and by the peer, one program at a time, and tells the figures.
public final class FleetComparison {

    private static final String BEGIN =
            "<!-- fleets: begin, written by make bench-disruption -->\n";
    private static final String END = "<!-- fleets: end -->\n";

    private final Path peer;
    private final Path target;
    private final String peerLimit;

    /// @param peerLimit after which the peer begins no further decision about a fleet, like `30m`
    public FleetComparison(Path peer, Path target, String peerLimit) {
        this.peer = peer;
        this.target = target;
        this.peerLimit = peerLimit;
    }

    /// Writes the figures into the page too, unless its path is empty.
    public void run(String peerVersion, Path page, List<BenchFleet> fleets)
            throws IOException, InterruptedException {
        var circumstances = Circumstances.now(peerVersion);
        var rows = new ArrayList<FleetRow>();
        for (var fleet : fleets) {
            rows.add(row(fleet));
        }
        var tables = new FleetTables(rows);
        System.out.println(tables.first().text());
        System.out.println(tables.last().text());
        System.out.println(tables.end().text());
        tables.shortfalls().forEach(System.out::println);
        Files.writeString(target.resolve("fleets.json"), PlainJson.text(raw(rows), true));
        if (!page.toString().isEmpty()) {
            ReportPage.replace(page, BEGIN, END, figures(circumstances, tables));
        }
    }

    private FleetRow row(BenchFleet fleet) throws IOException, InterruptedException {
        var file = fleet.write(target.resolve("fleets"));
        System.err.printf("bench: %s, the whole fleet%n", fleet.name());
        var wholeFleet = ours("cheapest", file);
        System.err.printf("bench: %s, node by node%n", fleet.name());
        var nodeByNode = ours("karpenter", file);
        System.err.printf("bench: %s, the peer%n", fleet.name());
        return new FleetRow(fleet.name(), wholeFleet, nodeByNode, peers(file));
    }

    private static JsonLine ours(String method, Path file) throws InterruptedException {
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(OwnProgram.JVM_OPTIONS);
        command.add("-cp");
        command.add(System.getProperty("java.class.path"));
        command.add(FleetRuns.class.getName());
        command.addAll(List.of(method, "5", "5000", file.toString()));
        return JsonLine.parse(method, ChildProcess.run(command));
    }

    private JsonLine peers(Path file) throws IOException, InterruptedException {
        var folder = target.resolve("peer");
        var kept = KeptAnswer.of(folder, file, peer);
        if (Files.notExists(kept)) {
            Files.createDirectories(folder);
            Files.writeString(
                    kept,
                    ChildProcess.run(
                            List.of(
                                    peer.toString(),
                                    "--consolidate",
                                    "--limit",
                                    peerLimit,
                                    file.toString())));
        }
        return JsonLine.parse("peer", Files.readString(kept));
    }

    private static Object raw(List<FleetRow> rows) {
        return Fields.of(
                "fleets",
                rows.stream()
                        .map(
                                row ->
                                        Fields.of(
                                                "name",
                                                row.name(),
                                                "wholeFleet",
                                                row.wholeFleet().fields(),
                                                "nodeByNode",
                                                row.nodeByNode().fields(),
                                                "peer",
                                                row.peer().fields()))
                        .toList());
    }

    private static String figures(Circumstances circumstances, FleetTables tables) {
        var text = new StringBuilder();
        text.append(
                """
                Measured on %s: %s, %d cores with a load of %s before; JDK %s with `%s`; peer Karpenter %s.

                """
                        .formatted(
                                circumstances.date(),
                                circumstances.processor(),
                                circumstances.cores(),
                                Rounded.nearest(circumstances.load(), 1),
                                circumstances.java(),
                                String.join(" ", OwnProgram.JVM_OPTIONS),
                                circumstances.peerVersion()));
        text.append("The first decision about the fleet as it stands:\n\n");
        text.append(tables.first().markdown()).append('\n');
        text.append("The last decision, which finds nothing more:\n\n");
        text.append(tables.last().markdown()).append('\n');
        text.append("What came of all decisions:\n\n");
        text.append(tables.end().markdown()).append('\n');
        text.append("What falls short:\n\n");
        tables.shortfalls().forEach(each -> text.append("- ").append(each).append('\n'));
        if (tables.shortfalls().isEmpty()) {
            text.append("Nothing of the above.\n");
        }
        return text.append('\n').toString();
    }
}
