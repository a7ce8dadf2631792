package dev.millwright.cli;

import dev.millwright.providers.aws.removal.Leftover;
import dev.millwright.providers.aws.removal.Report;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/// Shows what is there to be removed, asks whether it shall be, and shows what came of it.
final class DestroyText {

    private final Terminal terminal;
    private final String cluster;
    private final String region;
    private final boolean isCloudOnly;

    DestroyText(Terminal terminal, String cluster, String region, boolean isCloudOnly) {
        this.terminal = terminal;
        this.cluster = cluster;
        this.region = region;
        this.isCloudOnly = isCloudOnly;
    }

    /// The name is typed, so that a hand that is faster than its head does no harm.
    boolean isConfirmed(List<Leftover> found) throws IOException {
        var counts =
                found.stream()
                        .collect(
                                Collectors.groupingBy(
                                        Leftover::kind, LinkedHashMap::new, Collectors.counting()));
        var words =
                counts.entrySet().stream()
                        .map(each -> "%s: %d".formatted(each.getKey(), each.getValue()))
                        .collect(Collectors.joining(", "));
        var answer =
                terminal.ask(
                        "Cluster %s in %s has %s. All of it is removed.%nType the cluster's name to go on: "
                                .formatted(cluster, region, words.isEmpty() ? "nothing" : words));
        return answer.equals(cluster);
    }

    void wouldRemove(List<Leftover> found, OutputFormat format) {
        var result = head(true);
        result.put("left", found.stream().map(DestroyText::row).toList());
        switch (format) {
            case TABLE, WIDE -> {
                table(List.of(), found, "there");
                terminal.out()
                        .println(
                                found.isEmpty()
                                        ? "Nothing is there to be removed of cluster %s."
                                                .formatted(cluster)
                                        : "%s of cluster %s would be removed."
                                                .formatted(things(found), cluster));
            }
            case JSON -> ResultText.json(result, terminal.out());
            case YAML -> ResultText.yaml(result, terminal.out());
        }
        terminal.flush();
    }

    void removed(Report report, OutputFormat format) {
        var result = head(false);
        result.put("removed", report.removed().stream().map(DestroyText::name).toList());
        result.put("forced", report.forced());
        result.put("released", report.released());
        result.put("left", report.left().stream().map(DestroyText::row).toList());
        switch (format) {
            case TABLE, WIDE -> {
                table(report.removed(), report.left(), "left");
                terminal.out()
                        .println(
                                report.left().isEmpty()
                                        ? "Nothing is left of cluster %s.".formatted(cluster)
                                        : "Left of cluster %s: %s; run it again."
                                                .formatted(cluster, things(report.left())));
            }
            case JSON -> ResultText.json(result, terminal.out());
            case YAML -> ResultText.yaml(result, terminal.out());
        }
        terminal.flush();
    }

    private static String things(List<Leftover> some) {
        return some.size() == 1 ? "1 thing" : some.size() + " things";
    }

    private void table(List<Leftover> removed, List<Leftover> there, String word) {
        if (removed.isEmpty() && there.isEmpty()) {
            return;
        }
        var table =
                new TextTable(
                        List.of(
                                TextTable.left("KIND"),
                                TextTable.left("NAME"),
                                TextTable.left("STATE")));
        removed.forEach(each -> table.row(each.kind(), each.name(), "removed"));
        there.forEach(
                each ->
                        table.row(
                                each.kind(),
                                each.name(),
                                each.why().isEmpty() ? word : word + ": " + each.why()));
        table.print(terminal.out());
        terminal.out().println();
    }

    private Map<String, Object> head(boolean isDryRun) {
        var head = new LinkedHashMap<String, Object>();
        head.put("cluster", cluster);
        head.put("region", region);
        head.put("cloudOnly", isCloudOnly);
        head.put("dryRun", isDryRun);
        return head;
    }

    private static Map<String, Object> name(Leftover thing) {
        var row = new LinkedHashMap<String, Object>();
        row.put("kind", thing.kind());
        row.put("name", thing.name());
        return row;
    }

    private static Map<String, Object> row(Leftover thing) {
        var row = name(thing);
        row.put("why", thing.why());
        return row;
    }
}
